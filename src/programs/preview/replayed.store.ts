// Reads what a preview replays: the awards of an application for submissions of some time. Reads only, without locks.
import { firstIdAt } from "../../ids.ts";
import type { RecordSource } from "../../points/entry.ts";
import { STORED_INPUTS, STORED_INPUTS_COLUMNS, withInputs } from "../../points/explained/inputs.store.ts";
import { STORED_BODY } from "../../points/stored-body.ts";
import type { PastAward } from "../../points/rescore/rescore.ts";
import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, float8, int4, oneOf, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { DAY_MS } from "../../time.ts";
import type { FoundKey, RecordKey } from "./keys.ts";

const AWARDS = "source IN ('meal', 'food', 'receipt') AND operation = 1";
const USERS_AT_ONCE = 500;
const KEYS_AT_ONCE = 20_000;
/** What was accepted is booked later, or by a clock that is behind. */
const CLOCK_MS = DAY_MS;

// By the addresses, which are found by application. Those of erased users are gone.
const USERS = statement(
  "program-preview.users",
  { userId: uuid, email: text },
  `SELECT user_id AS "userId", email FROM user_emails WHERE application_id = $1 AND email > $2
         ORDER BY email LIMIT ${USERS_AT_ONCE}`,
);
const KEYS = statement(
  "program-preview.keys",
  { userId: uuid, sequence: float8, bookedAt: timestamptz, submissionId: uuid },
  `SELECT user_id AS "userId", sequence::float8 AS sequence, created_at AS "bookedAt", submission_id AS "submissionId"
         FROM records
         WHERE user_id = ANY ($1) AND (user_id, sequence) > ($2, $3) AND created_at >= $4 AND ${AWARDS}
           AND submission_id >= $5 AND submission_id < $6
         ORDER BY user_id, sequence LIMIT ${KEYS_AT_ONCE}`,
);
const ERASED = statement(
  "program-preview.erased",
  { id: uuid, records: int4 },
  `SELECT id, (SELECT count(*) FROM records WHERE user_id = users.id AND created_at >= $3 AND ${AWARDS}
                 AND submission_id >= $4 AND submission_id < $5)::int AS records
         FROM users WHERE erased_at IS NOT NULL AND application_id = $1 AND id > $2
         ORDER BY id LIMIT ${USERS_AT_ONCE}`,
);
const PLACES = arrayColumns<RecordKey>({
  user_id: ["uuid", ({ userId }) => userId],
  sequence: ["bigint", ({ sequence }) => sequence],
});
const READ = statement(
  "program-preview.read",
  {
    id: uuid,
    applicationId: uuid,
    userId: uuid,
    source: oneOf<RecordSource>(["receipt", "meal", "food", "manual", "reward"]),
    submissionId: uuid,
    rule: text,
    ...STORED_BODY,
    bookedAt: timestamptz,
    isReversed: bool,
    isCorrected: bool,
    ...STORED_INPUTS,
  },
  `SELECT id, application_id AS "applicationId", records.user_id AS "userId", source, submission_id AS "submissionId",
                rule, body, packed, created_at AS "bookedAt", ${STORED_INPUTS_COLUMNS},
                EXISTS (SELECT 1 FROM record_changes WHERE record_changes.user_id = records.user_id
                        AND record_id = records.id AND record_changes.status = 4) AS "isReversed",
                EXISTS (SELECT 1 FROM records AS later WHERE later.user_id = records.user_id
                        AND later.related_id = records.id AND later.operation IN (3, 6)) AS "isCorrected"
         FROM ${PLACES.unnest} WITH ORDINALITY AS wanted (${PLACES.names}, place)
           JOIN records ON records.user_id = wanted.user_id AND records.sequence = wanted.sequence
         ORDER BY place`,
);

/** Submissions accepted in a time, in milliseconds since 1970. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** An award, and what has become of it. */
export interface ReplayedAward extends PastAward {
  readonly bookedAt: Date;
  /** It was taken back as a whole. */
  readonly isReversed: boolean;
  /** Some of it was taken back, or it was corrected, or scored again. */
  readonly isCorrected: boolean;
}

/** The ids of an application's users, some hundred at a time. */
export async function* userSlices(tx: Tx, applicationId: string): AsyncGenerator<readonly string[]> {
  for (let after = ""; ;) {
    const users = await tx.query(USERS, [applicationId, after]);
    if (users.length === 0) return;
    after = users.at(-1)!.email;
    yield users.map(({ userId }) => userId);
  }
}

/** Finds the awards of an application for submissions of a time, by user and in the order of each ledger. */
export async function* awardKeys(
  tx: Tx,
  applicationId: string,
  { fromMs, untilMs }: Span,
): AsyncGenerator<readonly FoundKey[]> {
  const range = [new Date(fromMs - CLOCK_MS), firstIdAt(fromMs), firstIdAt(untilMs)];
  for await (const userIds of userSlices(tx, applicationId)) {
    let last = { userId: "00000000-0000-0000-0000-000000000000", sequence: 0 };
    for (let found = KEYS_AT_ONCE; found === KEYS_AT_ONCE;) {
      const keys = await tx.query(KEYS, [userIds, last.userId, last.sequence, ...range]);
      yield keys;
      found = keys.length;
      last = keys.at(-1) ?? last;
    }
  }
}

/** Counts the awards of erased users, whose inputs are gone. */
export async function countErased(tx: Tx, applicationId: string, { fromMs, untilMs }: Span): Promise<number> {
  const range = [new Date(fromMs - CLOCK_MS), firstIdAt(fromMs), firstIdAt(untilMs)];
  let after = "00000000-0000-0000-0000-000000000000";
  let records = 0;
  for (;;) {
    const users = await tx.query(ERASED, [applicationId, after, ...range]);
    records += users.reduce((sum, user) => sum + user.records, 0);
    if (users.length < USERS_AT_ONCE) return records;
    after = users.at(-1)!.id;
  }
}

/** Reads awards with their inputs, in the order of the keys. */
export async function readAwards(tx: Tx, keys: readonly RecordKey[]): Promise<ReplayedAward[]> {
  const rows = await withInputs(tx, await tx.query(READ, PLACES.values(keys)));
  return rows.flatMap(({ source, ...row }) =>
    source === "manual" || source === "reward" ? [] : [{ ...row, source, sent: null }],
  );
}
