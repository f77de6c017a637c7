import { findAmounts, type PrintedAmount } from "./amounts.ts";
import { labelsOf, type Label } from "./labels.ts";
import type { Row } from "./read.ts";

/** An amount with the place of its right edge on the page, in deskewed pixels. */
export type PlacedAmount = PrintedAmount & { right: number };

/** A row with what its figures and words say. */
export type ReceiptRow = Row & { amounts: readonly PlacedAmount[]; labels: ReadonlySet<Label> };

/** A right edge this far from the column's, as a share of the text's width, still belongs to it. */
const COLUMN_TOLERANCE = 0.07;

/** Rows with their amounts and labels found. */
export function toReceiptRows(rows: readonly Row[]): ReceiptRow[] {
  return rows.map((row) => ({
    ...row,
    amounts: findAmounts(row.text).map((amount) => ({ ...amount, right: xAt(row, amount.end) })),
    labels: labelsOf(row.text),
  }));
}

/** Where on the page a place in a row's text stands; cells are joined by two spaces, letters are taken as equally wide. */
function xAt(row: Row, index: number): number {
  let start = 0;
  for (const cell of row.cells) {
    const end = start + cell.text.length;
    if (index <= end) return cell.left + ((cell.right - cell.left) * Math.max(0, index - start)) / cell.text.length;
    start = end + 2;
  }
  return row.right;
}

/** The column that line amounts end at: `left` to `right` of an amount's right edge; null where there are no amounts. */
export type PriceColumn = { left: number; right: number } | null;

/** The place where most rows' last amounts end; of two as frequent the one further right. */
export function priceColumnOf(rows: readonly ReceiptRow[], textWidth: number): PriceColumn {
  const edges = rows.flatMap((row) => row.amounts.at(-1)?.right ?? []);
  const reach = COLUMN_TOLERANCE * textWidth;
  let best: number | null = null;
  let bestCount = 0;
  for (const edge of edges) {
    const count = edges.filter((other) => Math.abs(other - edge) <= reach / 2).length + edge / (100 * textWidth);
    if (count > bestCount) {
      best = edge;
      bestCount = count;
    }
  }
  return best === null ? null : { left: best - reach, right: best + 3 * reach };
}

/** The amount of a row that stands in the column. */
export function amountInColumn(row: ReceiptRow, column: PriceColumn): PlacedAmount | null {
  if (column === null) return null;
  return row.amounts.findLast((amount) => amount.right >= column.left && amount.right <= column.right) ?? null;
}
