import type { DraftLine } from "../items/lines.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { Repair } from "./repair.ts";

// Some tills print the goods at what they cost in the end, and below them the usual price and what was saved, for
// information: `KAHVI 7,95`, `NORM. 8,95`, `ALENNUS -1,00`.

/** One discount may be what a misread digit lacks by chance, two hardly. */
const DISCOUNTS_MIN = 2;

/**
 * Returns the lines without discounts and usual prices; null if nothing shows that the prices are after them: a usual
 * price, a saving without a sign, or several discounts.
 */
export function atNetPrices(lines: readonly DraftLine[], rows: readonly ReceiptRow[]): Repair | null {
  const isDiscount = ({ kind, rowIndex }: DraftLine): boolean =>
    kind === "discount" || rows[rowIndex]!.labels.has("discount");
  /** Whether a line is the price of the one above before the discount below. */
  const isUsualPrice = ({ amountMinor }: DraftLine, i: number): boolean => {
    const [net, discount] = [lines[i - 1], lines[i + 1]];
    if (!net || !discount || !isDiscount(discount)) return false;
    return amountMinor - Math.abs(discount.amountMinor) === net.amountMinor;
  };
  const discounts = lines.filter(isDiscount);
  const usual = lines.filter((line, i) => !isDiscount(line) && isUsualPrice(line, i));
  const isShown =
    discounts.length >= DISCOUNTS_MIN || usual.length > 0 || discounts.some(({ amountMinor }) => amountMinor > 0);
  const net = lines.filter((line) => !discounts.includes(line) && !usual.includes(line));
  return discounts.length === 0 || !isShown || net.length === 0
    ? null
    : { lines: net, note: "discounts left out: the prices are those after them" };
}
