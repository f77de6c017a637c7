// What booking must know of users to give bonuses, and what it stores of them: one statement each for a whole batch,
// and only for users whose terms have bonuses. Read and written under the locks of the balances; the primary key of
// `granted_bonuses` would refuse a second one.
import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, float8, int4, orNull, statement, text, uuid } from "../../postgres/statement.ts";
import { timeOfId } from "../../ids.ts";
import { PERSON_KEY, isKeptOf } from "../../users/erased-receipts.store.ts";
import type { Source } from "../award.ts";
import { NO_BONUSES } from "./granting.ts";
import type { BonusStanding, DueBonus, ReferralCounts, StreakStanding } from "./granting.ts";
import type { BonusRules } from "./rules.ts";
import { streakKey, unitOf } from "./streaks.ts";
import type { Run } from "./streaks.ts";

/** More are not counted: no rule has a higher limit. */
const REFERRALS_COUNTED_MAX = 10_000;

const HOLD_REFERRERS = statement(
  "bonuses.hold-referrers",
  { id: uuid },
  // As a foreign key does: waits for nobody but an erasure, for milliseconds.
  `SELECT id FROM users WHERE erased_at IS NULL AND id IN (
           SELECT referrer_id FROM referrals WHERE user_id = ANY ($1) AND settled_at IS NULL) FOR KEY SHARE`,
);
const EARNERS = statement(
  "bonuses.earners",
  {
    userId: uuid,
    hasEarned: bool,
    wasWelcomed: bool,
    isReferred: bool,
    referrerId: orNull(uuid),
    wasReferred: bool,
    referrals: float8,
  },
  // A referral that is open was open before the locks, and its referring user, unless erased, was held: a referral is
  // noted with the enrolment, and settled once.
  `SELECT users.id AS "userId", earned.first AS "hasEarned",
                NOT earned.first AND (
                  EXISTS (SELECT 1 FROM granted_bonuses WHERE user_id = users.id AND kind = 'welcome')
                  OR ${isKeptOf("welcome")}) AS "wasWelcomed",
                referrals.user_id IS NOT NULL AS "isReferred", referrer.id AS "referrerId",
                NOT earned.first AND referrals.user_id IS NOT NULL AND ${isKeptOf("referred")} AS "wasReferred",
                CASE WHEN NOT earned.first AND referrer.id IS NOT NULL THEN (
                  SELECT count(*) FROM (
                    SELECT 1 FROM granted_bonuses WHERE user_id = referrer.id AND kind = 'referring'
                    LIMIT ${REFERRALS_COUNTED_MAX}
                  ) AS counted) ELSE 0 END::float8 AS referrals
         FROM users CROSS JOIN installation
           LEFT JOIN referrals ON referrals.user_id = users.id AND settled_at IS NULL
           LEFT JOIN users AS referrer ON referrer.id = referrals.referrer_id AND referrer.erased_at IS NULL
           CROSS JOIN LATERAL (SELECT ${PERSON_KEY} AS person) AS of_user
           CROSS JOIN LATERAL (
             SELECT EXISTS (SELECT 1 FROM records WHERE user_id = users.id AND source IN ('meal', 'food', 'receipt')
                              AND operation = 1 AND total_points > 0) AS first
           ) AS earned
         WHERE users.id = ANY ($1)`,
);
/** The days or weeks that a batch adds to a streak of a user lie between these. */
interface Touched {
  readonly userId: string;
  readonly streak: string;
  readonly length: number;
  readonly low: number;
  readonly high: number;
}
const TOUCHED = arrayColumns<Touched>({
  user_id: ["uuid", ({ userId }) => userId],
  streak: ["text", ({ streak }) => streak],
  low: ["int", ({ low }) => low],
  high: ["int", ({ high }) => high],
});
const RUNS = statement(
  "bonuses.streak-runs",
  { userId: uuid, streak: text, first: int4, last: int4 },
  `SELECT runs.user_id AS "userId", runs.streak, first_unit AS first, last_unit AS last
         FROM ${TOUCHED.unnest} AS touched (${TOUCHED.names})
         JOIN streak_runs AS runs ON runs.user_id = touched.user_id AND runs.streak = touched.streak
           AND first_unit <= high + 1 AND last_unit >= low - 1`,
);

/** A record to settle, with the rules of its bonuses. */
export interface BonusQuery {
  readonly userId: string;
  readonly source: Source;
  readonly submissionId: string;
  readonly isGreenOrHealthy: boolean;
  readonly rules: BonusRules;
}

/**
 * Other users who may get a bonus with these: their balances must be locked together. Holds them until the tx ends, so
 * that nothing is stored behind their erasure. To be called before any balance is locked.
 */
export async function usersOfBonuses(
  tx: Tx,
  queries: readonly Pick<BonusQuery, "userId" | "rules">[],
): Promise<readonly string[]> {
  const userIds = queries.flatMap(({ userId, rules }) => (rules.referral ? [userId] : []));
  if (userIds.length === 0) return [];
  return (await tx.query(HOLD_REFERRERS, [[...new Set(userIds)]])).map(({ id }) => id);
}

/** The standings of users by id, and the bonuses that their referring users had. */
export async function readBonusStandings(
  tx: Tx,
  queries: readonly BonusQuery[],
): Promise<{ readonly users: ReadonlyMap<string, BonusStanding>; readonly referrals: ReferralCounts }> {
  const asked = queries.filter(({ rules }) => rules.welcome?.on === "first_points" || rules.referral !== null);
  const ids = [...new Set(asked.map(({ userId }) => userId))];
  const rows = ids.length === 0 ? [] : await tx.query(EARNERS, [ids]);
  const users = new Map(queries.map(({ userId }): [string, BonusStanding] => [userId, NO_BONUSES]));
  const referrals = new Map<string, number>();
  for (const { userId, hasEarned, wasWelcomed, isReferred, referrerId, wasReferred, referrals: number } of rows) {
    const referral = isReferred ? { referrerId, isRepeated: wasReferred } : null;
    users.set(userId, { ...NO_BONUSES, hasEarned, wasWelcomed, referral });
    if (referrerId !== null) referrals.set(referrerId, Math.max(number, referrals.get(referrerId) ?? 0));
  }
  for (const [userId, streaks] of await streaksOf(tx, touchedBy(queries))) {
    users.set(userId, { ...users.get(userId)!, streaks });
  }
  return { users, referrals };
}

/** The streaks that a batch may extend, each with its range of days or weeks. */
function touchedBy(queries: readonly BonusQuery[]): Touched[] {
  const byKey = new Map<string, Touched>();
  for (const { userId, source, submissionId, isGreenOrHealthy, rules } of queries) {
    if (!isGreenOrHealthy) continue;
    for (const rule of rules.streaks.filter(({ sources }) => sources.includes(source))) {
      const streak = streakKey(rule, rules.timeZone);
      const unit = unitOf(timeOfId(submissionId), rule.every, rules.timeZone);
      const key = `${userId} ${streak}`;
      const { low = unit, high = unit } = byKey.get(key) ?? {};
      byKey.set(key, { userId, streak, length: rule.length, low: Math.min(low, unit), high: Math.max(high, unit) });
    }
  }
  return [...byKey.values()];
}

async function streaksOf(tx: Tx, touched: readonly Touched[]): Promise<Map<string, Map<string, StreakStanding>>> {
  const rows = touched.length === 0 ? [] : await tx.query(RUNS, TOUCHED.values(touched));
  const runs = Map.groupBy(rows, ({ userId, streak }) => `${userId} ${streak}`);
  const users = new Map<string, Map<string, StreakStanding>>();
  for (const { userId, streak, length } of touched) {
    const known = (runs.get(`${userId} ${streak}`) ?? []).map(({ first, last }) => ({ first, last }));
    users.set(userId, (users.get(userId) ?? new Map<string, StreakStanding>()).set(streak, { length, runs: known }));
  }
  return users;
}

/** A bonus that was booked. */
export interface GrantedBonus {
  readonly applicationId: string;
  readonly due: DueBonus;
  readonly recordId: string;
}
const GRANTED = arrayColumns<GrantedBonus>({
  user_id: ["uuid", ({ due }) => due.userId],
  kind: ["text", ({ due }) => due.cause.kind],
  key: ["text", ({ due }) => due.key],
  application_id: ["uuid", ({ applicationId }) => applicationId],
  record_id: ["uuid", ({ recordId }) => recordId],
});
const INSERT_GRANTED = statement(
  "bonuses.insert-granted",
  {},
  `INSERT INTO granted_bonuses (${GRANTED.names}) SELECT * FROM ${GRANTED.unnest}`,
);

/** Notes that bonuses were given, in the tx of their records. */
export async function insertGranted(tx: Tx, granted: readonly GrantedBonus[]): Promise<void> {
  if (granted.length > 0) await tx.query(INSERT_GRANTED, GRANTED.values(granted));
}

interface StoredRun extends Run {
  readonly userId: string;
  readonly streak: string;
  readonly length: number;
}
const NEW_RUNS = arrayColumns<StoredRun>({
  user_id: ["uuid", ({ userId }) => userId],
  streak: ["text", ({ streak }) => streak],
  first_unit: ["int", ({ first }) => first],
  last_unit: ["int", ({ last }) => last],
  length: ["int", ({ length }) => length],
});
const JOINED_RUNS = arrayColumns<StoredRun>(
  {
    user_id: ["uuid", ({ userId }) => userId],
    streak: ["text", ({ streak }) => streak],
    first_unit: ["int", ({ first }) => first],
  },
  NEW_RUNS.next,
);
const STORE_RUNS = statement(
  "bonuses.store-runs",
  {},
  // No run is in both lists. Runs that were joined go; the one that was extended at its end keeps its key.
  `WITH joined AS (
           DELETE FROM streak_runs AS runs USING ${JOINED_RUNS.unnest} AS gone (${JOINED_RUNS.names})
           WHERE runs.user_id = gone.user_id AND runs.streak = gone.streak AND runs.first_unit = gone.first_unit
         )
         INSERT INTO streak_runs (${NEW_RUNS.names}) SELECT * FROM ${NEW_RUNS.unnest}
         ON CONFLICT (user_id, streak, first_unit) DO UPDATE SET last_unit = excluded.last_unit`,
);
const SETTLE = statement(
  "bonuses.settle-referrals",
  {},
  "UPDATE referrals SET settled_at = $2 WHERE user_id = ANY ($1) AND settled_at IS NULL",
);

/** The standing of a user that a batch has changed. */
export interface BonusChange {
  readonly userId: string;
  readonly before: BonusStanding | null;
  readonly after: BonusStanding;
}

/** Stores what has changed: days or weeks in a row, and referrals that are settled now. */
export async function saveBonusStandings(tx: Tx, changes: readonly BonusChange[], now: Date): Promise<void> {
  const runs = changes.map(changedRuns);
  const written = runs.flatMap((change) => change.written);
  const gone = runs.flatMap((change) => change.gone);
  if (written.length > 0) await tx.query(STORE_RUNS, [...NEW_RUNS.values(written), ...JOINED_RUNS.values(gone)]);
  const settled = changes
    .filter(({ before, after }) => before?.referral && !after.referral)
    .map(({ userId }) => userId);
  if (settled.length > 0) await tx.query(SETTLE, [settled, now]);
}

function changedRuns({ userId, before, after }: BonusChange): { written: StoredRun[]; gone: StoredRun[] } {
  const written: StoredRun[] = [];
  const gone: StoredRun[] = [];
  for (const [streak, { length, runs }] of after.streaks) {
    const old = before?.streaks.get(streak)?.runs ?? [];
    if (runs === old) continue;
    const stored = (run: Run): StoredRun => ({ ...run, userId, streak, length });
    const isOld = (run: Run) => old.some(({ first, last }) => first === run.first && last === run.last);
    const firsts = new Set(runs.map(({ first }) => first));
    written.push(...runs.filter((run) => !isOld(run)).map(stored));
    gone.push(...old.filter(({ first }) => !firsts.has(first)).map(stored));
  }
  return { written, gone };
}
