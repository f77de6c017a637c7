import type { DraftLine } from "../items/lines.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import type { Repair } from "./repair.ts";

// Some tills print the goods at what they cost in the end, and below them the usual price and what was saved, for
// information: `KAHVI 7,95`, `NORM. 8,95`, `ALENNUS -1,00`.

/** Returns the lines without discounts and usual prices; null if there are none. */
export function atNetPrices(lines: readonly DraftLine[], rows: readonly ReceiptRow[]): Repair | null {
  const isDiscount = ({ kind, rowIndex }: DraftLine): boolean =>
    kind === "discount" || rows[rowIndex]!.labels.has("discount");
  /** Whether a line is the price of the one above before the discount below. */
  const isUsualPrice = ({ amountMinor }: DraftLine, i: number): boolean => {
    const [net, discount] = [lines[i - 1], lines[i + 1]];
    if (!net || !discount || !isDiscount(discount)) return false;
    return amountMinor - Math.abs(discount.amountMinor) === net.amountMinor;
  };
  const net = lines.filter((line, i) => !isDiscount(line) && !isUsualPrice(line, i));
  return net.length === lines.length || net.length === 0
    ? null
    : { lines: net, note: "discounts left out: the prices are those after them" };
}
