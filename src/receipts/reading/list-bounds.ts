import { amountInColumn, type PriceColumn } from "./price-column.ts";
import type { ReceiptRow } from "./receipt-rows.ts";
import { headingIndex, isHeadingOnly, isPayment, isTaxOnly, isTip, isTotalRow } from "./row-kinds.ts";

/** Rows from `start` (first amount of the list) to before `end` (first total). `isSummed`: the total is the sum of all amounts between. */
export type ListBounds = { start: number; end: number; isSummed: boolean };

/** Where the list of items begins and ends: from the first row with an amount in the column to the first row of a total. */
export function listBounds(rows: readonly ReceiptRow[], column: PriceColumn): ListBounds {
  const isPriced = (row: ReceiptRow): boolean =>
    amountInColumn(row, column) !== null &&
    ![isTotalRow, isHeading, isPaymentOnly, isTip, isHeadingOnly].some((isOther) => isOther(row));
  const heading = headingIndex(rows);
  const total = totalIndex(rows, heading + 1, column);
  // What is called a total and is a part of the sum is goods (`FUEL TOTAL 36.26`).
  const isPart = (row: ReceiptRow, index: number): boolean =>
    total.isSummed && index < total.index && isTotalRow(row) && amountInColumn(row, column) !== null;
  const first = rows.findIndex((row, index) => index > heading && (isPriced(row) || isPart(row, index)));
  // A list under a heading whose amounts all lost their points.
  if (heading >= 0 && total.index > heading + 1 && (first < 0 || first > total.index))
    return { start: heading + 1, end: total.index, isSummed: false };
  if (first < 0) return { start: 0, end: 0, isSummed: false };
  let { index: end, isSummed } = totalIndex(rows, first + 1, column, first);
  if (end < 0) end = paymentIndex(rows, first, column);
  if (end >= 0 && !isSummed) end = endOfSections(rows, column, first, end);
  // Taxes put on top stand between the goods and the total.
  while (end > first + 1 && isTaxOnly(rows[end - 1]!)) end--;
  return {
    start: first,
    end: end < 0 ? rows.length : end,
    isSummed: isSummed || (total.isSummed && end === total.index),
  };
}

/**
 * Invoices with sections: where goods below the first total have a total of their own too, the list goes on to the one that all goods, and the taxes
 * between them, add up to. Else `end`.
 */
function endOfSections(rows: readonly ReceiptRow[], column: PriceColumn, first: number, end: number): number {
  let [goods, taxes, sectionGoods] = [0, 0, 0];
  let isSecondSection = false;
  let lastEnd = end;
  for (const [index, row] of rows.entries()) {
    const minor = row.amounts.at(-1)?.minor;
    if (index < first || minor === undefined) continue;
    if (isTotalRow(row)) {
      isSecondSection ||= index > end && minor > 0 && minor === sectionGoods && sectionGoods !== goods;
      sectionGoods = 0;
      if (isSecondSection && (minor === goods || minor === goods + taxes)) lastEnd = index;
    } else if (row.labels.has("tax") || row.labels.has("taxTotal")) taxes += minor;
    else if (amountInColumn(row, column) !== null && !BELOW_LIST.some((label) => row.labels.has(label))) {
      goods += minor;
      sectionGoods += minor;
    }
  }
  return lastEnd;
}

/** What is printed below the last total only, or is no money to pay. */
const BELOW_LIST = ["cash", "card", "change", "savings", "count", "rounding"] as const;

/** Lines before a total whose sum it is: fewer may add up by chance, unless that is what was paid. */
const SUMMED_LINES_MIN = 3;

/**
 * The first total at or after `from`. What is called so may be goods (`COLGATE TOTAL 3.50`) and the true word may be misread; so a row that is
 * the sum of the amounts above it, taxes on top included, ends the list where it stands again below or no row is called a total.
 */
function totalIndex(
  rows: readonly ReceiptRow[],
  from: number,
  column: PriceColumn,
  first = from,
): { index: number; isSummed: boolean } {
  const called = rows.findIndex((row, index) => index >= from && isTotalRow(row));
  let sum = 0;
  let count = 0;
  let taxStart = -1;
  let tax = 0;
  for (const [index, row] of rows.entries()) {
    const inColumn = index < first ? undefined : amountInColumn(row, column)?.minor;
    // The total itself may stand beside the column: items have a tax mark behind their amounts, it has none.
    const minor = inColumn ?? (index === called ? row.amounts.at(-1)?.minor : undefined);
    if (!minor || (index !== called && (row.labels.has("savings") || row.labels.has("count")))) continue;
    if (index === called && (minor === sum || minor === sum + tax)) break;
    if (
      index >= from &&
      (count >= SUMMED_LINES_MIN || (count > 1 && isPaidBelow(rows, index, minor))) &&
      minor > 0 &&
      (minor === sum || (tax > 0 && minor === sum + tax))
    ) {
      const isAgain = rows.slice(index + 1).some((other) => other.amounts.some((amount) => amount.minor === minor));
      if (called < 0 || index > called || isAgain) return { index: taxStart >= 0 ? taxStart : index, isSummed: true };
    }
    if (isTaxOnly(row)) {
      if (taxStart < 0) taxStart = index;
      tax += minor;
    } else {
      taxStart = -1;
      sum += minor + tax;
      tax = 0;
      count++;
    }
  }
  return { index: called, isSummed: false };
}

function isPaidBelow(rows: readonly ReceiptRow[], index: number, minor: number): boolean {
  return rows.slice(index + 1).some((row) => isPaymentRow(row) && row.amounts.some((amount) => amount.minor === minor));
}

/** The first payment below the list: it covers what stands above, unlike goods with such words (`GREETING CARD 6.29`). */
function paymentIndex(rows: readonly ReceiptRow[], first: number, column: PriceColumn): number {
  let sum = 0;
  return rows.findIndex((row, index) => {
    if (index < first) return false;
    if (index > first && isPaymentRow(row) && (isPaymentOnly(row) || row.amounts.at(-1)!.minor >= sum)) return true;
    sum += amountInColumn(row, column)?.minor ?? 0;
    return false;
  });
}

function isPaymentRow({ amounts, labels }: ReceiptRow): boolean {
  return amounts.length > 0 && (isPayment(labels) || labels.has("change"));
}

/** `CASH  100.00`, `VISA  9.20`: nothing a shop sells. */
function isPaymentOnly(row: ReceiptRow): boolean {
  return (
    isPaymentRow(row) &&
    row.text.replace(/[^A-Za-z]/g, "").length <= 12 &&
    /^\W*(?:cash|card|visa|master|change|bargeld|tunai)/i.test(row.text)
  );
}

function isHeading(row: ReceiptRow): boolean {
  return row.labels.has("head") && !row.amounts.some((amount) => amount.isMarked) && /:/.test(row.text);
}
