// Reads and keeps what expiries need of a user's records: `sums.ts`.
import type { Tx } from "../../postgres/postgres.ts";
import { json, orNull, statement, timestamptz } from "../../postgres/statement.ts";
import { NOTICE_DAYS_MAX } from "./sums.ts";
import type { Credits, ExpirySums, Returns } from "./sums.ts";

/** The columns of `sumsOf`. */
export const SUMS = {
  credits: json<Credits>(),
  returns: json<Returns>(),
  activeAt: orNull(timestamptz),
};

/**
 * Common table expressions that end with `sums`: by user, the sums of the records after `summed` and up to `up_to` of
 * `owned (user_id, summed, up_to)`. Each record counts with those that relate to it. Of a record that relates to one
 * before, what the group was is read by the indexes of its ids.
 */
export const SUMS_OF_OWNED = `later AS MATERIALIZED (
           SELECT records.user_id, id, related_id, operation, total_points, created_at, summed
           FROM owned JOIN records ON records.user_id = owned.user_id AND sequence > summed AND sequence <= up_to
         ), moved AS (
           SELECT user_id, coalesce(related_id, id) AS id, summed, min(created_at) AS earned_at,
                  sum(total_points) AS points, bool_or(related_id IS NULL) AS is_whole,
                  max(created_at) FILTER (WHERE operation IN (1, 2)
                    OR operation = 3 AND related_id IS NULL AND total_points > 0) AS active_at
           FROM later GROUP BY user_id, coalesce(related_id, id), summed
         ), days AS (
           SELECT moved.user_id,
                  (coalesce(before.earned_at, moved.earned_at) AT TIME ZONE 'UTC')::date - '1970-01-01'::date AS day,
                  sum(greatest(coalesce(before.points, 0) + moved.points, 0)
                      - greatest(coalesce(before.points, 0), 0)) AS points,
                  max(active_at) AS active_at
           FROM moved CROSS JOIN LATERAL (
             SELECT min(created_at) AS earned_at, sum(total_points) AS points
             FROM (
               SELECT created_at, total_points FROM records
               WHERE NOT moved.is_whole AND records.user_id = moved.user_id AND records.id = moved.id AND sequence <= summed
               UNION ALL
               SELECT created_at, total_points FROM records
               WHERE NOT moved.is_whole AND records.user_id = moved.user_id AND related_id = moved.id AND sequence <= summed
             ) AS earlier
           ) AS before
           GROUP BY moved.user_id, day
         ), returned AS (
           SELECT user_id, least(floor(extract(epoch FROM created_at - gone_at) / 86400), ${NOTICE_DAYS_MAX})::int AS gone_days,
                  max(created_at) AS at
           FROM (
             SELECT user_id, created_at, (SELECT created_at FROM records AS root
               WHERE root.user_id = later.user_id AND root.id = later.related_id) AS gone_at
             FROM later WHERE related_id IS NOT NULL AND total_points > 0
           ) AS back WHERE gone_at IS NOT NULL GROUP BY user_id, gone_days
         ), sums AS (
           SELECT days.user_id, max(active_at) AS active_at,
                  coalesce(jsonb_agg(jsonb_build_array(day, points) ORDER BY day) FILTER (WHERE points <> 0), '[]') AS credits,
                  (SELECT coalesce(jsonb_agg(jsonb_build_array(gone_days, round(1000 * extract(epoch FROM at)))
                                             ORDER BY gone_days), '[]')
                   FROM returned WHERE returned.user_id = days.user_id) AS returns
           FROM days GROUP BY days.user_id
         )`;

const KEEP = statement(
  "expiry.keep-sums",
  {},
  // Of two who add up the same user at once, the one who came further is kept. Who is being erased keeps nothing.
  `INSERT INTO expiry_sums (user_id, sequence, credits, returns, active_at)
         SELECT id, $2::bigint, $3::jsonb, $4::jsonb, $5::timestamptz FROM users
         WHERE id = $1 AND erased_at IS NULL FOR KEY SHARE SKIP LOCKED
         ON CONFLICT (user_id) DO UPDATE SET sequence = excluded.sequence, credits = excluded.credits,
           returns = excluded.returns, active_at = excluded.active_at
         WHERE expiry_sums.sequence < excluded.sequence`,
);

/** Keeps the sums of a user's records up to a number. */
export async function keepSums(
  tx: Tx,
  userId: string,
  sequence: number,
  { credits, returns, activeAt }: ExpirySums,
): Promise<void> {
  await tx.query(KEEP, [userId, sequence, JSON.stringify(credits), JSON.stringify(returns), activeAt]);
}
