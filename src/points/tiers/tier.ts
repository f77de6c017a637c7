// The tiers of a programme: a user with enough points earns more. Pure.
//
// Seam: the rules of tiers are filled in here. `settle` asks `tierBefore` for the tier whose multiplier a record has,
// and `tierAfter` for the standing after it.
import type { SettledTier } from "../extras.ts";

export interface TierLevel {
  /** A code of `TIER`. */
  readonly tier: number;
  readonly name: string;
  /** Points that it takes. */
  readonly from: number;
  /** In hundredths: 125 is 1.25. */
  readonly hundredths: number;
}

export interface TierRules {
  readonly by: "lifetime" | "rolling_12_months";
  /** Ascending by `from`. */
  readonly levels: readonly TierLevel[];
}

/** What is known of a user for the tier. */
export interface TierStanding {
  /** The points that decide, before the record. */
  readonly points: number;
  /** The code of the stored tier. */
  readonly tier: number;
}

/** The tier that multiplies the points of the next record; null: none does. */
export function tierBefore(_rules: TierRules, _standing: TierStanding | null, _atMs: number): SettledTier | null {
  return null;
}

/** The standing after `earned` more points. */
export function tierAfter(_rules: TierRules, standing: TierStanding | null, _earned: number): TierStanding | null {
  return standing;
}
