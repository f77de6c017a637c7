// What a record changes for other users: a referral gives points to the one who referred. Pure.
import type { DueBonus } from "../bonuses/granting.ts";
import { tierAfter } from "../tiers/tier.ts";
import type { UserStanding } from "./standing.ts";

/** Counts bonuses of other users for their tiers, where these are known: their next record may be in the same batch. */
export function creditOthers(
  users: Map<string, UserStanding>,
  userId: string,
  bonuses: readonly Pick<DueBonus, "userId" | "points">[],
): void {
  for (const bonus of bonuses) {
    const other = bonus.userId === userId ? undefined : users.get(bonus.userId);
    if (other?.tier) users.set(bonus.userId, { ...other, tier: tierAfter(other.tier, bonus.points) });
  }
}
