import type { Label } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";

/** An amount with the labels of its row, or of the row above it. */
export interface Labelled {
  minor: number;
  labels: ReadonlySet<Label>;
  row: ReceiptRow;
  index: number;
  /** Number of amounts on the row. */
  figures: number;
}

/**
 * Returns each labelled row with its last amount, or with that of the next row if only that one has an amount and no
 * label.
 */
export function labelledAmounts(rows: readonly ReceiptRow[], from: number): Labelled[] {
  return rows.slice(from).flatMap((row, i) => {
    const index = from + i;
    const next = rows[index + 1];
    const amounts =
      row.amounts.length === 0 && row.labels.size > 0 && next?.labels.size === 0 ? next.amounts : row.amounts;
    const minor = amounts.at(-1)?.minor;
    return minor === undefined || row.labels.size === 0
      ? []
      : [{ minor, labels: row.labels, row, index, figures: amounts.length }];
  });
}
