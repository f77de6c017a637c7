// The users of a preview: what is known of each, from what was really so at the start to what the draft has made of it.
import type { ReferralCounts } from "../../points/bonuses/granting.ts";
import type { UserStanding } from "../../points/settlement/standing.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { DAY_MS } from "../../time.ts";
import { welcomesOf } from "./bonuses.store.ts";
import type { Replayed } from "./replay.ts";
import type { ReplayedAward } from "./replayed.store.ts";
import { standingsAt } from "./start.store.ts";
import type { Start } from "./start.store.ts";
import { addMoved, movedUntil } from "./tier-points.ts";
import type { MovedPoints, TierPoints } from "./tier-points.ts";
import { tierPointsAt } from "./tiers.store.ts";

export interface Users {
  /** Loads those who are not known yet. Returns the bonuses that their referring users had. */
  load(tx: Tx, userIds: readonly string[]): Promise<ReferralCounts>;
  /** Replays an award of a user who was loaded. */
  replay(award: ReplayedAward, run: (standing: UserStanding) => Replayed | null): void;
  /** Forgets all others. */
  keepOnly(userId: string | undefined): void;
}

interface User {
  standing: UserStanding;
  readonly tier: TierPoints | null;
}

/** Awards that are replayed can leave the last twelve months only in a longer time. */
const LONG_MS = 360 * DAY_MS;

/** `lateMs`: how long after its acceptance a record was booked at most. */
export function createUsers(start: Start, lateMs: number): Users {
  const { tiers, bonuses } = start.terms;
  const { fromMs, untilMs } = start.span;
  const users = new Map<string, User>();
  /** What users who are not loaded got for referring others. */
  const waiting = new Map<string, MovedPoints[]>();

  const loadTiers = async (tx: Tx, userIds: readonly string[]): Promise<ReadonlyMap<string, TierPoints> | null> => {
    if (!tiers || userIds.length === 0) return null;
    const points = await tierPointsAt(tx, userIds, tiers, start.span);
    const welcomes = bonuses ? await welcomesOf(tx, userIds, bonuses, start.span) : [];
    for (const { userId, ...moved } of welcomes) addMoved(points.get(userId)!, moved);
    for (const userId of userIds) {
      for (const moved of waiting.get(userId) ?? []) addMoved(points.get(userId)!, moved);
      waiting.delete(userId);
    }
    return points;
  };

  const addForOther = (userId: string, moved: MovedPoints): void => {
    const tier = users.get(userId)?.tier;
    if (tier) addMoved(tier, moved);
    else waiting.set(userId, [...(waiting.get(userId) ?? []), moved]);
  };

  return {
    load: async (tx, userIds) => {
      const unknown = userIds.filter((userId) => !users.has(userId));
      const standings = await standingsAt(tx, unknown, start);
      const points = await loadTiers(tx, unknown);
      for (const [userId, standing] of standings.users) {
        const tier = points?.get(userId) ?? null;
        users.set(userId, { standing: { ...standing, tier: tier && { points: tier.points } }, tier });
      }
      return standings.referrals;
    },
    replay: (award, run) => {
      const user = users.get(award.userId)!;
      const atMs = award.bookedAt.getTime();
      let { standing } = user;
      if (tiers && user.tier && standing.tier) {
        const points = standing.tier.points + movedUntil(user.tier, tiers, atMs);
        standing = { ...standing, tier: { points } };
      }
      const replayed = run(standing);
      user.standing = replayed ? withoutPast(replayed.standing.user, atMs - lateMs) : standing;
      if (!tiers || !user.tier || !replayed) return;
      const earned = (user.standing.tier?.points ?? 0) - (standing.tier?.points ?? 0);
      if (untilMs - fromMs > LONG_MS) user.tier.leaving.push({ atMs, points: earned });
      for (const { userId, points } of replayed.bonuses) {
        if (userId !== award.userId) addForOther(userId, { atMs, points });
      }
    },
    keepOnly: (userId) => {
      for (const each of users.keys()) if (each !== userId) users.delete(each);
    },
  };
}

/** Without the sums of periods that ended before a moment: no record to come is of these, and they take most memory. */
function withoutPast(standing: UserStanding, beforeMs: number): UserStanding {
  const tallies = new Map([...standing.tallies].filter(([, { untilMs }]) => untilMs > beforeMs));
  return tallies.size === standing.tallies.size ? standing : { ...standing, tallies };
}
