import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { either, found, NO_YEAR, plain } from "./forms.ts";
import type { Place, WrittenDate } from "./forms.ts";
import { legible } from "./legible.ts";
import { misreadDates } from "./misread.ts";
import { monthOf } from "./month-names.ts";
import { timeBehind, timesIn } from "./times.ts";
import type { PrintedTime } from "./times.ts";

/** A row after the corrections of legible(), with its times and possible dates. */
export interface DatedRow {
  text: string;
  times: readonly PrintedTime[];
  dates: readonly WrittenDate[];
}

const NAME = String.raw`([A-Za-zÀ-ÿ]{3,16})`;
const YEAR = String.raw`(20\d{2}(?!\d)|\d{2}${NO_YEAR})`;

const NUMERIC = /(\d{1,2})\s?([-./'])\s?(\d{1,2})\s?([-./'])\s?(20\d{2}|\d{2})(?!\d)/g;
const YEAR_FIRST = /(?<!\d)(20\d{2})([-./])\s?(\d{1,2})\2\s?(\d{1,2})(?!\d)/g;
const DAY_NAMED = new RegExp(
  String.raw`(?<!\d|\d[.,])(\d{1,2})(?:st|nd|rd|th|er|hb|\.)?[-./,\s]{0,2}(?:(?:de|of)\s)?${NAME}[-./,'\s]{0,3}(?:(?:de|del|of)\s?)?${YEAR}`,
  "gi",
);
const NAMED_FIRST = new RegExp(
  String.raw`(?<![A-Za-zÀ-ÿ])${NAME}\.?[-/\s]{0,2}(\d{1,2})(?:st|nd|rd|th)?(\s?[,.'/-]{0,2}\s{0,2})(20\d{2}(?!\d)|(?<=[-/',]|, )\d{2}${NO_YEAR})`,
  "gi",
);
const YEAR_NAMED = new RegExp(String.raw`(?<!\d)(20\d{2})[-./\s]{0,3}${NAME}[-./\s]{0,3}(\d{1,2})(?!\d)`, "g");
/** `Fri Jun 12 13:05:11 2026`, where the time is masked already, perhaps with its zone. */
const TIME_INSIDE = new RegExp(
  String.raw`(?<![A-Za-zÀ-ÿ])${NAME}\s{1,2}(\d{1,2})\s#{4,8}\s(?:[A-Z]{3,4}\s)?(20\d{2})(?!\d)`,
  "g",
);
/** `20251112`, `20251112143205`. */
const FIGURES_YEAR_FIRST =
  /(?<![\d.,]|\d\/)(20\d{2})(\d{2})(\d{2})(?=(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?!\d)|(?!\d|[.,]\d))/g;

/** `Date 121125`. */
const LABELLED_FIGURES = new RegExp(
  String.raw`(?<=(?:${anyWordOf(wordsOf("dateWords"))}|d[aá]tum|p(?:ä|a)iv|\b(?:le|del|den))[^\d]{0,16})(\d{2})(\d{2})(20\d{2}|\d{2})(?!\d|[.,]\d)`,
  "gi",
);

/** `121125 14:32`, `12112025 14:32`, where the time is masked already. */
const FIGURES_TIMED = /(?<![\d.,/-])(\d{2})(\d{2})(20\d{2}|\d{2})(?=\s{1,2}#{4})/g;

/** `17/01/20184`, `01/01/20251205`: a figure or the time behind it is joined to the year. */
const OVERLONG =
  /(?<!\d|\d[.,/])(\d{1,2})([-./])(\d{1,2})\2(20\d{2})(?=(?:\d{1,2}|[01]\d[0-5]\d|2[0-3][0-5]\d)(?!\d))/g;

/** Returns the times and dates of one row. Dates that need a correction are searched only if there is no other. */
export function datesIn(row: string): DatedRow {
  const text = legible(row);
  const times = timesIn(text);
  // The seconds of a time are no day: `17:37:48 07-05-26`.
  const rest = times.reduce(
    (left, { start, end }) => `${left.slice(0, start)}${"#".repeat(end - start)}${left.slice(end)}`,
    text,
  );
  const whole = apart([...plainDates(rest), ...numericDates(rest)]);
  const dates = whole.length > 0 ? whole : apart(misreadDates(rest));
  // `12/11/2025 11.13.48`: the figures of a time may have points between them too.
  const isTime = ({ start, end }: WrittenDate): boolean =>
    dates.some(
      (other) => other.end < start && start - other.end <= 2 && timeBehind(text.slice(other.end, end)) !== null,
    );
  return { text, times, dates: dates.filter((date) => !isTime(date)) };
}

/** Returns dates with only one possible order: with a named month, or with a year of four figures first. */
function plainDates(text: string): WrittenDate[] {
  return [
    found(YEAR_FIRST, text, (place, [year, , month, day]) => plain(place, year!, month!, day!, 3)),
    found(DAY_NAMED, text, (place, [day, name, year]) =>
      plain(
        place,
        year!,
        monthOf(name!),
        day!,
        year!.length === 4 ? 3 : shortNamed(text.slice(place.start, place.end)),
      ),
    ),
    found(YEAR_NAMED, text, (place, [year, name, day]) => plain(place, year!, monthOf(name!), day!, 3)),
    found(NAMED_FIRST, text, (place, [name, day, comma, year]) =>
      // `25 MARS2021` has its day before.
      /(?<!\d)\d{1,2}[-./,\s]{0,2}$/.test(text.slice(0, place.start)) && text[place.start + name!.length] === day![0]
        ? null
        : plain(place, year!, monthOf(name!), day!, year!.length === 4 ? 3 : comma === "," ? 0 : 1),
    ),
    found(TIME_INSIDE, text, (place, [name, day, year]) => plain(place, year!, monthOf(name!), day!, 3)),
    found(FIGURES_YEAR_FIRST, text, (place, [year, month, day]) => plain(place, year!, month!, day!, 1)),
  ].flat();
}

/** Returns the certainty of a date with a short year: `12-NOV-25`, `12 NOV'25` are dates, `12 MAR 25` may be none. */
function shortNamed(written: string): number {
  if (/^\d+[-/.']\D+[-/']\d+$/.test(written)) return 2;
  if (/'\d+$/.test(written)) return 1;
  return /\s/.test(written) ? 0 : 1;
}

function numericDates(text: string): WrittenDate[] {
  return [
    found(NUMERIC, text, (place, [a, before, b, after, year]) =>
      isPartOfNumber(text, place, before!, after!, year!)
        ? null
        : either(place, a!, b!, year!, (year!.length === 4 ? 3 : 2) - (before === after ? 0 : 1)),
    ),
    found(LABELLED_FIGURES, text, (place, [a, b, year]) => either(place, a!, b!, year!, 1)),
    found(FIGURES_TIMED, text, (place, [a, b, year]) => either(place, a!, b!, year!, -1)),
    found(OVERLONG, text, (place, [a, , b, year]) => either(place, a!, b!, year!, 1)),
  ].flat();
}

/** Whether a match is part of a longer number: telephone numbers, sort codes and versions go on on either side. */
function isPartOfNumber(text: string, { start, end }: Place, first: string, last: string, year: string): boolean {
  const [before, behind] = [text.slice(0, start), text.slice(end)];
  if (/\d[-.,/]?$/.test(before) && !/\d{4}-$/.test(before)) return true;
  if (
    /^(?!\/\d{2}[.:]\d)[./]\d|^,\d/.test(behind) ||
    (year.length === 2 && behind.startsWith(last) && /^.\d/.test(behind))
  )
    return true;
  return /[A-Za-z]\.?$/.test(before) && first === "." && /^\d\.\d\.|^\d\.\d\d\.\d\d$/.test(text.slice(start, end));
}

/** Returns dates from left to right; of those that overlap the most certain. */
function apart(dates: readonly WrittenDate[]): WrittenDate[] {
  const kept: WrittenDate[] = [];
  for (const date of dates.toSorted((a, b) => b.certainty - a.certainty))
    if (kept.every(({ start, end }) => date.end <= start || end <= date.start)) kept.push(date);
  return kept.sort((a, b) => a.start - b.start);
}
