import type { ReceiptRow } from "../rows/receipt-rows.ts";

/**
 * Returns the rows without the amounts of those from `from` on that name a saving, points or a balance. By chance such
 * an amount is any sum, or the difference of two, so it is evidence for none. With a minus it is taken off.
 */
export function withoutInformation<Row extends ReceiptRow>(rows: readonly Row[], from: number): Row[] {
  return rows.map((row, i) => {
    const above = rows[i - 1];
    const isBelowWord =
      above !== undefined && i > from && isInforming(above) && isBare(row) && above.amounts.length === 0;
    return i >= from && (isInforming(row) || isBelowWord) ? { ...row, amounts: [] } : row;
  });
}

function isInforming({ labels, amounts }: ReceiptRow): boolean {
  return labels.has("savings") && (amounts.at(-1)?.minor ?? 0) >= 0;
}

/** `BONUS SALDO` over `12,50`. */
function isBare({ labels, text }: ReceiptRow): boolean {
  return labels.size === 0 && !/\p{L}/u.test(text);
}
