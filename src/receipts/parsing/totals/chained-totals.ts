import { differsByOneDigit, ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import { isRoundedBy } from "../rows/coins.ts";
import { someOf } from "../rows/chained-sums.ts";
import { ADDED_MAX, isMadeOf, mayLackRow } from "./misread-totals.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { mayBeReadFor } from "../rows/misread-digits.ts";
import { isPayment, isTotal, mayHaveBeen, ROUNDING_MINOR_MAX } from "../rows/row-kinds.ts";

/** A total that is an earlier sum plus all amounts between them (service, taxes, rounding). */
export interface ChainedTotal {
  minor: number;
  /** The earlier total; null if it was a subtotal. */
  earlierMinor: number | null;
  /** The printed total has one wrong digit: the computed sum is printed further down, or is a rounded one. */
  isMisread: boolean;
}

/**
 * Returns the totals from row `from` on that are the sum of an earlier one and the amounts between. `linesSumMinor` is
 * the sum of the list.
 */
export function chainedTotals(rows: readonly ReceiptRow[], from: number, linesSumMinor: number): ChainedTotal[] {
  const found: ChainedTotal[] = [];
  let sum: number | null = null;
  let earlierMinor: number | null = null;
  let added: number[] = [];
  let hasTip = false;
  let hasPayment = false;
  /** The sum is that of the list and of what was added to it: both are read right. */
  let isCertain = false;
  /** What the sum is if the total read last had one wrong digit. */
  let ifMisread: number | null = null;
  for (const [index, row] of rows.entries()) {
    if (index >= from && sum !== null && added.length > 0 && isDamagedSum(row, sum))
      found.push({ minor: sum, earlierMinor, isMisread: true });
    const minor = row.amounts.at(-1)?.minor;
    if (index < from || minor === undefined || minor === 0 || isSuggestion(row)) continue;
    // Two deposits and their own sum, below the total of the goods: `OPAKOWANIA ZWROTNE SUMA  1,50`.
    if (added.length > 0 && isTotal(row.labels) && minor === sumOf(added)) continue;
    const isPaidSum = minor === sum && hasTip && isPayment(row.labels);
    // `REST DE PLATA` has the word for change in it.
    const isNamed = isTotal(row.labels) || (row.labels.has("total") && minor === sum);
    if (!isPaidSum && !isBareSum(row, minor, sum, added) && !isNamed && !row.labels.has("subtotal")) {
      // The card slip prints the total again before the tip.
      if (sum === null || (minor === sum && added.length === 0)) continue;
      sum += minor;
      ifMisread = ifMisread === null ? null : ifMisread + minor;
      added.push(minor);
      hasTip ||= row.kinds.has("tip");
      hasPayment ||= isPayment(row.labels);
      // What is paid is not added.
      isCertain = isCertain && !isPayment(row.labels) && !row.labels.has("change");
      continue;
    }
    const isNearly: boolean = sum !== null && added.length > 0 && differsByOneDigit(minor, sum);
    const isMisread: boolean =
      sum !== null &&
      isNearly &&
      (isPrintedBelow(rows, index, sum) ||
        (isRoundingAlone(sum, added) && minor % ROUNDING_UNIT_MINOR !== 0) ||
        (isCertain && isOnlyTotalMisread(minor, sum, added)));
    // `TOTAL 15.68`, `DEBIT 35.68`, `CASH BACK 20.00`, `TOTAL PURCHASE 35.68`
    const isOfSome: boolean =
      sum !== null && !isMisread && !hasPayment && isMadeOfSome(rows, index, minor, sum - sumOf(added), added);
    // `Item Total  34.00`, `Sub Total  34.00`: the second is no total.
    const isRepeated = minor === sum && added.length === 0 && row.labels.has("subtotal");
    const made: number | null = isOfSome ? minor : sum;
    const isMade = sum !== null && (minor === made || isMisread) && !isRepeated;
    if (isMade && !found.some((total) => total.minor === made))
      // The misread figure loses what speaks for it to the sum.
      found.push({ minor: made!, earlierMinor: earlierMinor === made ? null : (earlierMinor ?? (isMisread ? minor : null)), isMisread }); // prettier-ignore
    // `SUBTOTAL 56.50`, `TAX 5.02`, `TOTAL 51.52`, `TIP 10.20`, `TOTAL 71.72`: the last one shows that it was 61.52.
    if (minor === ifMisread && minor !== sum) found.push({ minor, earlierMinor, isMisread: false });
    ifMisread = isNearly ? sum : null;
    isCertain = minor === linesSumMinor;
    sum = isMisread ? sum : minor;
    earlierMinor = isTotal(row.labels) || isPaidSum ? minor : null;
    added = [];
    hasTip = false;
    hasPayment = false;
  }
  return found;
}

/**
 * Whether a total is made of an earlier sum and of some of what is between them; the rest is no charge (`SUBTOTAL
 * 13.49`, `VOUCHERS LEFT 16.20`, `DEPOSIT 0.05`, `TOTAL 13.54`).
 */
function isMadeOfSome(
  rows: readonly ReceiptRow[],
  index: number,
  minor: number,
  earlier: number,
  added: readonly number[],
): boolean {
  if (!isTotal(rows[index]!.labels) || added.length === 0 || added.length > ADDED_MAX || minor === earlier)
    return false;
  const rest = rows.slice(index + 1).flatMap(({ amounts }) => amounts.at(-1)?.minor ?? []);
  return someOf([...added, minor, ...rest], [...added.keys()], added.length, minor - earlier) !== null;
}

/** Whether a row suggests a tip that nobody gave yet: `GRATUITY 18% suggested 6.26`. */
function isSuggestion({ labels }: ReceiptRow): boolean {
  return labels.has("note") && !isTotal(labels);
}

function sumOf(minors: readonly number[]): number {
  return minors.reduce((sum, minor) => sum + minor, 0);
}

/**
 * Whether a row is a total without a known word. Its amount is the sum. It also has no letters (the word is on another
 * row), or it has no label and sums up several amounts, or one small rounding.
 */
function isBareSum(row: ReceiptRow, minor: number, sum: number | null, added: readonly number[]): boolean {
  if (minor !== sum || row.amounts.length !== 1) return false;
  const isOfSeveral = row.labels.size === 0 && (added.length > 1 || isRoundingAlone(minor, added));
  return isOfSeveral || !/\p{L}/u.test(row.text);
}

/** Whether all that was added is one small rounding, and the sum is rounded: `87.08`, `Rounding 0.02`, `87.10`. */
function isRoundingAlone(sum: number, added: readonly number[]): boolean {
  return added.length === 1 && Math.abs(added[0]!) <= ROUNDING_MINOR_MAX && isRoundedBy(sum - added[0]!, added[0]!);
}

/** `SUBTOTAL 43.25`, `TAX 3.57`, `TOTAL 45.82`: the total is misread, since the tax cannot have been 2.57. */
function isOnlyTotalMisread(minor: number, sum: number, added: readonly number[]): boolean {
  return (
    mayBeReadFor(minor, sum) &&
    !mayLackRow(minor, sum) &&
    !isMadeOf(minor, sum - sumOf(added), added) &&
    !added.some((one) => mayBeReadFor(one, one + minor - sum))
  );
}

/** Whether a row has the word for a total, and the sum without its point or its last figures: `GRAND TOTAL  5247`. */
function isDamagedSum(row: ReceiptRow, sum: number): boolean {
  if (row.amounts.length > 0 || !isTotal(row.labels)) return false;
  return mayHaveBeen(row, sum) || /(?<![\d.,])\d{3,}\s*$/.exec(row.text)?.[0].trim() === String(sum);
}

function isPrintedBelow(rows: readonly ReceiptRow[], index: number, minor: number): boolean {
  return rows.slice(index + 1).some(({ amounts }) => amounts.some((amount) => amount.minor === minor));
}
