// Days, weeks and months of a time zone. In the zone's own calendar a day may have 23 or 25 hours.

export const PERIODS = ["day", "week", "month"] as const;
export type Period = (typeof PERIODS)[number];

/** One day, week or month. */
export interface PeriodRange {
  /** Its first day, as in 2026-10-25. */
  readonly first: string;
  /** In milliseconds since 1970; `untilMs` is the first of the next. */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The period of a moment (ms since 1970) in an IANA time zone. Weeks begin on Monday. */
export function periodOf(ms: number, period: Period, timeZone: string): PeriodRange {
  const date = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const first =
    period === "day" ? date : period === "week" ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
  const next = first.add({ [`${period}s`]: 1 });
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return { first: first.toString(), fromMs: startOf(first), untilMs: startOf(next) };
}
