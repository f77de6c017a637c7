import type { Label } from "./rows/labels.ts";
import type { ReceiptRow } from "./rows/receipt-rows.ts";

/** Parts of a receipt that were found. */
export interface ReceiptParts {
  rows: readonly ReceiptRow[];
  hasLines: boolean;
  hasTotal: boolean;
  hasDate: boolean;
  hasMerchant: boolean;
}

/**
 * A picture with this score or more is a receipt: an amount and two more parts. Set by hand on the development
 * receipts.
 */
export const RECEIPT_SCORE_MIN = 0.4;

/** Share of each part; together 1. Set by hand on the development receipts. */
const SHARE = { totalWord: 0.25, lines: 0.2, total: 0.2, date: 0.15, payment: 0.15, merchant: 0.05 } as const;

/** Returns how complete a receipt is, 0 to 1: the sum of the shares of its parts that were found. */
export function receiptScoreOf({ rows, hasLines, hasTotal, hasDate, hasMerchant }: ReceiptParts): number {
  const hasLabel = (...wanted: readonly Label[]): boolean =>
    rows.some(({ labels }) => wanted.some((label) => labels.has(label)));
  const score =
    (hasLines ? SHARE.lines : 0) +
    (hasTotal ? SHARE.total : 0) +
    (hasDate ? SHARE.date : 0) +
    (hasMerchant ? SHARE.merchant : 0) +
    (hasLabel("total", "subtotal") ? SHARE.totalWord : 0) +
    (hasLabel("cash", "card", "tax") ? SHARE.payment : 0);
  return Math.round(100 * score) / 100;
}
