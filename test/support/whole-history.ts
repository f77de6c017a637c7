// The expiries of users by all of their records, in one statement and without kept sums: what the service read before
// it had these. Tests compare with it.
import { expiriesOf } from "../../src/points/expiry/expiry.ts";
import type { Expiry, ExpiryRule, PointsHistory } from "../../src/points/expiry/expiry.ts";
import type { Tx } from "../../src/postgres/postgres.ts";

const TEXT = `WITH owned AS (
           SELECT users.id AS user_id, balances.available_points, balances.records, settings.* FROM users
           JOIN points_settings AS settings ON settings.application_id = users.application_id
           JOIN balances ON balances.user_id = users.id
           WHERE users.id = ANY ($1) AND users.erased_at IS NULL AND expiry_months IS NOT NULL
         ), moved AS (
           SELECT owned.user_id, min(created_at) AS earned_at, sum(total_points) AS points,
                  bool_or(related_id IS NULL) AS is_whole,
                  max(created_at) FILTER (WHERE operation IN (1, 2)
                    OR operation = 3 AND related_id IS NULL AND total_points > 0) AS active_at
           FROM owned JOIN records ON records.user_id = owned.user_id AND sequence > owned.records - $2::bigint
           GROUP BY owned.user_id, coalesce(related_id, id)
         ), days AS (
           SELECT user_id, (earned_at AT TIME ZONE 'UTC')::date AS earned_on, min(earned_at) AS from_at,
                  coalesce(sum(points) FILTER (WHERE points > 0 AND is_whole), 0) AS credits, max(active_at) AS active_at
           FROM moved GROUP BY user_id, earned_on
         ), histories AS (
           SELECT user_id, min(from_at) AS from_at, max(active_at) AS active_at,
                  coalesce(jsonb_agg(jsonb_build_array(earned_on, credits) ORDER BY earned_on) FILTER (WHERE credits > 0),
                           '[]') AS credits
           FROM days GROUP BY user_id
         )
         SELECT user_id AS "userId", settings.expiry_months AS months, settings.expiry_from AS "from",
  settings.expiry_notice_days AS "noticeDays", settings.updated_at AS "setAt", available_points::float8 AS "availablePoints", credits,
                active_at AS "activeAt", coalesce(ahead_ms, 0)::float8 AS "aheadMs", settings.records <= $2 AS "isWhole",
                (SELECT max(back.created_at) FROM records AS back
                 JOIN records AS root ON root.user_id = back.user_id AND root.id = back.related_id
                 WHERE back.user_id = settings.user_id AND back.total_points > 0
                   AND back.created_at >= from_at - make_interval(days => greatest(0, expiry_notice_days + 1 - 28 * expiry_months))
                   AND back.created_at >= root.created_at + make_interval(days => expiry_notice_days)) AS "givenBackAt",
                (SELECT max(late_at) FROM expiry_notices WHERE expiry_notices.user_id = settings.user_id) AS "lateAt",
                (SELECT coalesce(jsonb_agg(round(1000 * extract(epoch FROM expires_at))), '[]') FROM expiry_notices
                 WHERE expiry_notices.user_id = settings.user_id) AS announced
         FROM owned AS settings JOIN histories USING (user_id) LEFT JOIN test_clocks USING (user_id)`;

type Row = ExpiryRule &
  Omit<PointsHistory, "credits" | "debits"> & { readonly credits: readonly (readonly [string, number])[] };

/** What expires of a user's points, and when. */
export async function expiriesOfAllRecords(tx: Tx, userId: string): Promise<readonly Expiry[]> {
  const [row] = await tx.query<Row>({ name: "test.whole-history", text: TEXT }, [[userId], 1_000_000_000]);
  if (!row) return [];
  const credits = row.credits.map(([day, points]) => ({ earnedOn: new Date(day), points }));
  const credited = credits.reduce((sum, { points }) => sum + points, 0);
  return expiriesOf({ ...row, credits, debits: Math.max(0, credited - row.availablePoints) }, row);
}
