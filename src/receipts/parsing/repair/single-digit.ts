import type { DraftLine } from "../items/lines.ts";
import type { Repair } from "./repair.ts";
import { findQuantity } from "../items/quantities.ts";
import { ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import { mayBeReadFor } from "../rows/misread-digits.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { Totals } from "../totals/totals.ts";

/**
 * Whether a sum is confirmed below the list. Then the lines are wrong and not the sum. It is confirmed if it is printed
 * twice, if it is the payment less the change, if it is a subtotal that makes the total with a printed tax or charge,
 * or if a printed tax was computed from it.
 */
function isConfirmed(minor: number, totals: Totals, below: readonly ReceiptRow[]): boolean {
  const { totalMinor, subTotalMinor, paidMinor, changeMinor } = totals;
  const times = (wanted: number): number =>
    below.flatMap(({ amounts }) => amounts).filter((amount) => Math.abs(amount.minor) === wanted).length;
  const isPaid = paidMinor !== null && changeMinor !== null && changeMinor > 0 && paidMinor - changeMinor === minor;
  const isSubtotal = minor === subTotalMinor && totalMinor !== null && totalMinor !== minor;
  return times(minor) > 1 || isPaid || (isSubtotal && times(Math.abs(totalMinor - minor)) > 0) || isTaxed(minor, below);
}

/** A smaller tax fits neighbouring sums too. Set by hand on the development receipts. */
const TAX_MIN = 50;

/** Whether a tax that is printed with its rate is the tax in this sum (`Incl VAT @ 15%  82.70` in 634.00). */
function isTaxed(minor: number, below: readonly ReceiptRow[]): boolean {
  return below.some(({ labels, text, amounts }) => {
    const rate = Number(/(\d{1,2}(?:[.,]\d{1,2})?)\s?%/.exec(text)?.[1]?.replace(",", ".") ?? 0);
    const tax = amounts.at(-1)?.minor ?? 0;
    if (!labels.has("tax") || rate === 0 || tax < TAX_MIN) return false;
    return Math.abs((minor * rate) / (100 + rate) - tax) < 1;
  });
}

/**
 * Corrects the one line whose amount, with one digit replaced by a similar one, makes a confirmed sum right, however
 * high the OCR's score was. Of several such lines it takes the one whose row has a quantity and a price with that
 * product. If the sum of the lines is printed below them they are right as read; and a difference that rounding
 * explains is no misread digit.
 */
export function digitRepairs(
  lines: readonly DraftLine[],
  targets: readonly number[],
  sum: number,
  totals: Totals,
  rows: readonly ReceiptRow[],
  linesEnd: number,
): Repair[] {
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
    const corrected = lines.map((one) => (one === line ? { ...one, amountMinor, isAmountComputed: true } : one));
    return [{ lines: corrected, note: `${line.name}: one digit of the amount corrected from the total` }];
  });
}
