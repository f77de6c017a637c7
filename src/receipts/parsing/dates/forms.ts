import { SIGN } from "../languages/currency-signs.ts";

/** The first part of a date that is all figures. */
export type DateOrder = "dayFirst" | "monthFirst" | "yearFirst";

/** A day that a date may mean; `order` is null if it can mean no other. */
export interface DateReading {
  date: string;
  order: DateOrder | null;
}

/** A date as written in a row, from `start` to `end`. */
export interface WrittenDate {
  start: number;
  end: number;
  /** At least one, all different days. */
  readings: readonly DateReading[];
  /**
   * How unambiguous the date is: 3 in full, 2 with two figures for the year, less with spaces in it or after a
   * correction. Below 1 it needs a time or a word beside it. Set by hand on the development receipts.
   */
  certainty: number;
  isRepaired: boolean;
}

/** A later year is a misreading. */
const YEAR_MAX = 2049;

/** Text behind a figure that makes it an amount or measure, not a year. */
export const NO_YEAR = String.raw`(?!\d|[.,:/-]\d|\s?(?:%|${SIGN}|g|kg|ml|cl|l|cm|mm|w|x|pcs)(?![A-Za-z]))`;

/** The position of a date in its row. */
export interface Place {
  start: number;
  end: number;
}

/**
 * Returns the dates that `read` finds in the matches of a pattern. If it finds none in a match, the next match may
 * begin inside it.
 */
export function found(
  pattern: RegExp,
  text: string,
  read: (place: Place, parts: readonly (string | undefined)[]) => WrittenDate | null,
): WrittenDate[] {
  const dates: WrittenDate[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [all, ...parts] = match;
    const date = read({ start: match.index, end: match.index + all.length }, parts);
    if (date) dates.push(date);
    else pattern.lastIndex = match.index + 1;
  }
  return dates;
}

/** Returns a date that can mean one day only; null if there is no such day. */
export function plain(
  place: Place,
  year: string,
  month: number | string,
  day: string,
  certainty: number,
): WrittenDate | null {
  const date = isoDate(year, Number(month), Number(day));
  return date === null ? null : { ...place, readings: [{ date, order: null }], certainty, isRepaired: false };
}

/** Returns a date of three figures, in all orders that are a valid day; null if none is. */
export function either(place: Place, a: string, b: string, c: string, certainty: number): WrittenDate | null {
  const [first, second, third] = [Number(a), Number(b), Number(c)];
  const orders: [DateOrder, string | null][] = [
    ["dayFirst", isoDate(c, second, first)],
    ["monthFirst", isoDate(c, first, second)],
    ["yearFirst", a.length === 2 && c.length === 2 ? isoDate(a, second, third) : null],
  ];
  const readings: DateReading[] = [];
  for (const [order, date] of orders)
    if (date !== null && readings.every((known) => known.date !== date)) readings.push({ date, order });
  return readings.length === 0 ? null : { ...place, readings, certainty, isRepaired: false };
}

function isoDate(year: string, month: number, day: number): string | null {
  const fullYear = year.length === 4 ? Number(year) : 2000 + Number(year);
  if (fullYear > YEAR_MAX || month < 1 || month > 12 || day < 1) return null;
  if (day > new Date(Date.UTC(fullYear, month, 0)).getUTCDate()) return null;
  return `${fullYear}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
