import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { headingIndex } from "../rows/row-kinds.ts";
import type { RowKind } from "../rows/row-kinds.ts";

/** Rows from `start` (first amount of the list) to before `end` (first total). `isSummed`: the total is the sum of all amounts between. */
export interface ListBounds {
  start: number;
  end: number;
  isSummed: boolean;
}

/** Kinds of rows that are no goods although they have an amount in the column. */
const NO_GOODS: readonly RowKind[] = ["total", "headerField", "barePayment", "tip", "columnWords"];

/** Where the list of items begins and ends: from the first row with an amount in the column to the first row of a total. */
export function listBounds(rows: readonly ClassifiedRow[]): ListBounds {
  const isPriced = (row: ClassifiedRow): boolean =>
    row.columnAmount !== null && !NO_GOODS.some((kind) => row.kinds.has(kind));
  const heading = headingIndex(rows);
  const total = totalIndex(rows, heading + 1);
  // What is called a total and is a part of the sum is goods (`FUEL TOTAL 36.26`).
  const isPart = (row: ClassifiedRow, index: number): boolean =>
    total.isSummed && index < total.index && row.kinds.has("total") && row.columnAmount !== null;
  const first = rows.findIndex((row, index) => index > heading && (isPriced(row) || isPart(row, index)));
  // A list under a heading whose amounts all lost their points.
  if (heading >= 0 && total.index > heading + 1 && (first < 0 || first > total.index))
    return { start: heading + 1, end: total.index, isSummed: false };
  if (first < 0) return { start: 0, end: 0, isSummed: false };
  let { index: end, isSummed } = totalIndex(rows, first + 1, first);
  if (end < 0) end = paymentIndex(rows, first);
  if (end >= 0 && !isSummed) {
    end = endOfSections(rows, first, end);
    end = beforeUnknownSums(rows, first, end);
  }
  // Taxes put on top stand between the goods and the total.
  while (end > first + 1 && rows[end - 1]!.kinds.has("tax")) end--;
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
function endOfSections(rows: readonly ClassifiedRow[], first: number, end: number): number {
  let [goods, taxes, sectionGoods] = [0, 0, 0];
  let isSecondSection = false;
  let lastEnd = end;
  for (const [index, row] of rows.entries()) {
    const minor = row.amounts.at(-1)?.minor;
    if (index < first || minor === undefined) continue;
    if (row.kinds.has("total")) {
      isSecondSection ||= index > end && minor > 0 && minor === sectionGoods && sectionGoods !== goods;
      sectionGoods = 0;
      if (isSecondSection && (minor === goods || minor === goods + taxes)) lastEnd = index;
    } else if (row.labels.has("tax") || row.labels.has("taxTotal")) taxes += minor;
    else if (row.columnAmount !== null && !BELOW_LIST.some((label) => row.labels.has(label))) {
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
function beforeUnknownSums(rows: readonly ClassifiedRow[], first: number, end: number): number {
  const total = rows[end]?.amounts.at(-1)?.minor;
  const amounts = rows
    .slice(first, end)
    .map((row) => (NO_SUMMANDS.some((label) => row.labels.has(label)) ? 0 : (row.columnAmount?.minor ?? 0)));
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
function totalIndex(rows: readonly ClassifiedRow[], from: number, first = from): { index: number; isSummed: boolean } {
  const called = rows.findIndex((row, index) => index >= from && row.kinds.has("total"));
  let sum = 0;
  let count = 0;
  let taxStart = -1;
  let tax = 0;
  for (const [index, row] of rows.entries()) {
    const inColumn = index < first ? undefined : row.columnAmount?.minor;
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
      if ((called < 0 || index > called || isAgain) && !doesListGoOn(rows, index, sum + minor))
        return { index: taxStart >= 0 ? taxStart : index, isSummed: true };
    }
    if (row.kinds.has("tax")) {
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
function doesListGoOn(rows: readonly ClassifiedRow[], index: number, sum: number): boolean {
  let goods = 0;
  let taxes = 0;
  for (const row of rows.slice(index + 1)) {
    const minor = row.columnAmount?.minor ?? 0;
    if (row.kinds.has("total")) {
      const total = row.amounts.at(-1)?.minor;
      return goods >= GOODS_BELOW_MIN || (total !== undefined && (total === sum || total === sum + taxes));
    }
    if (row.kinds.has("payment")) return goods >= GOODS_BELOW_MIN;
    if (row.kinds.has("tax")) taxes += minor;
    else if (!NO_SUMMANDS.some((label) => row.labels.has(label))) sum += minor;
    if (minor !== 0 && row.labels.size === 0 && /\p{L}{3}/u.test(row.text)) goods++;
  }
  return goods >= GOODS_BELOW_MIN;
}

function isPaidBelow(rows: readonly ClassifiedRow[], index: number, minor: number): boolean {
  return rows
    .slice(index + 1)
    .some((row) => row.kinds.has("payment") && row.amounts.some((amount) => amount.minor === minor));
}

/** The first payment below the list: it covers what stands above, unlike goods with such words (`GREETING CARD 6.29`). */
function paymentIndex(rows: readonly ClassifiedRow[], first: number): number {
  let sum = 0;
  return rows.findIndex((row, index) => {
    if (index < first) return false;
    if (index > first && row.kinds.has("payment") && (row.kinds.has("barePayment") || row.amounts.at(-1)!.minor >= sum))
      return true;
    sum += row.columnAmount?.minor ?? 0;
    return false;
  });
}
