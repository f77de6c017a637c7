// Keeps sums of the records of users with many: a block of records after the other. Records never change, so what is
// kept of a block is true for ever, and a booking has nothing to do with it.
import type { Tx } from "../../postgres/postgres.ts";
import { isOpen } from "../../applications/closed.ts";
import { int4, statement, uuid } from "../../postgres/statement.ts";
import { RECORDS_OF, SUMMED_COLUMNS, SUM_COLUMNS, sumsOf } from "./summed.store.ts";

/** Records of a block at most. No month (UTC) ends within one, so most periods are whole blocks. */
const RECORDS_A_BLOCK = 512;
/** Records that a step adds up: 30 ms. */
const RECORDS_A_STEP = 4_000;
/** Records after the last block that a statement reads. Of a user with more of them, blocks are kept. */
export const RECORDS_READ = 2_000;

/** The number of the last record in the kept blocks of a user; 0: none. */
export const KEPT_UP_TO = (userId: string) =>
  `coalesce((SELECT max(last_sequence) FROM record_sums WHERE user_id = ${userId}), 0)`;

const KEEP_NEXT = statement(
  "record-sums.keep-next",
  { blocks: int4 },
  // A block ends with its month or its last record. Where it ends does not depend on the step, so two who add up the
  // same user at once store the same. Who is being erased keeps nothing.
  `WITH after AS MATERIALIZED (
           SELECT ${KEPT_UP_TO("$1")} AS sequence
         ), numbered AS MATERIALIZED (
           SELECT ${SUMMED_COLUMNS},
                  date_trunc('month', created_at AT TIME ZONE 'UTC') AS month,
                  (row_number() OVER (PARTITION BY date_trunc('month', created_at AT TIME ZONE 'UTC')
                                      ORDER BY records.sequence) - 1) / $3::int AS part
           FROM after CROSS JOIN ${RECORDS_OF("$1", "after.sequence + 1", "after.sequence + $2::int")}
         ), blocks AS MATERIALIZED (
           SELECT month, part, min(sequence) AS first_sequence, max(sequence) AS last_sequence
           FROM numbered GROUP BY month, part
           HAVING count(*) = $3 OR month < (SELECT max(month) FROM numbered)
         ), held AS MATERIALIZED (
           SELECT id FROM users WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE SKIP LOCKED
         ), added AS (
           INSERT INTO record_sums (user_id, first_sequence, last_sequence, cause, bonus_type, oldest_related,
                                    ${SUM_COLUMNS.join(", ")})
           SELECT held.id, sums.* FROM held CROSS JOIN (
             ${sumsOf("(SELECT * FROM numbered JOIN blocks USING (month, part))", ["first_sequence", "last_sequence"])}
           ) AS sums
           ON CONFLICT DO NOTHING
         )
         SELECT count(*)::int AS blocks FROM held CROSS JOIN blocks`,
);
const BEHIND = statement(
  "record-sums.behind",
  { userId: uuid },
  `SELECT user_id AS "userId" FROM balances
         WHERE records > $1::int AND records > ${KEPT_UP_TO("balances.user_id")} + $1::int AND user_id > $2
           AND EXISTS (SELECT 1 FROM users WHERE id = balances.user_id AND erased_at IS NULL
                       AND ${isOpen("users.application_id")})
         ORDER BY user_id LIMIT $3`,
);

/** How to add up. Tests have few records. */
export interface Stepping {
  readonly recordsAStep?: number;
  readonly recordsABlock?: number;
}

/**
 * Keeps the sums of the next blocks of a user. Returns false when there is none: too few records are left, or the user
 * is being erased.
 */
export async function keepNext(tx: Tx, userId: string, stepping: Stepping = {}): Promise<boolean> {
  const { recordsAStep = RECORDS_A_STEP, recordsABlock = RECORDS_A_BLOCK } = stepping;
  const [added] = await tx.query(KEEP_NEXT, [userId, recordsAStep, recordsABlock]);
  return added!.blocks > 0;
}

/** The next users, by id, who have more records after their kept blocks than a statement should read. */
export async function usersBehind(tx: Tx, after: string, limit: number): Promise<string[]> {
  return (await tx.query(BEHIND, [RECORDS_READ, after, limit])).map(({ userId }) => userId);
}
