import type { Tx } from "../../postgres/postgres.ts";
import { code, float8, int4, oneOf, statement } from "../../postgres/statement.ts";
import { Problem } from "../../problems.ts";
import { KEPT_UP_TO, RECORDS_READ, keepNext } from "../sums/store.ts";
import type { Stepping } from "../sums/store.ts";
import { RECORDS_OF, SUMMED_COLUMNS, SUM_COLUMNS, sumsOf } from "../sums/summed.store.ts";
import { CAUSES } from "./figures.ts";
import type { Sums } from "./figures.ts";

/** The number of the first record of a user at a time or later. Times of records ascend with their numbers. */
const FIRST_AT = (time: string) => `coalesce((SELECT sequence FROM records WHERE user_id = $1 AND created_at < ${time}
                       ORDER BY created_at DESC, sequence DESC LIMIT 1), 0) + 1`;
const UNKEPT = statement(
  "statistics.unkept",
  { records: float8 },
  `SELECT (${FIRST_AT("$3::timestamptz")} - greatest(${FIRST_AT("$2::timestamptz")}, ${KEPT_UP_TO("$1")} + 1))::float8 AS records`,
);
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
  // Kept blocks between two cuts count as they are. Records are read of a block with a cut in it, and after the blocks.
  // A user who is erased meanwhile has no figures.
  `WITH bounds AS MATERIALIZED (
           SELECT starts, starts[1] AS first, starts[cardinality(starts)] - 1 AS last, ${KEPT_UP_TO("$1")} AS kept
           FROM (
             SELECT array_agg(${FIRST_AT("cuts.at")} ORDER BY cuts.at) AS starts FROM unnest($2::timestamptz[]) AS cuts (at)
           ) AS found
         ), blocks AS MATERIALIZED (
           SELECT record_sums.*, width_bucket(first_sequence, starts) AS segment,
                  width_bucket(first_sequence, starts) = width_bucket(last_sequence, starts) AS is_whole
           FROM bounds JOIN record_sums ON user_id = $1 AND last_sequence >= first AND first_sequence <= last
         ), ranges AS (
           SELECT DISTINCT greatest(first_sequence, first) AS first, least(last_sequence, last) AS last
           FROM blocks CROSS JOIN bounds WHERE NOT is_whole
           UNION ALL
           SELECT greatest(kept + 1, first), last FROM bounds
         )
         SELECT segment, cause, bonus_type AS "bonusType", sum(earning_events)::float8 AS "earningEvents",
                sum(lifetime_points)::float8 AS "lifetimePoints", sum(total_points)::float8 AS "totalPoints",
                sum(health_points)::float8 AS "healthPoints", sum(carbon_points)::float8 AS "carbonPoints",
                sum(bonus_points)::float8 AS "bonusPoints", sum(green_products)::float8 AS "greenProducts",
                sum(healthy_products)::float8 AS "healthyProducts", sum(co2e_mg)::float8 AS "co2eMg"
         FROM (
           SELECT segment, cause, bonus_type, oldest_related, ${SUM_COLUMNS.join(", ")} FROM blocks WHERE is_whole
           UNION ALL
           (${sumsOf(
             `(SELECT ${SUMMED_COLUMNS}, width_bucket(records.sequence, starts) AS segment
               FROM bounds CROSS JOIN ranges CROSS JOIN ${RECORDS_OF("$1", "ranges.first", "ranges.last")})`,
             ["segment"],
           )})
         ) AS summed
         WHERE EXISTS (SELECT 1 FROM users WHERE id = $1 AND erased_at IS NULL)
         GROUP BY segment, cause, bonus_type`,
);

/** How long a request adds up records. What it has added up is kept for the next one. */
const REQUEST_MS = 100;

/**
 * Sums a user's records between two or more cuts, ascending. Of a user with many records that nobody has added up
 * before, throws unavailable when that takes longer than a request may: the next request goes on from there.
 */
export async function sumsBetween(
  tx: Tx,
  userId: string,
  cuts: readonly Date[],
  { untilMs = performance.now() + REQUEST_MS, recordsRead = RECORDS_READ, ...stepping }: Summing = {},
): Promise<Sums[]> {
  const times = cuts.map((cut) => cut.toISOString());
  for (;;) {
    const [unkept] = await tx.query(UNKEPT, [userId, times[0], times.at(-1)]);
    if (unkept!.records <= recordsRead) return tx.query(SUMS, [userId, times]);
    // Nothing is kept of a user who is just being erased.
    const isKept = await keepNext(tx, userId, stepping);
    if (!isKept || performance.now() > untilMs) throw new Problem("unavailable", { retryAfterSeconds: 1 });
  }
}

/** Tests have few records, and no time. */
interface Summing extends Stepping {
  /** By performance.now(). */
  readonly untilMs?: number;
  readonly recordsRead?: number;
}
