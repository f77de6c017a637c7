import { arithmeticEnd } from "./arithmetic-end.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { isInformation } from "../rows/row-kinds.ts";

/** The row that ends the list as its total; `index` -1 if there is none. */
export interface ListTotal {
  index: number;
  /** It is the sum of the amounts above it. */
  isSummed: boolean;
}

/**
 * Fewer lines may add up to the next amount by chance, unless that is also the payment. Set by hand on the development
 * receipts.
 */
const SUMMED_LINES_MIN = 3;

/** The amounts above a row: goods, and the taxes that follow them without goods in between. */
interface RunningSum {
  sum: number;
  count: number;
  taxStart: number;
  tax: number;
}

/**
 * Returns the first total at or after `from`. `first`: the first row whose amount is summed. A row with a total word
 * may be goods (`COLGATE TOTAL 3.50`), and the word of the total may be misread. So a row that is the sum of the
 * amounts above it, taxes on top included, also ends the list, if its amount is repeated below or no row with a total
 * word came before.
 */
export function totalIndex(rows: readonly ClassifiedRow[], from: number, first = from): ListTotal {
  const named = rows.findIndex((row, index) => index >= from && row.kinds.has("total"));
  if (named < 0) {
    const end = arithmeticEnd(rows, first);
    if (end && end.index >= from) return end;
  }
  let running: RunningSum = { sum: 0, count: 0, taxStart: -1, tax: 0 };
  for (const [index, row] of rows.entries()) {
    const inColumn = index < first ? undefined : row.columnAmount?.minor;
    // The total itself may be beside the column: items have a tax mark behind their amounts, it has none.
    const minor = inColumn ?? (index === named ? row.amounts.at(-1)?.minor : undefined);
    if (!minor || (index !== named && isInformation(row))) continue;
    if (index === named && (minor === running.sum || minor === running.sum + running.tax)) break;
    if (index >= from && isSumAbove(rows, index, minor, running)) {
      const isRepeated = rows.slice(index + 1).some((other) => other.amounts.some((amount) => amount.minor === minor));
      if ((named < 0 || index > named || isRepeated) && !doesListGoOn(rows, index, running.sum + minor))
        return { index: running.taxStart >= 0 ? running.taxStart : index, isSummed: true };
    }
    running = added(running, row, index, minor);
  }
  return { index: named, isSummed: false };
}

function added(
  { sum, count, taxStart, tax }: RunningSum,
  row: ClassifiedRow,
  index: number,
  minor: number,
): RunningSum {
  if (row.kinds.has("tax")) return { sum, count, taxStart: taxStart < 0 ? index : taxStart, tax: tax + minor };
  return { sum: sum + minor + tax, count: count + 1, taxStart: -1, tax: 0 };
}

function isSumAbove(
  rows: readonly ClassifiedRow[],
  index: number,
  minor: number,
  { sum, count, tax }: RunningSum,
): boolean {
  if (minor <= 0 || (minor !== sum && !(tax > 0 && minor === sum + tax))) return false;
  return count >= SUMMED_LINES_MIN || (count > 1 && isPaidBelow(rows, index, minor));
}

/** This number of goods below a sum shows that the sum is no total. Set by hand on the development receipts. */
const GOODS_BELOW_MIN = 3;

/**
 * Whether a row is the sum of those above it by chance, e.g. 2.00 + 1.75 + 1.25 = 5.00. (In a simulation, up to one in
 * five lists of twenty round prices had three or more rows that add up to the next one.) Then the goods go on below it,
 * or together with it add up to the named total. `sum` includes the row.
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
    else if (!isInformation(row)) sum += minor;
    if (minor !== 0 && row.labels.size === 0 && /\p{L}{3}/u.test(row.text)) goods++;
  }
  return goods >= GOODS_BELOW_MIN;
}

function isPaidBelow(rows: readonly ClassifiedRow[], index: number, minor: number): boolean {
  return rows
    .slice(index + 1)
    .some((row) => row.kinds.has("payment") && row.amounts.some((amount) => amount.minor === minor));
}
