import { withFuelNamed } from "./items/fuel-names.ts";
import { listBounds } from "./items/list-bounds.ts";
import type { ListBounds } from "./items/list-bounds.ts";
import { draftLines, sumOfLines } from "./items/lines.ts";
import type { DraftLine } from "./items/lines.ts";
import { withoutRemainders } from "./items/remainders.ts";
import { fuelLine } from "./repair/fuel-slip.ts";
import { withMisplacedAmounts } from "./repair/misplaced-amounts.ts";
import { reconciled } from "./repair/reconcile.ts";
import type { Reconciled } from "./repair/reconcile.ts";
import { classifyRows } from "./rows/classified-rows.ts";
import type { ClassifiedRow } from "./rows/classified-rows.ts";
import { priceColumnOf } from "./rows/price-column.ts";
import type { PriceColumn } from "./rows/price-column.ts";
import type { ReceiptRow } from "./rows/receipt-rows.ts";
import { headingIndex } from "./rows/row-kinds.ts";
import { readTotals } from "./totals/totals.ts";
import type { Totals } from "./totals/totals.ts";

// Passes 7 to 13 of parse.ts: the list of goods and the totals below it.

/** The list of a receipt and its totals. */
export interface ListReading extends Reconciled {
  rows: readonly ClassifiedRow[];
  column: PriceColumn;
  bounds: ListBounds;
  /** The lines before they were compared with the totals. */
  drafts: readonly DraftLine[];
  totals: Totals;
}

/** Takes amounts anywhere on a row: for paper that was bent or cut, and for print without a column. */
const ANYWHERE: PriceColumn = { left: -Infinity, right: Infinity };

/**
 * Reads the list with the price column where most of its rows have an amount. If it doesn't add up without a repair,
 * other columns are tried, then amounts beside the column. The first reading that adds up without a repair wins;
 * if none does, the first one stays.
 */
export function readList(rows: readonly ReceiptRow[]): ListReading {
  const left = Math.min(...rows.map((row) => row.left));
  const width = Math.max(1, Math.max(...rows.map((row) => row.right)) - left);
  const usual = readListIn(rows, priceColumnOf(columnRows(rows), width));
  if (isExact(usual)) return usual;
  const others = [priceColumnOf(rows, width), ANYWHERE].map((column) => readListIn(rows, column));
  // Of the lines those are no goods that are the total of the other reading, or more: sums and payments.
  const goodsBelow = (sum: number | null) => usual.lines.filter(({ amountMinor }) => amountMinor < (sum ?? 0)).length;
  const linesMin = ({ totals }: ListReading) => Math.max(2, goodsBelow(totals.totalMinor));
  return (
    others.find((other) => isExact(other) && other.lines.length >= linesMin(other)) ??
    readWithoutRemainders(usual) ??
    readMisplacedAmounts(usual) ??
    readUnnamed(usual) ??
    readFuelSlip(usual) ??
    usual
  );
}

/** A total with a lower score may be another one. Set by hand on the development receipts. */
const DOUBTFUL_SCORE = 0.4;

/**
 * Reads the list up to where arithmetic says that it ends, for rows of taxes and other sums above the total whose words
 * are not known or were misread. Null if it doesn't add up then.
 */
function readUnnamed({ rows, column, totals }: ListReading): ListReading | null {
  const reading = readListIn(rows, column, true);
  const isSameTotal = reading.totals.totalMinor === totals.totalMinor;
  return isExact(reading) && (isSameTotal || totals.totalScore < DOUBTFUL_SCORE) ? reading : null;
}

/** Reads a slip of fuel without a list: one line that is the total. Null if it is none. */
function readFuelSlip(usual: ListReading): ListReading | null {
  const { totalMinor } = usual.totals;
  const line = usual.isBalanced || totalMinor === null ? null : fuelLine(usual.rows, totalMinor);
  if (line === null) return null;
  const bounds = { ...usual.bounds, start: line.rowIndex };
  return { ...usual, bounds, lines: [line], drafts: [line], isBalanced: true, repairs: [] };
}

/** Reads the list without prices that are printed again less their discounts. Null if it doesn't add up then. */
function readWithoutRemainders({ rows, column }: ListReading): ListReading | null {
  const without = withoutRemainders(rows);
  if (without === null) return null;
  const reading = readListIn(without.rows, column);
  return isExact(reading) && without.last < reading.bounds.end ? reading : null;
}

function isExact({ isBalanced, repairs }: Reconciled): boolean {
  return isBalanced && repairs.length === 0;
}

/** Passes 7 to 12: the list and its totals, read with one price column. */
function readListIn(rows: readonly ReceiptRow[], column: PriceColumn, isUnnamed = false): ListReading {
  const classified = classifyRows(rows, column);
  const bounds = listBounds(classified, isUnnamed);
  const draft = draftLines(classified, bounds);
  const unchecked = draft.lines.filter(({ quantity }) => quantity?.isChecked !== true);
  const totals = readTotals(classified, bounds.end, {
    sumMinor: sumOfLines(draft.lines),
    doubtful: draft.unpriced.length > 0 ? null : unchecked.map(({ amountMinor }) => amountMinor),
  });
  const found = reconciled(draft, totals, classified, bounds);
  return {
    ...found,
    lines: withFuelNamed(found.lines, classified),
    rows: classified,
    column,
    bounds,
    drafts: draft.lines,
    totals,
  };
}

/**
 * Rows above the first amount in the column whose own amount may be misplaced. Set by hand on the development receipts.
 */
const ROWS_ABOVE = 6;

/** Pass 13: the list with misplaced amounts if exactly one choice of them makes it add up; otherwise null. */
function readMisplacedAmounts({ rows, column, bounds, drafts, totals }: ListReading): ListReading | null {
  if (drafts.length === 0) return null;
  const missing = [totals.totalMinor, totals.subTotalMinor].flatMap((sum) =>
    sum === null ? [] : [sum - sumOfLines(drafts)],
  );
  const range = { from: Math.max(headingIndex(rows) + 1, bounds.start - ROWS_ABOVE), to: bounds.end };
  const found = withMisplacedAmounts(rows, range, column, missing);
  const reading = found && readListIn(found.rows, found.column);
  if (!reading || !isExact(reading)) return null;
  return { ...reading, repairs: ["amounts beside the column or without their point included"] };
}

/**
 * Returns the rows whose amounts decide where the price column is: those of the list, from its heading to the first
 * total. If they have no amounts, all rows except tables of taxes and fields of the header.
 */
function columnRows(rows: readonly ReceiptRow[]): ReceiptRow[] {
  const heading = headingIndex(rows);
  const end = rows.findIndex((row, index) => index > heading && row.kinds.has("total"));
  const isField = (row: ReceiptRow): boolean => row.labels.has("head") && row.text.includes(":");
  const list = rows.slice(heading + 1, end < 0 ? rows.length : end).filter((row) => !isField(row));
  if (list.some((row) => row.amounts.some(({ isUnitPrice }) => !isUnitPrice))) return list;
  return rows.filter((row) => !row.labels.has("tax") && !isField(row));
}
