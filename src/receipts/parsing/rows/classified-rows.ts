import { amountInColumn } from "./price-column.ts";
import type { PriceColumn } from "./price-column.ts";
import type { PlacedAmount, ReceiptRow } from "./receipt-rows.ts";

/**
 * A row with everything that the list, the totals and the repairs ask of it: its amounts, labels and kinds
 * (which do not depend on the column) and its place relative to the price column.
 */
export interface ClassifiedRow extends ReceiptRow {
  /** The amount in the price column; null if the row has none there. */
  columnAmount: PlacedAmount | null;
  /** Whether the text of the row goes on into the price column; true if there is no column. */
  reachesColumn: boolean;
}

/** Classifies the rows once for a price column. The passes after this one read the result and ask no row again. */
export function classifyRows(rows: readonly ReceiptRow[], column: PriceColumn): ClassifiedRow[] {
  return rows.map((row) => ({
    ...row,
    columnAmount: amountInColumn(row, column),
    reachesColumn: column === null || row.right >= column.left,
  }));
}
