import { either, found, NO_YEAR, plain } from "./forms.ts";
import type { Place, WrittenDate } from "./forms.ts";
import { figuresOf, FIGURE_LIKE } from "./legible.ts";
import { misreadMonthOf } from "./month-names.ts";

const LIKE_NUMERIC = new RegExp(
  String.raw`(?<![A-Za-z\d]|\d[-./,])(${FIGURE_LIKE}{1,2})\s?([-./~_=,:;'*])\s?(${FIGURE_LIKE}{1,2})\s?([-./~_=,:;'*])\s?([2Zz]${FIGURE_LIKE}{3}|${FIGURE_LIKE}{2})(?![A-Za-z\d]|[-./]\d)`,
  "g",
);
const LIKE_YEAR_FIRST = new RegExp(
  String.raw`(?<![A-Za-z\d])([2Zz][0OoD]${FIGURE_LIKE}{2})([-./~_=, ]?)(${FIGURE_LIKE}{2})([-./~_=, ]?)(${FIGURE_LIKE}{2})(?![A-Za-z\d]|[-./]\d)`,
  "g",
);
const LIKE_NAMED = new RegExp(
  String.raw`(?<![\dA-Za-z])(${FIGURE_LIKE}{1,2})[-./,~_\s]{0,2}([A-Za-zÀ-ÿ01568|]{3,14})\.?[-./,~_'\s]{0,2}([2Zz][0OoD]${FIGURE_LIKE}{2}(?![A-Za-z\d])|\d{2}${NO_YEAR})`,
  "gi",
);
const LIKE_NAMED_FIRST = new RegExp(
  String.raw`(?<![A-Za-zÀ-ÿ\d])([A-Za-zÀ-ÿ01568|]{3,14})\.?[-/\s]{0,2}(${FIGURE_LIKE}{1,2})\s?[-/,.\s]\s?([2Zz][0OoD]${FIGURE_LIKE}{2})(?![A-Za-z\d])`,
  "gi",
);
/** `07/08/224`, `07/08/024`: the year has lost its first or second figure. */
const SHORT_YEAR = /(?<![\d.,/-])(\d{1,2})([./])(\d{1,2})\2(?:0|2(?!0))(\d{2})(?![\d/]|[.,-]\d)/g;
/** `27 03 2018`, `2703/2018`, `12111/2025`: the separators were too faint to read, or were read as 1 or 7. */
const FADED = /(?<![\d.,/-])(\d{2})([-./~_,17lI|\s]?)(\d{2})([-./~_,17lI|\s]?)(20\d{2})(?![\d/]|[.,-]\d)/g;
const FADED_SHORT =
  /(?<![\d.,/-])(\d{2})([-./~_17lI|\s]?)(\d{2})([-./~_17lI|\s]?)(?!20\s?[\dlI|ZSB]{2}(?!\d))(\d{2})(?![\dlI|/]|[.,-]\d)/g;
/**
 * `Kasse 115.11.2024`, `002/1402.06.24 12:15`: the till's number is joined to the day. With two figures for the year
 * only before a time, which is masked.
 */
const RUN_INTO = /(?<=(?:^|[^\d.,-])\d{1,8})(\d{2})([-./])(\d{2})\2(20\d{2}(?!\d)|\d{2}(?=\s{0,2}#{4}))/g;

/** `03/0:2/2018`, `1.4/05/2026`: a speck between the two figures of a day or month. */
const SPECKED = /(?<![\d.,/-])(\d[.:'·]?\d)([/-])(\d[.:'·]?\d)\2(20\d{2})(?!\d)/g;

/** Returns dates that need a correction to be one. They count only if no other date is found. */
export function misreadDates(text: string): WrittenDate[] {
  const dates = [
    found(LIKE_NUMERIC, text, (place, [a, before, b, after, year]) => {
      const separators = before! + after!;
      // With two figures for the year, `12,11,25` may be anything. A letter alone is a letter.
      if (year!.length === 2 && (/[:;'*]/.test(separators) || separators === ",,")) return null;
      // `ll/O4/2026`: beside a year in full one more figure is enough.
      const parts = /^20\d\d$/.test(year!) ? [a! + b!] : [a!, b!, year!];
      if (!parts.every((part) => /\d/.test(part))) return null;
      const isDoubtful = year!.length === 2 && separators.includes(",");
      return either(place, dayOf(a!), figuresOf(b!), figuresOf(year!), isDoubtful ? 0 : 1);
    }),
    found(LIKE_YEAR_FIRST, text, (place, [year, before, month, after, day]) =>
      !/\S/.test(before! + after!) && (before === "" || after === "")
        ? null
        : plain(place, figuresOf(year!), figuresOf(month!), figuresOf(day!), 1),
    ),
    found(LIKE_NAMED, text, (place, [day, name, year]) =>
      /[A-Za-z].*[A-Za-z]/.test(name!)
        ? plain(place, figuresOf(year!), misreadMonthOf(name!), dayOf(day!), year!.length === 4 ? 2 : 0)
        : null,
    ),
    found(LIKE_NAMED_FIRST, text, (place, [name, day, year]) =>
      /[A-Za-z].*[A-Za-z]/.test(name!) && /\d/.test(day!)
        ? plain(place, figuresOf(year!), misreadMonthOf(name!), dayOf(day!), 1)
        : null,
    ),
    found(SHORT_YEAR, text, (place, [a, , b, year]) => either(place, a!, b!, `20${year!}`, 1)),
    found(RUN_INTO, text, (place, [a, , b, year]) => either(place, a!, b!, year!, year!.length === 4 ? 1 : 0)),
    found(SPECKED, text, (place, [a, , b, year]) =>
      either(place, a!.replace(/\D/, ""), b!.replace(/\D/, ""), year!, 1),
    ),
    found(FADED, text.replace(ZERO, "0"), (place, parts) => faded(text, place, parts, 1)),
    found(FADED_SHORT, text, (place, parts) => faded(text, place, parts, 0)),
  ].flat();
  return dates.map((date) => ({ ...date, isRepaired: true }));
}

/** An O among the figures and signs of a date. */
const ZERO = /(?<=\d|[-./]|(?<![A-Za-z]))[Oo](?=\d|[-./])/g;

/** Returns the figures of a day. There is no day 80: it is 30, its 3 read as 8. */
function dayOf(text: string): string {
  const figures = figuresOf(text);
  return figures === "80" ? "30" : figures;
}

function faded(
  text: string,
  place: Place,
  parts: readonly (string | undefined)[],
  certainty: number,
): WrittenDate | null {
  const [a, before, b, after, year] = parts;
  const separators = [before!, after!];
  const real = separators.filter((separator) => /[-./~_,]/.test(separator)).length;
  const blank = separators.filter((separator) => /\s/.test(separator)).length;
  // Figures without any separator are some number, and spaces separate numbers of all kinds.
  if (real === 0 && year!.length === 2 && /^\s+\d/.test(text.slice(place.end))) return null;
  if (real + blank === 0 || (real === 0 && /\d\s+$/.test(text.slice(0, place.start)))) return null;
  // `1211-25` is more often a number of something else.
  const isDoubtful = year!.length === 2 && separators.includes("") && (real === 0 || separators.includes("-"));
  return either(place, a!, b!, year!, certainty - (isDoubtful ? 1 : 0));
}
