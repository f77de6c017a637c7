import { LETTER_SIGN, SIGN, SIGN_BEHIND, UNIT_PRICE_SIGN, WORD_FOR_SIGN } from "../languages/currency-signs.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { currencyExponent } from "../../../points/money.ts";

/** An amount as printed, from `start` to `end` of its text. */
export interface PrintedAmount {
  /** In hundredths: minor units of nearly all currencies; see inMinorUnits(). */
  minor: number;
  start: number;
  end: number;
  /** It has a currency sign. */
  isMarked: boolean;
  /** It is behind `@`, `2 x` or `PRICE/GAL`: the price of one. */
  isUnitPrice: boolean;
}

/** No amount is larger, even in rupiah: longer figures are a number of something else. */
const AMOUNT_MINOR_MAX = 9_999_999_999;

/** Currency signs as printed and as the OCR reads them: often one letter, as for rand and peso (`R286.00`). */
const CURRENCY_MARK = String.raw`(?:${SIGN}|${WORD_FOR_SIGN}(?=\s?[\d.])|[A-Z]{0,2}\$|(?<![A-Za-z])[A-Zf](?=\d)|(?<![A-Za-z])[Ef](?=-\d)|(?<=-\s?)[A-Z](?=\d))`;
/**
 * The figures of an amount. A speck may double the point (`2..50`). Behind a letter and before a space a point is an
 * abbreviation's (`Hauptstr. 81`). A longer number with a space is another one (`COUPON 37000  .50-`).
 */
const BODY = String.raw`(?:(?:\d{1,3}(?:[.,']\s?\d{3})+|\d{1,8}|\d{1,4}(?=[.,]{2}\d{2}(?!\d))[.,])(?:(?<!\d{4})\s{0,2})?[.,]\s?|[.,]|(?<![A-Za-z])[.,]\s)\d{2}`;
/** An amount begins a word, or is joined to the end of one (`TOTAL12.30`). It does not continue another figure. */
const START = String.raw`(?<!\d[.,:/#-]|[\d.,/#]|(?<![A-Za-z]{3})[A-Za-z])`;
/**
 * `0,33L`, `1.50 kg`, `4.80Z` before an amount: the size of a pack. International symbols, no words of a language.
 * Behind figures and a gap, G is a tax mark (`T18  37,16G`).
 */
const SIZE_UNIT = String.raw`(?<=[.,]\d0)[zZ]\b(?=.*\d)|\s?(?:[kK][gG]|[mMcC][lL]|[lL][bB][sS]?|[oO][zZ]|[lL][tT][rR])\b|[lLg]\b|(?<!\d\s{2}\S*)G\b|\s[lL]\s+\S`;
const STRICT = new RegExp(
  String.raw`${START}(?<lead>[-–(]\s?)?(?<mark>${CURRENCY_MARK}\s?)?(?<inner>-\s?)?(?<body>${BODY})(?![\d%]|\s?%|[.,:/]\s?\d|-\s?\d(?!\s*$)|\s?[.,]\d|${SIZE_UNIT})(?<trail>\s?-(?=[A-Z\d]?(?:\s|$))|\)|\s?CR\b)?`,
  "g",
);
/** The decimal mark was lost (`80 91`, `22-60`). */
const LOOSE = /(?<![\w.,:/#-]|\d\s)(?<lead>-\s?)?(?<body>\d{1,4}[\s-]\d{2})(?=\s*(?:[A-Za-z]{0,3}|[E€]\s[A-Z])$)/g;
/**
 * A tax mark glued to the amount: O, S or B read as a digit (`5.480` for `5.48 O`), or a digit itself (`2,991` for
 * `2,99 1`), at the end of the row.
 */
const MARKED = /(?<![\w.,:/#-])(?<lead>-\s?)?(?<body>\d{1,4}[.,]\d{2})(?=\d\s*$)/g;
/**
 * Joined to the pack's size or the tax group before it, at the end of a row: `FLOUR 500g2.49`, `OATS 16S0.55`,
 * `MRJ-4.25`; behind an x it would be the price of one.
 */
const GLUED =
  /(?=-?\d)(?<=[A-Za-z]{2}.*[A-WYZa-wyz]\.?)(?<lead>-)?(?<body>\d{1,4}[.,]\d{2})(?=(?:\s?\d|\d?\s?[A-Z*]{0,2})\s*$)/g;
/** Words of measures with three decimals (`GALLONS: 12.345`). */
const VOLUME = /\b(?:gal(?:lon)?s?|lit(?:er|re)s?|ltrs?|volume)\b/i;
/** `1.99 EUR/kg`, `39.90/KG`, `1,19 je kg`: a price by weight, never the amount of a line. */
const PER_UNIT = new RegExp(
  String.raw`^\s?${SIGN_BEHIND}?\s?\/\s?\w{1,5}|^\s?${anyWordOf([...wordsOf("perWords"), ...wordsOf("eachWords")])}`,
  "i",
);

/** `8,49€A`: a currency sign and a tax mark, not `each`. */
const EURO_AND_MARK = /^\s?EA\s*$/;

/** `2 Brezen à 0,95`, its accent lost; a capital A is a tax mark. */
const EACH_BEFORE = /(?<![A-Za-z])[aàá]\s?$/;
const UNIT_PRICE_BEFORE = new RegExp(
  String.raw`(?:@|${anyWordOf(wordsOf("priceWords"))}\s?(?:\/|per\b)\s?\w+\W*|(?<![A-Za-z\d%])\d{1,4}(?:[.,]\d{1,3})?\s?(?:kg|g|lb|stk|st|pcs|ea)?\s?[x×X*])\s?(?:${UNIT_PRICE_SIGN}\.?\s?)?$`,
  "i",
);

/**
 * Returns the amounts in a text from left to right: two decimals after a point or comma, with any separator of
 * thousands (`1.234,56`, `7,838.80`), with the sign before or after (`-0.89`, `0,25-`, `(1.00)`, `2.00CR`). Spaces that
 * the OCR put inside are tolerated (`4. 10`, `0 ,28`). Percentages, dates, times, weights with three decimals and
 * prices per unit are not amounts.
 */
export function findAmounts(text: string): PrintedAmount[] {
  const readable = withDigitsRestored(text);
  const strict = matches(readable, STRICT);
  const marked = VOLUME.test(text) ? [] : matches(readable, MARKED);
  // `4.95  4.951`, `2,90  0 90`: after a price of one there may still be an amount in the last column.
  const last = strict.at(-1);
  if (last) {
    const apart = marked.filter(({ start }) => /^\s{2,}$/.test(readable.slice(last.end, start)));
    const isPriceOnly = apart.length === 0 && strict.every(({ isUnitPrice }) => isUnitPrice);
    const loose = isPriceOnly ? matches(readable, LOOSE).filter(({ start }) => start >= last.end) : [];
    return [...strict, ...apart, ...loose];
  }
  if (marked.length > 0) return marked;
  const glued = matches(readable, GLUED);
  return glued.length > 0 ? glued : matches(readable, LOOSE);
}

/**
 * An amount with letters for digits (`2.OO`, `£l7.85`, `5O,8O`), alone or between its currency and tax mark. A last l
 * may be litres, a last B a mark.
 */
const LETTERED = new RegExp(
  String.raw`(?<=(?<![A-Za-z])(?:${SIGN}|${LETTER_SIGN})\s?|(?<![A-Za-z\d.,]))(?:[\dOolI]{1,4}|S)[.,]\s?[\dOolISB][\dOoIS](?=\s|$|[*€]|[A-Z]{1,2}(?![A-Za-z\d]))`,
  "g",
);
const DIGIT_OF: Readonly<Record<string, string>> = { O: "0", o: "0", l: "1", I: "1", S: "5", B: "8" };

/**
 * Replaces letters between digits and marks by the digits that they resemble: O by 0, l and I by 1 (but `0,5l` are
 * litres, and so is `1,5l` one space behind a word), S by 5, B by 8. The length of the text does not change.
 */
export function withDigitsRestored(text: string): string {
  return text
    .replace(LETTERED, (amount) =>
      /\d/.test(amount) ? amount.replace(/[A-Za-z]/g, (letter) => DIGIT_OF[letter]!) : amount,
    )
    .replace(
      /(?<=\d[.,]?\s?|[.,]\s?)(?<!\d[.,]\d\d)[oOD](?=[\d.,]|\s|$)|(?<=\d[.,]\d)[oO](?=[A-Z]{1,2}(?:\s|$))|(?<=[\dO][.,]\d\d)[oO](?=\s?(?:kg\s?)?[x×*]\s?\d)/g,
      "0",
    )
    .replace(/(?<![A-Za-z]|[A-Z]{3})[oO](?=[.,]\s?\d)|(?<=\bR[MHN]\s?)[oO](?=[.,]\s?\d)/g, "0")
    .replace(
      /(?<=\d[.,]?|[.,])(?:[I|]|(?<!(?<!\d)0[.,]\d|x\s?\d[.,]\d|\d[.,]\d\d|[A-Za-z]\s\d[.,]\d)l)(?=[\d.,]|\s|$)|(?<=(?<![A-Za-z])[fE£€$])[lI|](?=[.,]\d)/g,
      "1",
    )
    .replace(/(?<![\w.,])[lI](?=\d{0,4}[.,]\s?\d{2}(?!\d))|(?<=[A-Za-z]{3})[lI](?=[.,]\d{2}(?!\d))/g, "1")
    .replace(/(?<=\d[.,]\d?)S(?=\d(?!\d)|\s|$)/g, "5")
    .replace(/(?<=\d[.,]\d?)B(?=\d(?!\d))/g, "8")
    .replace(/(?<=[.,]\d{3}\s?k)[9q](?![A-Za-z\d])/g, "g");
}

function matches(text: string, pattern: RegExp): PrintedAmount[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const { lead, mark, inner, body, trail } = match.groups as Record<string, string | undefined>;
    const end = match.index + match[0].length;
    const minor = Number(body!.replace(/\D/g, ""));
    if (minor > AMOUNT_MINOR_MAX || (PER_UNIT.test(text.slice(end)) && !EURO_AND_MARK.test(text.slice(end)))) return [];
    const isBracketed = lead?.startsWith("(") === true;
    const isNegative = isBracketed ? trail === ")" : Boolean(lead ?? inner ?? (trail === ")" ? undefined : trail));
    const before = text.slice(0, match.index);
    const isUnitPrice = UNIT_PRICE_BEFORE.test(before) || EACH_BEFORE.test(before);
    return [{ minor: isNegative ? -minor : minor, start: match.index, end, isMarked: Boolean(mark), isUnitPrice }];
  });
}

/** Sums are rounded to this where small coins are not used. */
export const ROUNDING_UNIT_MINOR = 5;

/** Returns hundredths in minor units of the currency: some currencies have none. */
export function inMinorUnits<T extends number | null>(hundredths: T, currency: string | null): T | number {
  if (hundredths === null || currencyExponent(currency ?? "") !== 0) return hundredths;
  return Math.round(hundredths / 100);
}

/** A number of things, a weight or a unit price, rounded to thousandths; `decimals` as printed. */
export interface PrintedNumber {
  thousandths: number;
  decimals: number;
  start: number;
  end: number;
}

const NUMBER = new RegExp(
  String.raw`(?:(?<![\w.,:]|\w\/)|(?<=(?<![A-Za-z\d])(?:${SIGN}|${LETTER_SIGN})(?=\d+[.,]\d\d(?!\d))))(?:\d{1,3}(?:[.,]\d{3})+[.,]\d{2}(?:\d{2})?|\d{1,6}(?:\s?[.,]\s?\d{1,4})?|\.\d{3})(?!\d|:|%|/(?!\s?\p{L})|[.,]\d)`,
  "gu",
);

/** The marks between thousands of a figure with decimals: `50.000,00`. */
const THOUSANDS_MARKS = /[.,](?=\d{3}[.,])/g;

/**
 * Returns plain numbers with up to four decimals, and with two behind a letter for a currency (`R74.99`). A comma is a
 * decimal mark.
 */
export function findNumbers(text: string): PrintedNumber[] {
  return [...withDigitsRestored(text).matchAll(NUMBER)].map((match) => ({
    ...numberOf(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Returns the value of figures, with or without marks between thousands. */
export function numberOf(figures: string): Pick<PrintedNumber, "thousandths" | "decimals"> {
  const [whole = "0", fraction = ""] = figures.replace(/\s/g, "").replace(THOUSANDS_MARKS, "").split(/[.,]/);
  return {
    thousandths: Number(whole) * 1000 + Math.round(Number(`0.${fraction || "0"}`) * 1000),
    decimals: fraction.length,
  };
}

/** Returns the price of `thousandths` of a unit at `unitPriceMinor` each, rounded half up. */
export function priceOf(thousandths: number, unitPriceMinor: number): number {
  return Math.round((thousandths * unitPriceMinor) / 1000);
}

/** Whether two amounts differ by one digit, or by one digit lost or added at the front. */
export function differsByOneDigit(a: number, b: number): boolean {
  const [x, y] = [String(Math.abs(a)), String(Math.abs(b))];
  if (x.length === y.length) return x.split("").filter((digit, i) => digit !== y[i]).length === 1;
  const [short, long] = x.length < y.length ? [x, y] : [y, x];
  return long.length === short.length + 1 && long.endsWith(short);
}
