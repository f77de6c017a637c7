// What a record adds to the sums of its user, in SQL: for those that are kept, those that are read, and what verifies
// them.

/** What a record without a related one came from. A bonus is the only one that a person or program earns. */
const CAUSE = (record: string) => `CASE
             WHEN ${record}.operation = 1 AND ${record}.source <> 'manual' THEN ${record}.source
             WHEN ${record}.operation = 1 THEN 'bonus'
             WHEN ${record}.operation = 2 THEN 'redemption'
             WHEN ${record}.operation = 4 THEN 'refund'
             WHEN ${record}.operation = 5 THEN 'expiry'
             ELSE 'adjustment' END`;

/** The sums of a group of records, as the columns of `record_sums`. */
export const SUM_COLUMNS = [
  "earning_events",
  "lifetime_points",
  "total_points",
  "health_points",
  "carbon_points",
  "bonus_points",
  "green_products",
  "healthy_products",
  "co2e_mg",
] as const;

/**
 * The columns of a record that its sums need. What is a bonus, or corrects one, has the source `manual`; the body of
 * any other record is larger, and not read.
 */
export const SUMMED_COLUMNS = `records.user_id, records.sequence, records.related_id, records.operation, records.source,
                  CASE WHEN records.source = 'manual' THEN records.body END AS body, records.is_lifetime,
                  records.total_points, records.health_points, records.carbon_points, records.bonus_points,
                  records.green_products, records.healthy_products, records.co2e_mg`;

/**
 * Records of a user from one number up to another, by the primary key alone: OFFSET keeps PostgreSQL from reading all
 * of the user's and leaving out most.
 */
export const RECORDS_OF = (userId: string, first: string, last: string) => `LATERAL (
               SELECT * FROM records
               WHERE records.user_id = ${userId} AND records.sequence BETWEEN ${first} AND ${last} OFFSET 0
             ) AS records`;

/**
 * Selects the sums of records by `groups`, by what they came from and by the type of a bonus. `records` is a table
 * expression with SUMMED_COLUMNS and those of `groups`. A reversal or correction has the cause of its record, by a
 * lookup of its own (LIMIT keeps it that): they are few.
 */
export function sumsOf(records: string, groups: readonly string[]): string {
  const group = groups.join(", ");
  return `SELECT ${group}, cause, bonus_type, min(related_sequence) FILTER (WHERE is_lifetime) AS oldest_related,
                count(*) FILTER (WHERE operation = 1 AND source <> 'manual') AS earning_events,
                coalesce(sum(total_points) FILTER (WHERE is_lifetime), 0) AS lifetime_points,
                sum(total_points) AS total_points, sum(health_points) AS health_points,
                sum(carbon_points) AS carbon_points, sum(bonus_points) AS bonus_points,
                sum(green_products) AS green_products, sum(healthy_products) AS healthy_products, sum(co2e_mg) AS co2e_mg
         FROM (
           SELECT caused.*, CASE WHEN cause = 'bonus' THEN coalesce((body -> 'bonus' ->> 'type')::int2, 5::int2)
                                 ELSE 0::int2 END AS bonus_type
           FROM (
             SELECT summed.*, related.sequence AS related_sequence,
                    CASE WHEN summed.operation IN (3, 6) AND summed.related_id IS NOT NULL
                         THEN related.cause ELSE ${CAUSE("summed")} END AS cause
             FROM ${records} AS summed LEFT JOIN LATERAL (
               SELECT root.sequence, ${CAUSE("root")} AS cause FROM records AS root
               WHERE summed.related_id IS NOT NULL AND root.user_id = summed.user_id AND root.id = summed.related_id
               LIMIT 1
             ) AS related ON true
           ) AS caused
         ) AS typed GROUP BY ${group}, cause, bonus_type`;
}
