import { ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import type { DraftLine } from "../items/lines.ts";
import { mayBeReadFor } from "../rows/misread-digits.ts";
import { findQuantity } from "../items/quantities.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { Totals } from "../totals/totals.ts";

/** The lines with something put right, and what that was. */
export interface Change {
  change: DraftLine[];
  note: string;
}

/**
 * Whether a sum is said again below the list: printed twice, left of what was paid, a subtotal that makes the total with a tax or charge, or what a tax in it
 * was reckoned of. Then it is the lines that are wrong.
 */
function isConfirmed(minor: number, totals: Totals, below: readonly ReceiptRow[]): boolean {
  const { totalMinor, subTotalMinor, paidMinor, changeMinor } = totals;
  const times = (wanted: number): number =>
    below.flatMap(({ amounts }) => amounts).filter((amount) => Math.abs(amount.minor) === wanted).length;
  const isPaid = paidMinor !== null && changeMinor !== null && changeMinor > 0 && paidMinor - changeMinor === minor;
  const isSubtotal = minor === subTotalMinor && totalMinor !== null && totalMinor !== minor;
  return times(minor) > 1 || isPaid || (isSubtotal && times(Math.abs(totalMinor - minor)) > 0) || isTaxed(minor, below);
}

/** Less tells no sum from its neighbours. */
const TELLING_TAX_MINOR = 50;

/** Whether a tax that is printed with its rate is in this sum (`Incl VAT @ 15%  82.70` in 634.00). */
function isTaxed(minor: number, below: readonly ReceiptRow[]): boolean {
  return below.some(({ labels, text, amounts }) => {
    const rate = Number(/(\d{1,2}(?:[.,]\d{1,2})?)\s?%/.exec(text)?.[1]?.replace(",", ".") ?? 0);
    const tax = amounts.at(-1)?.minor ?? 0;
    if (!labels.has("tax") || rate === 0 || tax < TELLING_TAX_MINOR) return false;
    return Math.abs((minor * rate) / (100 + rate) - tax) < 1;
  });
}

/**
 * The one line whose amount, with a digit as it may have been printed, makes a confirmed sum right, however sure the OCR was of it; of several the one
 * that figures on its row multiply to. Where what the lines come to is printed below them they are right; what a rounding explains is no misread digit.
 */
export function withDigitPutRight(
  lines: readonly DraftLine[],
  targets: readonly number[],
  sum: number,
  totals: Totals,
  rows: readonly ReceiptRow[],
  linesEnd: number,
): Change[] {
  const below = rows.slice(linesEnd);
  if (below.some(({ amounts }) => amounts.some(({ minor }) => minor === sum))) return [];
  const unit = lines.every(({ amountMinor }) => amountMinor % 100 === 0) ? 100 : 1;
  const sums = new Set([...targets, totals.subTotalMinor ?? 0]);
  return [...sums].flatMap((target) => {
    if (Math.abs(target - sum) < ROUNDING_UNIT_MINOR * unit && target % (ROUNDING_UNIT_MINOR * unit) === 0) return [];
    const wanted = (line: DraftLine): number => line.amountMinor + target - sum;
    const likely = lines.filter(
      (line) => !line.quantity?.isChecked && !line.isAmountComputed && mayBeReadFor(line.amountMinor, wanted(line)),
    );
    const multiplied = likely.filter((line) => findQuantity([rows[line.rowIndex]!.text], wanted(line))?.isChecked);
    if (multiplied.length === 0 && !isConfirmed(target, totals, below)) return [];
    const [line, second] = multiplied.length > 0 ? multiplied : likely;
    if (!line || second) return [];
    const amountMinor = wanted(line);
    const change = lines.map((one) => (one === line ? { ...one, amountMinor, isAmountComputed: true } : one));
    return [{ change, note: `${line.name}: one digit of the amount put right by the total` }];
  });
}
