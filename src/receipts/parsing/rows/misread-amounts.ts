import { LETTER_SIGN, SIGN, SIGN_BEHIND } from "../languages/currency-signs.ts";
import type { Cell, Row } from "./rows.ts";

// Restores misread figures where their place shows that they are an amount: in the column where clean amounts end, or
// behind a currency sign. On damaged pictures the OCR most often loses the point, then reads 6 as 0, 5 or G (10 and 9
// times in 255).

/** Letters that the OCR reads for figures. */
const FIGURE_OF: Readonly<Record<string, string>> = { O: "0", o: "0", Q: "0", D: "0", C: "0", U: "0", I: "1", l: "1", "|": "1", "!": "1", i: "1", Z: "2", z: "2", A: "4", S: "5", s: "5", G: "6", b: "6", B: "8", g: "9", q: "9" }; // prettier-ignore
const LIKE = String.raw`[\dOoQDCUIl|!iZzASsGbBgq]`;
const MONEY = String.raw`(?:${SIGN}|${LETTER_SIGN})`;
/** Text behind an amount: tax marks, a currency sign. */
const MARKS = String.raw`(?<marks>(?:\s{0,2}[-*])?(?:\s{0,2}(?:[A-Z]{1,2}\d?|${SIGN_BEHIND}))?\s?\*?)$`;
// From the beginning of the text only: from every place in it, it would take the cube of its length.
const HEAD = String.raw`^(?<before>|.*\s|.*?(?<![A-Za-z])${MONEY}\s?)(?<sign>-?)`;

/** `1,OO`, `l6.85`, `$16.4G`, `O,6O`, `.5O-`. */
const LETTERS = new RegExp(
  String.raw`${HEAD}(?<whole>(?:${LIKE}{1,3}[.,])?${LIKE}{0,4})\s?(?<mark>[.,])\s?(?<cents>${LIKE}{2})${MARKS}`,
);
/** `4,7 9*B`: a space before the second decimal. */
const PARTED = new RegExp(String.raw`${HEAD}(?<whole>\d{1,4})(?<mark>[.,])(?<cents>\d \d)${MARKS}`);
/** `1785` for 17.85. */
const POINTLESS = new RegExp(String.raw`${HEAD}(?<whole>\d{1,3})(?<cents>\d\d)${MARKS}`);
/** `10,99111` and `10,99:11`, where `10,99 (1)` has its tax group in brackets. */
const GROUPED = /^(?<amount>\d{1,5}[.,]\d{2})[\d()[\]:.,|lI!]{1,3}$/;
const SIGN_BEFORE = new RegExp(String.raw`${SIGN}\s?$`);
const MONEY_BEFORE = new RegExp(String.raw`${MONEY}\s?$`);
const CLEAN = new RegExp(String.raw`(?<![\d.,:/-]|(?<![A-Za-z])[lI|!OB]|[.,][A-Z]{1,2})\d{1,5}[.,]\d{2}${MARKS}`);
/** A tax mark in a cell of its own. */
const MARK_CELL = /^(?:[A-Z]{1,2}\d?|\*)$/;

/**
 * Clean amounts that must end where a misread one does, and how far away at most as a share of the text's width. Set by
 * hand on the development receipts.
 */
const COLUMN_AMOUNTS_MIN = 2;
const COLUMN_REACH_SHARE = 0.04;

/** The clean amounts of a page: their right edges, their figures, and the first and last row that has one. */
interface Amounts {
  edges: readonly number[];
  reach: number;
  figures: ReadonlySet<string>;
  first: number;
  last: number;
}

/** Returns the rows with misread amounts at their ends corrected to figures with two decimals. */
export function withAmountsRestored(rows: readonly Row[]): Row[] {
  const amounts = cleanAmounts(rows);
  if (amounts.edges.length < COLUMN_AMOUNTS_MIN) return [...rows];
  return rows.map((row, index) => {
    const at = amountCell(row);
    const cell = row.cells[at]!;
    const text = restored(row, at, amounts, index);
    if (text === cell.text) return row;
    const cells = row.cells.with(at, { ...cell, text });
    return { ...row, cells, text: cells.map((one) => one.text).join("  ") };
  });
}

/** Returns the cell that may end in the row's amount: the last one, or the one before its tax mark. */
function amountCell({ cells }: Row): number {
  const last = cells.length - 1;
  return last > 0 && MARK_CELL.test(cells[last]!.text) ? last - 1 : last;
}

function cleanAmounts(rows: readonly Row[]): Amounts {
  const clean = rows.flatMap((row, index) => {
    const cell = row.cells[amountCell(row)]!;
    const match = CLEAN.exec(cell.text);
    return match ? [{ index, edge: edgeOf(cell, match), figures: match[0].replace(/\D/g, "") }] : [];
  });
  const width = Math.max(...rows.map(({ right }) => right)) - Math.min(...rows.map(({ left }) => left));
  return {
    edges: clean.map(({ edge }) => edge),
    reach: COLUMN_REACH_SHARE * width,
    figures: new Set(clean.map(({ figures }) => figures)),
    first: clean[0]?.index ?? 0,
    last: clean.at(-1)?.index ?? 0,
  };
}

/** Returns the x where the figures end. All letters count as equally wide. */
function edgeOf({ text, left, right }: Cell, match: RegExpExecArray): number {
  return right - ((right - left) * match.groups!["marks"]!.length) / text.length;
}

function restored(row: Row, at: number, amounts: Amounts, index: number): string {
  const cell = row.cells[at]!;
  if (CLEAN.test(cell.text)) return cell.text;
  const isInColumn = (match: RegExpExecArray): boolean => {
    const edge = edgeOf(cell, match);
    return amounts.edges.filter((other) => Math.abs(other - edge) <= amounts.reach).length >= COLUMN_AMOUNTS_MIN;
  };
  const written = (match: RegExpExecArray): string => {
    const { before, sign, whole, mark = ".", cents, marks } = match.groups as Record<string, string>;
    return `${before}${sign}${figuresOf(whole!)}${mark}${figuresOf(cents!)}${marks}`;
  };
  // The price of one before it has the same figures.
  const grouped = GROUPED.exec(cell.text)?.groups?.["amount"];
  if (grouped !== undefined && row.cells.some(({ text }, other) => other < at && text === grouped)) return grouped;
  const parted = PARTED.exec(cell.text);
  if (parted) return written(parted);
  const lettered = LETTERS.exec(cell.text);
  if (lettered && (isFigures(lettered) || isInColumn(lettered))) return written(lettered);
  const pointless = POINTLESS.exec(cell.text);
  if (!pointless) return cell.text;
  const signs = signsOfAmount(pointless, row, at, amounts);
  const isAmongAmounts = index >= amounts.first - 1 && index <= amounts.last + 1 && isInColumn(pointless);
  return signs > 1 || (signs > 0 && isAmongAmounts) ? written(pointless) : cell.text;
}

/**
 * Whether a match is an amount: a currency sign is before it, or it has at least two figures. `1.5l` is the size of a
 * bottle.
 */
function isFigures({ groups }: RegExpExecArray): boolean {
  const { before, whole, cents } = groups as Record<string, string>;
  const figures = (whole! + cents!).replace(/\D/g, "").length;
  if (SIGN_BEFORE.test(before!)) return figures > 0;
  return figures >= 2 && !/^\d[lgGb]$/.test(cents!);
}

/**
 * Counts the signs that figures without a point are an amount: a currency sign or a zero before them, the same figures
 * beside them, or the same amount with its point elsewhere.
 */
function signsOfAmount({ groups }: RegExpExecArray, row: Row, at: number, { figures }: Amounts): number {
  const { before, whole, cents } = groups as Record<string, string>;
  if (MONEY_BEFORE.test(before!)) return 1;
  if (before !== "") return 0;
  const isTwice = row.cells.some(({ text }, other) => other !== at && text === whole! + cents!);
  return [whole === "0", isTwice, figures.has(whole! + cents!)].filter(Boolean).length;
}

function figuresOf(text: string): string {
  return text.replace(/\D/g, (letter) => FIGURE_OF[letter] ?? "");
}
