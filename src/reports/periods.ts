// Days, weeks and months of reports, in UTC. Pure.
import type { TimeRange } from "../lists/timeframe.ts";
import { DAY_MS } from "../time.ts";
import { dayOf } from "./figures/collected.ts";

export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** Periods of one report: two years by day. */
export const PERIODS_MAX = 731;
/** Days of one report. */
export const DAYS_MAX = 3_660;

/** The periods of a report, whole ones: the first day of each, and the last day of the last. */
export interface Span {
  readonly by: Period;
  readonly starts: readonly string[];
  readonly till: string;
}

/**
 * The whole periods that a timeframe touches, up to that of `now`. An open start is the application's first day.
 * Null: they are more than one report has.
 */
export function spanOf(range: TimeRange, by: Period, { now, first }: { now: Date; first: Date }): Span | null {
  const firstMs = (range.from ?? first).getTime();
  const lastMs = Math.max(firstMs, (range.before?.getTime() ?? now.getTime() + 1) - 1);
  if (lastMs - firstMs > DAYS_MAX * DAY_MS) return null;
  const starts: string[] = [];
  let start = startOf(new Date(firstMs), by);
  for (; start.getTime() <= lastMs; start = next(start, by)) starts.push(dayOf(start));
  return starts.length > PERIODS_MAX ? null : { by, starts, till: dayOf(new Date(start.getTime() - DAY_MS)) };
}

/** The first day of the period of a time: Monday of a week. */
export function startOf(at: Date, by: Period): Date {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  if (by === "month") return new Date(Date.UTC(year, month, 1));
  return new Date(Date.UTC(year, month, by === "day" ? day : day - ((at.getUTCDay() + 6) % 7)));
}

function next(start: Date, by: Period): Date {
  const [year, month, day] = [start.getUTCFullYear(), start.getUTCMonth(), start.getUTCDate()];
  if (by === "month") return new Date(Date.UTC(year, month + 1, 1));
  return new Date(Date.UTC(year, month, day + (by === "day" ? 1 : 7)));
}
