// Days, weeks and months of a time zone.

/** The periods of a limit, as keys: the day, the Monday of its week, the month. */
export interface Periods {
  readonly day: string;
  readonly week: string;
  readonly month: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The periods that a moment belongs to. */
export function periodsAt(ms: number, timeZone: string): Periods {
  const day = dayAt(ms, timeZone);
  return { day, week: addDays(day, -((weekday(day) + 6) % 7)), month: day.slice(0, 7) };
}

/** The calendar day of a moment, as 2026-10-25. */
export function dayAt(ms: number, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat("en-CA", { timeZone, dateStyle: "short" });
  formats.set(timeZone, format);
  return format.format(ms);
}

/** 0 = Sunday to 6 = Saturday. */
export function weekday(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
