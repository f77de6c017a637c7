// Keeps the tiers of users up to date: in the tx of whatever moves their points, under the locks of their balances.
import type { Tx } from "../../postgres/postgres.ts";
import type { TierChanged } from "../../webhooks/event.ts";
import type { Outbox } from "../../webhooks/outbox.task.ts";
import type { ShownTier } from "../../users/schema.ts";
import type { Balance } from "../balance.ts";
import { TIER } from "../codes.ts";
import { keepTiers, standingAfter, standingsOf } from "./store.ts";
import type { AskedUser, KeptTier, ReadStanding } from "./store.ts";
import { changeOf, codeOf, nextTierOf, tierOf } from "./tier.ts";
import type { TierChange, TierCode, TierRules, TierStanding } from "./tier.ts";

/** Finds the tiers of the programme that is in force now; null: it has none, or there is no programme. */
export type TiersNow = (tx: Tx, applicationId: string) => Promise<TierRules | null>;

/** A user whose balance is locked, with the points of the balance as it is now. */
export interface TierUser {
  readonly applicationId: string;
  readonly userId: string;
  readonly lifetimePoints: number;
}

/** What was read of a user before points were earned, by id; those who are missing are read again. */
export type StandingsBefore = ReadonlyMap<string, { readonly before: TierStanding | null; readonly balance: Balance }>;

export interface TierKeeper {
  /**
   * Stores and reports rises and falls of users, each exactly once. The caller holds the locks of their balances, and
   * has moved their points. Nothing is read or written where no programme has tiers.
   */
  settle(tx: Tx, users: readonly TierUser[], at: Date, earned?: StandingsBefore): Promise<void>;
  /** The code of the tier of a user under the programme in force now; null: it has no tiers. */
  codeNow(tx: Tx, user: TierUser, at: Date): Promise<TierCode | null>;
  /** The tier of a user as the summary shows it, without a lock; null: the programme in force now has no tiers. */
  shown(tx: Tx, user: TierUser, at: Date): Promise<ShownTier>;
}

export interface KeeperDeps {
  readonly tiersNow: TiersNow;
  /** Stores events in the tx; null: changes are stored, and not reported. */
  readonly publishAll: Outbox["publishAll"] | null;
}

/** Where no programme has tiers. */
export const NO_TIERS: TierKeeper = { settle: async () => {}, codeNow: async () => null, shown: async () => null };

/** Creates the keeper of tiers. */
export function createTierKeeper(deps: KeeperDeps): TierKeeper {
  return {
    settle: async (tx, users, at, earned) => {
      const asked = await withTiers(tx, users, deps.tiersNow);
      if (asked.length > 0) await settleTiers(tx, asked, at, deps, earned);
    },
    codeNow: async (tx, user, at) => {
      const [asked] = await withTiers(tx, [user], deps.tiersNow);
      if (!asked) return null;
      if (asked.rules.by === "lifetime") return codeOf(asked.rules, user.lifetimePoints);
      const standing = (await standingsOf(tx, [asked], at)).get(user.userId);
      return codeOf(asked.rules, standing?.points ?? 0);
    },
    shown: async (tx, user, at) => {
      const [asked] = await withTiers(tx, [user], deps.tiersNow);
      return asked ? shownTier(tx, asked, at) : null;
    },
  };
}

/** A user of a programme with tiers, under the lock of the balance. */
export type SettledUser = AskedUser & Pick<TierUser, "applicationId">;

/** Stores and reports what has changed of the tiers of users. Returns the number of changes. */
export async function settleTiers(
  tx: Tx,
  users: readonly SettledUser[],
  at: Date,
  { publishAll }: Pick<KeeperDeps, "publishAll">,
  earned: StandingsBefore = new Map(),
): Promise<number> {
  const known = new Map<string, ReadStanding>();
  for (const { userId, rules } of users) {
    const own = earned.get(userId);
    const after = own ? standingAfter(own.before, rules, own.balance) : null;
    if (after) known.set(userId, after);
  }
  const unknown = users.filter(({ userId }) => !known.has(userId));
  const read = await standingsOf(tx, unknown, at);
  const kept: KeptTier[] = [];
  const changes: { readonly user: SettledUser; readonly change: TierChange }[] = [];
  for (const user of users) {
    const standing = known.get(user.userId) ?? read.get(user.userId);
    if (!standing) continue;
    const change = changeOf(user.rules, standing.stored, standing.points);
    if (change) changes.push({ user, change });
    if (change || standing.isSumDue) kept.push(keptOf(user, standing, change, at));
  }
  await keepTiers(tx, kept);
  const events = changes.map(({ user: { applicationId, userId }, change }) => {
    return { owner: { applicationId, userId }, event: changedEvent(userId, change, at) };
  });
  if (events.length > 0) await publishAll?.(tx, events, at);
  return changes.length;
}

function keptOf(user: SettledUser, { stored, sum }: ReadStanding, change: TierChange | null, at: Date): KeptTier {
  const { userId, applicationId } = user;
  return { userId, applicationId, tier: change ? { code: change.to, since: at } : stored, sum };
}

function changedEvent(userId: string, { from, to, level, points }: TierChange, at: Date): TierChanged {
  const name = level?.name ?? "";
  return { event: "tier.changed", userId, tier: to, name, previousTier: from, points, since: at.toISOString() };
}

async function shownTier(tx: Tx, user: SettledUser, at: Date): Promise<ShownTier> {
  const { rules } = user;
  const { points, stored } = (await standingsOf(tx, [user], at)).get(user.userId) ?? { points: 0, stored: null };
  const level = tierOf(rules, points);
  const next = nextTierOf(rules, points);
  const tier = level?.tier ?? TIER.none;
  // Reached by time, or by another version of the programme, until the next look stores it.
  const since = stored?.code === tier ? stored.since.toISOString() : null;
  if (!next) return { tier, name: level?.name ?? "", points, since, next };
  const { tier: code, name, from } = next.level;
  return {
    tier,
    name: level?.name ?? "",
    points,
    since,
    next: { tier: code, name, from, missingPoints: next.missingPoints },
  };
}

async function withTiers(tx: Tx, users: readonly TierUser[], tiersNow: TiersNow): Promise<SettledUser[]> {
  const byApplication = new Map<string, TierRules | null>();
  for (const { applicationId } of users) {
    if (!byApplication.has(applicationId)) byApplication.set(applicationId, await tiersNow(tx, applicationId));
  }
  const asked = new Map<string, SettledUser>();
  for (const user of users) {
    const rules = byApplication.get(user.applicationId);
    if (rules) asked.set(user.userId, { ...user, rules });
  }
  return [...asked.values()];
}
