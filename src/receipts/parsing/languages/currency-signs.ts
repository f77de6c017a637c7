import { CURRENCIES } from "./vocabulary.ts";

// Pattern sources of the currency signs in currencies.json, for the patterns of amounts.

/** A pattern source that finds one of the texts, the longest first. */
function anyTextOf(texts: readonly string[]): string {
  const sources = [...new Set(texts)]
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((text) => text.replace(/[.$]/g, String.raw`\$&`));
  return sources.length === 0 ? "(?!)" : `(?:${sources.join("|")})`;
}

/** A printed sign, before an amount or behind it: `€`, `EUR`, `RM`. */
export const SIGN = anyTextOf(CURRENCIES.flatMap(({ signs = [] }) => signs));

/** A sign behind an amount, as printed or as the OCR reads it. */
export const SIGN_BEHIND = anyTextOf(
  CURRENCIES.flatMap(({ signs = [], signsBehind = [], misreadSignsBehind = [] }) => [
    ...signs,
    ...signsBehind,
    ...misreadSignsBehind,
  ]),
);

/** A sign that is printed behind amounts, but also before the price of one: `2 x kr 49,90`. */
export const UNIT_PRICE_SIGN = anyTextOf(CURRENCIES.flatMap(({ signsBehind = [] }) => signsBehind));

const MISREAD = CURRENCIES.flatMap(({ misreadSigns = [] }) => misreadSigns);
const MISREAD_LETTERS = MISREAD.filter((text) => text.length === 1);

/** One letter that the OCR reads for a sign: `E` for `€`. */
export const MISREAD_LETTER = anyTextOf(MISREAD_LETTERS);

/** A letter that is a sign (`R`), or that the OCR reads for one. A figure must be behind it. */
export const LETTER_SIGN = anyTextOf([
  ...MISREAD_LETTERS,
  ...CURRENCIES.flatMap(({ letterSigns = [] }) => letterSigns),
]);

/** One letter that the OCR reads for a sign before the price of one. A figure must be behind it. */
export const UNIT_PRICE_LETTER = anyTextOf([
  ...MISREAD_LETTERS,
  ...CURRENCIES.flatMap(({ misreadUnitPriceSigns = [] }) => misreadUnitPriceSigns),
]);

/** Several letters that the OCR reads for a sign: `RN` for `RM`. A figure must be behind them. */
export const WORD_FOR_SIGN = anyTextOf(MISREAD.filter((text) => text.length > 1));
