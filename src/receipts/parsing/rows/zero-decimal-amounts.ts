import { CURRENCIES } from "../languages/vocabulary.ts";
import type { Cell, Row } from "./rows.ts";

// Rupiah, dong, forints and pesos are printed without decimals: `15.500`, `15,500`, `1 749 Ft`. They are written here as other receipts
// print them (`15500,00`), so that nothing after this needs to know.

/** `15,500` or `1.250.000`, parted from what is around it; not `0,512`, which is a weight. */
const GROUPED = String.raw`(?:(?<=\bRp\.?)|(?<![\w.,:/']|\d[-\s]))[1-9]\d{0,2}(?:[.,']\s?\d{3})+(?!\s?[.,:/]?\d|\s?%|\s?(?:kg|gr?|ml|l|lt|ltr)\b)`;
/** Parted by spaces: only where the forint's sign says so, for elsewhere two numbers stand side by side. */
const SPACED = String.raw`(?<![\w.,:/']|\d[-\s])[1-9]\d{0,2}(?:\s\d{3})+(?!\s?[.,:/]?\d|\s?%|\s?(?:kg|gr?|ml|l|lt|ltr)\b)`;
const PARTED = new RegExp(GROUPED, "g");
const PARTED_OR_SPACED = new RegExp(`${GROUPED}|${SPACED}`, "g");
/** What may stand behind the last amount of a row: a sign of money, a mark of tax, dashes for the decimals. */
const ROW_END = String.raw`(?=(?:[.,]-+)?\s{0,2}(?:[A-Z]{1,3}|Ft|d|kr)?\s*$)`;
const DECIMAL_END = /\d[.,]\s?\d{2}(?:-?\s{0,2}[A-Z*]{0,3})\s*$/i;
/** Money that is printed without decimals. */
const WHOLE_CURRENCY = new RegExp(
  String.raw`\bRp(?![a-z])|\b(?:${CURRENCIES.flatMap(({ code, isWhole }) => (isWhole ? [code] : [])).join("|")})\b|\bNPWP\b|\bHOA DON\b`,
  "i",
);
const FORINT = /\d\s?Ft\b|\bHUF\b/;
/** Amounts under a thousand have nothing to part: they are told by their sign, or stand alone where amounts do. */
const MARKED = /(?<=\bRp\.?\s?|\bIDR\s?)\d{1,7}(?![\d.,])|(?<![\d.,]|\d\s)\d{1,7}(?=\s?Ft\b|\s?(?:IDR|HUF|VND)\b)/g;
const ALONE = /^-?[1-9]\d{1,2}$/;
/** `12.-`, `45,--`: dashes for decimals, at the end; before a name such figures count (`1.- PAN`). */
const DASHED = /(?<=\d)([.,])\s?[-–]{1,2}(?=\s{0,2}(?:CHF|EUR|E|kr)?\s*$)/i;

/** `22000`, its thousands not parted: believed where it ends a row beside others of its kind, and the page prints no decimals at all. */
const BARE = /(?<=^|\p{L}.*\s|Rp\.?)-?[1-9]\d{2,6}$/u;
const BARE_ROWS_MIN = 3;
/** Right edges of bare amounts differ by less than this share of the width. */
const BARE_EDGE_SHARE = 0.08;

/** Amounts in thousands that end rows, for each that ends one in decimals, before the page is taken to print none. */
const WHOLE_SHARE_MIN = 4;
const WHOLE_ROWS_MIN = 2;

/** The rows as read, amounts that are printed without decimals written with them. */
export function withDecimals(rows: readonly Row[]): Row[] {
  const style = styleOf(rows);
  const column = style === "bare" ? bareColumn(rows) : null;
  return rows.map((row) => {
    const cells = row.cells.map((cell, i) => {
      const isLast = i === row.cells.length - 1;
      if (style !== "bare") return rewritten(cell, style, i > 0 && isLast);
      return isLast && column && isWithin(row, column) ? { ...cell, text: cell.text.replace(BARE, "$&,00") } : cell;
    });
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}

/** The right edge of the bare amounts of a page, where it has such: one under the other, most of them round, a total among them. */
function bareColumn(rows: readonly Row[]): { from: number; to: number } | null {
  const ends = rows.filter(({ text }) => BARE.test(text));
  const middle = ends.map(({ right }) => right).sort((a, b) => a - b)[ends.length >> 1] ?? 0;
  const reach =
    BARE_EDGE_SHARE * (Math.max(...rows.map(({ right }) => right)) - Math.min(...rows.map(({ left }) => left)));
  const column = { from: middle - reach, to: middle + reach };
  const bare = ends.filter((row) => isWithin(row, column));
  const round = bare.filter(({ text }) => /[05]0$/.test(text));
  const hasTotal = bare.some(({ text }) => /\b(?:total|jumlah|toplam|tong|suma)\b/i.test(text));
  return bare.length >= BARE_ROWS_MIN && 2 * round.length > bare.length && hasTotal ? column : null;
}

function isWithin({ right }: Row, { from, to }: { from: number; to: number }): boolean {
  return right >= from && right <= to;
}

/** Where a thousand buys little, prices are. Else the third decimal is a sign that was read as a digit (`1,206`, `5,496`). */
function areRoundAndHigh(figures: readonly string[]): boolean {
  const isMostly = (pattern: RegExp): boolean =>
    2 * figures.filter((figure) => pattern.test(figure)).length > figures.length;
  return isMostly(/0$/) && isMostly(/^\d{2}|^\d[.,]\d{3}[.,]/);
}

/** How a page prints its amounts: with decimals (or dashes for them), without, its thousands parted by marks or by spaces too, or not at all. */
type Style = "decimals" | "whole" | "wholeSpaced" | "bare";

function styleOf(rows: readonly Row[]): Style {
  const texts = rows.map(({ text }) => text);
  const isForint = texts.some((text) => FORINT.test(text));
  const whole = new RegExp((isForint ? `(?:${GROUPED}|${SPACED})` : GROUPED) + ROW_END);
  const figures = texts.flatMap((text) => whole.exec(text)?.[0] ?? []);
  const decimalRows = texts.filter((text) => DECIMAL_END.test(text)).length;
  if (figures.length === 0 && decimalRows === 0 && bareColumn(rows)) return "bare";
  if (figures.length < WHOLE_ROWS_MIN || figures.length < WHOLE_SHARE_MIN * decimalRows) return "decimals";
  const isNamed = isForint || texts.some((text) => WHOLE_CURRENCY.test(text));
  if (!isNamed && !areRoundAndHigh(figures)) return "decimals";
  return isForint ? "wholeSpaced" : "whole";
}

function rewritten(cell: Cell, style: Style, isLast: boolean): Cell {
  if (style === "decimals") return { ...cell, text: cell.text.replace(DASHED, (_, mark: string) => `${mark}00`) };
  const text = cell.text
    .replace(/(?<=\d)[.,]-+/, "")
    .replace(style === "wholeSpaced" ? PARTED_OR_SPACED : PARTED, (figures) => `${figures.replace(/\D/g, "")},00`)
    .replace(MARKED, "$&,00");
  return { ...cell, text: isLast && ALONE.test(text) ? `${text},00` : text };
}
