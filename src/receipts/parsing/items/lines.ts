import { priceOf } from "../rows/amounts.ts";
import type { ListBounds } from "./list-bounds.ts";
import { isName, nameOn } from "../rows/names.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { findQuantity, isQuantityText } from "./quantities.ts";
import type { Quantity } from "./quantities.ts";
import type { PlacedAmount } from "../rows/receipt-rows.ts";
import type { RowKind } from "../rows/row-kinds.ts";

/** One line of the receipt's list before its arithmetic was checked. `score` is the OCR's, `rowIndex` that of the amount. */
export interface DraftLine {
  kind: "item" | "discount" | "void";
  name: string;
  quantity: Quantity | null;
  amountMinor: number;
  isAmountComputed: boolean;
  score: number;
  rowIndex: number;
}

/** A row of the list without an amount; `bareFigures` may be one that lost its point. */
export interface UnpricedRow {
  name: string;
  bareFigures: readonly number[];
  score: number;
  rowIndex: number;
}

/** The list: its lines, and what else stands between them. */
export interface DraftList {
  lines: readonly DraftLine[];
  unpriced: readonly UnpricedRow[];
}

/** A row of the list: with its amount (if in the price column) and its name (if any). */
interface ListRow {
  row: ClassifiedRow;
  index: number;
  amountMinor: number | null;
  name: string;
  isQuantity: boolean;
  isSkipped: boolean;
}

/** Labels that never name an item, wherever they stand in the list. */
const SKIPPED = ["savings", "count", "rounding", "change", "taxTotal", "total", "subtotal", "note"] as const;

/** Kinds of rows that never name an item. */
const SKIPPED_KINDS: readonly RowKind[] = ["columnWords", "tax", "tip"];

/** The list while its lines are put together: `used` are the rows that belong to a line already. */
interface Drafting {
  list: readonly ListRow[];
  used: Set<ListRow>;
  /** Names without an amount are of the one above them, not of the one below. */
  namesFollow: boolean;
  /** Rows begin with a count. */
  hasCountColumn: boolean;
}

/** The lines of the list: each amount with its name, which may stand on the same row, the one before or the one after, and its quantity. */
export function draftLines(rows: readonly ClassifiedRow[], bounds: ListBounds): DraftList {
  const hasCountColumn = countColumn(rows.slice(bounds.start, bounds.end));
  // The two rows before the first amount may hold the first name.
  const from = Math.max(0, bounds.start - 2);
  const list = rows.slice(from, bounds.end).map((row, i) => toListRow(row, from + i, bounds, hasCountColumn));
  const given = new Set(givenRows(list, hasCountColumn));
  const priced = list.filter((row) => given.has(row) || (Boolean(row.amountMinor) && !row.isSkipped));
  const drafting: Drafting = { list, used: new Set(), namesFollow: doNamesFollow(list, priced), hasCountColumn };
  const lines = priced.map((row) => draftLine(drafting, row));
  const all = [...lines, ...computedLines(drafting, bounds)]
    .sort((a, b) => a.rowIndex - b.rowIndex)
    .filter((line, i, sorted) => !isRemainder(line, sorted[i - 1], sorted[i - 2]));
  return { lines: all, unpriced: unpricedRows(drafting, bounds) };
}

/** What is left of a price after the discount above, printed below both (`MASLO 6,99`, `OPUST -2,00`, `4,99`). */
function isRemainder(line: DraftLine, discount: DraftLine | undefined, item: DraftLine | undefined): boolean {
  if (line.name !== "" || !discount || !item || discount.amountMinor >= 0) return false;
  return line.amountMinor === item.amountMinor + discount.amountMinor;
}

/** The first amount may be one that was not read: the row above the list is of it when it ends in a price. */
function isInList({ index, row }: ListRow, bounds: ListBounds): boolean {
  return index >= bounds.start || (index === bounds.start - 1 && /[.,]\s?\d{1,2}(?:\s?[A-Z]{1,3})?$/i.test(row.text));
}

/** Rows of the list that no amount was read for although they reach into its column, with the name each would have. */
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

/** When something began and ended (`ENTRADA 20:12 SALIDA 20:58`). */
const TWO_TIMES = /\d:\d{2}\D.*\d:\d{2}(?!\d)/;

function toListRow(row: ClassifiedRow, index: number, bounds: ListBounds, hasCountColumn: boolean): ListRow {
  const amount = index < bounds.start ? null : row.columnAmount;
  const isQuantity = isQuantityText(amount === null ? row.text : row.text.slice(0, amount.start));
  // Figures left of the column (`7 x 0,35`) end the name as the amount itself does.
  const name = nameOn(row.text, amount, hasCountColumn);
  const isSkipped =
    (SKIPPED.some((label) => row.labels.has(label)) &&
      !isDeduction(row, amount) &&
      !(bounds.isSummed && row.kinds.has("total"))) ||
    SKIPPED_KINDS.some((kind) => row.kinds.has(kind)) ||
    (index < bounds.start && isOutsideList(row));
  const isNamed = isName(name) && !TWO_TIMES.test(row.text);
  return { row, index, amountMinor: amount?.minor ?? null, name: isNamed ? name : "", isQuantity, isSkipped };
}

/** `NECTAR PRICE SAVING -0.75`: what is taken off counts, what is only told (`YOU SAVED 1.20`) doesn't. */
function isDeduction({ labels }: ClassifiedRow, amount: PlacedAmount | null): boolean {
  return amount !== null && amount.minor < 0 && labels.has("savings") && !labels.has("total");
}

/** A tax mark behind an amount, or its rate before it. */
const TAX_MARKED = /\d\s?(?:[A-Z]\d?|\*|\s\d)\s?\*?\s*$|%\s+\S+$/;

/**
 * Rows of what was given: `1 Carafe d'eau 0,00` is a line where it is printed as the goods are, with their count or else their tax mark. `No olives 0.00`
 * below its pizza isn't, nor is a deposit, a tax or a discount of nothing.
 */
function givenRows(list: readonly ListRow[], hasCountColumn: boolean): ListRow[] {
  const pattern = hasCountColumn ? COUNTED_NAME : TAX_MARKED;
  const goods = list.filter(({ amountMinor, isSkipped }) => amountMinor !== null && amountMinor > 0 && !isSkipped);
  const isHabit = 2 * goods.filter(({ row }) => pattern.test(row.text)).length > goods.length;
  return list.filter(
    ({ amountMinor, name, isSkipped, row: { text, labels } }) =>
      amountMinor === 0 && name !== "" && !isSkipped && labels.size === 0 && (!isHabit || pattern.test(text)),
  );
}

/** Above the first amount only a plain name counts, not the receipt's head. */
function isOutsideList(row: ClassifiedRow): boolean {
  return (
    row.labels.has("head") ||
    row.labels.has("tax") ||
    row.labels.has("note") ||
    /:|\d{2}[/.-]\d{2}[/.-]\d{2}/.test(row.text)
  );
}

/** Whether rows begin with a count (`1 VEGETABLES`, `2 ChicMcMuffin`): most of them do. */
function countColumn(rows: readonly ClassifiedRow[]): boolean {
  const named = rows.filter((row) => row.amounts.length > 0);
  const counted = named.filter((row) => /^\s*\d{1,2}\s+\S*[A-Za-z]/.test(row.text));
  return counted.length >= 2 ? counted.length * 2 >= named.length : counted.length === 1 && named.length === 1;
}

/**
 * Decided once for a receipt: whether amounts without a name on their own row are followed by it (AEON) or preceded (the habit).
 * Rows between alternate either way, so the ends of the list tell: a name before the first amount, or after the last one.
 */
function doNamesFollow(list: readonly ListRow[], priced: readonly ListRow[]): boolean {
  const nameless = priced.filter((row) => row.name === "");
  let before = 0;
  let after = 0;
  let nearer = 0;
  for (const row of nameless) {
    const at = list.indexOf(row);
    const previous = list[at - 1];
    const next = list[at + 1];
    if (isBareName(previous)) before += 1;
    if (isBareName(next)) after += 1;
    // Where the ends don't tell: the nearer row is the likelier one where lines are set in pairs. On bent paper distances mislead.
    if (isBareName(previous) && isBareName(next)) {
      const gapBefore = row.row.y - previous.row.y;
      const gapAfter = next.row.y - row.row.y;
      if (gapBefore < 0.85 * gapAfter) nearer--;
      if (gapAfter < 0.85 * gapBefore) nearer++;
    }
  }
  return after === before ? nearer > 0 : after > before;
}

function isBareName(row: ListRow | undefined): row is ListRow {
  return row !== undefined && row.amountMinor === null && row.name !== "" && !row.isSkipped;
}

function draftLine(drafting: Drafting, priced: ListRow): DraftLine {
  drafting.used.add(priced);
  const at = drafting.list.indexOf(priced);
  const amountMinor = priced.amountMinor!;
  const { name, texts } = nameOf(drafting, at, priced);
  return {
    ...kindOf(priced, name, amountMinor),
    quantity:
      quantityBeside(drafting, at, amountMinor) ?? findQuantity(texts, amountMinor) ?? bareCount(priced.row.text),
    amountMinor,
    isAmountComputed: false,
    score: rowScore(priced),
    rowIndex: priced.index,
  };
}

/** `2  CORDLESS DRILL 20V`. */
const COUNTED_NAME = /^\s*\d{1,3}\s+\S*[A-Za-z]/;

/** The name of an amount, on its own row or one nearby, with the texts of the rows it stands on. */
function nameOf(drafting: Drafting, at: number, priced: ListRow): { name: string; texts: string[] } {
  const { list, used, namesFollow, hasCountColumn } = drafting;
  const above = list[at - 1];
  const isFree = (row: ListRow | undefined): row is ListRow => isBareName(row) && !used.has(row);
  const texts = [priced.row.text];
  let { name } = priced;
  // `SC. 15%  -5,99`: what an offer takes off by percent names it, however short.
  if (name === "" && priced.amountMinor! < 0 && /\d\s?%/.test(labelBefore(priced.row))) name = labelBefore(priced.row);
  if (name === "" || (isWeakName(priced) && isFree(above))) {
    const source = nearestName(drafting, at, namesFollow && name === "" ? 1 : -1);
    if (source) {
      used.add(source);
      name = source.name;
      texts.push(source.row.text);
    }
  }
  // Where each name begins with its count, one that doesn't goes on from the row above: `1  CORDLESS DRILL 20V`, `W/ BATTERY  59.99`.
  const isRest = hasCountColumn && name === priced.name && !COUNTED_NAME.test(priced.row.text);
  if (isRest && isFree(above) && COUNTED_NAME.test(above.row.text)) {
    used.add(above);
    name = `${above.name} ${name}`;
    texts.push(above.row.text);
  }
  return { name, texts };
}

/** The quantity on the row below or above where it stands alone and its product is the amount. */
function quantityBeside({ list, used }: Drafting, at: number, amountMinor: number): Quantity | null {
  for (const step of [1, -1]) {
    const row = list[at + step];
    if (!row || used.has(row) || row.amountMinor !== null || !row.isQuantity) continue;
    const quantity = findQuantity([row.row.text], amountMinor);
    if (!quantity?.isChecked) continue;
    used.add(row);
    return quantity;
  }
  return null;
}

/** A short word beside a product code or the amount printed twice tells what these are (`cod. 012745168 7,90`, `AVP 6,45 6,45`); the name stands above. */
function isWeakName({ name, row, amountMinor }: ListRow): boolean {
  const isRepeated = row.amounts.filter(({ minor }) => minor === amountMinor).length > 1;
  return /^\P{L}*\p{L}{1,4}\P{L}*$/u.test(name) && (isRepeated || /(?<![\d.,])\d{6,}(?![\d.,])/.test(row.text));
}

/** The nearest name in a direction, two rows away at most, that no amount has yet and none stands before. */
function nearestName({ list, used }: Drafting, at: number, step: 1 | -1): ListRow | null {
  for (let i = at + step, seen = 0; i >= 0 && i < list.length && seen < 2; i += step, seen++) {
    const row = list[i]!;
    if (row.amountMinor !== null || used.has(row)) return null;
    if (row.name !== "" && !row.isSkipped) return row;
  }
  return null;
}

function kindOf(priced: ListRow, name: string, amountMinor: number): Pick<DraftLine, "kind" | "name"> {
  const { labels } = priced.row;
  if (name === "" && amountMinor < 0) name = labelBefore(priced.row);
  if (labels.has("void") && amountMinor < 0) return { kind: "void", name };
  return { kind: amountMinor < 0 ? "discount" : "item", name };
}

/** What stands before a deduction's amount, where it is no name (`£1 OFF`). */
function labelBefore({ text, amounts }: ClassifiedRow): string {
  return text.slice(0, amounts.at(-1)?.start ?? 0).replace(/^[^\p{L}\p{N}£$€]+|[^\p{L}\p{N}%]+$/gu, "");
}

/** `2 ChicMcMuffin`, `3x MILK`, `CROISSANT x3`: a count before or behind the name, its unit price unknown. */
function bareCount(text: string): Quantity | null {
  const match =
    /^\s*(\d{1,2})(?:\s?[x×X*]\s|\s?[x×X*]\s*(?=\S*[A-Za-z])|\s+(?=\S*[A-Za-z])|(?=[A-Za-z]{3}))/.exec(text) ??
    /[A-Za-z]\S*\s+[x×X]\s?(\d{1,2})(?=\s|$)/.exec(text);
  const count = Number(match?.[1] ?? 0);
  return count >= 1 && count <= 50
    ? { thousandths: count * 1000, unit: "piece", unitPriceMinor: null, isChecked: false }
    : null;
}

/** Rows with quantity and unit price whose amount was not read: their product is the amount. */
function computedLines({ list, used }: Drafting, bounds: ListBounds): DraftLine[] {
  return list.flatMap((row, at) => {
    if (used.has(row) || row.isSkipped || row.amountMinor !== null || row.index < bounds.start) return [];
    if (!row.isQuantity || row.name !== "") return [];
    const quantity = findQuantity([row.row.text], null);
    const previous = list[at - 1];
    if (!quantity?.unitPriceMinor || !previous || used.has(previous) || previous.name === "") return [];
    const amountMinor = priceOf(quantity.thousandths, quantity.unitPriceMinor);
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

/** Returns the sum of lines; discounts have negative amounts. */
export function sumOf(lines: readonly DraftLine[]): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}
