import { areCodesAbove, areNamesAbove, doNamesFollow, labelBefore, nameOf, nearestName } from "./line-names.ts";
import type { Drafting } from "./line-names.ts";
import type { ListBounds } from "./list-bounds.ts";
import { freeGoods, hasCounts, listRows } from "./list-rows.ts";
import type { ListRow } from "./list-rows.ts";
import { countOn, findQuantity } from "./quantities.ts";
import type { Quantity } from "./quantities.ts";
import { priceOf } from "../rows/amounts.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";

/**
 * One line of the list before its arithmetic was checked. `score` is the OCR's score of its row, `rowIndex` the row of
 * its amount.
 */
export interface DraftLine {
  kind: "item" | "discount" | "void";
  name: string;
  quantity: Quantity | null;
  amountMinor: number;
  /** The amount was computed or corrected, not read. */
  isAmountComputed: boolean;
  score: number;
  rowIndex: number;
}

/** A row of the list without an amount. `bareFigures` are figures on it that may be an amount without its point. */
export interface UnpricedRow {
  name: string;
  bareFigures: readonly number[];
  score: number;
  rowIndex: number;
}

/** The list: its lines, and the rows whose amount is missing. */
export interface DraftList {
  lines: readonly DraftLine[];
  unpriced: readonly UnpricedRow[];
}

/**
 * Returns the lines of the list: each amount with its quantity and its name, which may be on the same row, the one
 * before or the one after.
 */
export function draftLines(rows: readonly ClassifiedRow[], bounds: ListBounds): DraftList {
  const hasCountColumn = hasCounts(rows, bounds);
  const list = listRows(rows, bounds, hasCountColumn);
  const free = new Set(freeGoods(list, hasCountColumn));
  const priced = list.filter((row) => free.has(row) || (Boolean(row.amountMinor) && !row.isSkipped));
  const drafting: Drafting = {
    list,
    used: new Set(),
    namesFollow: doNamesFollow(list, priced),
    hasCountColumn,
    areCodesAbove: areCodesAbove(list, priced),
    areNamesAbove: areNamesAbove(list, priced),
  };
  const lines = priced.map((row) => draftLine(drafting, row));
  const all = [...lines, ...computedLines(drafting, bounds)]
    .sort((a, b) => a.rowIndex - b.rowIndex)
    .filter((line, i, sorted) => !isRemainder(line, sorted[i - 1], sorted[i - 2]));
  return { lines: all, unpriced: unpricedRows(drafting, bounds) };
}

/** Returns the sum of lines; discounts have negative amounts. */
export function sumOfLines(lines: readonly DraftLine[]): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** Returns the names of the lines that are certainly goods: count and price make their amount. */
export function namesOfGoods(lines: readonly DraftLine[]): ReadonlySet<string> {
  return new Set(lines.flatMap(({ name, quantity }) => (quantity?.isChecked ? [name] : [])));
}

/** Whether a line is a price less the discount above it, printed below both (`MASLO 6,99`, `OPUST -2,00`, `4,99`). */
function isRemainder(line: DraftLine, discount: DraftLine | undefined, item: DraftLine | undefined): boolean {
  if (line.name !== "" || !discount || !item || discount.amountMinor >= 0) return false;
  return line.amountMinor === item.amountMinor + discount.amountMinor;
}

/**
 * Whether a row is in the list. The row above it is too if it ends in a price: the first amount may not have been read.
 */
function isInList({ index, row }: ListRow, bounds: ListBounds): boolean {
  return index >= bounds.start || (index === bounds.start - 1 && /[.,]\s?\d{1,2}(?:\s?[A-Z]{1,3})?$/i.test(row.text));
}

/**
 * Returns the rows of the list that reach into its column without an amount there, each with the name it would have.
 */
function unpricedRows(drafting: Drafting, bounds: ListBounds): UnpricedRow[] {
  const { list, used, namesFollow } = drafting;
  return list.flatMap((row, at) => {
    if (used.has(row) || row.isSkipped || row.amountMinor !== null || !isInList(row, bounds)) return [];
    if (!row.row.reachesColumn) return [];
    const bareFigures = (row.row.text.match(/(?<![\d.,])\d{3,6}(?![\d.,])/g) ?? []).map(Number);
    const name = row.name || (nearestName(drafting, at, namesFollow ? 1 : -1) ?? nearestName(drafting, at, 1))?.name;
    return name ? [{ name, bareFigures, score: rowScore(row), rowIndex: row.index }] : [];
  });
}

function draftLine(drafting: Drafting, priced: ListRow): DraftLine {
  drafting.used.add(priced);
  const at = drafting.list.indexOf(priced);
  const amountMinor = priced.amountMinor!;
  const { name, texts } = nameOf(drafting, at, priced);
  return {
    ...kindOf(priced, name, amountMinor),
    quantity:
      quantityBeside(drafting, at, amountMinor) ??
      findQuantity(texts, amountMinor) ??
      bareCount(priced.row.text, amountMinor),
    amountMinor,
    isAmountComputed: false,
    score: rowScore(priced),
    rowIndex: priced.index,
  };
}

/** Returns the quantity that is alone on the row below or above, if its product is the amount. */
function quantityBeside({ list, used }: Drafting, at: number, amountMinor: number): Quantity | null {
  for (const step of [1, -1]) {
    const row = list[at + step];
    if (!row || used.has(row) || row.amountMinor !== null) continue;
    const counted = row.row.labels.size === 0 ? countOn(row.row.text, amountMinor) : null;
    const found = row.isQuantity ? findQuantity([row.row.text], amountMinor) : null;
    const quantity = found?.isChecked ? found : counted;
    if (quantity === null) continue;
    used.add(row);
    return quantity;
  }
  return null;
}

function kindOf(priced: ListRow, name: string, amountMinor: number): Pick<DraftLine, "kind" | "name"> {
  const { labels } = priced.row;
  if (name === "" && amountMinor < 0) name = labelBefore(priced.row);
  if (labels.has("void") && amountMinor < 0) return { kind: "void", name };
  return { kind: amountMinor < 0 ? "discount" : "item", name };
}

/** Bare counts above this are something else. Set by hand on the development receipts. */
const BARE_COUNT_MAX = 50;

/**
 * Returns a count before or behind the name whose unit price is not printed (`2 ChicMcMuffin`, `3x MILK`, `CROISSANT
 * x3`), or printed without marks (`MIE GORENG 5 3100  15.500`).
 */
function bareCount(text: string, amountMinor: number): Quantity | null {
  const [, number, price] = /\s(\d{1,3})\s+(\d{3,7})\s+\d/.exec(text) ?? [];
  if (number !== undefined && Number(number) * Number(price) * 100 === amountMinor)
    return { thousandths: 1000 * Number(number), unit: "piece", unitPriceMinor: 100 * Number(price), isChecked: true };
  const match =
    /^\s*(\d{1,2})(?:\s?[x×X*]\s|\s?[x×X*]\s*(?=\S*[A-Za-z])|\s+(?=\S*[A-Za-z])|(?=[A-Za-z]{3}))/.exec(text) ??
    /[A-Za-z]\S*\s+[x×X]\s?(\d{1,2})(?=\s|$)/.exec(text);
  const count = Number(match?.[1] ?? 0);
  return count >= 1 && count <= BARE_COUNT_MAX
    ? { thousandths: count * 1000, unit: "piece", unitPriceMinor: null, isChecked: false }
    : null;
}

/** Returns lines for rows with quantity and unit price whose amount was not read: the product is the amount. */
function computedLines({ list, used }: Drafting, bounds: ListBounds): DraftLine[] {
  return list.flatMap((row, at) => {
    if (used.has(row) || row.isSkipped || row.amountMinor !== null || row.index < bounds.start) return [];
    if (!row.isQuantity || row.name !== "") return [];
    const quantity = findQuantity([row.row.text], null);
    const previous = list[at - 1];
    if (!quantity?.unitPriceMinor || !previous || used.has(previous) || previous.name === "") return [];
    const amountMinor = priceOf(quantity.thousandths, quantity.unitPriceMinor);
    // Of the goods above, which have the amount: a note is between them (`WINE 38.29`, `Age Verified`, `1 @ 38.29`).
    if (list.slice(0, at).findLast((above) => above.amountMinor !== null)?.amountMinor === amountMinor) return [];
    return [
      {
        kind: "item",
        name: previous.name,
        quantity,
        amountMinor,
        isAmountComputed: true,
        score: rowScore(row),
        rowIndex: row.index,
      },
    ];
  });
}

function rowScore({ row }: ListRow): number {
  return Math.min(...row.cells.map((cell) => cell.score));
}
