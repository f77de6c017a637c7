import { SIGN_BEHIND } from "../languages/currency-signs.ts";
import type { PlacedAmount, ReceiptRow } from "./receipt-rows.ts";

/** Range of the right edges of the lines' amounts; null if there are no amounts. */
export type PriceColumn = {
  left: number;
  right: number;
  /** Rows with an amount beside the column that belongs to it. */
  beside?: ReadonlySet<ReceiptRow>;
} | null;

/** Width of the column as a share of the text's width. Set by hand on the development receipts. */
const COLUMN_TOLERANCE = 0.07;

/** Returns the column where most rows' last amounts end; of two with as many rows the one further right. */
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

/** Text that may follow an amount within the column: a tax mark or two (`0.17 *`, `2,49 A *`). */
export const MARKS = new RegExp(String.raw`^\s*(?:[A-Z*#]{0,2}|[A-Z]\d|\d{1,2}|${SIGN_BEHIND})\s?\*?$`, "i");

/** Returns the amount of a row that ends in the column, alone or with its tax mark. */
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
