import { findAmounts, type PrintedAmount } from "./amounts.ts";
import { labelsOf, type Label } from "./labels.ts";
import type { Row } from "./read.ts";
import { HEADING_WORDS_BY_LANGUAGE, TAX_WORDS_BY_LANGUAGE } from "./words-by-language.ts";

/** An amount with the place of its right edge on the page, in deskewed pixels. */
export type PlacedAmount = PrintedAmount & { right: number };

/** A row with what its figures and words say. */
export type ReceiptRow = Row & { amounts: readonly PlacedAmount[]; labels: ReadonlySet<Label> };

/** A right edge this far from the column's, as a share of the text's width, still belongs to it. */
const COLUMN_TOLERANCE = 0.07;

/** Letter and figure behind an amount, or lira. */
const TAX_MARK = /^\s*(?:[A-Z]\d|TL)\s*$/;

/** Rows with their amounts and labels found. */
export function toReceiptRows(rows: readonly Row[]): ReceiptRow[] {
  const found = withAmountsBelow(rows).map((row) => {
    const amounts = findAmounts(row.text).map((amount) => ({
      ...amount,
      right: xAt(row, endOfDigits(row.text, amount)),
    }));
    // The figures are taken out of the words: read as letters they would blur them. So would what stands behind them (`T1` as `TL`).
    const words = amounts.reduceRight(
      (text, { start, end }) => `${text.slice(0, start)} ${text.slice(end).replace(TAX_MARK, "")}`,
      row.text,
    );
    return { ...row, amounts, labels: labelsOf(words) };
  });
  return found.map((row, i) => {
    const next = found[i + 1];
    return next && isMisreadUnitPrice(row, next) ? withUnitPrice(row) : row;
  });
}

/** Nothing but an amount. */
const BARE_AMOUNT = /^\W{0,2}(?:EUR|CHF|RM|[€£$E])?\s?-?\d{1,6}[.,]\s?\d{2}\s?(?:EUR|CHF|[€E*])?$/i;
/** Labels of amounts that are set large, on a row of their own below the word. */
const LABELS_ABOVE: readonly Label[] = ["total", "subtotal", "cash", "card", "change"];

/** `TOTALE COMPLESSIVO` over `11,35`: one row. Where several amounts follow, which is whose is not known. */
function withAmountsBelow(rows: readonly Row[]): Row[] {
  const isBareAmount = (row: Row | undefined): boolean => row !== undefined && BARE_AMOUNT.test(row.text);
  const isLabel = (row: Row): boolean => {
    if (/\d/.test(row.text)) return false;
    const labels = labelsOf(row.text);
    return LABELS_ABOVE.some((label) => labels.has(label)) && !labels.has("head") && !labels.has("note");
  };
  const labelsAbove = new Set(
    rows.filter(
      (row, i) => isBareAmount(rows[i + 1]) && !isBareAmount(rows[i + 2]) && !isBareAmount(row) && isLabel(row),
    ),
  );
  return rows.flatMap((row, i) => {
    if (i > 0 && labelsAbove.has(rows[i - 1]!)) return [];
    const below = labelsAbove.has(row) ? rows[i + 1] : undefined;
    return below ? [joined(row, below)] : [row];
  });
}

function joined(row: Row, below: Row): Row {
  return {
    ...row,
    cells: [...row.cells, ...below.cells],
    text: `${row.text}  ${below.text}`,
    right: below.right,
    members: [...row.members, ...below.members],
  };
}

/** `63.15` over `1  3.15`, `08.50` over `*2  17.00`: the first digit or sign is an `@` read wrong where what follows times a count is the next row's amount. */
function isMisreadUnitPrice(row: ReceiptRow, next: ReceiptRow): boolean {
  const [amount] = row.amounts;
  const total = next.amounts.at(-1);
  if (!amount || !total || row.amounts.length > 1 || /[A-Za-z]{4}/.test(next.text)) return false;
  const printed = /^[0689$€£](\d{1,3})[.,](\d{2})/.exec(row.text.slice(amount.start, amount.end));
  if (!printed) return false;
  // `COFFEE  $3.15` over `TEA  $3.15`: over another name the sign is one of money.
  if (/^[$€£]/.test(printed[0]) && /[A-Za-z]{2}/.test(next.text)) return false;
  const unitPriceMinor = Number(`${printed[1]}${printed[2]}`);
  const counts = [1, ...(next.text.slice(0, total.start).match(/(?<!\d)\d{1,3}(?!\d)/g) ?? []).map(Number)];
  return counts.some((count) => count * unitPriceMinor === total.minor);
}

/** A sign behind the amount hangs over the column: `1.50 CR`, `0,25-`. */
function endOfDigits(text: string, { start, end }: PrintedAmount): number {
  return start + text.slice(start, end).replace(/\D+$/, "").length;
}

function withUnitPrice(row: ReceiptRow): ReceiptRow {
  const { start } = row.amounts[0]!;
  const text = `${row.text.slice(0, start)}@${row.text.slice(start + 1)}`;
  return { ...row, text, amounts: row.amounts.map((amount) => ({ ...amount, isUnitPrice: true })) };
}

/** Where on the page a place in a row's text stands; cells are joined by two spaces, letters are taken as equally wide. */
function xAt(row: Row, index: number): number {
  let start = 0;
  for (const cell of row.cells) {
    const end = start + cell.text.length;
    if (index <= end) return cell.left + ((cell.right - cell.left) * Math.max(0, index - start)) / cell.text.length;
    start = end + 2;
  }
  return row.right;
}

/** The column that line amounts end at: `left` to `right` of an amount's right edge; null where there are no amounts. */
export type PriceColumn = { left: number; right: number } | null;

/** `SUMME EUR 19, 6`, `TOTAL 4.`: an amount that ends a row and has lost one or both of its decimals. */
const DAMAGED_AMOUNT = /(?<![\d.,])(\d{1,4})\s?[.,]\s?(\d?)\s*$/;

/** Whether the row ends in a damaged amount that may have been `minor`. */
export function mayHaveBeen(row: ReceiptRow, minor: number): boolean {
  const [, major, digit = ""] = (row.amounts.length === 0 && DAMAGED_AMOUNT.exec(row.text)) || [];
  return (
    Number(major) === Math.floor(minor / 100) &&
    String(minor % 100)
      .padStart(2, "0")
      .includes(digit)
  );
}

/** Whether a row is a total or subtotal with its amount, be it damaged: the list ends before it. */
export function isTotalRow({ amounts, labels, text }: ReceiptRow): boolean {
  const isCalledTotal = labels.has("total") || labels.has("subtotal");
  return (
    (amounts.length > 0 || DAMAGED_AMOUNT.test(text)) &&
    isCalledTotal &&
    !labels.has("discount") &&
    !labels.has("savings")
  );
}

/** What is given on top of the bill (`Tip: $5.00`, `Gratuity (20%)`); not TIP TOP bread. */
const TIP =
  /^\W*(?:additional\s+|auto\s+)?(?:tips?(?:\s+amount)?|gratuity|trinkgeld|pourboire|propina|mancia)\b[^\p{L}]*$/iu;

/** Whether a row is a tip. */
export function isTip({ text }: ReceiptRow): boolean {
  return TIP.test(text);
}

/** Words over the columns of a list. */
const HEADING_WORD = new RegExp(
  String.raw`\b(?:QTY|QUANTITY|PRICE|AMOUNT|AMT|RATE|VALUE|COST|DESCRIPTION|PARTICULARS|DESC|ITEMS?|UNIT|UOM|TOTAL|RM|MENGE|PREIS|BETRAG|ARTIKEL|BEZEICHNUNG|PRIX|QTE|MONTANT|DESIGNATION|ARTICLE|CANT|UDS?|PRECIO|IMPORTE|DESCRIPCION|ARTICULO|PREZZO|DESCRIZIONE|IMPORTO|U/?P|CODE|${HEADING_WORDS_BY_LANGUAGE})\b`,
  "gi",
);

const TAX_WORD = new RegExp(
  String.raw`\b(?:TAX|VAT|[CSIU]?GST|SST|HST|PST|QST|MWST|UST|IVA|TVA|SALES|STATE|CITY|COUNTY|TOTAL|INCL\w*|STEUER|NETT?O?|NETTOBETRAG|BASE|(?:BASE)?IMP|IMPONIBI?LE|CUOTA|IMPOSTA|DONT|DI CUI|ON|OF|AT|${TAX_WORDS_BY_LANGUAGE})\b`,
  "gi",
);

/** Whether a row is a tax of its own (`TAX 1 8.25 %  0.74`) and no good that is taxed. */
export function isTaxOnly({ text, labels }: ReceiptRow): boolean {
  return labels.has("tax") && !/[A-Za-z]{3}/.test(text.replace(/[^A-Za-z ]/g, " ").replace(TAX_WORD, ""));
}

/** `Total Qty  1  7.50`, its first word however read. */
const COUNT_ROW = /^\W*\w{0,6}\s?(?:qty|quantity)\b/i;

/** Whether a row says nothing but such words beside its figures (`Qty  1  7.50`). */
export function isHeadingOnly({ text, labels }: ReceiptRow): boolean {
  if (labels.has("discount")) return false;
  if (COUNT_ROW.test(text) && !text.includes("@")) return true;
  const letters = text.replace(/[^A-Za-z/ ]/g, " ").trim();
  return /[A-Za-z]{3}/.test(letters) && !/[A-Za-z]/.test(letters.replace(HEADING_WORD, ""));
}

/** The row over the list that names its columns, of two or more words and no amount; -1 where there is none above the first total. */
export function headingIndex(rows: readonly ReceiptRow[]): number {
  const end = rows.findIndex(isTotalRow);
  return rows.slice(0, end < 0 ? rows.length : end).findIndex((row) => {
    const words = new Set(row.text.toUpperCase().replaceAll(".", "").match(HEADING_WORD));
    return words.size >= 2 && row.amounts.length === 0 && !row.labels.has("count") && !/\d{3}/.test(row.text);
  });
}

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
const MARKS = /^\s*(?:[A-Z*#]{0,2}|[A-Z]\d|\d{1,2}|EUR|CHF)\s?\*?$/i;

/** The amount of a row that stands in the column, by itself or with its tax mark. */
export function amountInColumn(row: ReceiptRow, column: PriceColumn): PlacedAmount | null {
  if (column === null) return null;
  const isInside = (right: number): boolean => right >= column.left && right <= column.right;
  return (
    row.amounts.findLast(
      ({ isUnitPrice, right, end }) =>
        !isUnitPrice && (isInside(right) || (isInside(row.right) && MARKS.test(row.text.slice(end)))),
    ) ?? null
  );
}
