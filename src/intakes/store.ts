import { isOpen } from "../applications/closed.ts";
import { arrayColumns } from "../postgres/array-columns.ts";
import type { ArrayColumn } from "../postgres/array-columns.ts";
import { binaryArray } from "../postgres/binary-array.ts";
import type { Tx } from "../postgres/postgres.ts";
import { bool, bytea, int2, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { StoredResponse } from "../idempotency/store.ts";
import { INTAKE_ERROR_TYPES } from "../webhooks/event.ts";
import type { IntakeErrorType } from "../webhooks/event.ts";
import { insertFailures } from "../reports/figures/deltas.store.ts";
import { knownUsers } from "../users/store.ts";
import type { IntakeSource } from "./intake.ts";
import type { KeptIntake, KeptSubmission } from "./kept.ts";
import { packSubmission, unpackSubmission } from "./stored/packed-submission.ts";
import type { Submission } from "./schema.ts";

/** A meal or food to be accepted. Its id is made before the statement, so that sending it twice changes nothing. */
export interface NewIntake {
  id: string;
  applicationId: string;
  userId: string;
  source: IntakeSource;
  submission: Submission;
  acceptedAt: Date;
  /** Its place in a trace (W3C); absent: it is not traced. */
  traceparent?: string | undefined;
}

/** A stored meal or food. */
export interface Intake extends NewIntake {
  /** "accepted": its first event is to be written with the others. "received": the version before wrote it. */
  state: "accepted" | "received" | "completed" | "failed";
  attempts: number;
  details: unknown;
  errorType: IntakeErrorType | null;
  errorMessage: string | null;
  finishedAt: Date | null;
}

/** A stored meal or food. A completed one has only what its record does not say (`kept.ts`). */
export type FoundIntake = Omit<Intake, "submission"> & { submission: KeptSubmission };

const INTAKE = {
  id: uuid,
  applicationId: uuid,
  userId: uuid,
  source: oneOf(["meal", "food"]),
  submission: orNull(json<KeptSubmission>()),
  packed: orNull(bytea),
  state: oneOf(["accepted", "received", "completed", "failed"]),
  attempts: int2,
  details: orNull(json<unknown>()),
  errorType: orNull(oneOf(INTAKE_ERROR_TYPES)),
  errorMessage: orNull(text),
  acceptedAt: timestamptz,
  finishedAt: orNull(timestamptz),
};
const COLUMNS = `id, application_id AS "applicationId", user_id AS "userId", source, submission, packed, state, attempts, details,
  error_type AS "errorType", error_message AS "errorMessage", accepted_at AS "acceptedAt", finished_at AS "finishedAt"`;

/** A meal or food to be accepted, with the response to store under its Idempotency-Key. */
export interface Arrival extends NewIntake {
  key: StoredResponse | null;
}

/**
 * Of all but `stored` nothing was stored. `key_taken`: another request used its Idempotency-Key first. `busy`: another
 * client has locked the user's row.
 */
export type Arrived = "stored" | "unknown_user" | "key_taken" | "busy";

const ARRIVAL_COLUMNS: Readonly<Record<string, ArrayColumn<Arrival>>> = {
  id: ["uuid", (intake) => intake.id],
  application_id: ["uuid", (intake) => intake.applicationId],
  user_id: ["uuid", (intake) => intake.userId],
  source: ["text", (intake) => intake.source],
  reference: ["text", (intake) => intake.submission.reference],
  // As JSON: it is read once, a moment later. Only what stays is packed.
  submission: [
    "jsonb",
    ({ submission, traceparent }) => JSON.stringify(traceparent ? { ...submission, traceparent } : submission),
  ],
  accepted_at: ["timestamptz", (intake) => intake.acceptedAt],
};
const ARRIVALS = arrayColumns(ARRIVAL_COLUMNS);
const KEYED_ARRIVALS = arrayColumns<Arrival>({
  ...ARRIVAL_COLUMNS,
  key_hash: ["bytea", (intake) => intake.key?.keyHash ?? null],
  fingerprint: ["bytea", (intake) => intake.key?.fingerprint ?? null],
  status: ["smallint", (intake) => intake.key?.status ?? null],
  response: ["bytea", (intake) => intake.key?.response ?? null],
  is_sealed: ["boolean", (intake) => intake.key?.isSealed ?? null],
});

/**
 * Another client may hold a row that this statement needs, as the reference of an unfinished tx. The statement is for
 * many applications, so it gives up soon; the batcher then separates the one that waits from the others.
 */
const LOCK_TIMEOUT = "500ms";
const BOUNDED = `bounded AS (SELECT set_config('lock_timeout', '${LOCK_TIMEOUT}', true))`;

/**
 * The arrivals whose user exists. `erased_at` is judged on the row as it is when it is locked, so that no erasure ends
 * before an arrival is stored which it has not seen. It is the lock that a foreign key would take; 0073 dropped that,
 * since this proves the same. A row that another client has locked is skipped: nobody waits for it.
 */
const WITH_USER = `SELECT sent.* FROM sent JOIN users ON users.id = sent.user_id AND users.application_id = sent.application_id
                AND users.erased_at IS NULL FOR KEY SHARE OF users SKIP LOCKED`;

/**
 * The end of a WITH whose part `fresh` has the arrivals to store: stores them and claims their references. One
 * statement, and so one tx. References are claimed in the order of their key: two processes claiming the same ones in
 * opposite order dead-locked in 62 of 300 batches, ordered in none. Of two claims in one batch the earlier id wins.
 * Their first events are written when they are scored: they took 30 of 80 µs of each food here.
 */
const STORE_FRESH = `claimed AS (
           INSERT INTO submission_references (application_id, kind, reference, submission_id)
           SELECT application_id, source, reference, id FROM fresh ORDER BY application_id, source, reference, id
           ON CONFLICT DO NOTHING
         ), stored AS (
           INSERT INTO intakes (id, application_id, user_id, source, reference, state, submission, accepted_at)
           SELECT id, application_id, user_id, source, reference, 'accepted', submission, accepted_at FROM fresh
           ON CONFLICT DO NOTHING
         )`;

/** A row for each arrival whose user exists. */
const ACCEPTED = { id: uuid, isFresh: bool };

const ACCEPT = statement(
  "intakes.accept",
  ACCEPTED,
  `WITH ${BOUNDED}, sent AS (
           SELECT sent.* FROM bounded, ${ARRIVALS.unnest} AS sent (${ARRIVALS.names})
         ), fresh AS MATERIALIZED (
           ${WITH_USER}
         ), ${STORE_FRESH}
         SELECT id, true AS "isFresh" FROM fresh`,
);
const ACCEPT_KEYED = statement(
  "intakes.accept-keyed",
  ACCEPTED,
  // A statement of its own, so that batches without any key pay nothing. Keys before references, each in their order.
  `WITH ${BOUNDED}, sent AS (
           SELECT sent.* FROM bounded, ${KEYED_ARRIVALS.unnest} AS sent (${KEYED_ARRIVALS.names})
         ), known AS MATERIALIZED (
           ${WITH_USER}
         ), keyed AS (
           INSERT INTO idempotency_keys (application_id, key_hash, id, fingerprint, status, response, is_sealed, user_id,
                                         created_at)
           SELECT application_id, key_hash, id, fingerprint, status, response, is_sealed, user_id, accepted_at
           FROM known WHERE key_hash IS NOT NULL ORDER BY application_id, key_hash, id
           ON CONFLICT DO NOTHING RETURNING id
         ), fresh AS MATERIALIZED (
           SELECT * FROM known WHERE key_hash IS NULL OR id IN (SELECT id FROM keyed)
         ), ${STORE_FRESH}
         SELECT id, id IN (SELECT id FROM fresh) AS "isFresh" FROM known`,
);
/** Intakes of an erased user only wait for their deletion. */
const HAS_USER = "NOT EXISTS (SELECT 1 FROM users WHERE users.id = intakes.user_id AND erased_at IS NOT NULL)";
const READ = statement(
  "intakes.read",
  INTAKE,
  `SELECT ${COLUMNS} FROM intakes WHERE id = ANY ($1) AND finished_at IS NULL ORDER BY id`,
);
const LOCK = statement(
  "intakes.lock",
  { id: uuid, isHolder: bool },
  // Rows that another worker holds are skipped: that worker finishes them. A scalar subquery: as a join, planned before
  // the first ANALYZE, all references were read, 22 µs an intake of 11,000 instead of 5 of 1,000.
  `SELECT id, coalesce((SELECT held.submission_id FROM submission_references AS held
                              WHERE held.application_id = intakes.application_id AND held.kind = intakes.source
                                AND held.reference = intakes.reference) = id, false) AS "isHolder"
         FROM intakes WHERE id = ANY ($1) AND finished_at IS NULL AND ${HAS_USER}
         ORDER BY id FOR UPDATE SKIP LOCKED`,
);
const CLAIM = statement(
  "intakes.claim-references",
  { id: uuid },
  `INSERT INTO submission_references (application_id, kind, reference, submission_id)
         SELECT application_id, source, reference, id FROM intakes WHERE id = ANY ($1)
         ORDER BY application_id, source, reference, id ON CONFLICT DO NOTHING RETURNING submission_id AS id`,
);
/** An intake that earned nothing; `excluded`: the items left out of its rating. */
interface IntakeFailure {
  readonly id: string;
  readonly errorType: IntakeErrorType;
  readonly errorMessage: string;
  readonly excluded: readonly object[];
}

/** `packed`: the submission; null: it is stored as JSON. */
type Completion = KeptIntake & { readonly id: string; readonly packed: Buffer | null };

const COMPLETIONS = arrayColumns<Completion>({
  id: ["uuid", ({ id }) => id],
  submission: ["jsonb", ({ submission, packed }) => (packed ? null : JSON.stringify(submission))],
  packed: ["bytea", ({ packed }) => packed],
  details: ["jsonb", ({ details }) => JSON.stringify(details)],
});
const COMPLETE = statement(
  "intakes.complete",
  {},
  `UPDATE intakes SET state = 'completed', finished_at = $${COMPLETIONS.next},
                submission = done.submission, packed = done.packed, details = done.details
         FROM ${COMPLETIONS.unnest} AS done (${COMPLETIONS.names}) WHERE intakes.id = done.id`,
);
const FAILURES = arrayColumns<IntakeFailure>({
  id: ["uuid", ({ id }) => id],
  type: ["text", ({ errorType }) => errorType],
  message: ["text", ({ errorMessage }) => errorMessage],
  details: ["jsonb", ({ excluded }) => JSON.stringify({ excluded })],
});
const FAIL = statement(
  "intakes.fail",
  {},
  `WITH ended AS (
           UPDATE intakes SET state = 'failed', finished_at = $${FAILURES.next}, error_type = failed.type,
                  error_message = failed.message, details = failed.details
           FROM ${FAILURES.unnest} AS failed (${FAILURES.names})
           WHERE intakes.id = failed.id
           RETURNING application_id, source, error_type AS error_code, finished_at AS ended_at
         )
         ${insertFailures("ended")}`,
);
const RELEASE = statement(
  "intakes.release-references",
  {},
  `DELETE FROM submission_references AS held USING intakes
         WHERE intakes.id = ANY ($1) AND held.application_id = intakes.application_id AND held.kind = intakes.source
           AND held.reference = intakes.reference AND held.submission_id = intakes.id`,
);
const COUNT_ATTEMPT = statement(
  "intakes.count-attempt",
  { attempts: int2 },
  `UPDATE intakes SET attempts = attempts + 1 WHERE id = $1 AND finished_at IS NULL RETURNING attempts`,
);
const UNFINISHED = statement(
  "intakes.unfinished",
  { id: uuid },
  `SELECT id FROM intakes WHERE finished_at IS NULL AND accepted_at < $1 AND ${HAS_USER} AND ${isOpen("intakes.application_id")}
         ORDER BY accepted_at, id LIMIT $2`,
);
const FIND = statement(
  "intakes.find",
  INTAKE,
  `SELECT ${COLUMNS} FROM intakes WHERE id = $3 AND application_id = $1 AND source = $2`,
);

/**
 * Stores the arrivals whose user exists, once for each Idempotency-Key. Returns what became of each, in their order.
 * Repeating the call stores nothing twice.
 */
export async function acceptIntakes(tx: Tx, arrivals: readonly Arrival[]): Promise<Arrived[]> {
  const rows = arrivals.some(({ key }) => key !== null)
    ? await tx.query(ACCEPT_KEYED, KEYED_ARRIVALS.values(arrivals))
    : await tx.query(ACCEPT, ARRIVALS.values(arrivals));
  const isFreshById = new Map(rows.map((row) => [row.id, row.isFresh]));
  const skipped = arrivals.filter(({ id }) => !isFreshById.has(id)).map(({ userId }) => userId);
  const busy = skipped.length === 0 ? new Map<string, string>() : await knownUsers(tx, skipped);
  return arrivals.map(({ id, applicationId, userId }): Arrived => {
    const isFresh = isFreshById.get(id);
    if (isFresh !== undefined) return isFresh ? "stored" : "key_taken";
    return busy.get(userId) === applicationId ? "busy" : "unknown_user";
  });
}

/** Reads those of the intakes that are not finished, oldest first. Locks nothing. */
export async function readReceived(tx: Tx, ids: readonly string[]): Promise<Intake[]> {
  const rows = await tx.query(READ, [binaryArray("uuid", ids)]);
  // A submission is whole until it is completed.
  return rows.map((row) => withSubmission(row) as Intake);
}

/**
 * Locks those of the intakes that are not finished and that no one else holds. Returns for each whether it holds its
 * reference: it has claimed it on acceptance, or now, since it is free again.
 */
export async function lockReceived(tx: Tx, ids: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await tx.query(LOCK, [binaryArray("uuid", ids)]);
  const locked = new Map(rows.map(({ id, isHolder }) => [id, isHolder]));
  const without = rows.flatMap(({ id, isHolder }) => (isHolder ? [] : [id]));
  if (without.length > 0) for (const { id } of await tx.query(CLAIM, [without])) locked.set(id, true);
  return locked;
}

/** Marks intakes completed; their record is booked in the same tx, and what it says leaves the row. */
export async function completeIntakes(
  tx: Tx,
  completions: readonly (KeptIntake & { id: string })[],
  now: Date,
): Promise<void> {
  const packed = completions.map((each) => ({ ...each, packed: packSubmission(each.submission) }));
  await tx.query(COMPLETE, [...COMPLETIONS.values(packed), now]);
}

/** Marks intakes failed and releases the references they hold. */
export async function failIntakes(tx: Tx, failures: readonly IntakeFailure[], now: Date): Promise<void> {
  await tx.query(FAIL, [...FAILURES.values(failures), now]);
  await tx.query(RELEASE, [failures.map((failure) => failure.id)]);
}

/** Counts an attempt before it starts. Returns the attempts so far; null when the intake is finished. */
export async function countAttempt(tx: Tx, id: string): Promise<number | null> {
  return (await tx.query(COUNT_ATTEMPT, [id]))[0]?.attempts ?? null;
}

/** Ids of unfinished intakes accepted before `before`, oldest first. */
export async function unfinishedIntakes(tx: Tx, before: Date, limit: number): Promise<string[]> {
  return (await tx.query(UNFINISHED, [before, limit])).map((row) => row.id);
}

/** Returns the row with its submission. The place in a trace is stored in that, and goes when it is packed. */
function withSubmission<Row extends { submission: KeptSubmission | null; packed: Buffer | null }>(
  row: Row,
): Omit<Row, "submission" | "packed"> & { submission: KeptSubmission; traceparent?: string } {
  const { submission: stored, packed, ...rest } = row;
  const { traceparent, ...submission }: KeptSubmission & { traceparent?: string } = stored ?? unpackSubmission(packed!);
  return { ...rest, submission, ...(traceparent !== undefined && { traceparent }) };
}

/** Finds an intake of this application and kind. Null for those of others. */
export async function findIntake(
  tx: Tx,
  applicationId: string,
  source: IntakeSource,
  id: string,
): Promise<FoundIntake | null> {
  return (await tx.query(FIND, [applicationId, source, id])).map(withSubmission)[0] ?? null;
}
