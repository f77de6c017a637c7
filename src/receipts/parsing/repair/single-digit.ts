import type { DraftLine } from "../items/lines.ts";
import type { Repair } from "./repair.ts";
import { likeliestCorrection } from "./price-endings.ts";
import { findQuantity } from "../items/quantities.ts";
import { ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import { mayBeReadFor } from "../rows/misread-digits.ts";
import type { Label } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isTotal } from "../rows/row-kinds.ts";
import { withoutInformation } from "../totals/information.ts";
import type { Totals } from "../totals/totals.ts";

/**
 * Whether a sum is confirmed below the list. Then the lines are wrong and not the sum. It is confirmed if it is printed
 * twice, if it is the payment less the change, if it is a subtotal that makes the total with the taxes and charges
 * between them, if it makes a confirmed total with its rounding, or if a printed tax was computed from it.
 */
function isConfirmed(minor: number, totals: Totals, below: readonly ReceiptRow[]): boolean {
  const { totalMinor, subTotalMinor, roundingMinor, paidMinor, changeMinor } = totals;
  const times = (wanted: number): number =>
    below.flatMap(({ amounts }) => amounts).filter((amount) => Math.abs(amount.minor) === wanted).length;
  const isPaid = paidMinor !== null && changeMinor !== null && changeMinor > 0 && paidMinor - changeMinor === minor;
  const isSubtotal = minor === subTotalMinor && totalMinor !== null && totalMinor !== minor;
  return (
    times(minor) > 1 ||
    isPaid ||
    (isSubtotal && times(Math.abs(totalMinor - minor)) > 0) ||
    isTaxed(minor, below) ||
    (totalMinor !== null &&
      minor !== totalMinor &&
      (minor + (roundingMinor ?? 0) === totalMinor || addedBefore(totalMinor, below) === totalMinor - minor) &&
      isConfirmed(totalMinor, totals, below))
  );
}

/** Labels of what is added between the goods and the total. */
const ADDED: readonly Label[] = ["tax", "taxTotal", "rounding"];

/**
 * Returns what is added right above the total: 2.95 of `SST 1.96`, `TIP 1.00`, `ROUNDING -0.01`, `TOTAL 34.55`; null if
 * nothing is.
 */
function addedBefore(totalMinor: number, below: readonly ReceiptRow[]): number | null {
  const at = below.findIndex(({ labels, amounts }) => isTotal(labels) && amounts.at(-1)?.minor === totalMinor);
  const above = below.slice(0, Math.max(0, at));
  const first = above.findLastIndex(
    ({ labels, kinds, amounts }) =>
      amounts.length > 0 && !kinds.has("tip") && !ADDED.some((label) => labels.has(label)),
  );
  const added = above.slice(first + 1).flatMap(({ amounts }) => amounts.at(-1)?.minor ?? []);
  return added.length === 0 ? null : added.reduce((sum, minor) => sum + minor, 0);
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
  const below = withoutInformation(rows, linesEnd).slice(linesEnd);
  if (below.some(({ amounts }) => amounts.some(({ minor }) => minor === sum))) return [];
  const unit = lines.every(({ amountMinor }) => amountMinor % 100 === 0) ? 100 : 1;
  const { totalMinor, subTotalMinor } = totals;
  const added = totalMinor === null ? null : addedBefore(totalMinor, below);
  const sums = new Set([...targets, subTotalMinor ?? 0, ...(added === null ? [] : [totalMinor! - added])]);
  return [...sums].flatMap((target) => {
    if (Math.abs(target - sum) < ROUNDING_UNIT_MINOR * unit && target % (ROUNDING_UNIT_MINOR * unit) === 0) return [];
    const wanted = (line: DraftLine): number => line.amountMinor + target - sum;
    const likely = lines.filter(
      (line) => !line.quantity?.isChecked && !line.isAmountComputed && mayBeReadFor(line.amountMinor, wanted(line)),
    );
    const multiplied = likely.filter((line) => findQuantity([rows[line.rowIndex]!.text], wanted(line))?.isChecked);
    if (multiplied.length === 0 && !isConfirmed(target, totals, below)) return [];
    const possible = (multiplied.length > 0 ? multiplied : likely).map((line) => ({ line, wanted: wanted(line) }));
    const found = possible.length === 1 ? possible[0] : likeliestCorrection(possible, lines);
    if (!found) return [];
    const { line, wanted: amountMinor } = found;
    const corrected = lines.map((one) => (one === line ? { ...one, amountMinor, isAmountComputed: true } : one));
    return [{ lines: corrected, note: `${line.name}: one digit of the amount corrected from the total` }];
  });
}
