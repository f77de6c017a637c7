import type { Tx } from "../postgres/postgres.ts";
import { bool, int2, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { StoredResponse } from "../idempotency/store.ts";
import { INTAKE_ERROR_TYPES } from "../webhooks/event.ts";
import type { IntakeErrorType, NewEvent } from "../webhooks/event.ts";
import { outboxInserts } from "../webhooks/store.ts";
import type { IntakeSource } from "./intake.ts";
import type { Submission } from "./schema.ts";

/** A meal or food on its way in; its id is made before the statement, so that sending it twice changes nothing. */
export interface NewIntake {
  id: string;
  applicationId: string;
  userId: string;
  source: IntakeSource;
  submission: Submission;
  acceptedAt: Date;
}

/** A meal or food where it stands. */
export interface Intake extends NewIntake {
  state: "received" | "completed" | "failed";
  attempts: number;
  details: unknown;
  errorType: IntakeErrorType | null;
  errorMessage: string | null;
  finishedAt: Date | null;
}

const INTAKE = {
  id: uuid,
  applicationId: uuid,
  userId: uuid,
  source: oneOf(["meal", "food"]),
  submission: json<Submission>(),
  state: oneOf(["received", "completed", "failed"]),
  attempts: int2,
  details: orNull(json<unknown>()),
  errorType: orNull(oneOf(INTAKE_ERROR_TYPES)),
  errorMessage: orNull(text),
  acceptedAt: timestamptz,
  finishedAt: orNull(timestamptz),
};
const COLUMNS = `id, application_id AS "applicationId", user_id AS "userId", source, submission, state, attempts, details,
  error_type AS "errorType", error_message AS "errorMessage", accepted_at AS "acceptedAt", finished_at AS "finishedAt"`;

/** A meal or food as it is accepted, with what is kept of its Idempotency-Key. */
export interface Arrival extends NewIntake {
  key: StoredResponse | null;
}

/** `key_taken`: another request had its Idempotency-Key first, and nothing was stored. */
export type Arrived = "stored" | "unknown_user" | "key_taken";

// References are claimed in the order of their key: two processes claiming the same ones in opposite order
// dead-locked in 62 of 300 batches, ordered in none. Of two claims in one batch the earlier id wins.
// One statement and so one tx: the rows, who holds their references, and what is told of them.
const STORE_FRESH = `claimed AS (
           INSERT INTO submission_references (application_id, kind, reference, submission_id)
           SELECT application_id, source, reference, id FROM fresh ORDER BY application_id, source, reference, id
           ON CONFLICT DO NOTHING
         ), accepted AS (
           INSERT INTO intakes (id, application_id, user_id, source, reference, state, submission, accepted_at)
           SELECT id, application_id, user_id, source, reference, 'received', submission, accepted_at FROM fresh
           ON CONFLICT DO NOTHING RETURNING id
         ), received AS (
           -- Not a join: of rows it cannot count PostgreSQL would compare each with each, 2 of 6 ms for 128 intakes.
           SELECT user_id, id AS subject, event_position AS position, event_id AS id, application_id, event_type AS type,
                  event_body AS body, accepted_at AS created_at
           FROM fresh WHERE id IN (SELECT id FROM accepted)
         ), ${outboxInserts("received", "$12::float8")}`;
const SENT_COLUMNS = `id, application_id, user_id, source, reference, submission, accepted_at,
                      event_id, event_position, event_type, event_body`;
const SENT_ARRAYS = `$1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::timestamptz[],
                                $8::uuid[], $9::smallint[], $10::text[], $11::text[]`;
const ACCEPT = statement(
  "intakes.accept",
  { id: uuid, isFresh: bool },
  `WITH sent AS (
           SELECT * FROM unnest(${SENT_ARRAYS}) AS sent (${SENT_COLUMNS})
         ), fresh AS (
           SELECT sent.* FROM sent JOIN users ON users.id = sent.user_id AND users.application_id = sent.application_id
                AND users.erased_at IS NULL
         ), ${STORE_FRESH}
         SELECT id, true AS "isFresh" FROM fresh`,
);
const ACCEPT_KEYED = statement(
  "intakes.accept-keyed",
  { id: uuid, isFresh: bool },
  // A text of its own, so that batches without any key pay nothing. Keys before references, each in their order.
  `WITH sent AS (
           SELECT * FROM unnest(${SENT_ARRAYS}, $13::bytea[], $14::bytea[], $15::smallint[], $16::bytea[], $17::boolean[])
             AS sent (${SENT_COLUMNS}, key_hash, fingerprint, status, response, is_sealed)
         ), known AS (
           SELECT sent.* FROM sent JOIN users ON users.id = sent.user_id AND users.application_id = sent.application_id
                AND users.erased_at IS NULL
         ), keyed AS (
           INSERT INTO idempotency_keys (application_id, key_hash, id, fingerprint, status, response, is_sealed, user_id,
                                         created_at)
           SELECT application_id, key_hash, id, fingerprint, status, response, is_sealed, user_id, accepted_at
           FROM known WHERE key_hash IS NOT NULL ORDER BY application_id, key_hash, id
           ON CONFLICT DO NOTHING RETURNING id
         ), fresh AS (
           SELECT * FROM known WHERE key_hash IS NULL OR id IN (SELECT id FROM keyed)
         ), ${STORE_FRESH}
         SELECT id, id IN (SELECT id FROM fresh) AS "isFresh" FROM known`,
);
const READ = statement(
  "intakes.read",
  INTAKE,
  `SELECT ${COLUMNS} FROM intakes WHERE id = ANY ($1) AND state = 'received' ORDER BY id`,
);
const LOCK = statement(
  "intakes.lock",
  { id: uuid },
  // What another worker holds is in good hands: it is skipped, not waited for.
  `SELECT id FROM intakes WHERE id = ANY ($1) AND state = 'received' ORDER BY id FOR UPDATE SKIP LOCKED`,
);
const CLAIM = statement(
  "intakes.claim-references",
  {},
  `INSERT INTO submission_references (application_id, kind, reference, submission_id)
         SELECT application_id, source, reference, id FROM intakes WHERE id = ANY ($1)
         ORDER BY application_id, source, reference, id ON CONFLICT DO NOTHING`,
);
const HOLDERS = statement(
  "intakes.reference-holders",
  { id: uuid },
  `SELECT intakes.id FROM intakes JOIN submission_references AS held
           ON held.application_id = intakes.application_id AND held.kind = intakes.source
              AND held.reference = intakes.reference AND held.submission_id = intakes.id
         WHERE intakes.id = ANY ($1)`,
);
const COMPLETE = statement(
  "intakes.complete",
  {},
  `UPDATE intakes SET state = 'completed', finished_at = $3, details = done.details
         FROM unnest($1::uuid[], $2::jsonb[]) AS done (id, details) WHERE intakes.id = done.id`,
);
const FAIL = statement(
  "intakes.fail",
  {},
  `UPDATE intakes SET state = 'failed', finished_at = $5, error_type = failed.type, error_message = failed.message,
                details = failed.details
         FROM unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[]) AS failed (id, type, message, details)
         WHERE intakes.id = failed.id`,
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
  `UPDATE intakes SET attempts = attempts + 1 WHERE id = $1 AND state = 'received' RETURNING attempts`,
);
const UNFINISHED = statement(
  "intakes.unfinished",
  { id: uuid },
  `SELECT id FROM intakes WHERE state = 'received' AND accepted_at < $1 ORDER BY accepted_at, id LIMIT $2`,
);
const FIND = statement(
  "intakes.find",
  INTAKE,
  `SELECT ${COLUMNS} FROM intakes WHERE id = $3 AND application_id = $1 AND source = $2`,
);

/**
 * Stores what names a user of its application, once for each key, and tells of it: `told` is each arrival's first event,
 * in the same order. Repeating the call stores nothing twice.
 */
export async function acceptIntakes(
  tx: Tx,
  arrivals: readonly Arrival[],
  told: readonly NewEvent[],
  firstWaitSeconds: number,
): Promise<Arrived[]> {
  const values: unknown[] = [
    arrivals.map((intake) => intake.id),
    arrivals.map((intake) => intake.applicationId),
    arrivals.map((intake) => intake.userId),
    arrivals.map((intake) => intake.source),
    arrivals.map((intake) => intake.submission.reference),
    arrivals.map((intake) => JSON.stringify(intake.submission)),
    arrivals.map((intake) => intake.acceptedAt),
    told.map((event) => event.id),
    told.map((event) => event.position),
    told.map((event) => event.type),
    told.map((event) => event.body),
    firstWaitSeconds,
  ];
  const isKeyed = arrivals.some((arrival) => arrival.key !== null);
  if (isKeyed) {
    values.push(
      arrivals.map(({ key }) => key?.keyHash ?? null),
      arrivals.map(({ key }) => key?.fingerprint ?? null),
      arrivals.map(({ key }) => key?.status ?? null),
      arrivals.map(({ key }) => key?.response ?? null),
      arrivals.map(({ key }) => key?.isSealed ?? null),
    );
  }
  const rows = isKeyed ? await tx.query(ACCEPT_KEYED, values) : await tx.query(ACCEPT, values);
  const known = new Map(rows.map((row) => [row.id, row.isFresh]));
  return arrivals.map(({ id }) => {
    const isFresh = known.get(id);
    return isFresh === undefined ? "unknown_user" : isFresh ? "stored" : "key_taken";
  });
}

/** Those of the intakes that still wait to be scored, oldest first; locks nothing. */
export async function readReceived(tx: Tx, ids: readonly string[]): Promise<Intake[]> {
  return tx.query(READ, [ids]);
}

/** Locks those of the intakes that still wait and that nobody else holds; gives their ids. */
export async function lockReceived(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  return idSet(await tx.query(LOCK, [ids]));
}

/** Claims references that are free again, and gives the ids of the intakes that hold theirs. */
export async function claimReferences(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  await tx.query(CLAIM, [ids]);
  return idSet(await tx.query(HOLDERS, [ids]));
}

/** Ends intakes as completed; their record is booked in the same tx. `details`: what only the status document shows. */
export async function completeIntakes(
  tx: Tx,
  completions: readonly { id: string; details: object }[],
  now: Date,
): Promise<void> {
  const ids = completions.map((completion) => completion.id);
  await tx.query(COMPLETE, [ids, completions.map((completion) => JSON.stringify(completion.details)), now]);
}

/** Ends intakes as failed and frees the references they hold. */
export async function failIntakes(
  tx: Tx,
  failures: readonly { id: string; errorType: IntakeErrorType; errorMessage: string; excluded: readonly object[] }[],
  now: Date,
): Promise<void> {
  await tx.query(FAIL, [
    failures.map((failure) => failure.id),
    failures.map((failure) => failure.errorType),
    failures.map((failure) => failure.errorMessage),
    failures.map((failure) => JSON.stringify({ excluded: failure.excluded })),
    now,
  ]);
  await tx.query(RELEASE, [failures.map((failure) => failure.id)]);
}

/** Counts a try before it starts; null when the intake waits no longer. */
export async function countAttempt(tx: Tx, id: string): Promise<number | null> {
  return (await tx.query(COUNT_ATTEMPT, [id]))[0]?.attempts ?? null;
}

/** Ids of intakes accepted before `before` that still wait, oldest first. */
export async function unfinishedIntakes(tx: Tx, before: Date, limit: number): Promise<string[]> {
  return (await tx.query(UNFINISHED, [before, limit])).map((row) => row.id);
}

/** An intake of this application and kind; null for anybody else's. */
export async function findIntake(
  tx: Tx,
  applicationId: string,
  source: IntakeSource,
  id: string,
): Promise<Intake | null> {
  return (await tx.query(FIND, [applicationId, source, id]))[0] ?? null;
}

function idSet(rows: { id: string }[]): Set<string> {
  return new Set(rows.map((row) => row.id));
}
