import { plainLetters } from "../languages/plain-letters.ts";
import type { DateOrder, DateReading, WrittenDate } from "./forms.ts";
import type { DatedRow } from "./written.ts";
import { COUNTRIES, WEEKDAY_NAMES } from "../languages/vocabulary.ts";
import { DAY_MS } from "../../../time.ts";

/** Order of the parts by country. Years of four figures come first everywhere they can. */
const ORDER_OF = new Map(COUNTRIES.map(({ code, dateOrder }) => [code, dateOrder]));

/** If a date may mean a day within this time before the upload, it does. Set by hand on the development receipts. */
const RECENT_DAYS = 730;

/** The shop's country, and the day of the upload, `YYYY-MM-DD`. */
export interface DateContext {
  country: string | null;
  today: string | null;
}

/** The day that a date means. `isGuessed`: day and month could be swapped and nothing decides their order. */
export interface ChosenDay {
  date: string;
  isGuessed: boolean;
}

/**
 * Returns a function that chooses the day that a date means: by the days that are valid, the other dates, the weekday
 * beside it, the country and the day of the upload.
 */
export function dayChooser(
  rows: readonly DatedRow[],
  { country, today }: DateContext,
): (row: DatedRow, date: WrittenDate) => ChosenDay {
  const usualOrder = ORDER_OF.get(country ?? "") ?? "dayFirst";
  const isMixed = usualOrder === "mixed";
  const habit = isMixed ? "monthFirst" : usualOrder;
  const shown = orderShown(rows, habit === "yearFirst" || isMixed);
  const plain = plainDays(rows);
  const isFixed = ORDER_OF.has(country ?? "") && !isMixed;

  return (row, written) => {
    const { readings } = written;
    const [only] = readings;
    if (readings.length === 1) return { date: only!.date, isGuessed: false };
    // `26/08/25` is the day that is written elsewhere as `2026/08/25` or `08/25/2026`.
    const twin = readings.find(({ date }) => plain.has(date));
    if (twin) return { date: twin.date, isGuessed: false };
    const weekday = weekdayBeside(row, written);
    const ofWeekday = readings.filter(({ date, order }) => order !== "yearFirst" && isWeekdayOf(date, weekday));
    if (ofWeekday.length === 1) return { date: ofWeekday[0]!.date, isGuessed: false };
    const usual = byOrder(readings, shown ?? habit);
    const swappable = readings.filter(({ order }) => order !== "yearFirst" || isMixed).length > 1;
    const isGuessed = swappable && shown === null && !isFixed;
    if (today === null) return { date: usual.date, isGuessed };
    if (isGuessed || !isRecent(usual.date, today)) {
      const nearest = readings
        .filter(({ date }) => isRecent(date, today))
        .toSorted((a, b) => b.date.localeCompare(a.date))[0];
      // Two days that are both possible remain a guess, however near one is.
      if (nearest) return { date: nearest.date, isGuessed: isGuessed || nearest.date !== usual.date };
    }
    return { date: usual.date, isGuessed };
  };
}

/** Returns the date in the usual order, or else in any valid one. */
function byOrder(readings: readonly DateReading[], order: DateOrder): DateReading {
  const orders: DateOrder[] = [order, "dayFirst", "monthFirst", "yearFirst"];
  return orders.flatMap((one) => readings.filter((reading) => reading.order === one))[0] ?? readings[0]!;
}

/** Returns the order that any date on the receipt shows by a day above 12. */
function orderShown(rows: readonly DatedRow[], mayBeginWithYear: boolean): DateOrder | null {
  const shown = new Set<DateOrder>();
  for (const { dates } of rows)
    for (const { readings, isRepaired } of dates) {
      const [first, second] = readings;
      if (isRepaired || first!.order === null || (second && mayBeginWithYear)) continue;
      const orders = readings.filter(({ order }) => order !== "yearFirst").map(({ order }) => order!);
      if (orders.length === 1 && first!.date.slice(5, 7) !== first!.date.slice(8)) shown.add(orders[0]!);
    }
  return shown.size === 1 ? [...shown][0]! : null;
}

/** Returns the days of the dates that are unambiguous. */
function plainDays(rows: readonly DatedRow[]): ReadonlySet<string> {
  const plain = rows.flatMap(({ dates }) =>
    dates.filter(({ readings, isRepaired }) => readings.length === 1 && !isRepaired),
  );
  return new Set(plain.map(({ readings }) => readings[0]!.date));
}

function weekdayBeside({ text }: DatedRow, { start, end }: WrittenDate): number | null {
  const beside = `${/(\p{L}+)[\s.,]{0,3}$/u.exec(text.slice(0, start))?.[1] ?? ""} ${/^[\s.,(]{0,3}(\p{L}+)/u.exec(text.slice(end))?.[1] ?? ""}`;
  const words = plainLetters(beside).toUpperCase().split(" ");
  const found = WEEKDAY_NAMES.findIndex((names) =>
    names.some((name) => words.some((word) => (name.startsWith("=") ? name === `=${word}` : word.startsWith(name)))),
  );
  return found < 0 ? null : found;
}

function isWeekdayOf(date: string, weekday: number | null): boolean {
  return new Date(`${date}T00:00:00Z`).getUTCDay() === weekday;
}

/** Whether a date is not in the future (allowing for time zones) and not long ago. */
function isRecent(date: string, today: string): boolean {
  const days = (Date.parse(today) - Date.parse(date)) / DAY_MS;
  return days >= -1 && days <= RECENT_DAYS;
}
