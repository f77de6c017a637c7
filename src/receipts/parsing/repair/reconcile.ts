import type { ListBounds } from "../items/list-bounds.ts";
import { sumOfLines } from "../items/lines.ts";
import type { DraftLine, DraftList } from "../items/lines.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isPayment } from "../rows/row-kinds.ts";
import type { Totals } from "../totals/totals.ts";
import { withLateLines } from "./late-lines.ts";
import { lineRepairs } from "./line-repairs.ts";
import { missingAmountRepairs } from "./missing-amount.ts";
import { atNetPrices } from "./net-prices.ts";
import { digitRepairs } from "./single-digit.ts";

/** The lines after they were compared with the totals. */
export interface Reconciled {
  lines: DraftLine[];
  /** The lines add up to the total or subtotal printed below them. */
  isBalanced: boolean;
  /** Corrections that were needed for it. */
  repairs: string[];
}

/**
 * Makes the lines add up if one change does it. Tried in this order:
 *
 * - lines after the subtotal, prices that are after the discounts, quantity × price, a sign,
 * - a figure of the name in the amount, a line that is none, a misread digit of a doubtful line,
 * - a missing amount, then a misread digit of any line.
 *
 * If none does it, the lines stay as read, with those between two totals.
 */
export function reconciled(
  { lines, unpriced }: DraftList,
  totals: Totals,
  rows: readonly ReceiptRow[],
  bounds: ListBounds,
): Reconciled {
  const sum = sumOfLines(lines);
  const targets = targetsOf(totals);
  const { totalMinor, taxMinor } = totals;
  // A tax that is in the prices is no reason to change a line. Lines that differ by exactly the tax are right as they
  // are.
  const beforeTax = totalMinor !== null && taxMinor ? totalMinor - taxMinor : null;
  // A total that is not printed is the sum of the lines itself: it says nothing about them.
  if (sum === totalMinor && !isShown(totals, rows.slice(bounds.end)))
    return { lines: [...lines], isBalanced: false, repairs: [] };
  const net = atNetPrices(lines, rows);
  // `REDUCERE -8,99` and `REDUCERE 8,99` add up to nothing.
  const isSavingAdded = lines.some(
    ({ amountMinor, rowIndex }) => amountMinor > 0 && rows[rowIndex]!.labels.has("discount"),
  );
  if (net && isSavingAdded && targets.includes(sum) && targets.includes(sumOfLines(net.lines)))
    return { lines: net.lines, isBalanced: true, repairs: [net.note] };
  // Where no line was read the sum is 0, and so may be the total less a tax that is none.
  if (targets.includes(sum) || (sum === beforeTax && lines.length > 0))
    return { lines: [...lines], isBalanced: true, repairs: [] };
  const late = withLateLines(lines, rows, bounds, totals);
  if (late?.isBalanced) return late;
  const isPaid = ({ rowIndex }: DraftLine): boolean => isPayment(rows[rowIndex]!.labels);
  for (const repair of [
    ...(net === null ? [] : [net]),
    ...lineRepairs(lines, targets, sum, unpriced.length > 0, isPaid),
    ...missingAmountRepairs(lines, unpriced, targets.toReversed(), sum),
  ]) {
    if (targets.includes(sumOfLines(repair.lines)))
      return { lines: repair.lines, isBalanced: true, repairs: [repair.note] };
  }
  const all = late?.lines ?? lines;
  // With the lines below it, the list adds up to the total and not to the subtotal.
  const sums = late === null ? totals : { ...totals, subTotalMinor: null };
  const [repair] = digitRepairs(all, targets, sumOfLines(all), sums, rows, bounds.end);
  if (repair) return { lines: repair.lines, isBalanced: true, repairs: [repair.note] };
  return { lines: [...all], isBalanced: false, repairs: [] };
}

/** Whether the total is printed below the list, or is the payment less the change. */
function isShown({ totalMinor, paidMinor, changeMinor }: Totals, below: readonly ReceiptRow[]): boolean {
  if (paidMinor !== null && changeMinor !== null && paidMinor - changeMinor === totalMinor) return true;
  return below.some(({ amounts, kinds }) => amounts.some(({ minor }) => minor === totalMinor) || kinds.has("total"));
}

/**
 * Returns the sums that the lines may add up to: the total with and without rounding, and the subtotal if rounding or a
 * tax on top explains its difference from the total. Goods are what was added up first: a lost amount is what is
 * missing to the last of them, to 15.00 of `SUBTOTAL 15.00`, `TAX 1.20`, `TOTAL 16.20`.
 */
function targetsOf({ totalMinor, subTotalMinor, roundingMinor, taxMinor }: Totals): number[] {
  if (totalMinor === null) return subTotalMinor === null ? [] : [subTotalMinor];
  const unrounded = totalMinor - (roundingMinor ?? 0);
  const explained = [totalMinor, unrounded, totalMinor - (taxMinor ?? 0), unrounded - (taxMinor ?? 0)];
  return [
    totalMinor,
    unrounded,
    ...(subTotalMinor !== null && explained.includes(subTotalMinor) ? [subTotalMinor] : []),
  ];
}
