// What the tier of users is by, at the start of a preview's time and during it. Reads only.
import { countedFrom } from "../../points/tiers/tier.ts";
import type { TierRules } from "../../points/tiers/tier.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { float8, orNull, statement, timestamptz, uuid } from "../../postgres/statement.ts";
import type { Span } from "./replayed.store.ts";
import type { TierPoints } from "./tier-points.ts";

const EARNED = statement(
  "program-preview.lifetime-points",
  { userId: uuid, points: float8 },
  `SELECT user_id AS "userId", (lifetime_points - coalesce((
           SELECT sum(total_points) FROM records
           WHERE records.user_id = balances.user_id AND created_at >= $2 AND is_lifetime), 0))::float8 AS points
         FROM balances WHERE user_id = ANY ($1)`,
);
const COUNTED = statement(
  "program-preview.counted-points",
  { userId: uuid, earnedAt: orNull(timestamptz), points: float8 },
  // A record that takes back or corrects counts with the one that it relates to. What counts until the end is one sum.
  `SELECT user_id AS "userId", CASE WHEN earned_at < $4 THEN earned_at END AS "earnedAt", sum(points)::float8 AS points
         FROM (
           SELECT later.user_id, coalesce(root.created_at, later.created_at) AS earned_at, later.total_points AS points
           FROM records AS later
             LEFT JOIN records AS root ON root.user_id = later.user_id AND root.id = later.related_id
           WHERE later.user_id = ANY ($1) AND later.is_lifetime AND later.created_at >= $2 AND later.created_at < $3
             AND coalesce(root.created_at, later.created_at) >= $2
         ) AS counted
         GROUP BY user_id, CASE WHEN earned_at < $4 THEN earned_at END ORDER BY user_id, 2`,
);
const MOVED = statement(
  "program-preview.moved-points",
  { userId: uuid, at: timestamptz, points: float8 },
  `SELECT user_id AS "userId", created_at AS at, total_points::float8 AS points FROM records
         WHERE user_id = ANY ($1) AND created_at >= $2 AND created_at < $3 AND is_lifetime AND related_id IS NULL
           AND source NOT IN ('meal', 'food', 'receipt')
           AND NOT EXISTS (SELECT 1 FROM granted_bonuses AS granted
                           WHERE granted.user_id = records.user_id AND granted.record_id = records.id)
         ORDER BY user_id, sequence`,
);

/**
 * The points that decide the tiers of users: those at the start, and what moves them in the time beside awards and
 * bonuses of programmes, which the draft decides.
 */
export async function tierPointsAt(
  tx: Tx,
  userIds: readonly string[],
  rules: TierRules,
  span: Span,
): Promise<Map<string, TierPoints>> {
  const [from, until] = [new Date(span.fromMs), new Date(span.untilMs)];
  const users = new Map(userIds.map((userId): [string, TierPoints] => [userId, { points: 0, moved: [], leaving: [] }]));
  if (rules.by === "lifetime") {
    for (const { userId, points } of await tx.query(EARNED, [userIds, from])) users.get(userId)!.points = points;
  } else {
    const [first, last] = [from, until].map((at) => new Date(countedFrom(at.getTime(), rules.timeZone)));
    for (const { userId, earnedAt, points } of await tx.query(COUNTED, [userIds, first, from, last])) {
      const user = users.get(userId)!;
      user.points += points;
      if (earnedAt) user.leaving.push({ atMs: earnedAt.getTime(), points });
    }
  }
  for (const { userId, at, points } of await tx.query(MOVED, [userIds, from, until])) {
    users.get(userId)!.moved.push({ atMs: at.getTime(), points });
  }
  return users;
}
