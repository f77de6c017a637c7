import { parseInstant } from "../http/formats.ts";
import { DAY_MS } from "../time.ts";
import { addDuration, parseDuration } from "./duration.ts";
import type { Duration } from "./duration.ts";

/** The time range of a list, by the creation of its records: `from` inclusive, `before` exclusive. Null: no limit. */
export interface TimeRange {
  readonly from: Date | null;
  readonly before: Date | null;
}

/** All records are within these times: a limit outside of them is no limit. */
const EARLIEST_MS = Date.UTC(1970, 0, 1);
const LATEST_MS = Date.UTC(9999, 11, 31);

/**
 * Parses a timeframe at `now`, in UTC, in any letter case. Returns null for anything but
 * - `all`; `today`, `yesterday`, `week` (from Monday), `month`, `year`, each to date;
 * - the last `<n>d`, `<n>w`, `<n>m`, `<n>y`, or an ISO 8601 duration: the last `P30D`, `P1Y6M`, `PT12H`;
 * - an ISO 8601 interval: `start/end`, `start/duration`, `duration/end`, where an end may be open: `..`.
 */
export function timeRange(timeframe: string, now: Date): TimeRange | null {
  const word = timeframe.toLowerCase();
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const midnight = new Date(Date.UTC(year, month, now.getUTCDate()));
  const since = (from: Date): TimeRange => ({ from, before: null });
  switch (word) {
    case "all":
      return { from: null, before: null };
    case "today":
      return since(midnight);
    case "yesterday":
      return { from: new Date(midnight.getTime() - DAY_MS), before: midnight };
    case "week":
      return since(new Date(midnight.getTime() - ((now.getUTCDay() + 6) % 7) * DAY_MS));
    case "month":
      return since(new Date(Date.UTC(year, month, 1)));
    case "year":
      return since(new Date(Date.UTC(year, 0, 1)));
    default:
      return word.includes("/") ? interval(word) : last(countOf(word) ?? parseDuration(word), now);
  }
}

function last(duration: Duration | null, now: Date): TimeRange | null {
  return duration && bounded(addDuration(now, duration, -1), null);
}

/** `30d`, `4w`, `6m`, `1y` as a duration. */
function countOf(word: string): Duration | null {
  return /^\d{1,5}[dwmy]$/.test(word) ? parseDuration(`p${word}`) : null;
}

function interval(word: string): TimeRange | null {
  const [left = "", right = "", ...more] = word.split("/");
  if (more.length > 0) return null;
  const [length, span] = [parseDuration(left), parseDuration(right)];
  if (length) {
    const end = momentOf(right);
    return end && bounded(addDuration(end.after, length, -1), end.after);
  }
  const start = left === ".." ? null : momentOf(left);
  if (start === null && left !== "..") return null;
  if (span) return start && bounded(start.at, addDuration(start.at, span, 1));
  const end = right === ".." ? null : momentOf(right);
  if (end === null && right !== "..") return null;
  if (start && end && start.at > end.at && start.at >= end.after) return null;
  return bounded(start?.at ?? null, end?.after ?? null);
}

/**
 * Parses a date, or a date and time with a zone and optional seconds. An interval from it starts at `at`; an interval
 * to it ends at `after`. A date is a whole day in UTC, so `2026-01-01/2026-01-31` is all of January.
 */
function momentOf(text: string): { at: Date; after: Date } | null {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    const midnight = parseInstant(`${text}t00:00:00z`);
    return midnight === null ? null : { at: new Date(midnight), after: new Date(midnight + DAY_MS) };
  }
  // An unescaped + in a query is decoded as a space.
  const instant = parseInstant(
    text.replace(/ (?=\d\d:\d\d$)/, "+").replace(/^([\d-]{10}t\d\d:\d\d)(?=z|[+-])/, "$1:00"),
  );
  return instant === null ? null : { at: new Date(instant), after: new Date(instant) };
}

function bounded(from: Date | null, before: Date | null): TimeRange {
  return {
    from: from && from.getTime() >= EARLIEST_MS ? from : null,
    before: before && before.getTime() <= LATEST_MS ? before : null,
  };
}
