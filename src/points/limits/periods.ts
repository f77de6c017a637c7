// Days, weeks and months of a time zone. In the zone's own calendar a day may have 23 or 25 hours.
import { createRecent } from "../../recent.ts";
import { MINUTE_MS } from "../../time.ts";

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

/** Offsets of zones and their changes are multiples of it since 1972: no period ends within a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
/** Three periods of a quarter of an hour, of a month: some 2 MB. */
const REMEMBERED = 10_000;
/** Computing one takes 15 µs, a fifth of what scoring a record again takes. */
const recent = createRecent<PeriodRange>(REMEMBERED);

/** The period of a moment (ms since 1970) in an IANA time zone. Weeks begin on Monday. */
export function periodOf(ms: number, period: Period, timeZone: string): PeriodRange {
  return recent(`${period} ${Math.floor(ms / QUARTER_MS)} ${timeZone}`, () => computed(ms, period, timeZone));
}

function computed(ms: number, period: Period, timeZone: string): PeriodRange {
  const date = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
  const first =
    period === "day" ? date : period === "week" ? date.subtract({ days: date.dayOfWeek - 1 }) : date.with({ day: 1 });
  const next = first.add({ [`${period}s`]: 1 });
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime(timeZone).epochMilliseconds;
  return { first: first.toString(), fromMs: startOf(first), untilMs: startOf(next) };
}
