import { draftLines, type DraftLine } from "./lines.ts";
import { listBounds, type ListBounds } from "./list-bounds.ts";
import { isName, nameOn } from "./names.ts";
import { amountInColumn, MARKS, priceColumnOf, type PriceColumn } from "./price-column.ts";
import type { ReceiptRow } from "./receipt-rows.ts";
import { reconciled, sumOf, type Reconciled } from "./reconcile.ts";
import { headingIndex, isTotalRow } from "./row-kinds.ts";
import { readTotals, type Totals } from "./totals.ts";

/** The goods of a receipt and what stands below them. `drafts` are its lines before their arithmetic was weighed. */
export type ListReading = Reconciled & { bounds: ListBounds; drafts: readonly DraftLine[]; totals: Totals };

/** Amounts anywhere on a row: of paper that was bent or cut, or print that has no column. */
const ANYWHERE: PriceColumn = { left: -Infinity, right: Infinity };

/** Reads the list with the price column that most of its rows speak for; where that doesn't add up, with others, and the first that does holds. */
export function readList(rows: readonly ReceiptRow[]): ListReading {
  const left = Math.min(...rows.map((row) => row.left));
  const width = Math.max(1, Math.max(...rows.map((row) => row.right)) - left);
  const usual = listIn(rows, priceColumnOf(listCandidates(rows), width));
  if (usual.isBalanced && usual.repairs.length === 0) return usual;
  const others = [priceColumnOf(rows, width), ANYWHERE].map((column) => listIn(rows, column));
  const linesMin = Math.max(2, usual.lines.length);
  const isBetter = ({ isBalanced, repairs, lines }: ListReading): boolean =>
    isBalanced && repairs.length === 0 && lines.length >= linesMin;
  return others.find(isBetter) ?? withStrays(rows, usual, width) ?? usual;
}

/** More of them than this add up to anything. */
const STRAYS_MAX = 6;

/** The list with amounts that stand beside its column, where there is one choice of them with which it adds up; else null. */
function withStrays(rows: readonly ReceiptRow[], usual: ListReading, width: number): ListReading | null {
  const column = priceColumnOf(listCandidates(rows), width);
  const { bounds, drafts, totals } = usual;
  const strays = rows.slice(bounds.start, bounds.end).filter((row) => isStray(row, column));
  if (strays.length === 0 || strays.length > STRAYS_MAX || drafts.length === 0) return null;
  const wanted = [totals.totalMinor, totals.subTotalMinor].flatMap((sum) =>
    sum === null ? [] : [sum - sumOf(drafts)],
  );
  const choices = subsetsOf(strays).filter((choice) => wanted.includes(endsOf(choice)));
  if (choices.length !== 1) return null;
  const reading = listIn(rows, { ...column!, beside: new Set(choices[0]) });
  return reading.isBalanced && reading.repairs.length === 0 ? reading : null;
}

/** Whether a row ends in an amount beside the column, with a name before it. */
function isStray(row: ReceiptRow, column: PriceColumn): boolean {
  const amount = row.amounts.at(-1);
  if (!amount || amount.isUnitPrice || amountInColumn(row, column) !== null || isTotalRow(row)) return false;
  return MARKS.test(row.text.slice(amount.end)) && isName(nameOn(row.text, amount, false));
}

function endsOf(rows: readonly ReceiptRow[]): number {
  return rows.reduce((sum, { amounts }) => sum + amounts.at(-1)!.minor, 0);
}

function subsetsOf<T>(all: readonly T[]): T[][] {
  return all.reduce<T[][]>((subsets, one) => [...subsets, ...subsets.map((subset) => [...subset, one])], [[]]).slice(1);
}

function listIn(rows: readonly ReceiptRow[], column: PriceColumn): ListReading {
  const bounds = listBounds(rows, column);
  const list = draftLines(rows, column, bounds);
  const totals = readTotals(rows, bounds.end, sumOf(list.lines));
  return { ...reconciled(list, totals, rows, bounds), bounds, drafts: list.lines, totals };
}

/** Rows that may tell where the price column is: those of the list, from its heading to the first total; where there are none, all but tables. */
function listCandidates(rows: readonly ReceiptRow[]): ReceiptRow[] {
  const heading = headingIndex(rows);
  const end = rows.findIndex((row, index) => index > heading && isTotalRow(row));
  const list = rows
    .slice(heading + 1, end < 0 ? rows.length : end)
    .filter((row) => !(row.labels.has("head") && row.text.includes(":")));
  if (list.some((row) => row.amounts.some(({ isUnitPrice }) => !isUnitPrice))) return list;
  return rows.filter((row) => !row.labels.has("tax") && !(row.labels.has("head") && row.text.includes(":")));
}
