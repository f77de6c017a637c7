import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time.ts";

/** A span of the calendar: whole months, then time. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

const ISO =
  /^P(?:(\d{1,9})W|(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?)$/i;

/** Reads an ISO 8601 duration of whole numbers (`P30D`, `P1Y2M`, `P2W`, `P1DT12H`), in any letter case; null for none. */
export function parseDuration(text: string): Duration | null {
  const match = ISO.exec(text);
  // Each part may be left out, but not all of them, nor all behind the T.
  if (!match || /[PT]$/i.test(text)) return null;
  const [weeks, years, months, days, hours, minutes, seconds] = Array.from({ length: 7 }, (_, i) =>
    Number(match[i + 1] ?? 0),
  ) as [number, number, number, number, number, number, number];
  return {
    months: years * 12 + months,
    ms: (weeks * 7 + days) * DAY_MS + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS,
  };
}

/**
 * The moment a duration before (-1) or after (1) another, in UTC. A day that a month does not have becomes its last: a
 * month before 31 March is 28 February. Null outside of what a Date can hold.
 */
export function movedBy(from: Date, { months, ms }: Duration, direction: -1 | 1): Date | null {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + direction * months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  date.setTime(date.getTime() + direction * ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
