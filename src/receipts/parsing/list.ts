import { draftLines, sumOf } from "./items/lines.ts";
import type { DraftLine } from "./items/lines.ts";
import { listBounds } from "./items/list-bounds.ts";
import type { ListBounds } from "./items/list-bounds.ts";
import { priceColumnOf } from "./rows/price-column.ts";
import type { PriceColumn } from "./rows/price-column.ts";
import type { ReceiptRow } from "./rows/receipt-rows.ts";
import { reconciled } from "./repair/reconcile.ts";
import type { Reconciled } from "./repair/reconcile.ts";
import { headingIndex } from "./rows/row-kinds.ts";
import { classifyRows } from "./rows/classified-rows.ts";
import type { ClassifiedRow } from "./rows/classified-rows.ts";
import { withStrays } from "./repair/misplaced-amounts.ts";
import { readTotals } from "./totals/totals.ts";
import type { Totals } from "./totals/totals.ts";

/** The goods of a receipt and what stands below them. `drafts` are its lines before their arithmetic was weighed. */
export type ListReading = Reconciled & {
  bounds: ListBounds;
  drafts: readonly DraftLine[];
  totals: Totals;
  rows: readonly ClassifiedRow[];
};

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
  return others.find(isBetter) ?? listWithStrays(rows, usual, width) ?? usual;
}

/** Rows above the first amount in the column that may have lost theirs. */
const ROWS_ABOVE = 6;

/** The list with strays, where there is one choice of them with which it adds up; else null. */
function listWithStrays(rows: readonly ReceiptRow[], usual: ListReading, width: number): ListReading | null {
  const { bounds, drafts, totals } = usual;
  if (drafts.length === 0) return null;
  const wanted = [totals.totalMinor, totals.subTotalMinor].flatMap((sum) =>
    sum === null ? [] : [sum - sumOf(drafts)],
  );
  const column = priceColumnOf(listCandidates(rows), width);
  const range = { from: Math.max(headingIndex(rows) + 1, bounds.start - ROWS_ABOVE), to: bounds.end };
  const strays = withStrays(usual.rows, range, column, wanted);
  const reading = strays && listIn(strays.rows, strays.column);
  if (!reading?.isBalanced || reading.repairs.length > 0) return null;
  return { ...reading, repairs: ["amounts beside the column or without their point taken in"] };
}

function listIn(rows: readonly ReceiptRow[], column: PriceColumn): ListReading {
  const classified = classifyRows(rows, column);
  const bounds = listBounds(classified);
  const list = draftLines(classified, bounds);
  const totals = readTotals(classified, bounds.end, sumOf(list.lines));
  return { ...reconciled(list, totals, classified, bounds), bounds, drafts: list.lines, totals, rows: classified };
}

/** Rows that may tell where the price column is: those of the list, from its heading to the first total; where there are none, all but tables. */
function listCandidates(rows: readonly ReceiptRow[]): ReceiptRow[] {
  const heading = headingIndex(rows);
  const end = rows.findIndex((row, index) => index > heading && row.kinds.has("total"));
  const list = rows
    .slice(heading + 1, end < 0 ? rows.length : end)
    .filter((row) => !(row.labels.has("head") && row.text.includes(":")));
  if (list.some((row) => row.amounts.some(({ isUnitPrice }) => !isUnitPrice))) return list;
  return rows.filter((row) => !row.labels.has("tax") && !(row.labels.has("head") && row.text.includes(":")));
}
