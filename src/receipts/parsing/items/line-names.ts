import { SIGN_BEHIND } from "../languages/currency-signs.ts";
import { COUNTED_NAME } from "./list-rows.ts";
import { isQuantityOf } from "./quantities.ts";
import type { ListRow } from "./list-rows.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { withoutMarkBehind } from "../rows/names.ts";
import { isNameOnly, rowsOfName } from "./wrapped-names.ts";

/** The list while its lines are put together. */
export interface Drafting {
  list: readonly ListRow[];
  /** Rows that belong to a line already. */
  used: Set<ListRow>;
  /** A name without an amount belongs to the amount above it, not to the one below. */
  namesFollow: boolean;
  /** Rows begin with a count. */
  hasCountColumn: boolean;
  /** Names begin above their amounts, behind a code: `048500292892 NEXT SPRAY`, `600ml  3,000 kom  8,70  26,10`. */
  areCodesAbove: boolean;
  /** Most amounts have no name beside them and one right above. */
  areNamesAbove: boolean;
}

/**
 * A row is the nearer one if its distance is below this share of the other's. Set by hand on the development receipts.
 */
const NEARER_SHARE = 0.85;

/**
 * Whether a name follows its amount (AEON) or precedes it (the habit) where the two are on different rows. Decided once
 * for a receipt. Rows between alternate either way, so the ends of the list decide: a name before the first amount, or
 * after the last one.
 */
export function doNamesFollow(list: readonly ListRow[], priced: readonly ListRow[]): boolean {
  const nameless = priced.filter((row) => row.name === "");
  let before = 0;
  let after = 0;
  let nearerAfter = 0;
  for (const row of nameless) {
    const at = list.indexOf(row);
    // Between a name and its amount there may be a row of figures: `Qtde.: 2  UN: UN  Vl. Unit.: 4,99`.
    const previous = isBare(list[at - 1]) ? list[at - 2] : list[at - 1];
    const next = list[at + 1];
    if (isNameOnly(previous)) before += 1;
    if (isNameOnly(next)) after += 1;
    // If the ends don't decide: the nearer row is likelier where lines are set in pairs. On bent paper distances
    // mislead.
    if (isNameOnly(previous) && isNameOnly(next)) {
      const gapBefore = row.row.y - previous.row.y;
      const gapAfter = next.row.y - row.row.y;
      if (gapBefore < NEARER_SHARE * gapAfter) nearerAfter--;
      if (gapAfter < NEARER_SHARE * gapBefore) nearerAfter++;
    }
  }
  return after === before ? nearerAfter > 0 : after > before;
}

/** Whether most amounts, of two at least, have no name beside them (or a code) and one right above. */
export function areNamesAbove(list: readonly ListRow[], priced: readonly ListRow[]): boolean {
  const named = priced.filter((row) => (row.name === "" || isWeakName(row)) && isNameOnly(list[list.indexOf(row) - 1]));
  return named.length > 1 && 2 * named.length > priced.length;
}

/**
 * `TS02 KAT  1  9.90  9.90` below `KATSU DON SET`: a code of letters and figures, and a word that it is short for. Not
 * the tax group of a Hungarian till: `C00 KAVE  450`.
 */
function isCoded({ row }: ListRow): boolean {
  return /^\s*(?![A-E][0O]{2}\s)[A-Z]{1,5}\d{1,5}(?:\s+\p{L}{1,5})?\s+\d/u.test(row.text);
}

const CODED_NAME = /^\W*\d{6,}\s+.*\p{L}{3}/u;

/** Whether each amount, of two at least, has a name behind a code right above it, and has no code itself. */
export function areCodesAbove(list: readonly ListRow[], priced: readonly ListRow[]): boolean {
  const isCoded = (row: ListRow | undefined): boolean => isNameOnly(row) && CODED_NAME.test(row.row.text);
  return (
    priced.length > 1 && priced.every((row) => isCoded(list[list.indexOf(row) - 1]) && !CODED_NAME.test(row.row.text))
  );
}

/** Whether a row has figures, but neither an amount nor a name. */
function isBare(row: ListRow | undefined): boolean {
  return row !== undefined && row.amountMinor === null && row.name === "" && /\d/.test(row.row.text);
}

/** Returns the name of an amount, on its own row or one nearby, and the texts of the rows that make up the name. */
export function nameOf(drafting: Drafting, at: number, priced: ListRow): { name: string; texts: string[] } {
  const { list, used, namesFollow, hasCountColumn, areCodesAbove, areNamesAbove } = drafting;
  const above = list[at - 1];
  const isFree = (row: ListRow | undefined): row is ListRow => isNameOnly(row) && !used.has(row);
  const texts = [priced.row.text];
  let { name } = priced;
  // `SC. 15%  -5,99`: the text of a discount in percent is its name, however short.
  if (name === "" && priced.amountMinor! < 0 && /\d\s?%/.test(labelBefore(priced.row))) name = labelBefore(priced.row);
  if (name === "" || ((areCodesAbove || isWeakName(priced) || (areNamesAbove && isCoded(priced))) && isFree(above))) {
    const source = nearestName(drafting, at, namesFollow && name === "" && !areCodesAbove ? 1 : -1);
    if (source) {
      used.add(source);
      const { text, columnAmount } = priced.row;
      name = columnAmount ? withoutMarkBehind(source.name, text.slice(columnAmount.end)) : source.name;
      texts.push(source.row.text);
      const isBelow = list.indexOf(source) < at;
      const wrapped = isBelow && areNamesAbove ? rowsOfName(list, source, (row) => !used.has(row)) : [];
      for (const row of wrapped) used.add(row);
      name = [...wrapped.map((row) => row.name), name].join(" ");
    }
  }
  // If every name begins with a count, one without is the rest of the row above:
  // `1  CORDLESS DRILL 20V`, `W/ BATTERY  59.99`.
  const isRest = hasCountColumn && name === priced.name && !COUNTED_NAME.test(priced.row.text);
  if (isRest && isFree(above) && COUNTED_NAME.test(above.row.text)) {
    used.add(above);
    name = `${above.name} ${name}`;
    texts.push(above.row.text);
  }
  return { name, texts };
}

/** What is left of a count, its unit and its price on worn print: `JNX`, `IUN X 70.99(0.00)`, `fUN X 70,9920,00)`. */
const MISREAD_QUANTITY = new RegExp(
  String.raw`^[^\p{L}]*(?:\p{L}{1,3}\.?\s?){0,2}[xX×](?:[\d.,\s]|[BSOIlZ](?=\s?\d))*(?:\(?[\d.,]*\)?)?(?:\s?${SIGN_BEHIND})?\s*$`,
  "u",
);

/**
 * Whether the name is only a short word that explains a product code beside it or the amount printed twice
 * (`cod. 012745168 7,90`, `AVP 6,45 6,45`), or the unit of a quantity (`2.00 ks x 12,90`). The real name is above.
 */
function isWeakName({ name, row, amountMinor }: ListRow): boolean {
  if (row.columnAmount && isQuantityOf(row.text.slice(0, row.columnAmount.start), row.columnAmount.minor)) return true;
  const isRepeated = row.amounts.filter(({ minor }) => minor === amountMinor).length > 1;
  if (row.columnAmount && MISREAD_QUANTITY.test(row.text.slice(0, row.columnAmount.start))) return true;
  return /^\P{L}*\p{L}{1,4}\P{L}*$/u.test(name) && (isRepeated || /(?<![\d.,])\d{6,}(?![\d.,])/.test(row.text));
}

/** Returns the nearest unused name in a direction, two rows away at most and with no amount in between. */
export function nearestName({ list, used }: Drafting, at: number, step: 1 | -1): ListRow | null {
  const isFreeName = (i: number): boolean => isNameOnly(list[i]) && !used.has(list[i]);
  for (let i = at + step, seen = 0; i >= 0 && i < list.length && seen < 2; i += step, seen++) {
    const row = list[i]!;
    if (row.amountMinor !== null || used.has(row)) return null;
    if (row.name !== "" && !row.isSkipped) return step < 0 && isWish(row) && isFreeName(i - 1) ? list[i - 1]! : row;
  }
  return null;
}

/** Whether a row only says how the goods above it are wanted: `- Less Sugar`, `+ Extra shot`. */
function isWish({ row }: ListRow): boolean {
  return /^\s*[-–+>]\s?\p{L}/u.test(row.text);
}

/** Returns the text before a discount's amount that is no name (`£1 OFF`). */
export function labelBefore({ text, amounts }: ClassifiedRow): string {
  return text.slice(0, amounts.at(-1)?.start ?? 0).replace(/^[^\p{L}\p{N}£$€]+|[^\p{L}\p{N}%]+$/gu, "");
}
