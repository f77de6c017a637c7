// What must be known of a user and of their application to settle a record. Pure; booking loads it, a preview keeps it
// in memory.
import type { BonusStanding, ReferralCounts } from "../bonuses/granting.ts";
import type { CampaignUsage } from "../campaigns/campaign.ts";
import type { Limits } from "../limits/limits.ts";
import type { Tallies } from "../limits/tallies.ts";
import type { TierStanding } from "../tiers/tier.ts";

export interface UserStanding {
  /** What the user was awarded in the periods that have limits. */
  readonly tallies: Tallies;
  /** The ids of the campaigns that gave the user points before. */
  readonly campaigns: ReadonlySet<string>;
  /** Null where the terms have no tiers, or nothing is known yet. */
  readonly tier: TierStanding | null;
  /** Null where no terms of the batch have bonuses, or nothing is known yet. */
  readonly bonuses: BonusStanding | null;
}

export interface ApplicationStanding {
  /** The limits of a day that it sets for each user beside the programme's; null: none. */
  readonly dayLimits: Limits | null;
  /** By the id of the campaign; one that is missing has given nothing. */
  readonly usage: ReadonlyMap<string, CampaignUsage>;
  readonly referrals: ReferralCounts;
}

export interface Standing {
  readonly user: UserStanding;
  readonly application: ApplicationStanding;
}

/** A user without any history. */
export const NEW_USER: UserStanding = { tallies: new Map(), campaigns: new Set(), tier: null, bonuses: null };

/** An application that has given nothing. */
export const NEW_APPLICATION: ApplicationStanding = { dayLimits: null, usage: new Map(), referrals: new Map() };
