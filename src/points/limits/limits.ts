// Applies limits on the points that a user may earn with the submissions of a day, week or month: those of the
// application, by day, and those of its programme. A limit lowers the cap of a record to the rest of the period. Its
// points are distributed over its items as under the cap of the rule: its base points first, then each extra.
import type { Source } from "../award.ts";
import { cutRecord } from "../extras.ts";
import { recordTotals } from "../record.ts";
import type { ComposedRecord } from "../record.ts";
import type { Period } from "./periods.ts";

/** The limits that an application sets for each of its users; null: none. */
export interface DayLimits {
  readonly pointsADay: number | null;
  /** Meals that earn points; those beyond earn 0. */
  readonly mealsADay: number | null;
  /** Points from tracked foods. */
  readonly foodPointsADay: number | null;
}

/** Limits of one period; null: none. */
export interface Limits {
  readonly points: number | null;
  /** Meals that earn points. */
  readonly meals: number | null;
  /** Points from tracked foods. */
  readonly foodPoints: number | null;
}

/** The awards of a user for the submissions of one period. */
export interface Tally {
  readonly points: number;
  /** Meals that earned points. */
  readonly meals: number;
  readonly foodPoints: number;
}

export const NO_TALLY: Tally = { points: 0, meals: 0, foodPoints: 0 };

/** Names of the limits in explanations. */
export const LIMIT_NAMES = [
  "points_a_day",
  "meals_a_day",
  "food_points_a_day",
  "points_a_week",
  "meals_a_week",
  "food_points_a_week",
  "points_a_month",
  "meals_a_month",
  "food_points_a_month",
] as const;
type LimitName = (typeof LIMIT_NAMES)[number];

/** The limit that reduced the points of a record. */
export interface LimitCut {
  readonly limit: LimitName;
  /** Value of the limit at that time. */
  readonly max: number;
  /** The first day of its period, as in 2026-10-25. A period is that of the acceptance. */
  readonly day: string;
  /** The time zone of the period; UTC if absent. */
  readonly timeZone?: string;
  /** Part of the limit that was used in that period before this record. */
  readonly used: number;
  /** Points of the record without the limit. */
  readonly uncutPoints: number;
}

/** A period with limits, and what was awarded in it before. */
export interface LimitedPeriod {
  readonly period: Period;
  /** Its first day. */
  readonly day: string;
  /** Absent: UTC. */
  readonly timeZone?: string;
  readonly limits: Limits;
  readonly tally: Tally;
}

/** Returns the record to book: unchanged, or reduced to the rest of the tightest limit of any of the periods. */
export function withinLimits(
  record: ComposedRecord,
  source: Source,
  periods: readonly LimitedPeriod[],
): ComposedRecord {
  const uncutPoints = recordTotals(record.body).points;
  const rests = periods.flatMap((period) => restsOf(period, source));
  const tightest = rests.reduce<Rest | null>((least, each) => (least && least.left <= each.left ? least : each), null);
  if (!tightest || uncutPoints <= tightest.left) return record;
  return { ...cutRecord(tightest.left, record), dayCut: { ...tightest.cut, uncutPoints } };
}

/** The same for the limits of an application alone. `day` is a UTC day. */
export function withinDay(
  record: ComposedRecord,
  about: { readonly source: Source; readonly limits: DayLimits; readonly tally: Tally; readonly day: string },
): ComposedRecord {
  const { source, limits, tally, day } = about;
  return withinLimits(record, source, [{ period: "day", day, limits: limitsOfDay(limits), tally }]);
}

/** Adds a record with `earned` points to a tally. */
export function tallied({ points, meals, foodPoints }: Tally, source: Source, earned: number): Tally {
  return {
    points: points + earned,
    meals: meals + Number(source === "meal" && earned > 0),
    foodPoints: foodPoints + (source === "food" ? earned : 0),
  };
}

/** Takes what `tallied` added off again. */
export function untallied({ points, meals, foodPoints }: Tally, source: Source, earned: number): Tally {
  const own = tallied(NO_TALLY, source, earned);
  return { points: points - own.points, meals: meals - own.meals, foodPoints: foodPoints - own.foodPoints };
}

/** The limits of periods in a time zone (IANA). */
export type PeriodLimits = Readonly<Record<Period, Limits>> & { readonly timeZone: string };

/** The limits of an application as those of a day. */
export function limitsOfDay({ pointsADay, mealsADay, foodPointsADay }: DayLimits): Limits {
  return { points: pointsADay, meals: mealsADay, foodPoints: foodPointsADay };
}

/** The rest of one limit. */
interface Rest {
  readonly left: number;
  readonly cut: Omit<LimitCut, "uncutPoints">;
}

/** A limit that was set or lowered during the period may be below the part used already: its rest is 0. */
function restsOf({ period, day, timeZone, limits, tally }: LimitedPeriod, source: Source): Rest[] {
  const rest = (name: "points" | "meals" | "food_points", max: number, used: number, left: number): Rest => {
    const limit: LimitName = `${name}_a_${period}`;
    return { left: Math.max(0, left), cut: { limit, max, day, ...(timeZone !== undefined && { timeZone }), used } };
  };
  const { points, meals, foodPoints } = limits;
  return [
    ...(points === null ? [] : [rest("points", points, tally.points, points - tally.points)]),
    ...(source !== "meal" || meals === null
      ? []
      : [rest("meals", meals, tally.meals, tally.meals < meals ? Infinity : 0)]),
    ...(source !== "food" || foodPoints === null
      ? []
      : [rest("food_points", foodPoints, tally.foodPoints, foodPoints - tally.foodPoints)]),
  ];
}
