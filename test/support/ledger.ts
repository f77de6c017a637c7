import type { Tx } from "../../src/postgres/postgres.ts";

const STEP = 50_000;

/**
 * Creates `count` records for `userId`, who has none yet, like the last one of `likeUserId`: one a minute, the newest
 * at `until`. Gives a long history within seconds, with the right balance. `progress` is called with the number so far.
 */
export async function fillLedger(
  tx: Tx,
  { userId, likeUserId, count, until }: { userId: string; likeUserId: string; count: number; until: Date },
  progress: (done: number) => void = () => {},
): Promise<void> {
  const insert = {
    name: "test.fill-records",
    text: `INSERT INTO records (user_id, sequence, id, application_id, source, submission_id, operation, status, health_points,
             carbon_points, bonus_points, total_points, green_products, healthy_products, co2e_mg, body, packed, rule, rule_inputs,
             explained, inputs, evidence, catalogue_version, created_at)
           SELECT $1, n, ('01890000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, application_id, source,
             ('01890000-0000-7000-9000-' || lpad(to_hex(n), 12, '0'))::uuid, operation, status, health_points, carbon_points,
             bonus_points, total_points, green_products, healthy_products, co2e_mg, body, packed, rule, rule_inputs,
             explained, inputs, evidence, catalogue_version, $4::timestamptz - make_interval(mins => ($3 - n)::int)
           FROM generate_series($5::bigint, least($3::bigint, $5::bigint + ${STEP - 1})) AS n
             CROSS JOIN (SELECT * FROM records WHERE user_id = $2 ORDER BY sequence DESC LIMIT 1) AS one`,
  };
  for (let first = 1; first <= count; first += STEP) {
    await tx.query(insert, [userId, likeUserId, count, until, first]);
    progress(Math.min(count, first + STEP - 1));
  }
  const balance = {
    name: "test.fill-balance",
    text: `UPDATE balances SET (records, lifetime_points, available_points, carbon_points, green_products, last_record_id,
             last_record_at) = (SELECT count(*), sum(total_points), sum(total_points), sum(carbon_points),
             sum(green_products), max(id::text)::uuid, max(created_at) FROM records WHERE user_id = $1)
           WHERE user_id = $1`,
  };
  await tx.query(balance, [userId]);
}
