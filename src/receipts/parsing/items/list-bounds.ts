import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { amountInColumn } from "../rows/price-column.ts";
import type { PriceColumn } from "../rows/price-column.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { headingIndex, isHeadingOnly, isPayment, isTaxOnly, isTip, isTotalRow } from "../rows/row-kinds.ts";

/** Rows from `start` (first amount of the list) to before `end` (first total). `isSummed`: the total is the sum of all amounts between. */
export interface ListBounds {
  start: number;
  end: number;
  isSummed: boolean;
}

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
  if (end >= 0 && !isSummed) {
    end = endOfSections(rows, column, first, end);
    end = beforeUnknownSums(rows, column, first, end);
  }
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

/**
 * Sums whose words are not known stand between the goods and the total (`Food & Beverage 77.65`, `BASE 10% 11.45`, `IVA 10% 1.15`): where the list ends
 * for them, which the total itself tells: it is the goods and what stands below that sum, or goods and sums come to it each. Else `end`.
 */
function beforeUnknownSums(rows: readonly ReceiptRow[], column: PriceColumn, first: number, end: number): number {
  const total = rows[end]?.amounts.at(-1)?.minor;
  const amounts = rows
    .slice(first, end)
    .map((row) => (NO_SUMMANDS.some((label) => row.labels.has(label)) ? 0 : (amountInColumn(row, column)?.minor ?? 0)));
  let rest = amounts.reduce((sum, minor) => sum + minor, 0);
  let sum = 0;
  let count = 0;
  for (const [i, minor] of amounts.entries()) {
    if (minor === 0) continue;
    if (count > 1 && minor === sum && sum + rest - minor === total) return first + i;
    if (count > 0 && sum === total && rest === total) return first + i;
    sum += minor;
    rest -= minor;
    count++;
  }
  return end;
}

/** What only tells of amounts that stand elsewhere. */
const NO_SUMMANDS = ["savings", "count"] as const;

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
    if (!minor || (index !== called && NO_SUMMANDS.some((label) => row.labels.has(label)))) continue;
    if (index === called && (minor === sum || minor === sum + tax)) break;
    if (
      index >= from &&
      (count >= SUMMED_LINES_MIN || (count > 1 && isPaidBelow(rows, index, minor))) &&
      minor > 0 &&
      (minor === sum || (tax > 0 && minor === sum + tax))
    ) {
      const isAgain = rows.slice(index + 1).some((other) => other.amounts.some((amount) => amount.minor === minor));
      if ((called < 0 || index > called || isAgain) && !doesListGoOn(rows, index, column, sum + minor))
        return { index: taxStart >= 0 ? taxStart : index, isSummed: true };
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

/** So many goods in a row below a sum say that it is none, though no total is read that says so. */
const GOODS_BELOW_MIN = 3;

/**
 * Whether a row is the sum of those above by chance (2.00, 1.75, 1.25, 5.00: of twenty round prices one in two lists holds such): the goods go on below it,
 * or together with it come to what is called the total. `sum` includes it.
 */
function doesListGoOn(rows: readonly ReceiptRow[], index: number, column: PriceColumn, sum: number): boolean {
  let goods = 0;
  let taxes = 0;
  for (const row of rows.slice(index + 1)) {
    const minor = amountInColumn(row, column)?.minor ?? 0;
    if (isTotalRow(row)) {
      const total = row.amounts.at(-1)?.minor;
      return goods >= GOODS_BELOW_MIN || (total !== undefined && (total === sum || total === sum + taxes));
    }
    if (isPaymentRow(row)) return goods >= GOODS_BELOW_MIN;
    if (isTaxOnly(row)) taxes += minor;
    else if (!NO_SUMMANDS.some((label) => row.labels.has(label))) sum += minor;
    if (minor !== 0 && row.labels.size === 0 && /\p{L}{3}/u.test(row.text)) goods++;
  }
  return goods >= GOODS_BELOW_MIN;
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

const PAYMENT_START = new RegExp(String.raw`^\W*${anyWordOf(wordsOf("paymentStarts"))}`, "i");

/** `CASH  100.00`, `VISA  9.20`: nothing a shop sells. */
function isPaymentOnly(row: ReceiptRow): boolean {
  return isPaymentRow(row) && row.text.replace(/[^A-Za-z]/g, "").length <= 12 && PAYMENT_START.test(row.text);
}

function isHeading(row: ReceiptRow): boolean {
  return row.labels.has("head") && !row.amounts.some((amount) => amount.isMarked) && /:/.test(row.text);
}
