// Applies an application's limits on the points that a user may earn with the submissions of one day. A limit lowers
// the cap of a record to the rest of the day. Its points are distributed over its items as under the cap of the rule.
import { cutTo } from "../award.ts";
import type { Source } from "../award.ts";
import { withAward } from "../record.ts";
import type { ComposedRecord } from "../record.ts";

/** The limits that an application sets for each of its users; null: none. */
export interface DayLimits {
  readonly pointsADay: number | null;
  /** Meals that earn points; those beyond earn 0. */
  readonly mealsADay: number | null;
  /** Points from tracked foods. */
  readonly foodPointsADay: number | null;
}

/** The awards of a user for the submissions of one day. */
export interface DayTally {
  readonly points: number;
  /** Meals that earned points. */
  readonly meals: number;
  readonly foodPoints: number;
}

/** Names of the limits in explanations. */
export const LIMIT_NAMES = ["points_a_day", "meals_a_day", "food_points_a_day"] as const;

/** The limit that reduced the points of a record. */
export interface DayCut {
  readonly limit: (typeof LIMIT_NAMES)[number];
  /** Value of the limit at that time. */
  readonly max: number;
  /** The UTC day of the acceptance, as in 2026-10-25. */
  readonly day: string;
  /** Part of the limit that was used on that day before this record. */
  readonly used: number;
  /** Points of the record without the limit. */
  readonly uncutPoints: number;
}

/** Returns the record to book after the day's tally: unchanged, or reduced to the rest of the tightest limit. */
export function withinDay(
  record: ComposedRecord,
  about: { source: Source; limits: DayLimits; tally: DayTally; day: string },
): ComposedRecord {
  const { limits, tally, source, day } = about;
  const uncutPoints = record.award.totalPoints;
  const { pointsADay, mealsADay, foodPointsADay } = limits;
  const rests = [
    pointsADay !== null && restOf("points_a_day", pointsADay, tally.points, pointsADay - tally.points),
    source === "meal" &&
      mealsADay !== null &&
      restOf("meals_a_day", mealsADay, tally.meals, tally.meals < mealsADay ? Infinity : 0),
    source === "food" &&
      foodPointsADay !== null &&
      restOf("food_points_a_day", foodPointsADay, tally.foodPoints, foodPointsADay - tally.foodPoints),
  ].filter((each) => each !== false);
  const [tightest] = rests.sort((a, b) => a.left - b.left);
  if (!tightest || uncutPoints <= tightest.left) return record;
  const { left, ...binding } = tightest;
  return { ...withAward(record, cutTo(left, record.award)), dayCut: { ...binding, day, uncutPoints } };
}

/** Adds a record with `earned` points to a tally. */
export function tallied({ points, meals, foodPoints }: DayTally, source: Source, earned: number): DayTally {
  return {
    points: points + earned,
    meals: meals + Number(source === "meal" && earned > 0),
    foodPoints: foodPoints + (source === "food" ? earned : 0),
  };
}

/** The rest of a limit. A limit that was set or lowered during the day may be below the part used already. */
function restOf(limit: DayCut["limit"], max: number, used: number, left: number) {
  return { limit, max, used, left: Math.max(0, left) };
}
