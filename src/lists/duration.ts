import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time.ts";

/** A calendar duration: whole months plus a time. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

const ISO =
  /^P(?:(\d{1,9})W|(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})S)?)?)$/i;

/** Parses an ISO 8601 duration of whole numbers (`P30D`, `P1Y2M`, `P2W`, `P1DT12H`) in any letter case, or null. */
export function parseDuration(text: string): Duration | null {
  const match = ISO.exec(text);
  // Each part is optional, but at least one is needed, and one after the T.
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
 * Adds (1) or subtracts (-1) a duration, in UTC. A day that the month does not have becomes its last day: 31 March
 * minus a month is 28 February. Returns null outside of the range of Date.
 */
export function addDuration(from: Date, { months, ms }: Duration, direction: -1 | 1): Date | null {
  const date = new Date(from);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + direction * months);
  const daysInMonth = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, daysInMonth));
  date.setTime(date.getTime() + direction * ms);
  return Number.isNaN(date.getTime()) ? null : date;
}
