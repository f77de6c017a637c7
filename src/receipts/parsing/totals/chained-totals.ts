import { differsByOneDigit } from "../rows/amounts.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isPayment, isTotal, ROUNDING_MINOR_MAX } from "../rows/row-kinds.ts";

/**
 * A total that is an earlier one plus all that stands between them (service, taxes, rounding); `earlierMinor` is null where that was a subtotal.
 * `isMisread`: the figure beside its word is another by a digit, and the sum stands below.
 */
export interface ChainedTotal {
  minor: number;
  earlierMinor: number | null;
  isMisread: boolean;
}

/** The totals from row `from` on that what stands above them makes. */
export function chainedTotals(rows: readonly ReceiptRow[], from: number): ChainedTotal[] {
  const found: ChainedTotal[] = [];
  let sum: number | null = null;
  let earlierMinor: number | null = null;
  let added: number[] = [];
  let hasTip = false;
  const isPrintedBelow = (index: number, minor: number): boolean =>
    rows.slice(index + 1).some(({ amounts }) => amounts.some((amount) => amount.minor === minor));
  for (const [index, row] of rows.entries()) {
    const minor = row.amounts.at(-1)?.minor;
    if (index < from || minor === undefined || minor === 0) continue;
    // Figures alone, the word for them on a row of their own: the sum says that they are a total. So it does for words that are not
    // known, where it is of several figures or rounds the total; so is what was paid with the tip.
    const isRounded = added.length === 1 && Math.abs(added[0]!) <= ROUNDING_MINOR_MAX && minor % 5 === 0;
    const isOfSeveral = row.labels.size === 0 && (added.length > 1 || isRounded);
    const isBareSum = minor === sum && row.amounts.length === 1 && (isOfSeveral || !/\p{L}/u.test(row.text));
    const isPaidSum = minor === sum && hasTip && isPayment(row.labels);
    if (!isBareSum && !isPaidSum && !isTotal(row.labels) && !row.labels.has("subtotal")) {
      // The slip says the total again before the tip.
      if (sum === null || (minor === sum && added.length === 0)) continue;
      sum += minor;
      added.push(minor);
      hasTip ||= row.kinds.has("tip");
      continue;
    }
    const isMisread = sum !== null && added.length > 0 && differsByOneDigit(minor, sum) && isPrintedBelow(index, sum);
    if (sum !== null && (minor === sum || isMisread) && !found.some((total) => total.minor === sum))
      found.push({ minor: sum, earlierMinor: earlierMinor === sum ? null : earlierMinor, isMisread });
    sum = minor;
    earlierMinor = isTotal(row.labels) || isPaidSum ? minor : null;
    added = [];
    hasTip = false;
  }
  return found;
}
