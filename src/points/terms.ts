// The terms under which a submission earns: its rule, and what a programme decides beside it.
import type { Tx } from "../postgres/postgres.ts";
import { POINTS_1 } from "./award.ts";
import type { PointsRule, Source } from "./award.ts";
import type { BonusRules } from "./bonuses/rules.ts";
import type { Campaign } from "./campaigns/campaign.ts";
import type { PeriodLimits } from "./limits/limits.ts";
import type { RecordHead } from "./record.ts";
import type { ScoredLine } from "./scored-line.ts";
import type { TierRules } from "./tiers/tier.ts";

export interface Terms {
  /** The rule of this kind of submission. */
  readonly rule: PointsRule;
  /** Whether a rated line may earn; null: every one may. */
  readonly isEligible: ((line: ScoredLine, head: RecordHead) => boolean) | null;
  /** The total that a receipt must reach to earn, by currency, in its minor unit. */
  readonly minimumSpend: ReadonlyMap<string, number>;
  /** What a user may earn in a period; null: no limit beside the application's day limits. */
  readonly limits: PeriodLimits | null;
  /** In the order of the definition. */
  readonly campaigns: readonly Campaign[];
  readonly tiers: TierRules | null;
  readonly bonuses: BonusRules | null;
  /** The catalogue's group of a food, for the conditions of campaigns. */
  readonly groupOf: (foodId: string) => string | null;
}

/** The terms without a programme. */
export const DEFAULT_TERMS: Terms = {
  rule: POINTS_1,
  isEligible: null,
  minimumSpend: new Map(),
  limits: null,
  campaigns: [],
  tiers: null,
  bonuses: null,
  groupOf: () => null,
};

/** Whether the terms say more than what a record of itself earns: then its booking needs to know the user's past. */
export function hasParts({ campaigns, tiers, bonuses }: Terms): boolean {
  return campaigns.length > 0 || tiers !== null || bonuses !== null;
}

/** Finds the terms of an award by the id of its rule. */
export type TermsByRule = (
  tx: Tx,
  award: { readonly applicationId: string; readonly userId: string; readonly source: Source; readonly rule: string },
) => Promise<Terms>;
