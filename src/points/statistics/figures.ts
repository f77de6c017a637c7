// Sums over a user's records, by period. Every figure is a sum of integers, so parts of a period add up to it.
import type { BONUS_TYPE } from "../codes.ts";
import { kilograms } from "../transaction.ts";
import type { Period } from "./periods.ts";
import type { Figures, PeriodFigures } from "./schema.ts";

/** What points came from, or went to. */
export const CAUSES = ["receipt", "meal", "food", "bonus", "adjustment", "redemption", "refund", "expiry"] as const;
export type Cause = (typeof CAUSES)[number];

/** The sums of the records between two cuts, of one cause. */
export interface Sums {
  /** The number of the cut at which they begin, from 1. */
  readonly segment: number;
  readonly cause: Cause;
  /** Of a bonus; 0 for any other cause. */
  readonly bonusType: (typeof BONUS_TYPE)[keyof typeof BONUS_TYPE];
  readonly earningEvents: number;
  readonly lifetimePoints: number;
  readonly totalPoints: number;
  readonly healthPoints: number;
  readonly carbonPoints: number;
  readonly bonusPoints: number;
  readonly greenProducts: number;
  readonly healthyProducts: number;
  readonly co2eMg: number;
}

/** The times at which any of the periods begins or ends, ascending, each once. */
export function cutsOf(periods: readonly Period[]): Date[] {
  const times = new Set(periods.flatMap(({ from, before }) => [from.getTime(), before.getTime()]));
  return [...times].sort((a, b) => a - b).map((ms) => new Date(ms));
}

/** The figures of a period that begins and ends at cuts. */
export function figuresOf({ from, before }: Period, cuts: readonly Date[], sums: readonly Sums[]): PeriodFigures {
  const within = sums.filter(({ segment }) => {
    const start = cuts[segment - 1]!;
    return start >= from && start < before;
  });
  return { from: from.toISOString(), before: before.toISOString(), ...added(within) };
}

function added(sums: readonly Sums[]): Figures {
  const total = (member: Exclude<keyof Sums, "cause">, of = sums) => of.reduce((sum, each) => sum + each[member], 0);
  const pointsOf = (cause: Cause) =>
    total(
      "totalPoints",
      sums.filter((each) => each.cause === cause),
    );
  const bonus = (type: Sums["bonusType"]) =>
    total(
      "totalPoints",
      sums.filter((each) => each.cause === "bonus" && each.bonusType === type),
    );
  return {
    earnedPoints: total("lifetimePoints"),
    balanceChange: total("totalPoints"),
    numOfTransactions: total("earningEvents"),
    totalHealthPoints: total("healthPoints"),
    totalCarbonScore: total("carbonPoints"),
    totalBonusPoints: total("bonusPoints"),
    totalGreenProducts: total("greenProducts"),
    totalHealthyProducts: total("healthyProducts"),
    totalCO2e: kilograms(total("co2eMg")),
    pointsBySource: {
      receipts: pointsOf("receipt"),
      meals: pointsOf("meal"),
      foods: pointsOf("food"),
      bonuses: {
        referral: bonus(1),
        welcome: bonus(2),
        streak: bonus(3),
        campaign: bonus(4),
        manual: bonus(5),
      },
      adjustments: pointsOf("adjustment"),
      redemptions: pointsOf("redemption"),
      refunds: pointsOf("refund"),
      expired: pointsOf("expiry"),
    },
  };
}
