import type { Cell, Row } from "./read.ts";

// Rupiah, dong, forints and pesos are printed without decimals: `15.500`, `15,500`, `1 749 Ft`. They are written here as other receipts
// print them (`15500,00`), so that nothing after this needs to know.

/** `15,500` or `1.250.000`, parted from what is around it; not `0,512`, which is a weight. */
const GROUPED = String.raw`(?:(?<=\bRp\.?)|(?<![\w.,:/']|\d[-\s]))[1-9]\d{0,2}(?:[.,']\s?\d{3})+(?!\s?[.,:/]?\d|\s?%|\s?(?:kg|gr?|ml|l|lt|ltr)\b)`;
/** Parted by spaces: only where the forint's sign says so, for elsewhere two numbers stand side by side. */
const SPACED = String.raw`(?<![\w.,:/']|\d[-\s])[1-9]\d{0,2}(?:\s\d{3})+(?!\s?[.,:/]?\d|\s?%|\s?(?:kg|gr?|ml|l|lt|ltr)\b)`;
/** What may stand behind the last amount of a row: a sign of money, a mark of tax, dashes for the decimals. */
const ROW_END = String.raw`(?=(?:[.,]-+)?\s{0,2}(?:[A-Z]{1,3}|Ft|d|kr)?\s*$)`;
const DECIMAL_END = /\d[.,]\s?\d{2}(?:-?\s{0,2}[A-Z*]{0,3})\s*$/i;
const FORINT = /\d\s?Ft\b|\bHUF\b/;
/** Amounts under a thousand have nothing to part: they are told by their sign, or stand alone where amounts do. */
const MARKED = /(?<=\bRp\.?\s?|\bIDR\s?)\d{1,7}(?![\d.,])|(?<![\d.,]|\d\s)\d{1,7}(?=\s?Ft\b|\s?(?:IDR|HUF|VND)\b)/g;
const ALONE = /^-?[1-9]\d{1,2}$/;
/** `12.-`, `45,--`: dashes for decimals, at the end; before a name such figures count (`1.- PAN`). */
const DASHED = /(?<=\d)([.,])\s?[-–]{1,2}(?=\s{0,2}(?:CHF|EUR|E|kr)?\s*$)/i;

/** Amounts in thousands that end rows, for each that ends one in decimals, before the page is taken to print none. */
const WHOLE_SHARE_MIN = 4;
const WHOLE_ROWS_MIN = 2;

/** The rows as read, amounts that are printed without decimals written with them. */
export function withDecimals(rows: readonly Row[]): Row[] {
  const style = styleOf(rows);
  return rows.map((row) => {
    const cells = row.cells.map((cell, i) => rewritten(cell, style, i > 0 && i === row.cells.length - 1));
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}

type Style = "decimals" | "whole" | "wholeSpaced";

function styleOf(rows: readonly Row[]): Style {
  const texts = rows.map(({ text }) => text);
  const isForint = texts.some((text) => FORINT.test(text));
  const whole = new RegExp((isForint ? `(?:${GROUPED}|${SPACED})` : GROUPED) + ROW_END);
  const wholeRows = texts.filter((text) => whole.test(text)).length;
  const decimalRows = texts.filter((text) => DECIMAL_END.test(text)).length;
  if (wholeRows < WHOLE_ROWS_MIN || wholeRows < WHOLE_SHARE_MIN * decimalRows) return "decimals";
  return isForint ? "wholeSpaced" : "whole";
}

function rewritten(cell: Cell, style: Style, isLast: boolean): Cell {
  if (style === "decimals") return { ...cell, text: cell.text.replace(DASHED, (_, mark: string) => `${mark}00`) };
  const grouped = style === "wholeSpaced" ? `${GROUPED}|${SPACED}` : GROUPED;
  const text = cell.text
    .replace(/(?<=\d)[.,]-+/, "")
    .replace(new RegExp(grouped, "g"), (figures) => `${figures.replace(/\D/g, "")},00`)
    .replace(MARKED, "$&,00");
  return { ...cell, text: isLast && ALONE.test(text) ? `${text},00` : text };
}
