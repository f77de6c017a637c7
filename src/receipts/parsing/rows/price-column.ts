import type { PlacedAmount, ReceiptRow } from "./receipt-rows.ts";

/** The column that line amounts end at: `left` to `right` of an amount's right edge; null where there are no amounts. Of the rows `beside` it amounts count wherever they end. */
export type PriceColumn = { left: number; right: number; beside?: ReadonlySet<ReceiptRow> } | null;

/** A right edge this far from the column's, as a share of the text's width, still belongs to it. */
const COLUMN_TOLERANCE = 0.07;

/** The place where most rows' last amounts end; of two as frequent the one further right. */
export function priceColumnOf(rows: readonly ReceiptRow[], textWidth: number): PriceColumn {
  const edges = rows.flatMap((row) => row.amounts.findLast(({ isUnitPrice }) => !isUnitPrice)?.right ?? []);
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
  return best === null ? null : { left: best - reach, right: best + 1.2 * reach };
}

/** What may stand behind an amount within the column: a tax mark or two (`0.17 *`, `2,49 A *`). */
export const MARKS = /^\s*(?:[A-Z*#]{0,2}|[A-Z]\d|\d{1,2}|EUR|CHF)\s?\*?$/i;

/** The amount of a row that stands in the column, by itself or with its tax mark. */
export function amountInColumn(row: ReceiptRow, column: PriceColumn): PlacedAmount | null {
  if (column === null) return null;
  const isInside = (right: number): boolean => right >= column.left && right <= column.right;
  return (
    row.amounts.findLast(
      ({ isUnitPrice, right, end }) =>
        !isUnitPrice &&
        (column.beside?.has(row) || isInside(right) || (isInside(row.right) && MARKS.test(row.text.slice(end)))),
    ) ?? null
  );
}
