import type { ChainedTotal } from "./chained-totals.ts";
import type { Labelled } from "./labelled.ts";
import { differsByOneDigit, ROUNDING_UNIT_MINOR } from "../rows/amounts.ts";
import { someOf } from "../rows/chained-sums.ts";
import { mayBeReadFor } from "../rows/misread-digits.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isTotal } from "../rows/row-kinds.ts";

// A printed total with a misread or lost digit, which the goods, the payment or the taxes give away.

/** A single row is hardly ever half as much as all others. Set by hand on typed receipts. */
const LOST_ROW_FACTOR = 1.5;

/** The list: the sum of its lines, and the amounts among them that may be misread; null if some amounts are missing. */
export interface ListSum {
  sumMinor: number;
  doubtful: readonly number[] | null;
}

/**
 * Returns what the totals beside their word are instead:
 *
 * - A figure with one digit more, if that is the sum of the list, or was paid by card: `TOTAL 4.62`, `VISA 41.62`. A
 *   digit is easily lost, but none is read where there is none.
 * - The sum of the list, if the total is that with a similar digit (`TOTAL 15.40` for 16.40), and the sum is printed
 *   below, or the payment or the taxes say so, or no line could have that digit misread. It stays if it may be more
 *   because a row was not read.
 *
 * - What was paid, if the goods or an earlier sum make it with what is between, or a card's slip repeats it, and the
 *   total has one digit of it wrong.
 *
 * A total that the list and what is between make is right.
 */
export function misreadTotals(
  labelled: readonly Labelled[],
  payments: readonly Labelled[],
  netPayments: readonly { minor: number }[],
  rows: readonly ReceiptRow[],
  linesEnd: number,
  { sumMinor, doubtful }: ListSum,
): ChainedTotal[] {
  const below = rows.slice(linesEnd);
  const printed = below.flatMap(({ amounts }) => amounts.map(({ minor }) => minor));
  const isPrintedAgain = (minor: number): boolean =>
    rows.filter(({ amounts }) => amounts.some((other) => other.minor === minor)).length > 1;
  // The card and its slip.
  const isTwice = (minor: number): boolean => printed.filter((other) => other === minor).length > 1;
  const cards = payments.flatMap(({ minor, labels }) => (labels.has("card") ? [minor] : []));
  const totals = labelled.filter(({ labels, figures }) => isTotal(labels) && figures === 1);
  return totals.flatMap(({ minor: read, index }) => {
    // `TOTAL 383.73`, `ROUNDING 0.27`, `TO PAY 334.00`: the one to pay is below, whatever the first one is.
    const isFirst = totals.some((other) => other.index > index && ![read, sumMinor].includes(other.minor));
    if (isFirst || read === sumMinor || isPrintedAgain(read)) return [];
    const above = { linesEnd, index, sumMinor };
    // `SUBTOTAL 38.00`, `TAX 3.00`, `TOTAL 41.00`, `DEBIT 61.00`, `CASH BACK 20.00`.
    if (isMadeAbove(read, labelled, rows, above)) return [];
    // `TOTAL 6.40`, `CASHBACK 10.00`, `CARD 16.40`.
    const isCashBack = (minor: number): boolean => printed.includes(minor - read);
    const paidMinor = [...cards, ...netPayments.map(({ minor }) => minor)].find(
      (minor) =>
        isNear(read, minor) && !isCashBack(minor) && (isTwice(minor) || isMadeAbove(minor, labelled, rows, above)),
    );
    if (paidMinor !== undefined) return [{ minor: paidMinor, earlierMinor: read, isMisread: true }];
    // `SUBTOTAL 26.88`, `COUPON -2.00`, `TAX 1.95`, `TOTAL 26.83`.
    if (isMadeOf(read, sumMinor, chargesIn(rows.slice(linesEnd, index)))) return [];
    // `PACK 6  5,10` read as 65,10 makes the sum of `TOTAL 8,55` 68,55.
    const gap = sumMinor - read;
    const isLineMisread = doubtful?.some((minor) => areAlike(minor, minor - gap)) !== false;
    const paid = cards.filter((minor) => !isCashBack(minor));
    const whole = [...(isLineMisread ? [] : [sumMinor]), ...paid].find((minor) => hasDigitMore(minor, read));
    // `52.36` and `52.35`, `SUBTOTAL 21.35`, `BAG 0.50` and `TOTAL 21.85` differ by one digit as well.
    const isSum =
      areAlike(read, sumMinor) &&
      !cards.some((minor) => minor !== sumMinor && isNear(read, minor)) &&
      !isRoundingOf(read, sumMinor) &&
      !printed.some((minor) => Math.abs(minor) === Math.abs(gap)) &&
      (below.some((row) => !row.labels.has("subtotal") && row.amounts.some(({ minor }) => minor === sumMinor)) ||
        isPaid(sumMinor, payments, printed) ||
        isTaxed(sumMinor, below) ||
        (!isLineMisread && !mayLackRow(read, sumMinor)));
    const minor = whole ?? (isSum ? sumMinor : null);
    return minor === null ? [] : [{ minor, earlierMinor: read, isMisread: true }];
  });
}

/** Whether one digit was misread or lost. With two other readings against it, it may be any. */
function isNear(read: number, printed: number): boolean {
  return read !== printed && (differsByOneDigit(read, printed) || mayBeReadFor(read, printed));
}

/** Whether an amount is the goods, or a sum above a total, with some of what is between that and the total. */
function isMadeAbove(
  minor: number,
  labelled: readonly Labelled[],
  rows: readonly ReceiptRow[],
  { linesEnd, index, sumMinor }: { linesEnd: number; index: number; sumMinor: number },
): boolean {
  const sums = labelled.filter((sum) => sum.index < index && (isTotal(sum.labels) || sum.labels.has("subtotal")));
  return [{ minor: sumMinor, index: linesEnd - 1 }, ...sums].some((sum) => {
    // A discount may have no sign.
    const between = rows.slice(sum.index + 1, index).flatMap((row) =>
      chargesIn([row]).map((one) => (row.labels.has("discount") ? -Math.abs(one) : one)),
    ); // prettier-ignore
    // It is confirmed: it was paid.
    return minor === sum.minor || someOf([...between, minor, minor], [...between.keys()], between.length, minor - sum.minor) !== null; // prettier-ignore
  });
}

/** Returns the sum of several payments: voucher and card. */
function togetherOf(payments: readonly Labelled[]): number[] {
  return payments.length > 1 ? [payments.reduce((sum, { minor }) => sum + minor, 0)] : [];
}

/** Returns the amounts that are no sums. */
function chargesIn(rows: readonly ReceiptRow[]): number[] {
  const others = rows.filter(({ labels }) => !isTotal(labels) && !labels.has("subtotal"));
  return others.flatMap(({ amounts }) => amounts.at(-1)?.minor ?? []);
}

/** Whether a total is a sum rounded to five cents, or to a whole unit of money or five of them. */
function isRoundingOf(total: number, sum: number): boolean {
  const gap = Math.abs(total - sum);
  return [ROUNDING_UNIT_MINOR, 100, 100 * ROUNDING_UNIT_MINOR].some((unit) => total % unit === 0 && gap < unit);
}

/** Whether a total may be more than a sum because a row was not read at all: one of those that are mostly small. */
export function mayLackRow(total: number, sum: number): boolean {
  return total > sum && total < LOST_ROW_FACTOR * sum;
}

/** With more rows between two sums some choice adds up by chance. */
export const ADDED_MAX = 5;

/**
 * Whether a total is right as read, because some of what is printed between it and an earlier sum makes it: the rest is
 * no charge (`SUBTOTAL 16.69`, `CLUB BALANCE 2.00`, `TOTAL 16.69`), or a discount has no sign (`SUBTOTAL 6.09`,
 * `DISCOUNT 5.00`, `TOTAL 1.09`). Where much is between, it may be.
 */
export function isMadeOf(total: number, earlier: number, between: readonly number[]): boolean {
  if (between.length > ADDED_MAX) return true;
  return between.reduce((sums, one) => sums.flatMap((sum) => [sum, sum + one, sum - one]), [earlier]).includes(total);
}

/** Whether one of two amounts may have been read for the other. */
function areAlike(a: number, b: number): boolean {
  return mayBeReadFor(a, b) || mayBeReadFor(b, a);
}

function hasDigitMore(minor: number, read: number): boolean {
  return String(minor).length > String(read).length && mayBeReadFor(read, minor);
}

/** Whether a sum is what was paid less the change (`20.00`, `3.60`, whatever their words), or several payments. */
function isPaid(sum: number, payments: readonly Labelled[], printed: readonly number[]): boolean {
  const isCashAndChange = printed.some(
    (paid, i) => paid > sum && printed.slice(i + 1, i + 3).some((change) => change > 0 && paid - change === sum),
  );
  return isCashAndChange || togetherOf(payments).includes(sum);
}

/** Whether the net amounts and the taxes below the list add up to a sum, or the gross ones of a table do. */
function isTaxed(sum: number, below: readonly ReceiptRow[]): boolean {
  const net = below
    .filter(({ labels }) => labels.has("tax") && !isTotal(labels))
    .flatMap(({ amounts }) => amounts.map(({ minor }) => minor));
  const gross = below.flatMap(({ amounts }) => {
    const [most = 0, net = 0, tax = 0] = amounts.map(({ minor }) => minor).sort((a, b) => b - a);
    return amounts.length === 3 && net + tax === most ? [most] : [];
  });
  return [net, gross].some((all) => all.length > 1 && all.reduce((a, b) => a + b, 0) === sum);
}
