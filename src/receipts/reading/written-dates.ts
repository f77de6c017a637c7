import { monthOf } from "./month-names.ts";
import { timeBehind, timesIn, type PrintedTime } from "./times.ts";

/** What comes first where day, month and year are all figures. */
export type DateOrder = "dayFirst" | "monthFirst" | "yearFirst";

/** A day that a date may mean; `order` is null where it can mean no other. */
export type DateReading = { date: string; order: DateOrder | null };

/** A date as it stands in a row, from `start` to `end`. */
export type WrittenDate = {
  start: number;
  end: number;
  /** At least one, all different days. */
  readings: readonly DateReading[];
  /** How little else it can be: 3 in full, 2 with two figures for the year, less where blanks part it or something was put right; below 1 it needs a time or a word beside it. */
  certainty: number;
  isRepaired: boolean;
};

/** A row made legible, with its times and what may be dates. */
export type DatedRow = { text: string; times: readonly PrintedTime[]; dates: readonly WrittenDate[] };

/** A later year is a misreading. */
const YEAR_MAX = 2049;

const NAME = String.raw`([A-Za-zÀ-ÿ]{3,16})`;
/** What makes a figure an amount or measure, not a year. */
const NO_YEAR = String.raw`(?!\d|[.,:/-]\d|\s?(?:%|€|£|\$|g|kg|ml|cl|l|cm|mm|w|x|pcs)(?![A-Za-z]))`;
const YEAR = String.raw`(20\d{2}(?!\d)|\d{2}${NO_YEAR})`;

const NUMERIC = /(\d{1,2})\s?([-./'])\s?(\d{1,2})\s?([-./'])\s?(20\d{2}|\d{2})(?!\d)/g;
const YEAR_FIRST = /(?<!\d)(20\d{2})([-./])\s?(\d{1,2})\2\s?(\d{1,2})(?!\d)/g;
const DAY_NAMED = new RegExp(
  String.raw`(?<!\d|\d[.,])(\d{1,2})(?:st|nd|rd|th|er|\.)?[-./,\s]{0,2}(?:(?:de|of)\s)?${NAME}[-./,'\s]{0,3}(?:(?:de|del|of)\s?)?${YEAR}`,
  "gi",
);
const NAMED_FIRST = new RegExp(
  String.raw`(?<![A-Za-zÀ-ÿ])${NAME}\.?[-/\s]{0,2}(\d{1,2})(?:st|nd|rd|th)?(\s?[,.'/-]{0,2}\s{0,2})(20\d{2}(?!\d)|(?<=[-/',]|, )\d{2}${NO_YEAR})`,
  "gi",
);
const YEAR_NAMED = new RegExp(String.raw`(?<!\d)(20\d{2})[-./\s]{0,3}${NAME}[-./\s]{0,3}(\d{1,2})(?!\d)`, "g");
/** `20251112`, `20251112143205`. */
const FIGURES_YEAR_FIRST =
  /(?<![\d.,])(20\d{2})(\d{2})(\d{2})(?=(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?(?!\d)|(?!\d|[.,]\d))/g;

/** `Date 121125`. */
const LABELLED_FIGURES =
  /(?<=(?:date|dato|data|dated|d[aá]tum|fecha|tarikh|tarih|tanggal|tgl|pvm|p(?:ä|a)iv|kelt|dnia|dne|time|hora|uhrzeit|ora|masa|\ble|\bdel|\bden)[^\d]{0,16})(\d{2})(\d{2})(20\d{2}|\d{2})(?!\d|[.,]\d)/gi;

/** `121125 14:32`, where the time is blotted out already. */
const FIGURES_TIMED = /(?<![\d.,/-])(\d{2})(\d{2})(\d{2})(?=\s{1,2}#{4})/g;

/** Figures, or what of them the OCR reads as letters. */
const LOOKALIKES = "[0-9OoQDIil|!SsBZz]";
const FIGURE_OF: Record<string, string> = { O: "0", o: "0", Q: "0", D: "0", I: "1", i: "1", l: "1", "|": "1", "!": "1", S: "5", s: "5", B: "8", Z: "2", z: "2" }; // prettier-ignore
const LIKE_NUMERIC = new RegExp(
  String.raw`(?<![A-Za-z\d]|\d[-./,])(${LOOKALIKES}{1,2})\s?([-./~_=,:;'*])\s?(${LOOKALIKES}{1,2})\s?([-./~_=,:;'*])\s?([2Zz]${LOOKALIKES}{3}|${LOOKALIKES}{2})(?![A-Za-z\d]|[-./]\d)`,
  "g",
);
const LIKE_YEAR_FIRST = new RegExp(
  String.raw`(?<![A-Za-z\d])([2Zz][0OoD]${LOOKALIKES}{2})([-./~_=, ]?)(${LOOKALIKES}{2})([-./~_=, ]?)(${LOOKALIKES}{2})(?![A-Za-z\d]|[-./]\d)`,
  "g",
);
const LIKE_NAMED = new RegExp(
  String.raw`(?<![\dA-Za-z])(${LOOKALIKES}{1,2})[-./,~_\s]{0,2}([A-Za-zÀ-ÿ01568|]{3,14})\.?[-./,~_'\s]{0,2}([2Zz][0OoD]${LOOKALIKES}{2}(?![A-Za-z\d])|\d{2}${NO_YEAR})`,
  "gi",
);
/** `27 03 2018`, `2703/2018`, `12111/2025`: separators that were too faint to read, or read as a 1 or 7. */
const FADED = /(?<![\d.,/-])(\d{2})([-./~_,17lI|\s]?)(\d{2})([-./~_,17lI|\s]?)(20\d{2})(?![\d/]|[.,-]\d)/g;
const FADED_SHORT =
  /(?<![\d.,/-])(\d{2})([-./~_17lI|\s]?)(\d{2})([-./~_17lI|\s]?)(?!20\s?[\dlI|ZSB]{2}(?!\d))(\d{2})(?![\dlI|/]|[.,-]\d)/g;
/** `17/01/20184`: what follows was read into the year. */
const OVERLONG = /(?<!\d|\d[.,/])(\d{1,2})([-./])(\d{1,2})\2(20\d{2})(?=\d{1,2}(?!\d))/g;

/** Times and dates of one row. What can only be a date after something is put right is looked for where nothing else is one. */
export function datesIn(row: string): DatedRow {
  const text = legible(row);
  const times = timesIn(text);
  // The seconds of a time are no day: `17:37:48 07-05-26`.
  const rest = times.reduce(
    (left, { start, end }) => `${left.slice(0, start)}${"#".repeat(end - start)}${left.slice(end)}`,
    text,
  );
  const whole = apart([...plainDates(rest), ...numericDates(rest)]);
  const dates = whole.length > 0 ? whole : apart(repairedDates(rest));
  // `12/11/2025 11.13.48`: points part a time's figures too.
  const isTime = ({ start, end }: WrittenDate): boolean =>
    dates.some(
      (other) => other.end < start && start - other.end <= 2 && timeBehind(text.slice(other.end, end)) !== null,
    );
  return { text, times, dates: dates.filter((date) => !isTime(date)) };
}

/** Blanks that were lost are put between date and time, those that were read into a date taken out, and years of the 28th century brought back: tills cross or dot their 0. */
function legible(row: string): string {
  return row
    .replace(
      /(?<=\d[-./]\d{1,2}[-./])2[689](?=\d{2}(?![\d:;]))|(?<!\d)2[689](?=\d{2}[-./]\d{2}[-./]\d{2}(?!\d))/g,
      "20",
    )
    .replace(/(?<=\d[-./]|\d[-./]\d)(?<!\d\d)(\d) (\d)(?=[-./](?:20)?\d{2}(?!\d))/g, "$1$2")
    .replace(
      /(?<=(?:^|:|[A-Za-z]{3})\s*)(\d) (\d)(?=([-./])\d{2}\3(?:20)?\d{2}(?!\d)|[-./ ]?[A-Za-zÀ-ÿ]{3,12}[-./ ]{0,2}20\d{2})/g,
      "$1$2",
    )
    .replace(
      /(?<=\d[-./]\d{1,2}[-./]|[A-Za-z]{3}\.?[-./ ])(?:2 ?0 ?\d ?\d|\d \d)(?=$|\s{1,2}[^\d\s:]|\s+\d{1,2}\s?:)/g,
      (year) => year.replaceAll(" ", ""),
    )
    .replace(/(?<!\d)2 ?0 ?\d ?\d(?=[-./]\d{2}[-./]\d{2}(?!\d))/g, (year) => year.replaceAll(" ", ""))
    .replace(/(?<!\d)0(?=[A-Za-z]{2})/g, "O")
    .replace(
      /(?<![A-Za-z\d])[lI|Z](?=\d\s?([-./])\s?\d{1,2}\s?\1\s?(?:20)?\d{2}(?!\d)|\d[-./ ]?[A-Za-zÀ-ÿ]{3,12}[-./ ]{0,2}20\d{2})/g,
      (letter) => figuresOf(letter),
    )
    .replace(
      /(?<=[-./]\d{1,2}[-./]|[A-Za-z]{3}\.?[-./ ]{0,2})[2Z][0OoD][\dOoDlI|ZSB]{2}(?![A-Za-z\d])|(?<![A-Za-z\d])[2Z][0OoD][\dOoDlI|ZSB]{2}(?=[-./]\d{2}[-./])|(?<=20\d{2}[-./]\d{2}[-./]\d)[OolI|ZSB](?![A-Za-z\d])/g,
      (year) => figuresOf(year),
    )
    .replace(/(?<=\d\s?[-./,]\s?|[A-Za-zÀ-ÿ][-./' ]{0,2})20\d{2}(?=(?:[01]?\d|2[0-3])[:;hH][0-5]\d)/g, "$& ")
    .replace(/20\d{2}([-./])\d{2}\1\d{2}(?=(?:[01]\d|2[0-3])[:;.hH][0-5]\d)/g, "$& ")
    .replace(/\d([-./])\d{1,2}\1(?:20)?\d{2}(?=(?:[01]\d|2[0-3])[:;.hH][0-5]\d)/g, "$& ")
    .replace(/\d([-./])\d{1,2}\1\d{2}(?=\d[:;][0-5]\d\s?[AaPp][Mm])/g, "$& ")
    .replace(/(?:\d[A-Za-zÀ-ÿ]{3}|[A-Za-zÀ-ÿ]{3}[-./'])\d{2}(?=(?:[01]\d|2[0-3])[:;hH][0-5]\d)/g, "$& ")
    .replace(/\d:[0-5]\d(?=\d{2}[-./]\d{2}[-./]\d{2}|20\d{2}[-./]|\d{2}[-./ ]?[A-Za-z]{3})/g, "$& ");
}

/** Dates whose figures have one order only: with a named month, or beginning with a year of four figures. */
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
    found(FIGURES_YEAR_FIRST, text, (place, [year, month, day]) => plain(place, year!, month!, day!, 1)),
  ].flat();
}

/** `12-NOV-25` is a date; `12 MAR 25` may be three things. */
function shortNamed(written: string): number {
  if (/^\d+[-/.']\D+[-/']\d+$/.test(written)) return 2;
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

/** Telephone numbers, sort codes and versions have more of the same on either side. */
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

/** Believed only where nothing else is found. */
function repairedDates(text: string): WrittenDate[] {
  const dates = [
    found(LIKE_NUMERIC, text, (place, [a, before, b, after, year]) => {
      const separators = before! + after!;
      // With two figures for the year, `12,11,25` may be anything. A letter alone is a letter.
      if (year!.length === 2 && (/[:;'*]/.test(separators) || separators === ",,")) return null;
      if (![a!, b!, year!].every((part) => /\d/.test(part))) return null;
      const isDoubtful = year!.length === 2 && separators.includes(",");
      return either(place, figuresOf(a!), figuresOf(b!), figuresOf(year!), isDoubtful ? 0 : 1);
    }),
    found(LIKE_YEAR_FIRST, text, (place, [year, before, month, after, day]) =>
      !/\S/.test(before! + after!) && (before === "" || after === "")
        ? null
        : plain(place, figuresOf(year!), figuresOf(month!), figuresOf(day!), 1),
    ),
    found(LIKE_NAMED, text, (place, [day, name, year]) =>
      /[A-Za-z].*[A-Za-z]/.test(name!)
        ? plain(place, figuresOf(year!), monthOf(name!), figuresOf(day!), year!.length === 4 ? 2 : 0)
        : null,
    ),
    found(FADED, text, (place, parts) => faded(text, place, parts, 1)),
    found(FADED_SHORT, text, (place, parts) => faded(text, place, parts, 0)),
  ].flat();
  return dates.map((date) => ({ ...date, isRepaired: true }));
}

function faded(
  text: string,
  place: Place,
  parts: readonly (string | undefined)[],
  certainty: number,
): WrittenDate | null {
  // prettier-ignore
  const [a, before, b, after, year] = parts;
  const separators = [before!, after!];
  const real = separators.filter((separator) => /[-./~_,]/.test(separator)).length;
  const blank = separators.filter((separator) => /\s/.test(separator)).length;
  // Figures without any break are a number of something, and blanks part numbers of all kinds.
  if (real + blank === 0 || (real === 0 && /\d\s+$/.test(text.slice(0, place.start)))) return null;
  // `1211-25` is more often a number of something else.
  const isDoubtful = year!.length === 2 && separators.includes("") && (real === 0 || separators.includes("-"));
  return either(place, a!, b!, year!, certainty - (isDoubtful ? 1 : 0));
}

function figuresOf(text: string): string {
  return text.replace(/\D/g, (letter) => FIGURE_OF[letter] ?? letter);
}

/** From left to right, of those that overlap the surest. */
function apart(dates: readonly WrittenDate[]): WrittenDate[] {
  const kept: WrittenDate[] = [];
  for (const date of dates.toSorted((a, b) => b.certainty - a.certainty))
    if (kept.every(({ start, end }) => date.end <= start || end <= date.start)) kept.push(date);
  return kept.sort((a, b) => a.start - b.start);
}

type Place = { start: number; end: number };

/** What `read` makes of the matches of a pattern; where it makes nothing of one, the next may begin inside it. */
function found(
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

function plain(place: Place, year: string, month: number | string, day: string, certainty: number): WrittenDate | null {
  const date = isoDate(year, Number(month), Number(day));
  return date === null ? null : { ...place, readings: [{ date, order: null }], certainty, isRepaired: false };
}

function either(place: Place, a: string, b: string, c: string, certainty: number): WrittenDate | null {
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
