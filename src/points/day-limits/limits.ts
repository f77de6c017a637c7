// What a user may be awarded for the submissions of one day, where an application limits it. A limit lowers the cap of a
// record to what is left of the day, and its points are shared out over its items as under the cap of the rule.
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

/** What a user was awarded for the submissions of one day. */
export interface DayTally {
  readonly points: number;
  /** Meals that earned points. */
  readonly meals: number;
  readonly foodPoints: number;
}

/** The limits by the names under which explanations tell them. */
export const LIMIT_NAMES = ["points_a_day", "meals_a_day", "food_points_a_day"] as const;

/** Which limit cut a record, and to what. */
export interface DayCut {
  readonly limit: (typeof LIMIT_NAMES)[number];
  /** The limit as it was set then. */
  readonly max: number;
  /** The UTC day of the acceptance, as in 2026-10-25. */
  readonly day: string;
  /** What was used of the limit on that day before this record. */
  readonly used: number;
  /** What the record would have earned. */
  readonly uncutPoints: number;
}

/** The record as it may be booked after what the day's tally holds: unchanged, or cut to what the closest limit leaves. */
export function withinDay(
  record: ComposedRecord,
  about: { source: Source; limits: DayLimits; tally: DayTally; day: string },
): ComposedRecord {
  const { limits, tally, source, day } = about;
  const uncutPoints = record.award.totalPoints;
  const { pointsADay, mealsADay, foodPointsADay } = limits;
  const leaves = [
    pointsADay !== null && leave("points_a_day", pointsADay, tally.points, pointsADay - tally.points),
    source === "meal" &&
      mealsADay !== null &&
      leave("meals_a_day", mealsADay, tally.meals, tally.meals < mealsADay ? Infinity : 0),
    source === "food" &&
      foodPointsADay !== null &&
      leave("food_points_a_day", foodPointsADay, tally.foodPoints, foodPointsADay - tally.foodPoints),
  ].filter((each) => each !== false);
  const [closest] = leaves.sort((a, b) => a.left - b.left);
  if (!closest || uncutPoints <= closest.left) return record;
  const { left, ...binding } = closest;
  return { ...withAward(record, cutTo(left, record.award)), dayCut: { ...binding, day, uncutPoints } };
}

/** The tally with a record of so many points. */
export function tallied({ points, meals, foodPoints }: DayTally, source: Source, earned: number): DayTally {
  return {
    points: points + earned,
    meals: meals + Number(source === "meal" && earned > 0),
    foodPoints: foodPoints + (source === "food" ? earned : 0),
  };
}

/** A limit that was set, or lowered, in the course of a day may be below what is used of it already. */
function leave(limit: DayCut["limit"], max: number, used: number, left: number) {
  return { limit, max, used, left: Math.max(0, left) };
}
