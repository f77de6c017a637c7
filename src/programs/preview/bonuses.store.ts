// Bonuses of a preview: what was so at the start of its time, and what was given in it. Reads only.
import { firstIdAt } from "../../ids.ts";
import { NO_BONUSES } from "../../points/bonuses/granting.ts";
import type { BonusStanding, ReferralCounts, StreakStanding } from "../../points/bonuses/granting.ts";
import type { BonusRules } from "../../points/bonuses/rules.ts";
import { streakKey, unitOf } from "../../points/bonuses/streaks.ts";
import type { Run } from "../../points/bonuses/streaks.ts";
import { periodOf } from "../../points/limits/periods.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, float8, int4, orNull, statement, text, timestamptz, uuid } from "../../postgres/statement.ts";
import { PERSON_KEY, isKeptOf } from "../../users/erased-receipts.store.ts";
import { bonusName } from "./bonus-name.ts";
import type { GivenBonus } from "./bonus-name.ts";
import type { Span } from "./replayed.store.ts";

const AWARDS = "source IN ('meal', 'food', 'receipt') AND operation = 1";
/** More are not counted: no rule has a higher limit. */
const REFERRALS_COUNTED_MAX = 10_000;

const EARNERS = statement(
  "program-preview.earners",
  {
    userId: uuid,
    hasEarned: bool,
    wasWelcomed: bool,
    isReferred: bool,
    referrerId: orNull(uuid),
    wasReferred: bool,
    referrals: float8,
  },
  `SELECT users.id AS "userId",
                EXISTS (SELECT 1 FROM records WHERE user_id = users.id AND ${AWARDS} AND total_points > 0
                        AND created_at < $2) AS "hasEarned",
                EXISTS (SELECT 1 FROM granted_bonuses AS granted JOIN records ON records.user_id = granted.user_id
                          AND records.id = granted.record_id
                        WHERE granted.user_id = users.id AND kind = 'welcome' AND records.created_at < $2)
                  OR ${isKeptOf("welcome")} AS "wasWelcomed",
                referrals.user_id IS NOT NULL AS "isReferred", referrer.id AS "referrerId",
                referrals.user_id IS NOT NULL AND ${isKeptOf("referred")} AS "wasReferred",
                (SELECT count(*) FROM (
                   SELECT 1 FROM granted_bonuses AS granted JOIN records ON records.user_id = granted.user_id
                     AND records.id = granted.record_id
                   WHERE granted.user_id = referrer.id AND kind = 'referring' AND records.created_at < $2
                   LIMIT ${REFERRALS_COUNTED_MAX}) AS counted)::float8 AS referrals
         FROM users CROSS JOIN installation
           LEFT JOIN referrals ON referrals.user_id = users.id AND (settled_at IS NULL OR settled_at >= $2)
           LEFT JOIN users AS referrer ON referrer.id = referrals.referrer_id AND referrer.erased_at IS NULL
           CROSS JOIN LATERAL (SELECT ${PERSON_KEY} AS person) AS of_user
         WHERE users.id = ANY ($1)`,
);
const RUNS = statement(
  "program-preview.streak-runs",
  { userId: uuid, streak: text, first: int4, last: int4 },
  `SELECT user_id AS "userId", streak, first_unit AS first, last_unit AS last FROM streak_runs
         WHERE user_id = ANY ($1) AND streak = ANY ($2)`,
);
const GREEN_BEFORE = statement(
  "program-preview.green-before",
  { userId: uuid },
  `SELECT DISTINCT user_id AS "userId" FROM records
         WHERE user_id = ANY ($1) AND source = ANY ($2) AND operation = 1 AND submission_id >= $3 AND submission_id < $4
           AND green_products + healthy_products > 0`,
);
const GIVEN = statement(
  "program-preview.given-bonuses",
  { userId: uuid, kind: text, key: text, points: int4, givenAt: timestamptz },
  `SELECT granted.user_id AS "userId", kind, key, total_points AS points, records.created_at AS "givenAt"
         FROM granted_bonuses AS granted JOIN records ON records.user_id = granted.user_id AND records.id = granted.record_id
         WHERE granted.user_id = ANY ($1) AND records.created_at >= $2 AND records.created_at < $3
           AND NOT EXISTS (SELECT 1 FROM record_changes WHERE record_changes.user_id = records.user_id
                           AND record_changes.record_id = records.id AND record_changes.status = 4)`,
);
const ENROLLED = statement(
  "program-preview.enrolled",
  { userId: uuid, enrolledAt: timestamptz },
  `SELECT users.id AS "userId", users.created_at AS "enrolledAt"
         FROM users CROSS JOIN installation
           CROSS JOIN LATERAL (SELECT ${PERSON_KEY} AS person) AS of_user
         WHERE users.id = ANY ($1) AND users.created_at >= $2 AND users.created_at < $3 AND NOT ${isKeptOf("welcome")}`,
);

/** What bonuses depend on, at the start of a time. */
export interface BonusesAtStart {
  readonly users: ReadonlyMap<string, BonusStanding>;
  readonly referrals: ReferralCounts;
}

/** The standings of users at the start. */
export async function bonusesAt(
  tx: Tx,
  userIds: readonly string[],
  rules: BonusRules,
  fromMs: number,
): Promise<BonusesAtStart> {
  const hasFirst = rules.welcome?.on === "first_points" || rules.referral !== null;
  const rows = hasFirst ? await tx.query(EARNERS, [userIds, new Date(fromMs)]) : [];
  const users = new Map(userIds.map((userId): [string, BonusStanding] => [userId, NO_BONUSES]));
  const referrals = new Map<string, number>();
  for (const { userId, hasEarned, wasWelcomed, isReferred, referrerId, wasReferred, referrals: number } of rows) {
    const referral = isReferred ? { referrerId, isRepeated: wasReferred } : null;
    users.set(userId, { ...NO_BONUSES, hasEarned, wasWelcomed, referral });
    if (referrerId !== null) referrals.set(referrerId, number);
  }
  for (const [userId, streaks] of await streaksAt(tx, userIds, rules, fromMs)) {
    users.set(userId, { ...users.get(userId)!, streaks });
  }
  return { users, referrals };
}

/** The days and weeks in a row that a programme with the same streaks had counted before. */
async function streaksAt(
  tx: Tx,
  userIds: readonly string[],
  { streaks, timeZone }: BonusRules,
  fromMs: number,
): Promise<ReadonlyMap<string, Map<string, StreakStanding>>> {
  const byKey = new Map(streaks.map((streak) => [streakKey(streak, timeZone), streak]));
  const rows = byKey.size === 0 ? [] : await tx.query(RUNS, [userIds, [...byKey.keys()]]);
  const users = new Map<string, Map<string, StreakStanding>>();
  for (const [key, { every, length, sources }] of byKey) {
    const own = rows.filter(({ streak }) => streak === key);
    if (own.length === 0) continue;
    const unit = unitOf(fromMs, every, timeZone);
    const green = every === "week" ? await greenBefore(tx, userIds, sources, { timeZone, fromMs }) : new Set<string>();
    for (const [userId, runs] of Map.groupBy(own, (row) => row.userId)) {
      const last = green.has(userId) ? unit : unit - 1;
      const before = runs
        .filter(({ first }) => first <= last)
        .map((run): Run => ({ first: run.first, last: Math.min(run.last, last) }));
      users.set(userId, (users.get(userId) ?? new Map<string, StreakStanding>()).set(key, { length, runs: before }));
    }
  }
  return users;
}

/** Users who had a green or healthy product in the week of the start, before it. */
async function greenBefore(
  tx: Tx,
  userIds: readonly string[],
  sources: readonly string[],
  { timeZone, fromMs }: { readonly timeZone: string; readonly fromMs: number },
): Promise<ReadonlySet<string>> {
  const { fromMs: mondayMs } = periodOf(fromMs, "week", timeZone);
  if (mondayMs === fromMs) return new Set();
  const rows = await tx.query(GREEN_BEFORE, [userIds, sources, firstIdAt(mondayMs), firstIdAt(fromMs)]);
  return new Set(rows.map(({ userId }) => userId));
}

/** The bonuses of programmes that users got in a time, without those that were taken back. */
export async function givenBonuses(
  tx: Tx,
  userIds: readonly string[],
  { fromMs, untilMs }: Span,
): Promise<GivenBonus[]> {
  const rows = await tx.query(GIVEN, [userIds, new Date(fromMs), new Date(untilMs)]);
  return rows.map(({ userId, kind, key, points, givenAt }) => {
    const name = kind === "streak" ? bonusName(kind, key.split(" ")[0]) : bonusName(kind);
    return { userId, name, points, atMs: givenAt.getTime() };
  });
}

/** The welcomes that a draft would have given with enrolments in a time. */
export async function welcomesOf(
  tx: Tx,
  userIds: readonly string[],
  { welcome }: BonusRules,
  { fromMs, untilMs }: Span,
): Promise<GivenBonus[]> {
  if (welcome?.on !== "enrolment") return [];
  const rows = await tx.query(ENROLLED, [userIds, new Date(fromMs), new Date(untilMs)]);
  const { points } = welcome;
  return rows.map(({ userId, enrolledAt }) => ({
    userId,
    name: bonusName("welcome"),
    points,
    atMs: enrolledAt.getTime(),
  }));
}
