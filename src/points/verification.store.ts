import type { Tx } from "../postgres/postgres.ts";
import { float8, statement, textArray, uuid } from "../postgres/statement.ts";

/** The number of recomputed users and records, and the balances that differ from the sum of their records. */
export interface LedgerReport {
  readonly users: number;
  readonly records: number;
  readonly differences: readonly { userId: string; what: string }[];
}

const DIFFERENCES_MAX = 1_000;
const USERS_A_STEP = 5_000;

const NEXT_STEP = statement(
  "ledger.verify-step",
  { userId: uuid, records: float8, wrong: textArray },
  // A slice of users by key: constant memory for any number of users, and one snapshot for a balance and its records.
  `WITH slice AS (
           SELECT * FROM balances WHERE user_id > $1 ORDER BY user_id LIMIT $2
         ), summed AS (
           SELECT slice.user_id, count(records.user_id) AS records, coalesce(max(sequence), 0) AS last_sequence,
                  count(records.user_id) FILTER (WHERE operation <> 1) AS other_records,
                  coalesce(sum(total_points), 0) AS points,
                  coalesce(sum(total_points) FILTER (WHERE is_lifetime), 0) AS lifetime_points,
                  coalesce(sum(records.carbon_points), 0) AS carbon_points,
                  coalesce(sum(records.green_products), 0) AS green_products,
                  max(created_at) AS last_at, max(id::text) AS last_id
           FROM slice LEFT JOIN records ON records.user_id = slice.user_id
           GROUP BY slice.user_id
         )
         SELECT slice.user_id AS "userId", summed.records::float8 AS records,
                array_remove(ARRAY[
                  CASE WHEN slice.records <> summed.records THEN 'number of records' END,
                  CASE WHEN slice.other_records <> summed.other_records THEN 'numOfTransactions' END,
                  CASE WHEN summed.last_sequence <> summed.records THEN 'gapless sequence' END,
                  CASE WHEN slice.lifetime_points <> summed.lifetime_points THEN 'lifetimePoints' END,
                  CASE WHEN slice.available_points <> summed.points THEN 'availablePoints' END,
                  CASE WHEN slice.is_overdrawn <> (slice.available_points < 0) THEN 'overdrawn' END,
                  CASE WHEN slice.carbon_points <> summed.carbon_points THEN 'totalCarbonScore' END,
                  CASE WHEN slice.green_products <> summed.green_products THEN 'totalGreenProducts' END,
                  CASE WHEN slice.last_record_at IS DISTINCT FROM summed.last_at THEN 'time of the last record' END,
                  CASE WHEN slice.last_record_id::text IS DISTINCT FROM summed.last_id THEN 'id of the last record' END
                ], NULL) AS wrong
         FROM slice JOIN summed USING (user_id) ORDER BY slice.user_id`,
);

/**
 * Recomputes every member of every balance from the records: availablePoints is the sum of the records' points,
 * lifetimePoints of those that count as earned, numOfTransactions the number of awards. Safe while the service runs.
 * Reports at most 1,000 differences. Throws after an abort.
 */
export async function verifyLedger(tx: Tx, signal?: AbortSignal): Promise<LedgerReport> {
  const differences: { userId: string; what: string }[] = [];
  let users = 0;
  let records = 0;
  let after = "00000000-0000-0000-0000-000000000000";
  for (;;) {
    signal?.throwIfAborted();
    const rows = await tx.query(NEXT_STEP, [after, USERS_A_STEP]);
    for (const row of rows) {
      users += 1;
      records += row.records;
      if (row.wrong.length > 0 && differences.length < DIFFERENCES_MAX) {
        differences.push({ userId: row.userId, what: `${row.wrong.join(", ")} not equal to the records` });
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < USERS_A_STEP) return { users, records, differences };
    after = last.userId;
  }
}
