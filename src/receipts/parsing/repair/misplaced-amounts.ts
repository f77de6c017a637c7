import { isName, nameOn } from "../rows/names.ts";
import { MARKS } from "../rows/price-column.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import type { PriceColumn } from "../rows/price-column.ts";
import { toReceiptRows } from "../rows/receipt-rows.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";

// Amounts that are read as none because they stand beside their column or lost their point: taken in where the list adds up with them in one way only.

/** A row with the one it is to be read as. */
interface Stray {
  row: ReceiptRow;
  read: ReceiptRow;
}

/** More of them than this add up to anything. */
const STRAYS_MAX = 6;
/** `589`, `145 A`, `186 2`, `249O A` in a cell of its own: its point was lost. */
const POINTLESS = /^(?<sign>-?)(?<whole>[1-9]\d{0,2})(?<cents>[\dO]{2})(?<marks>\s?[A-Z\d]?)$/;

/**
 * The rows from `from` to before `to` read with those strays that make up one of the sums `wanted`, and the column that takes them in; null where none
 * or more than one choice of them does.
 */
export function withStrays(
  rows: readonly ClassifiedRow[],
  { from, to }: { from: number; to: number },
  column: PriceColumn,
  wanted: readonly number[],
): { rows: ReceiptRow[]; column: PriceColumn } | null {
  const strays = rows.slice(from, to).flatMap((row) => strayOf(row) ?? []);
  if (column === null || strays.length === 0 || strays.length > STRAYS_MAX) return null;
  const [choice, second] = subsetsOf(strays).filter((subset) => wanted.includes(sumOf(subset)));
  if (!choice || second) return null;
  const readAs = new Map(choice.map(({ row, read }) => [row, read]));
  const read = rows.map((row) => readAs.get(row) ?? row);
  return { rows: read, column: { ...column, beside: new Set(readAs.values()) } };
}

function strayOf(row: ClassifiedRow): Stray | null {
  if (row.kinds.has("total") || row.columnAmount !== null) return null;
  const read = withPoint(row);
  const amount = read.amounts.at(-1);
  if (!amount || amount.isUnitPrice || !MARKS.test(read.text.slice(amount.end))) return null;
  return isName(nameOn(read.text, amount, false)) ? { row, read } : null;
}

/** The row with a point in the figures that end it. */
function withPoint(row: ReceiptRow): ReceiptRow {
  const last = row.cells.length - 1;
  const match = last > 0 ? POINTLESS.exec(row.cells[last]!.text) : null;
  if (!match) return row;
  const { sign, whole, cents, marks } = match.groups as Record<string, string>;
  const text = `${sign}${whole}.${cents!.replaceAll("O", "0")}${marks}`;
  const cells = row.cells.with(last, { ...row.cells[last]!, text });
  return toReceiptRows([{ ...row, cells, text: cells.map((cell) => cell.text).join("  ") }])[0]!;
}

function sumOf(strays: readonly Stray[]): number {
  return strays.reduce((sum, { read }) => sum + read.amounts.at(-1)!.minor, 0);
}

function subsetsOf<T>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>((subsets, one) => [...subsets, ...subsets.map((subset) => [...subset, one])], [[]]).slice(1);
}
