// What booking must know of users to give bonuses, and what it stores of them. Read and written under the locks of the
// balances: the primary key of `granted_bonuses` would refuse a second one.
import { arrayColumns } from "../../postgres/array-columns.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { bool, float8, int4, orNull, statement, text, uuid } from "../../postgres/statement.ts";
import { timeOfId } from "../../ids.ts";
import { PERSON_KEY, isKeptOf } from "../../users/erased-receipts.store.ts";
import { NO_STANDING } from "./granting.ts";
import type { BonusAward, BonusStanding, BonusStandings, DueBonus, OpenReferral } from "./granting.ts";
import type { BonusRules, StreakRule } from "./rules.ts";
import { streakKey, unitOf } from "./streaks.ts";
import type { Run } from "./streaks.ts";

/** More are not counted: no rule has a higher limit. */
const REFERRALS_COUNTED_MAX = 10_000;

const HOLD_REFERRERS = statement(
  "bonuses.hold-referrers",
  { userId: uuid, referrerId: orNull(uuid) },
  // As a foreign key does: waits for nobody but an erasure, for milliseconds. An erased referrer is null.
  `WITH due AS (
           SELECT user_id, referrer_id FROM referrals WHERE user_id = ANY ($1) AND settled_at IS NULL
         ), held AS (
           SELECT id FROM users WHERE id IN (SELECT referrer_id FROM due) AND erased_at IS NULL FOR KEY SHARE
         )
         SELECT user_id AS "userId", held.id AS "referrerId" FROM due LEFT JOIN held ON held.id = referrer_id`,
);
const EARNERS = statement(
  "bonuses.earners",
  { userId: uuid, hasEarned: bool, wasWelcomed: bool, wasReferred: bool },
  `SELECT users.id AS "userId", earned.first AS "hasEarned",
                NOT earned.first AND (
                  EXISTS (SELECT FROM granted_bonuses WHERE user_id = users.id AND kind = 'welcome')
                  OR ${isKeptOf("welcome")}) AS "wasWelcomed",
                NOT earned.first AND ${isKeptOf("referred")} AS "wasReferred"
         FROM users CROSS JOIN installation
           CROSS JOIN LATERAL (SELECT ${PERSON_KEY} AS person) AS of_user
           CROSS JOIN LATERAL (
             SELECT EXISTS (SELECT FROM records WHERE user_id = users.id AND source IN ('meal', 'food', 'receipt')
                              AND operation = 1 AND total_points > 0) AS first
           ) AS earned
         WHERE users.id = ANY ($1)`,
);
const REFERRALS = statement(
  "bonuses.referrals",
  { userId: uuid, referrals: float8 },
  `SELECT referrer.id AS "userId", (
           SELECT count(*) FROM (
             SELECT FROM granted_bonuses WHERE user_id = referrer.id AND kind = 'referring' LIMIT ${REFERRALS_COUNTED_MAX}
           ) AS counted)::float8 AS referrals
         FROM unnest($1::uuid[]) AS referrer (id)`,
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

/**
 * The referring users of those who have not earned yet, held until the tx ends. To be called before any balance is
 * locked.
 */
export async function holdReferrers(tx: Tx, userIds: readonly string[]): Promise<Map<string, string | null>> {
  const rows = userIds.length === 0 ? [] : await tx.query(HOLD_REFERRERS, [[...new Set(userIds)]]);
  return new Map(rows.map(({ userId, referrerId }) => [userId, referrerId]));
}

/** An award to be booked, with the rules of its bonuses; null: there are none. */
export interface BonusDue {
  readonly award: BonusAward;
  readonly rules: BonusRules | null;
}

/**
 * What is known of the users of a batch. `referrers` are those that were held. The caller holds the balances of all of
 * them. Reads only what the rules ask for.
 */
export async function bonusStandings(
  tx: Tx,
  batch: readonly BonusDue[],
  referrers: ReadonlyMap<string, string | null>,
): Promise<BonusStandings> {
  const asked = batch.filter(
    ({ award, rules }) => rules?.welcome?.on === "first_points" || (rules?.referral && referrers.has(award.userId)),
  );
  const earners = [...new Set(asked.map(({ award }) => award.userId))];
  const rows = earners.length === 0 ? [] : await tx.query(EARNERS, [earners]);
  const users = new Map<string, BonusStanding>();
  for (const { userId, hasEarned, wasWelcomed, wasReferred } of rows) {
    const referral: OpenReferral | null =
      !hasEarned && referrers.has(userId)
        ? { referrerId: referrers.get(userId) ?? null, isRepeated: wasReferred }
        : null;
    users.set(userId, { ...NO_STANDING, hasEarned, wasWelcomed, referral });
  }
  for (const [userId, runs] of await runsOf(tx, touchedBy(batch))) {
    users.set(userId, { ...(users.get(userId) ?? NO_STANDING), runs });
  }
  const open = rows.filter(({ hasEarned }) => !hasEarned).map(({ userId }) => referrers.get(userId) ?? null);
  return { users, referrals: await referralsOf(tx, open) };
}

async function referralsOf(tx: Tx, referrers: readonly (string | null)[]): Promise<Map<string, number>> {
  const ids = [...new Set(referrers.filter((id) => id !== null))];
  const rows = ids.length === 0 ? [] : await tx.query(REFERRALS, [ids]);
  return new Map(rows.map(({ userId, referrals }) => [userId, referrals]));
}

/** The streaks that a batch may extend, each with its range of days or weeks. */
function touchedBy(batch: readonly BonusDue[]): Touched[] {
  const byKey = new Map<string, Touched>();
  const add = ({ userId, submissionId }: BonusAward, rule: StreakRule, timeZone: string) => {
    const streak = streakKey(rule, timeZone);
    const unit = unitOf(timeOfId(submissionId), rule.every, timeZone);
    const key = `${userId} ${streak}`;
    const { low = unit, high = unit } = byKey.get(key) ?? {};
    const { length } = rule;
    byKey.set(key, { userId, streak, length, low: Math.min(low, unit), high: Math.max(high, unit) });
  };
  for (const { award, rules } of batch) {
    if (!rules || !award.isGreenOrHealthy) continue;
    for (const rule of rules.streaks) if (rule.sources.includes(award.source)) add(award, rule, rules.timeZone);
  }
  return [...byKey.values()];
}

async function runsOf(tx: Tx, touched: readonly Touched[]): Promise<Map<string, Map<string, Run[]>>> {
  const users = new Map<string, Map<string, Run[]>>();
  const rows = touched.length === 0 ? [] : await tx.query(RUNS, TOUCHED.values(touched));
  for (const { userId, streak, first, last } of rows) {
    const streaks = users.get(userId) ?? new Map<string, Run[]>();
    streaks.set(streak, [...(streaks.get(streak) ?? []), { first, last }]);
    users.set(userId, streaks);
  }
  return users;
}

/** A bonus that was booked. */
export interface GrantedBonus {
  readonly due: DueBonus;
  readonly recordId: string;
}
const GRANTED = arrayColumns<GrantedBonus>({
  user_id: ["uuid", ({ due }) => due.userId],
  kind: ["text", ({ due }) => due.cause.kind],
  key: ["text", ({ due }) => due.key],
  application_id: ["uuid", ({ due }) => due.applicationId],
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

/** Stores what has changed of the standings of a batch: days in a row, and referrals that are settled now. */
export async function storeStandings(
  tx: Tx,
  batch: readonly BonusDue[],
  { before, after }: { readonly before: BonusStandings; readonly after: BonusStandings },
  referrers: ReadonlyMap<string, string | null>,
  now: Date,
): Promise<void> {
  const touched = touchedBy(batch);
  const runsIn = ({ users }: BonusStandings, { userId, streak, length }: Touched): StoredRun[] =>
    (users.get(userId)?.runs.get(streak) ?? []).map((run) => ({ ...run, userId, streak, length }));
  const changes = touched.map((each) => {
    const [old, fresh] = [runsIn(before, each), runsIn(after, each)];
    const stays = (run: Run) => old.some(({ first, last }) => first === run.first && last === run.last);
    const firsts = new Set(fresh.map(({ first }) => first));
    return { written: fresh.filter((run) => !stays(run)), gone: old.filter(({ first }) => !firsts.has(first)) };
  });
  const written = changes.flatMap((change) => change.written);
  const gone = changes.flatMap((change) => change.gone);
  if (written.length > 0) await tx.query(STORE_RUNS, [...NEW_RUNS.values(written), ...JOINED_RUNS.values(gone)]);
  const settled = [...referrers.keys()].filter((userId) => after.users.get(userId)?.hasEarned);
  if (settled.length > 0) await tx.query(SETTLE, [settled, now]);
}
