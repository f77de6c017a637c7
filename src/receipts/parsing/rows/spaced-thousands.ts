import { SIGN_BEHIND } from "../languages/currency-signs.ts";
import { labelsOf } from "./labels.ts";
import type { Cell, Row } from "./rows.ts";

// Amounts with a blank between thousands (`1 999,00` in Norway, France, Poland): read as they are, they are a count and
// an amount. The blank is left out where the page shows what it is.

/** Such an amount at the end of a cell: all of it, or behind a word and its colon. */
const SPACED = new RegExp(
  String.raw`(?<=^-?|\p{L}\s?:?\s{1,3})([1-9]\d{0,2}) (\d{3}[.,]\d{2})(?=(?:\s?${SIGN_BEHIND})?$)`,
  "u",
);
const ALONE = /^-?\d/;

/** `1 000,00`: no amount alone begins with a zero and a figure. */
const ZERO_FIRST = /^-?[1-9]\d{0,2} 0\d{2}[.,]\d{2}(?!\d)/;

/**
 * Returns the rows without blanks between thousands, if figures of one can be no amount alone, or a payment is printed
 * so (no count is before a payment) and its figures are on another row, too, with the blank or without.
 */
export function withThousandsJoined(rows: readonly Row[]): Row[] {
  const spaced = rows.filter(({ cells }) => SPACED.test(cells.at(-1)!.text));
  const isSure = (row: Row): boolean => ZERO_FIRST.test(row.cells.at(-1)!.text) || isPaid(row, rows);
  if (!spaced.some(isSure)) return [...rows];
  return rows.map((row) => {
    if (!spaced.includes(row)) return row;
    const last = row.cells.at(-1)!;
    // Behind the name of goods in one cell it may be a count.
    if (!ALONE.test(last.text) && !isSum(row)) return row;
    const cells: Cell[] = [...row.cells.slice(0, -1), { ...last, text: last.text.replace(SPACED, "$1$2") }];
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}

function isSum({ text }: Row): boolean {
  const labels = labelsOf(text.replace(SPACED, ""));
  return labels.has("total") || labels.has("card") || labels.has("cash");
}

function isPaid(row: Row, rows: readonly Row[]): boolean {
  const labels = labelsOf(row.text.replace(SPACED, ""));
  if (!labels.has("card") && !labels.has("cash")) return false;
  const [, thousands, rest] = SPACED.exec(row.cells.at(-1)!.text)!;
  const same = new RegExp(String.raw`(?<!\d)${thousands}[ .,']?${rest!.replace(/[.,]/, "[.,]")}(?!\d)`);
  return rows.some((other) => other !== row && same.test(other.text));
}
