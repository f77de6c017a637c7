/** Whether days or months come first where both are numbers. */
export type DayOrder = "dayFirst" | "monthFirst";

/** A later year is a misreading. */
const YEAR_MAX = 2049;

/** When something was bought, as far as printed. */
export type PrintedMoment = {
  date: string | null;
  time: string | null;
  /** What speaks for the date: its form, a time beside it, a word for it, that it stands there twice. */
  score: number;
  /** The day and the month are both at most 12 and different, and neither is written as a word or begins with the year. */
  isAmbiguous: boolean;
};

const MONTHS: Record<string, number> = {
  JAN: 1, JANV: 1, GEN: 1, ENE: 1, FEB: 2, FEV: 2, FEVR: 2, MAR: 3, MARS: 3, MRZ: 3, MAERZ: 3, APR: 4, AVR: 4, AVRIL: 4, ABR: 4,
  MAY: 5, MAI: 5, MAG: 5, MAYO: 5, MEI: 5, JUN: 6, JUIN: 6, GIU: 6, JUL: 7, JUIL: 7, LUG: 7, AUG: 8, AOUT: 8, AGO: 8, OGOS: 8, OGO: 8,
  SEP: 9, SEPT: 9, SET: 9, OCT: 10, OKT: 10, OTT: 10, NOV: 11, DEC: 12, DEZ: 12, DIC: 12, DIS: 12,
}; // prettier-ignore

const SEPARATOR = String.raw`(?:\s?[-./']\s?|\s)`;
const YEAR = String.raw`(?:20\d{2}|\d{2})`;
const NUMERIC = new RegExp(
  String.raw`(?<!\d|\d[.,/])(\d{1,2})${SEPARATOR}(\d{1,2})${SEPARATOR}(${YEAR})(?![\d/]|[.,]\d)`,
  "g",
);
/** `17/01/20184`: what follows was read into the year. */
const GLUED = /(?<!\d|\d[.,/])(\d{1,2})[-./](\d{1,2})[-./](20\d{2})(?=\d{1,2}(?!\d))/g;
/** `27 03 2018`, `2703/2018`, `27 032018`: separators that were too faint to read. */
const FADED = /(?<![\d.,/-]|\d\s)(\d{2})([-./\s]?)(\d{2})([-./\s]?)(20\d{2})(?![\d/]|[.,]\d)/g;
const YEAR_FIRST = /(?<!\d)(20\d{2})[-./\s]?(\d{2})[-./\s]?(\d{2})(?!\d)/g;
const DAY_NAMED = new RegExp(
  String.raw`(?<!\d)(\d{1,2})(?:st|nd|rd|th|\.)?[-./\s]{0,2}([A-Za-zÀ-ÿ]{3,9})\.?[-./,'\s]{0,2}(${YEAR})(?!\d)`,
  "g",
);
const NAMED_FIRST = new RegExp(
  String.raw`([A-Za-zÀ-ÿ]{3,9})\.?\s{0,2}(\d{1,2})(?:st|nd|rd|th)?\s?[,.']?\s{0,2}(20\d{2})(?!\d)`,
  "g",
);
const TIME =
  /(?<![\d.,:])([01]?\d|2[0-3])\s?[:hH]\s?([0-5]\d)(?:\s?[:.]\s?([0-5]\d))?(?:\s?([AaPp])\.?\s?[Mm0]?)?(?![\d:])/g;
const CLOCK = /(?<![\d.,:])(?:[01]?\d|2[0-3])\s?:\s?[0-5]\d(?:\s?:\s?[0-5]\d)?(?![\d:])/g;
const DATE_WORD = /date|datum|dat\b|fecha|data\b|tarikh|time|uhr|heure|hora|ora\b/i;
/** A year of this century whose 0 was read as 6, 8 or 9 (tills cross or dot it): behind the day and month, or before them. */
const MISREAD_CENTURY =
  /(?<=\d[-./]\d{1,2}[-./])2[689](?=\d{2}(?!\d))|(?<!\d)2[689](?=\d{2}[-./]\d{2}[-./]\d{2}(?!\d))/g;
/** Dates of something else: the card's end, a guarantee, an offer, the company's founding. */
const OTHER_DATE_WORD =
  /valid|expir|bis\b|until|exp\b|due|returns?\b|umtausch|gültig|gultig|promo|since|from\b|hingga|before/i;

/** The date and time of the purchase among the rows of a receipt. A date with a time, a word for it, or that stands there twice counts more. */
export function findMoment(rows: readonly string[], order: DayOrder): PrintedMoment {
  const found = new Map<string, { score: number; row: number }>();
  const candidates = rows.map((row) => datesIn(row, order));
  const plain = new Map(
    candidates.flat().flatMap(({ date, isPlain }) => (isPlain ? [[figuresOf(date), date] as const] : [])),
  );
  for (const [index, row] of rows.entries()) {
    for (const { date: read, certainty } of candidates[index]!) {
      // `26/08/25` is the day that stands elsewhere as `2026/08/25`.
      const date = plain.get(figuresOf(read)) ?? read;
      let score = certainty;
      if (timesIn(row).length > 0) score += 2;
      if (DATE_WORD.test(row)) score += 2;
      if (OTHER_DATE_WORD.test(row)) score -= 4;
      const known = found.get(date);
      found.set(date, known ? { score: Math.max(known.score, score) + 1, row: known.row } : { score, row: index });
    }
  }
  const best = [...found].sort(([, a], [, b]) => b.score - a.score || a.row - b.row)[0];
  const [date, { score, row } = { score: 0, row: null }] = best ?? [null];
  const [, month, day] = (date ?? "").split("-").map(Number);
  const isNumeric = row !== null && new RegExp(NUMERIC.source).test(rows[row]!);
  return {
    date,
    time: findTime(rows, row),
    score,
    isAmbiguous: isNumeric && day !== month && Math.max(day ?? 0, month ?? 0) <= 12,
  };
}

/** `isPlain`: written so that no other order of its figures is possible. */
type Candidate = { date: string; certainty: number; isPlain: boolean };

/** The figures of a date whatever their order. */
function figuresOf(date: string): string {
  return date.slice(2).split("-").sort().join();
}

function datesIn(text: string, order: DayOrder): Candidate[] {
  // The seconds of a time are no day: `17:37:48 07-05-26`.
  const readable = text
    .replace(CLOCK, " ~ ")
    .replace(MISREAD_CENTURY, "20")
    .replace(/(?<=\d[-./]?)[oO](?=[-./\d])/g, "0")
    .replace(/(?<=[-./\d])[lI|](?=[-./\d])/g, "1")
    .replace(/(?<!\d)0(?=[A-Za-z]{2})/g, "O")
    .replace(/(?<=[-./]\d?)S(?=\d?[-./])/g, "5");
  const candidates: (Candidate | null)[] = [];
  for (const [, year, month, day] of readable.matchAll(YEAR_FIRST))
    candidates.push(candidate(year!, Number(month), Number(day), 3, true));
  for (const [, day, name, year] of readable.matchAll(DAY_NAMED))
    candidates.push(candidate(year!, monthOf(name!), Number(day), 3, true));
  for (const [, name, day, year] of readable.matchAll(NAMED_FIRST))
    candidates.push(candidate(year!, monthOf(name!), Number(day), 3, true));
  for (const [match, a, b, year] of readable.matchAll(NUMERIC)) {
    // Spaces alone part numbers of any kind; one real separator makes a date of them.
    if (!/[-/]|[.'].*[.']/.test(match)) continue;
    const certainty = (year!.length === 4 ? 3 : 2) - (/\d\s\d/.test(match) ? 1 : 0);
    const [first, second] = [Number(a), Number(b)];
    const dayFirst = candidate(year!, second, first, certainty);
    const monthFirst = candidate(year!, first, second, certainty);
    candidates.push(order === "dayFirst" ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst));
    // `20-04-18` may begin with its year; believed only where nothing else is found.
    if (!dayFirst && !monthFirst && a!.length === 2 && year!.length === 2)
      candidates.push(candidate(a!, second, Number(year), 0));
  }
  for (const [, day, month, year] of readable.matchAll(GLUED)) {
    candidates.push(
      order === "dayFirst"
        ? candidate(year!, Number(month), Number(day), 1)
        : candidate(year!, Number(day), Number(month), 1),
    );
  }
  const found = candidates.filter((c) => c !== null);
  return found.length > 0 ? found : fadedDatesIn(readable, order);
}

/** Believed only where nothing else is found. */
function fadedDatesIn(text: string, order: DayOrder): Candidate[] {
  return [...text.matchAll(FADED)].flatMap(([, a, before, b, after, year]) => {
    // Eight digits without any break are a number of something.
    if (before === "" && after === "") return [];
    const [first, second] = [Number(a), Number(b)];
    return (order === "dayFirst" ? candidate(year!, second, first, 0) : candidate(year!, first, second, 0)) ?? [];
  });
}

function monthOf(name: string): number {
  const letters = name.normalize("NFD").replace(/[^A-Za-z]/g, "").toUpperCase(); // prettier-ignore
  return MONTHS[letters] ?? MONTHS[letters.slice(0, 4)] ?? MONTHS[letters.slice(0, 3)] ?? 0;
}

function candidate(year: string, month: number, day: number, certainty: number, isPlain = false): Candidate | null {
  const fullYear = year.length === 4 ? Number(year) : 2000 + Number(year);
  if (
    fullYear > YEAR_MAX ||
    month < 1 ||
    month > 12 ||
    day < 1 ||
    day > new Date(Date.UTC(fullYear, month, 0)).getUTCDate()
  )
    return null;
  return { date: `${fullYear}-${twoDigits(month)}-${twoDigits(day)}`, certainty, isPlain };
}

function twoDigits(value: number | string): string {
  return String(value).padStart(2, "0");
}

function timesIn(text: string): string[] {
  return [...text.matchAll(TIME)].map(([, hour, minute, second = "00", half]) => {
    const twelve = half ? (Number(hour) % 12) + (half.toUpperCase() === "P" ? 12 : 0) : Number(hour);
    return `${twoDigits(twelve)}:${minute}:${second}`;
  });
}

/** The time nearest to the date's row; opening hours (two times in a row) don't count. */
function findTime(rows: readonly string[], dateRow: number | null): string | null {
  let best: { time: string; distance: number } | null = null;
  for (const [index, row] of rows.entries()) {
    const times = timesIn(row);
    if (times.length === 0 || (times.length > 1 && index !== dateRow)) continue;
    const distance = Math.abs(index - (dateRow ?? index)) - (/time|uhr|zeit|hora|heure|masa/i.test(row) ? 1 : 0);
    if (!best || distance < best.distance) best = { time: times[0]!, distance };
  }
  return best?.time ?? null;
}
