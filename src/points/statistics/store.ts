import type { Tx } from "../../postgres/postgres.ts";
import { code, float8, int4, oneOf, statement } from "../../postgres/statement.ts";
import { CAUSES } from "./figures.ts";
import type { Sums } from "./figures.ts";

/** What a record without a related one came from. A bonus is the only one that a person or program earns. */
const CAUSE = (record: string) => `CASE
             WHEN ${record}.operation = 1 AND ${record}.source <> 'manual' THEN ${record}.source
             WHEN ${record}.operation = 1 THEN 'bonus'
             WHEN ${record}.operation = 2 THEN 'redemption'
             WHEN ${record}.operation = 4 THEN 'refund'
             WHEN ${record}.operation = 5 THEN 'expiry'
             ELSE 'adjustment' END`;
const SUMS = statement(
  "statistics.sums",
  {
    segment: int4,
    cause: oneOf(CAUSES),
    bonusType: code<Sums["bonusType"]>(),
    earningEvents: float8,
    lifetimePoints: float8,
    totalPoints: float8,
    healthPoints: float8,
    carbonPoints: float8,
    bonusPoints: float8,
    greenProducts: float8,
    healthyProducts: float8,
    co2eMg: float8,
  },
  // A reversal or correction has the cause of its record, by a lookup of its own: they are few. The body of a record
  // may be large, and is read for bonuses alone. A user who is erased meanwhile has no figures.
  `SELECT segment, cause, bonus_type AS "bonusType", count(*) FILTER (WHERE operation = 1 AND source <> 'manual')::float8 AS "earningEvents",
                coalesce(sum(total_points) FILTER (WHERE is_lifetime), 0)::float8 AS "lifetimePoints",
                sum(total_points)::float8 AS "totalPoints", sum(health_points)::float8 AS "healthPoints",
                sum(carbon_points)::float8 AS "carbonPoints", sum(bonus_points)::float8 AS "bonusPoints",
                sum(green_products)::float8 AS "greenProducts", sum(healthy_products)::float8 AS "healthyProducts",
                sum(co2e_mg)::float8 AS "co2eMg"
         FROM (
           SELECT caused.*, CASE WHEN cause = 'bonus' THEN coalesce((body -> 'bonus' ->> 'type')::int2, 5::int2)
                                 ELSE 0::int2 END AS bonus_type
           FROM (
             SELECT records.*, width_bucket(created_at, $2::timestamptz[]) AS segment,
                    CASE WHEN operation IN (3, 6) AND related_id IS NOT NULL THEN (
                      SELECT ${CAUSE("related")} FROM records AS related
                      WHERE related.user_id = $1 AND related.id = records.related_id
                    ) ELSE ${CAUSE("records")} END AS cause
             FROM records
             WHERE user_id = $1 AND created_at >= ($2::timestamptz[])[1]
               AND created_at < ($2::timestamptz[])[cardinality($2::timestamptz[])]
               AND EXISTS (SELECT FROM users WHERE id = $1 AND erased_at IS NULL)
           ) AS caused
         ) AS typed GROUP BY segment, cause, bonus_type`,
);

/** Sums a user's records between two or more cuts, ascending. */
export async function sumsBetween(tx: Tx, userId: string, cuts: readonly Date[]): Promise<Sums[]> {
  return tx.query(SUMS, [userId, cuts.map((cut) => cut.toISOString())]);
}
