import { arithmeticEnd } from "./arithmetic-end.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { headingIndex } from "../rows/row-kinds.ts";
import type { RowKind } from "../rows/row-kinds.ts";
import { beforeUnknownSums, endOfSections } from "./list-end.ts";
import { totalIndex } from "./list-total.ts";

/** The list: rows from `start` (its first amount) to before `end` (its total). */
export interface ListBounds {
  start: number;
  end: number;
  /** The total is the sum of all amounts in the list. */
  isSummed: boolean;
}

/** Kinds of rows that are no goods although they have an amount in the column. */
const NO_GOODS: readonly RowKind[] = ["total", "headerField", "barePayment", "tip", "columnWords"];

/**
 * Finds the list of items: from the first row with an amount in the column to the first row of a total. `isUnnamed`:
 * where the total is shows arithmetic alone, whatever words the rows have.
 */
export function listBounds(rows: readonly ClassifiedRow[], isUnnamed = false): ListBounds {
  const isPriced = (row: ClassifiedRow): boolean =>
    row.columnAmount !== null && !NO_GOODS.some((kind) => row.kinds.has(kind));
  const heading = headingIndex(rows);
  const total = totalIndex(rows, heading + 1);
  // A row that is called a total and is a part of the sum is goods (`FUEL TOTAL 36.26`).
  const isPart = (row: ClassifiedRow, index: number): boolean =>
    total.isSummed && index < total.index && row.kinds.has("total") && row.columnAmount !== null;
  const first = rows.findIndex((row, index) => index > heading && (isPriced(row) || isPart(row, index)));
  // A list under a heading whose amounts all lost their points.
  if (heading >= 0 && total.index > heading + 1 && (first < 0 || first > total.index))
    return { start: heading + 1, end: total.index, isSummed: false };
  if (first < 0) return { start: 0, end: 0, isSummed: false };
  let { index: end, isSummed } = (isUnnamed ? arithmeticEnd(rows, first) : null) ?? totalIndex(rows, first + 1, first);
  if (end < 0) end = paymentIndex(rows, first);
  if (end >= 0 && !isSummed) {
    end = endOfSections(rows, first, end);
    end = beforeUnknownSums(rows, first, end);
  }
  const table = taxTable(rows, first, end);
  if (table > first) end = table;
  // Taxes on top are printed between the goods and the total.
  while (end > first + 1 && rows[end - 1]!.kinds.has("tax")) end--;
  return {
    start: first,
    end: end < 0 ? rows.length : end,
    isSummed: isSummed || (total.isSummed && end === total.index),
  };
}

/**
 * Returns the index of the names of a table of taxes between the goods and the total, over rows of figures alone:
 * `Taxable value  Tax %  Tax Amount`; -1 if there is none.
 */
function taxTable(rows: readonly ClassifiedRow[], first: number, end: number): number {
  return rows.findIndex(
    (row, i) =>
      i > first &&
      i < end &&
      row.kinds.has("columnHeadings") &&
      row.labels.has("tax") &&
      !/\p{L}{3}/u.test(rows[i + 1]?.text ?? "AAA"),
  );
}

/**
 * Returns the index of the first payment below the list. It covers the sum of the rows above it, unlike goods with such
 * words (`GREETING CARD 6.29`).
 */
function paymentIndex(rows: readonly ClassifiedRow[], first: number): number {
  let sum = 0;
  return rows.findIndex((row, index) => {
    if (index < first) return false;
    const coversSum = row.kinds.has("barePayment") || (row.amounts.at(-1)?.minor ?? 0) >= sum;
    if (index > first && row.kinds.has("payment") && coversSum) return true;
    sum += row.columnAmount?.minor ?? 0;
    return false;
  });
}
