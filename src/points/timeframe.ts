/** Which records a list shows, by the time they were booked: `from` included, `before` not. Null: no bound. */
export interface TimeRange {
  readonly from: Date | null;
  readonly before: Date | null;
}

const DAY_MS = 86_400_000;

/**
 * The range that a timeframe word means at `now`, in UTC and to date: all, today, yesterday, week (from Monday), month,
 * year; or the last `<n>d`, `<n>w`, `<n>m`, `<n>y`. Letter case does not matter. Null for anything else.
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
      return lastOf(word, now);
  }
}

function lastOf(word: string, now: Date): TimeRange | null {
  const match = /^(\d{1,5})([dwmy])$/.exec(word);
  if (!match) return null;
  const count = Number(match[1]);
  const from = new Date(now);
  const unit = match[2];
  if (unit === "d" || unit === "w") from.setTime(now.getTime() - count * (unit === "d" ? 1 : 7) * DAY_MS);
  else moveMonths(from, unit === "m" ? -count : -12 * count);
  // Before the year 1 PostgreSQL knows no such date, and no record is that old.
  return from.getTime() < Date.UTC(1970, 0, 1) ? { from: null, before: null } : { from, before: null };
}

/** Moves by calendar months; a day that the month does not have becomes its last (31 March less one: 28 February). */
function moveMonths(date: Date, months: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
}
