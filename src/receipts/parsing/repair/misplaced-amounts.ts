import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { isName, nameOn } from "../rows/names.ts";
import { MARKS } from "../rows/price-column.ts";
import type { PriceColumn } from "../rows/price-column.ts";
import { toReceiptRows } from "../rows/receipt-rows.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";

// Amounts that are not read as such because they are beside their column or lost their point. They are included if the
// list adds up with them in exactly one way.

/** A row with a misplaced amount, and the row that it is to be read as. */
interface Misplaced {
  row: ReceiptRow;
  corrected: ReceiptRow;
}

/** With more rows some choice adds up by chance. Set by hand on the development receipts. */
const MISPLACED_MAX = 6;
/** An amount without its point at the end of the last cell: `589`, `145 A`, `186 2`, `249O A`, `100S SR 5830`. */
const WITHOUT_POINT = /^(?<before>.*\s)?(?<sign>-?)(?<whole>[1-9]\d{0,2})(?<cents>[\dO]{2})(?<marks>\s?[A-Z\d]?)$/;

/**
 * Returns the rows with those misplaced amounts that add up to one of the sums `missing`, and the column that includes
 * them; null if no choice of them does, or more than one. Searched are rows from `from` to before `to`.
 */
export function withMisplacedAmounts(
  rows: readonly ClassifiedRow[],
  { from, to }: { from: number; to: number },
  column: PriceColumn,
  missing: readonly number[],
): { rows: ReceiptRow[]; column: PriceColumn } | null {
  const misplaced = rows.slice(from, to).flatMap((row) => misplacedOn(row) ?? []);
  if (column === null || misplaced.length === 0 || misplaced.length > MISPLACED_MAX) return null;
  const [choice, second] = subsetsOf(misplaced).filter((subset) => missing.includes(sumOfMisplaced(subset)));
  if (!choice || second) return null;
  const correctedOf = new Map(choice.map(({ row, corrected }) => [row, corrected]));
  const corrected = rows.map((row) => correctedOf.get(row) ?? row);
  return { rows: corrected, column: { ...column, beside: new Set(correctedOf.values()) } };
}

function misplacedOn(row: ClassifiedRow): Misplaced | null {
  if (row.kinds.has("total") || row.columnAmount !== null) return null;
  const corrected = withPoint(row);
  const amount = corrected.amounts.at(-1);
  if (!amount || amount.isUnitPrice || !MARKS.test(corrected.text.slice(amount.end))) return null;
  return isName(nameOn(corrected.text, amount, false)) ? { row, corrected } : null;
}

/** Returns the row with a point in the figures at its end. */
function withPoint(row: ReceiptRow): ReceiptRow {
  const last = row.cells.length - 1;
  const match = last > 0 ? WITHOUT_POINT.exec(row.cells[last]!.text) : null;
  if (!match) return row;
  const { before = "", sign, whole, cents, marks } = match.groups as Record<string, string>;
  const text = `${before}${sign}${whole}.${cents!.replaceAll("O", "0")}${marks}`;
  const cells = row.cells.with(last, { ...row.cells[last]!, text });
  return toReceiptRows([{ ...row, cells, text: cells.map((cell) => cell.text).join("  ") }])[0]!;
}

function sumOfMisplaced(misplaced: readonly Misplaced[]): number {
  return misplaced.reduce((sum, { corrected }) => sum + corrected.amounts.at(-1)!.minor, 0);
}

function subsetsOf<T>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>((subsets, one) => [...subsets, ...subsets.map((subset) => [...subset, one])], [[]]).slice(1);
}
