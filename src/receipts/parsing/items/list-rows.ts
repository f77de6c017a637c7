import type { ListBounds } from "./list-bounds.ts";
import { findQuantity, isQuantityText } from "./quantities.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { isName, LABELLED_CODE, nameOn } from "../rows/names.ts";
import type { PlacedAmount } from "../rows/receipt-rows.ts";
import type { RowKind } from "../rows/row-kinds.ts";

/** A row of the list with its amount (if it has one in the price column) and its name (empty if it has none). */
export interface ListRow {
  row: ClassifiedRow;
  index: number;
  amountMinor: number | null;
  name: string;
  isQuantity: boolean;
  /** The row is no item: a sum, a tax, a note. */
  isSkipped: boolean;
}

/** Labels that never name an item. */
const SKIPPED_LABELS = ["savings", "count", "rounding", "change", "taxTotal", "total", "subtotal", "note"] as const;
/** Kinds of rows that never name an item. */
const SKIPPED_KINDS: readonly RowKind[] = ["columnWords", "tax", "tip"];

/** Rows above the first amount that may hold its name. Set by hand on the development receipts. */
const ROWS_ABOVE = 2;

/** Returns the rows of the list, from a little above its first amount on. */
export function listRows(
  rows: readonly ClassifiedRow[],
  bounds: ListBounds,
  hasCountColumn: boolean,
): readonly ListRow[] {
  const from = Math.max(0, bounds.start - ROWS_ABOVE);
  return rows.slice(from, bounds.end).map((row, i) => toListRow(row, from + i, bounds, hasCountColumn));
}

/** Start and end time, as on a parking ticket (`ENTRADA 20:12 SALIDA 20:58`). */
const TWO_TIMES = /\d:\d{2}\D.*\d:\d{2}(?!\d)/;
/** A time of the day, as when each of the goods was keyed in (`gebucht um 19:50`). */
const TIME_OF_DAY = /(?<![\d:.,])(?:[01]?\d|2[0-3]):[0-5]\d(?![\d:])/;

function toListRow(row: ClassifiedRow, index: number, bounds: ListBounds, hasCountColumn: boolean): ListRow {
  const amount = index < bounds.start ? null : row.columnAmount;
  const isQuantity = isQuantityText(amount === null ? row.text : row.text.slice(0, amount.start));
  // Figures left of the column (`7 x 0,35`) end the name as the amount itself does.
  const name = nameOn(row.text, amount, hasCountColumn);
  const isTimed = TWO_TIMES.test(row.text) || (amount === null && TIME_OF_DAY.test(row.text));
  const isNamed = isName(name) && !isTimed;
  return {
    row,
    index,
    amountMinor: amount?.minor ?? null,
    name: isNamed ? name : "",
    isQuantity,
    isSkipped: isSkipped(row, index, amount, bounds),
  };
}

function isSkipped(row: ClassifiedRow, index: number, amount: PlacedAmount | null, bounds: ListBounds): boolean {
  const isSumOfList = bounds.isSummed && row.kinds.has("total");
  const hasSkippedLabel = SKIPPED_LABELS.some((label) => row.labels.has(label));
  return (
    (hasSkippedLabel && !isDeduction(row, amount) && !isSumOfList && !isCountedGoods(row, amount)) ||
    SKIPPED_KINDS.some((kind) => row.kinds.has(kind)) ||
    (index < bounds.start && isOutsideList(row))
  );
}

/** Whether a row takes something off: `NECTAR PRICE SAVING -0.75` does, `YOU SAVED 1.20` only informs. */
function isDeduction({ labels }: ClassifiedRow, amount: PlacedAmount | null): boolean {
  return amount !== null && amount.minor < 0 && labels.has("savings") && !labels.has("total");
}

/** Whether words of a row only resemble those for a count, as its count and its price make its amount. */
function isCountedGoods({ labels, text, amounts }: ClassifiedRow, amount: PlacedAmount | null): boolean {
  if (amount === null || amounts.length < 2 || labels.size !== 1 || !labels.has("count")) return false;
  return COUNTED_NAME.test(text) && findQuantity([text], amount.minor)?.isChecked === true;
}

/** Whether a row above the first amount belongs to the header: only a plain name belongs to the list. */
function isOutsideList({ labels, text }: ClassifiedRow): boolean {
  // A tax mark with a colon is before a name (`A: IBUPROM MAX`), a code in brackets behind it (`PAO (Código: 21468)`).
  const words = text.replace(/^\W*[A-Z]:\s/, "").replace(LABELLED_CODE, "");
  return labels.has("head") || labels.has("tax") || labels.has("note") || /:|\d{2}[/.-]\d{2}[/.-]\d{2}/.test(words);
}

/** A count before a name: `2  CORDLESS DRILL 20V`. */
export const COUNTED_NAME = /^\s*\d{1,3}\s+\S*[A-Za-z]/;

const COUNT_FIRST = /^\s*\d{1,2}\s+\S*[A-Za-z]/;

/**
 * Whether most rows with amounts begin with a count (`1 VEGETABLES`, `2 ChicMcMuffin`), or the row above does where no
 * word is beside the amount.
 */
export function hasCounts(rows: readonly ClassifiedRow[], { start, end }: ListBounds): boolean {
  const priced = rows.slice(start, end).flatMap((row, i) => (row.amounts.length > 0 ? [start + i] : []));
  const counted = priced.filter((i) => {
    const { text } = rows[i]!;
    if (COUNT_FIRST.test(text)) return true;
    const above = rows[i - 1];
    return above?.amounts.length === 0 && !/\p{L}{3}/u.test(text) && COUNT_FIRST.test(above.text);
  });
  return counted.length >= 2 ? counted.length * 2 >= priced.length : counted.length === 1 && priced.length === 1;
}

/** A tax mark behind an amount, or its rate before it. */
const TAX_MARKED = /\d\s?(?:[A-Z]\d?|\*|\s\d)\s?\*?\s*$|%\s+\S+$/;

/**
 * Returns the free goods: rows with an amount of zero that are printed as the other goods are, with a count or else a
 * tax mark (`1 Carafe d'eau 0,00`). `No olives 0.00` below its pizza is not among them, nor is a deposit, a tax or a
 * discount of nothing (`INST. SAV -0.00`, which is minus zero).
 */
export function freeGoods(list: readonly ListRow[], hasCountColumn: boolean): ListRow[] {
  const pattern = hasCountColumn ? COUNTED_NAME : TAX_MARKED;
  const goods = list.filter(({ amountMinor, isSkipped }) => amountMinor !== null && amountMinor > 0 && !isSkipped);
  const isHabit = 2 * goods.filter(({ row }) => pattern.test(row.text)).length > goods.length;
  // A zero above the head of the receipt is the end of another one.
  const headEnd = list.findLastIndex(({ row, index }) => row.labels.has("head") && index < (goods[0]?.index ?? 0));
  return list.filter(
    ({ amountMinor, name, isSkipped, row: { text, labels } }, at) =>
      at > headEnd &&
      Object.is(amountMinor, 0) &&
      name !== "" &&
      !isSkipped &&
      labels.size === 0 &&
      (!isHabit || pattern.test(text)),
  );
}
