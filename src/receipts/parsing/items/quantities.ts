import { LETTER_SIGN, SIGN, UNIT_PRICE_SIGN, WORD_FOR_SIGN } from "../languages/currency-signs.ts";
import { anyUnitOf } from "../languages/notation.ts";
import { MEASURES } from "../languages/language.ts";
import type { Measure } from "../languages/language.ts";
import { measureWords, wordsOf } from "../languages/vocabulary.ts";
import { findNumbers, numberOf, withDigitsRestored } from "../rows/amounts.ts";
import type { PrintedNumber } from "../rows/amounts.ts";

/** Unit of a quantity. */
export type QuantityUnit = "piece" | Measure;

/** A quantity in `thousandths` of a unit, and its price. `isChecked`: quantity × unit price is the printed amount. */
export interface Quantity {
  thousandths: number;
  unit: QuantityUnit;
  unitPriceMinor: number | null;
  isChecked: boolean;
}

const UNIT_PATTERNS: readonly (readonly [Measure, RegExp])[] = MEASURES.map((unit) => [
  unit,
  new RegExp(String.raw`^\s?(?:${anyUnitOf(measureWords(unit))})\b`, "i"),
]);
/** `LITRES 45.20 @ R21.87`: the word for litres in full, as the name of the figure; not `PAINT 10 LITRES 1 x 29.90`. */
const LITRES_BEFORE = new RegExp(
  String.raw`(?<!\p{L}|\d\s{0,2})(?:${anyUnitOf(measureWords("l").filter((word) => word.length > 2))})\W{0,3}$`,
  "iu",
);
/** `6x0,33l` is a crate. International symbols of sizes, no words of a language. */
const SIZE_BEHIND = String.raw`(?:[cdm]?l|ltr|k?g|gr)\b`;
const PRICE = String.raw`(?:${SIGN}|${UNIT_PRICE_SIGN}\.?|${WORD_FOR_SIGN}|${LETTER_SIGN}|\$)?[\s(]{0,2}(\d{1,7}\s?[.,]\s?\d{2,4})(?!\d|${SIZE_BEHIND})`;
const UNIT_WORD = String.raw`(?:${anyUnitOf([...MEASURES.flatMap(measureWords), ...wordsOf("pieces")])})`;
const UNIT = String.raw`${UNIT_WORD}?\.?`;
const PER_LITRE = new RegExp(
  String.raw`^\s?(?:\p{L}{1,3}|\p{Sc})?\s?\/\s?(?:${anyUnitOf(measureWords("l"))})(?!\p{L})`,
  "iu",
);
const MEASURE = new RegExp(String.raw`^\s?${UNIT_WORD}\.?(?![\w/])`, "i");
const TIMES = new RegExp(
  String.raw`(?<![\d.,%])(\d{1,4}(?:\s?[.,]\s?\d{1,4})?)\s?${UNIT}(?:\s?nett?)?\s{0,2}(?:[x×X*@#]|à)\s{0,2}@?\s?${PRICE}`,
  "i",
);
const PRICE_TIMES = /(?<![\d.,])(\d{1,5}\s?[.,]\s?\d{2})\s*[x×X*]\s*(\d{1,3})(?![\d.,])/;
/** `2 AT 1 FOR 4.47`: a count, and the price of one. */
const AT_FOR = new RegExp(String.raw`(?<![\d.,])(\d{1,3})\s*(?:AT|@)\s*1\s*F[O0]R\s*${PRICE}`, "i");
/** `2 @ 3/5.00`, `4 @ 2 FOR 7.00`: a count, and the price of several. */
const AT_SEVERAL = new RegExp(
  String.raw`(?<![\d.,])(\d{1,3})\s*(?:AT|@)\s*([2-9]|1\d)\s?(?:\/|F[O0]R)\s?\$?(\d{1,3}\.\d{2})(?!\d)`,
  "i",
);
const AT_PRICE = new RegExp(String.raw`@\s?${PRICE}`);

/** Whether a text has a quantity and unit price (`0,410 kg x 1,99`, `3,29 x 2`, `@0.5500`). */
export function isQuantityText(text: string): boolean {
  const readable = withDigitsRestored(text);
  return (
    TIMES.test(readable) ||
    AT_FOR.test(readable) ||
    AT_SEVERAL.test(readable) ||
    PRICE_TIMES.test(readable) ||
    AT_PRICE.test(readable) ||
    UNIT_ROW.test(readable) ||
    /\d\s?kg\b.*\d[.,]\d\d/i.test(readable)
  );
}

/** A unit in any language: one or two short words behind a figure (`2 ks`, `0.612 kg NET`, `1,00 PAK`). */
const ANY_UNIT = String.raw`(?:\s?(?:${UNIT_WORD}|[A-Za-z]{1,4})\.?(?![A-Za-z])){0,2}`;
/** A figure, perhaps behind a currency: `R22.98`, `Rp 30000,00`, `2 349,00`. */
const FIGURE = String.raw`(?:[A-Z]{0,2}[$€£]\s?|${SIGN}\.?\s?|[A-Z](?=\d))?(\d{1,3}(?:[.,\s]\d{3})+[.,]\d{2,4}|\d{1,6}(?:[.,]\d{1,4})?)`;
/**
 * Nothing but a count, a price and their units, as below a name: `2.00 ks x 12,90`, `50.000,00 x 1,00 PAK =`; perhaps
 * with the tax in it: `1UN X 5,15(0,91)`, a sign before the price: `0,390 kg x kr 49,90`, or a speck: `50.000,00 .x 1`.
 */
const UNIT_ROW = new RegExp(
  String.raw`^\W*${FIGURE}${ANY_UNIT}[\s.]{0,3}[x×X*@]\s{0,2}(?:[A-Za-z]{1,3}\.?\s)?${FIGURE}(?:\s?(?:(?:[A-Z]{2,3}|[€£$])\/)?\/?${ANY_UNIT})?(?:\s?\([\d.,]+\))?[\s=]*$`,
);

/** The same without a sign for times, a known or short unit behind the count: `2 KPL 2,95 E/KPL`, `3 P 3,90 E/P`. */
const COUNT_AND_PRICE = new RegExp(
  String.raw`^\W*${FIGURE}\s?(?:${UNIT_WORD}|[A-Za-z]{1,2})\.?\s{1,4}${FIGURE}(?:\s?[A-Z€£]{0,3}\/?${ANY_UNIT})?[\s=]*$`,
  "i",
);

/** A count and the price of one below a name, without a sign for times: `Antal: 5 st 12.50 kr/st`, `2  CHF 1.40`. */
const COUNT_BELOW = new RegExp(
  String.raw`^\W*(?:\p{L}{2,}\.?\s?:\s?)?(\d{1,3})\s?(${UNIT_WORD}\.?)?\s{1,6}${FIGURE}(?:\s?[a-z]{1,3})?(\s?\/\s?\p{L}{1,4}\.?)?[\s=]*$`,
  "iu",
);

/**
 * Returns the count on a row that is only a count and the price of one, next to its amount. Where the row names the
 * unit twice (`3 st 39.90 kr/st`) the amount may be lower than their product by what is taken off on the next row.
 */
export function countOn(text: string, amountMinor: number): Quantity | null {
  const [, count, unit, price, perUnit] = COUNT_BELOW.exec(withDigitsRestored(text)) ?? [];
  if (count === undefined || price === undefined) return null;
  const unitPriceMinor = Math.round(numberOf(price).thousandths / 10);
  const product = Number(count) * unitPriceMinor;
  const isChecked = product === Math.abs(amountMinor);
  const isStated = unit !== undefined && perUnit !== undefined && product > Math.abs(amountMinor) && amountMinor > 0;
  if (!isChecked && !isStated) return null;
  return { thousandths: 1000 * Number(count), unit: "piece", unitPriceMinor, isChecked };
}

/** Whether a text before an amount is only a quantity and its price, in units of any language, with that product. */
export function isQuantityOf(text: string, amountMinor: number): boolean {
  // The columns of a count, its unit and the price may be far apart.
  const readable = withDigitsRestored(text).replace(/\s{2,}/g, " ");
  const found = UNIT_ROW.exec(readable) ?? COUNT_AND_PRICE.exec(readable);
  if (!found) return false;
  const [first, second] = [numberOf(found[1]!), numberOf(found[2]!)];
  return gapOf(first, second, Math.abs(amountMinor)) <= 1;
}

/**
 * Returns how far the product of a count and a price is from an amount, in minor units: a weight's is rounded. Where
 * all money is whole (`0,742 kg x 2199 = 1632` forints) it is rounded to whole ones, and a smaller gap is none; the
 * price of fuel has tenths (`33,15 L x 599,9 Ft/L`).
 */
function gapOf(count: FigureValue, price: FigureValue, amountMinor: number): number {
  const gap = Math.abs(Math.round((count.thousandths * price.thousandths) / 10_000) - amountMinor);
  const isWhole = (value: number): boolean => value % 100 === 0;
  const areWhole = isWhole(amountMinor) && [count, price].some(({ thousandths }) => thousandths % 100 === 0 && thousandths >= WHOLE_PRICE_MIN); // prettier-ignore
  return areWhole && gap < 100 ? Math.min(1, gap) : gap;
}

type FigureValue = Pick<PrintedNumber, "thousandths">;
/** Prices of a kilogram are above this where money has no decimals: a hundred. */
const WHOLE_PRICE_MIN = 100_000;

/**
 * Returns the quantity in the texts of one line. First any two figures whose product is the amount (for a weight within
 * one minor unit, since it was rounded), whatever is between them. Otherwise figures written as quantity × price; null
 * if there are none.
 */
export function findQuantity(texts: readonly string[], amountMinor: number | null): Quantity | null {
  const amount = amountMinor === null ? null : Math.abs(amountMinor);
  if (amount !== null) {
    const checked = partOfSeveral(texts, amount) ?? checkedQuantity(texts, amount);
    if (checked) return checked;
  }
  for (const text of texts) {
    const readable = withDigitsRestored(text);
    const times = AT_FOR.exec(readable) ?? TIMES.exec(readable);
    if (times) {
      const quantity = stated(readable, times.index, times[1]!, times[2]!);
      // `CARRIER BAG 24L * 1.00`: a size, and the amount itself.
      return quantity.unitPriceMinor === amount && quantity.thousandths > 1000
        ? null
        : { ...quantity, isChecked: false };
    }
    const reversed = PRICE_TIMES.exec(readable);
    // `3,20 *2`: the amount itself and its tax mark.
    const isAmountItself = reversed && Number(reversed[1]!.replace(/\D/g, "")) === amount;
    if (reversed && !isAmountItself) return { ...stated("", 0, reversed[2]!, reversed[1]!), isChecked: false };
  }
  return null;
}

/** Returns the count of goods priced by several (`2 @ 3/5.00  3.34`); tills round the price of one up. */
function partOfSeveral(texts: readonly string[], amount: number): Quantity | null {
  for (const text of texts) {
    const [, count, several, price] = AT_SEVERAL.exec(withDigitsRestored(text)) ?? [];
    if (count === undefined || price === undefined) continue;
    const one = (Number(price) * 100) / Number(several);
    if (Math.abs(Number(count) * one - amount) <= 1)
      return { thousandths: 1000 * Number(count), unit: "piece", unitPriceMinor: Math.ceil(one), isChecked: true };
  }
  return null;
}

function checkedQuantity(texts: readonly string[], amount: number): Quantity | null {
  const numbers = texts.flatMap((text) =>
    findNumbers(text).map((number) => ({ ...number, text: withDigitsRestored(text) })),
  );
  let best: (Quantity & { rank: number }) | null = null;
  for (const [i, price] of numbers.entries()) {
    if ((price.decimals < 2 && !isFuelPrice(price)) || price.decimals > 4) continue;
    for (const [j, count] of numbers.entries()) {
      if (i === j || count.thousandths <= 0 || count.thousandths > 999_000 || isFuelPrice(count)) continue;
      const isWhole = count.thousandths % 1000 === 0;
      if (count.decimals === 0 && !isWhole) continue;
      // Fuel is priced in tenths of a penny.
      const gap = gapOf(count, price, amount);
      if (amount === 0 || (gap > (isWhole ? 0 : 1) && !isReduced(numbers, [i, j], amount))) continue;
      // `1,000 BUC. x 8,49`, `1.00  19.00  19.00`: of one and an amount the one is the count, if it has three decimals
      // or is the first.
      if (price.thousandths === 1000 && count.decimals === 2 && (price.decimals === 3 || i < j)) continue;
      // One times its own amount is no evidence unless both are printed beside the amount.
      // The figure with a unit behind it is the count.
      const unitRank = (isMeasured(count) ? 2 : 0) - (isMeasured(price) ? 2 : 0);
      // `119,90  1,245  149,28`: three decimals are a weight's.
      const weightRank = count.decimals === 3 && price.decimals === 2 ? 2 : 0;
      const rank = (count.thousandths === 1000 ? 1 : 3) + (j < i ? 1 : 0) - gap + unitRank + weightRank;
      if (best && best.rank >= rank) continue;
      const isRepeated = numbers.filter((n) => n.thousandths === price.thousandths).length >= 2;
      if (count.thousandths === 1000 && !isRepeated && !isQuantityOf(price.text, amount)) continue;
      best = {
        thousandths: count.thousandths,
        unit: unitOf(count.thousandths, unitBeside(count, count.text)),
        unitPriceMinor: Math.round(price.thousandths / 10),
        isChecked: true,
        rank,
      };
    }
  }
  if (!best) return null;
  const { rank: _, ...quantity } = best;
  return quantity;
}

/** Whether the product of two figures of a row, less the next figure, is the amount: `0.286  19.80  1.13  4.53`. */
function isReduced(
  numbers: readonly (PrintedNumber & { text: string })[],
  [price, count]: readonly [number, number],
  amount: number,
): boolean {
  const [factor, unitPrice, saved] = [numbers[count]!, numbers[price]!, numbers[price + 1]];
  if (price !== count + 1 || saved?.decimals !== 2 || saved.text !== factor.text || saved.thousandths === 0)
    return false;
  if (factor.decimals < 3 || unitPrice.decimals !== 2) return false;
  return gapOf(factor, unitPrice, amount + saved.thousandths / 10) <= 1;
}

/** Whether a figure with tenths is the price of a litre: `599,9 Ft/L`. */
function isFuelPrice({ decimals, end, text }: PrintedNumber & { text: string }): boolean {
  return decimals === 1 && PER_LITRE.test(text.slice(end));
}

/** Whether a unit is behind a figure (`2,00 st`, `0,850 kg`). */
function isMeasured({ end, text }: PrintedNumber & { text: string }): boolean {
  return MEASURE.test(text.slice(end));
}

function stated(text: string, index: number, count: string, price: string): Omit<Quantity, "isChecked"> {
  const [quantity] = findNumbers(count);
  const [unitPrice] = findNumbers(price);
  const end = index + count.length;
  return {
    thousandths: quantity?.thousandths ?? 1000,
    unit: unitOf(quantity?.thousandths ?? 1000, unitBeside({ start: index, end }, text)),
    unitPriceMinor: unitPrice ? Math.round(unitPrice.thousandths / 10) : null,
  };
}

/**
 * Returns the unit of a quantity. A part of a piece is sold by weight: in kilograms if no unit is printed beside it (it
 * is in the heading).
 */
function unitOf(thousandths: number, printed: QuantityUnit): QuantityUnit {
  return printed === "piece" && thousandths % 1000 !== 0 ? "kg" : printed;
}

function unitBeside({ start, end }: Pick<PrintedNumber, "start" | "end">, text: string): QuantityUnit {
  if (LITRES_BEFORE.test(text.slice(0, start))) return "l";
  const rest = text.slice(end);
  return UNIT_PATTERNS.find(([, pattern]) => pattern.test(rest))?.[0] ?? "piece";
}
