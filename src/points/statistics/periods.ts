// The periods of a user's statistics: the timeframe, its months, and what each is compared with. All in UTC.
import { addDuration, parseDuration } from "../../lists/duration.ts";
import type { Duration } from "../../lists/duration.ts";
import { timeRange } from "../../lists/timeframe.ts";
import { DAY_MS } from "../../time.ts";

/** `from` inclusive, `before` exclusive; empty if `before` is not after `from`. */
export interface Period {
  readonly from: Date;
  readonly before: Date;
}

/** A period, and the one that it is compared with. */
export interface Compared extends Period {
  readonly previous: Period;
}

/** A timeframe with its calendar months, in order; the first and the last may be parts of months. */
export interface StatisticsPeriods extends Compared {
  readonly months: readonly Compared[];
}

/** The longest timeframe. With the period before it, records of four years are read. */
const MONTHS_MAX = 24;
const MONTH: Duration = { months: 1, ms: 0 };

/**
 * Parses a timeframe at `now`. An open start is the enrolment, but two years before the end at most; an open end is
 * `now`. Returns null for what is no timeframe, and for one of more than two years.
 */
export function statisticsPeriods(timeframe: string, now: Date, enrolledAt: Date): StatisticsPeriods | null {
  const range = timeRange(timeframe, now);
  if (!range) return null;
  const before = range.before ?? now;
  const earliest = back(before, { months: MONTHS_MAX, ms: 0 });
  const from = range.from ?? later(earliest, enrolledAt);
  if (from < earliest) return null;
  const period = { from, before: later(from, before) };
  return { ...period, previous: moved(period, stepOf(timeframe.toLowerCase(), period)), months: monthsOf(period) };
}

/** The calendar months of a period. A part of a month is compared with the same part of the month before. */
function monthsOf({ from, before }: Period): Compared[] {
  const months: Compared[] = [];
  for (let start = from; start < before;) {
    const next = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
    const month = { from: start, before: next < before ? next : before };
    months.push({ ...month, previous: moved(month, MONTH) });
    start = next;
  }
  return months;
}

/** How far back the period lies that a timeframe is compared with. */
function stepOf(word: string, period: Period): Duration {
  switch (word) {
    case "today":
    case "yesterday":
      return { months: 0, ms: DAY_MS };
    case "week":
      return { months: 0, ms: 7 * DAY_MS };
    case "month":
      return MONTH;
    case "year":
      return { months: 12, ms: 0 };
    default:
      return (word.includes("/") ? null : parseDuration(word.startsWith("p") ? word : `p${word}`)) ?? lengthOf(period);
  }
}

/** In months, if it is made of whole ones. */
function lengthOf({ from, before }: Period): Duration {
  const monthNumber = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  const isWhole = [from, before].every((date) => date.getUTCDate() === 1 && date.getTime() % DAY_MS === 0);
  if (isWhole) return { months: monthNumber(before) - monthNumber(from), ms: 0 };
  return { months: 0, ms: before.getTime() - from.getTime() };
}

function moved({ from, before }: Period, step: Duration): Period {
  return { from: back(from, step), before: back(before, step) };
}

/** A time before year 1 is not reached: a step is two years at most, and a timeframe begins in 1970 or later. */
function back(date: Date, step: Duration): Date {
  return addDuration(date, step, -1)!;
}

function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}
