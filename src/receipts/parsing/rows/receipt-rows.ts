import { LETTER_SIGN, SIGN, SIGN_BEHIND } from "../languages/currency-signs.ts";
import { findAmounts, numberOf, priceOf } from "./amounts.ts";
import type { PrintedAmount } from "./amounts.ts";
import { labelsOf } from "./labels.ts";
import type { Label } from "./labels.ts";
import { isName, nameOn } from "./names.ts";
import { kindsOf } from "./row-kinds.ts";
import type { RowKind } from "./row-kinds.ts";
import type { Row } from "./rows.ts";

/** An amount with its right edge on the page, in deskewed pixels. */
export type PlacedAmount = PrintedAmount & { right: number };

/** A row with its amounts and the labels of its words. */
export interface LabelledRow extends Row {
  amounts: readonly PlacedAmount[];
  labels: ReadonlySet<Label>;
}

/** A row with everything that its own text says. */
export interface ReceiptRow extends LabelledRow {
  kinds: ReadonlySet<RowKind>;
}

/** A letter and a figure behind an amount, or the word for lira. */
const TAX_MARK = /^\s*(?:[A-Z]\d|TL)\s*$/;

/** Finds the amounts, labels and kinds of rows. */
export function toReceiptRows(rows: readonly Row[]): ReceiptRow[] {
  const found = withAmountsBelow(rows).map((row) => {
    const amounts = findAmounts(row.text).map((amount) => ({
      ...amount,
      right: xAt(row, endOfDigits(row.text, amount)),
    }));
    // Amounts are removed from the words, since figures resemble letters. So is a mark behind them (`T1` resembles
    // `TL`).
    const words = amounts.reduceRight(
      (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end).replace(TAX_MARK, "")}`,
      row.text,
    );
    return { ...row, amounts, labels: labelsOf(words) };
  });
  return found.map((row, i) => withUnitPriceMarked(row, found[i + 1])).map((row) => ({ ...row, kinds: kindsOf(row) }));
}

function withUnitPriceMarked(row: LabelledRow, next: LabelledRow | undefined): LabelledRow {
  if (!next) return row;
  if (isMisreadUnitPrice(row, next)) return withUnitPrice(row, 0);
  return isBareUnitPrice(row, next) || isCountAbove(row, next) ? withUnitPrice(row, 1) : row;
}

/** Nothing but a count, a word for its unit and a sign for times before a price. */
const COUNT_BEFORE = /^\W*(\d{1,4}(?:[.,]\d{1,4})?)\s+\p{L}{1,7}\.?\s+[x×X*]\s+$/u;

/**
 * Whether a row is a count in a unit of any language and the price of one, above the name and its amount:
 * `2  Kus  x  45,00` over `RUKAVICE  90,00`.
 */
function isCountAbove({ amounts, text }: LabelledRow, next: LabelledRow): boolean {
  const [price] = amounts;
  const total = next.amounts.at(-1);
  if (!price || !total || amounts.length > 1) return false;
  const count = COUNT_BEFORE.exec(text.slice(0, price.start))?.[1];
  if (count === undefined) return false;
  return Math.abs(priceOf(numberOf(count).thousandths, price.minor) - total.minor) <= (/[.,]/.test(count) ? 1 : 0);
}

/** A row with only an amount. */
const BARE_AMOUNT = new RegExp(
  String.raw`^\W{0,2}(?:${SIGN}|${LETTER_SIGN})?\s?-?\d{1,6}[.,]\s?\d{2}\s?(?:${SIGN_BEHIND}|\*)?$`,
  "i",
);
/** Labels whose amount may be set large, on a row of its own below the word. */
const LABELS_ABOVE: readonly Label[] = ["total", "subtotal", "cash", "card", "change"];

/**
 * Joins `TOTALE COMPLESSIVO` and `11,35` below it to one row. If several amounts follow, it is not known which one
 * belongs to it.
 */
function withAmountsBelow(rows: readonly Row[]): Row[] {
  const isBareAmount = (row: Row | undefined): boolean => row !== undefined && BARE_AMOUNT.test(row.text);
  const isLabel = (row: Row): boolean => {
    if (/\d/.test(row.text)) return false;
    const labels = labelsOf(row.text);
    return LABELS_ABOVE.some((label) => labels.has(label)) && !labels.has("head") && !labels.has("note");
  };
  const labelsAbove = new Set(
    rows.filter(
      (row, i) => isBareAmount(rows[i + 1]) && !isBareAmount(rows[i + 2]) && !isBareAmount(row) && isLabel(row),
    ),
  );
  return rows.flatMap((row, i) => {
    if (i > 0 && labelsAbove.has(rows[i - 1]!)) return [];
    const below = labelsAbove.has(row) ? rows[i + 1] : undefined;
    return below ? [joined(row, below)] : [row];
  });
}

function joined(row: Row, below: Row): Row {
  return {
    ...row,
    cells: [...row.cells, ...below.cells],
    text: `${row.text}  ${below.text}`,
    right: below.right,
    members: [...row.members, ...below.members],
  };
}

/**
 * Whether the first digit or sign of an amount is a misread `@`: `63.15` over `1  3.15`, `08.50` over `*2  17.00`. Then
 * the rest times a count is the amount of the next row, and that row has no name (`COFFEE  $3.15` over `TEA  $3.15` are
 * two goods).
 */
function isMisreadUnitPrice(row: LabelledRow, next: LabelledRow): boolean {
  const [amount] = row.amounts;
  const total = next.amounts.at(-1);
  // `3 x 2.50  7.50` has its own price.
  if (!amount || !total || row.amounts.length > 1 || next.amounts.length > 1) return false;
  if (isName(nameOn(next.text, total, false))) return false;
  const printed = /^([\d$€£(])(\d{1,3})[.,](\d{2})/.exec(row.text.slice(amount.start, amount.end));
  if (!printed) return false;
  const unitPriceMinor = Number(`${printed[2]}${printed[3]}`);
  // Of other digits only a count shows it: `28.50` over `*2  17.00`.
  const one = /[0689$€£(]/.test(printed[1]!) ? [1] : [];
  const counts = [...one, ...(next.text.slice(0, total.start).match(/(?<!\d)\d{1,3}(?!\d)/g) ?? []).map(Number)];
  return counts.some((count) => (count > 1 || one.length > 0) && count * unitPriceMinor === total.minor);
}

/** Returns where the digits end. A sign behind the amount is printed beyond the column: `1.50 CR`, `0,25-`. */
function endOfDigits(text: string, { start, end }: PrintedAmount): number {
  return start + text.slice(start, end).replace(/\D+$/, "").length;
}

/** Whether an amount is a unit price whose `@` was not read at all: `WHITE ONION  8.50` over `*2  17.00`. */
function isBareUnitPrice({ amounts, text }: LabelledRow, next: LabelledRow): boolean {
  const [amount] = amounts;
  const total = next.amounts.at(-1);
  if (!amount || !total || amounts.length > 1 || /[A-Za-z]{4}/.test(next.text)) return false;
  const count = Number(/[*x×X]\s?(\d{1,3})\s+$/.exec(next.text.slice(0, total.start))?.[1] ?? 0);
  return count > 1 && count * amount.minor === total.minor && text[amount.start - 1] === " ";
}

/** Returns the row with an `@` written `placesBefore` its amount. */
function withUnitPrice(row: LabelledRow, placesBefore: number): LabelledRow {
  const at = row.amounts[0]!.start - placesBefore;
  const text = `${row.text.slice(0, at)}@${row.text.slice(at + 1)}`;
  return { ...row, text, amounts: row.amounts.map((amount) => ({ ...amount, isUnitPrice: true })) };
}

/** Returns the x of a position in a row's text. Cells are joined by two spaces; all letters count as equally wide. */
function xAt(row: Row, index: number): number {
  let start = 0;
  for (const cell of row.cells) {
    const end = start + cell.text.length;
    if (index <= end) return cell.left + ((cell.right - cell.left) * Math.max(0, index - start)) / cell.text.length;
    start = end + 2;
  }
  return row.right;
}
