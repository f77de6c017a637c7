import { anyWholeWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import type { Row } from "./rows.ts";

// Web pages of an invoice repeat the name of the column over each amount: `PAO FRANCES  Vl. Total` over
// `Qtde.: 2  Vl. Unit.: 4,99  9,98`. It would make the name of the goods a total.

const HEADING_WORDS = new RegExp(anyWholeWordOf(wordsOf("headings")), "gi");
/** A figure with two decimals, alone in a cell. */
const AMOUNT = /^\D{0,3}\d{1,6}[.,]\s?\d{2}$/;

/** Returns the rows without the names of a column behind goods and right above an amount. */
export function withoutRepeatedHeadings(rows: readonly Row[]): Row[] {
  return rows.map((row, i) => {
    const [first, last] = [row.cells[0]!, row.cells.at(-1)!];
    const below = rows[i + 1]?.cells.at(-1);
    if (row.cells.length < 2 || !below || !isHeading(last.text) || isHeading(first.text)) return row;
    if (!AMOUNT.test(below.text) || below.right < last.left) return row;
    const cells = row.cells.slice(0, -1);
    return { ...row, cells, text: cells.map(({ text }) => text).join("  "), right: cells.at(-1)!.right };
  });
}

/** Whether a text is two words for a column, at least, and nothing else. */
function isHeading(text: string): boolean {
  const found = text.match(HEADING_WORDS) ?? [];
  return found.length >= 2 && !/[\p{L}\d]/u.test(text.replace(HEADING_WORDS, ""));
}
