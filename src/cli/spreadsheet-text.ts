import { terminalLine } from "./terminal-text.ts";

/**
 * Where a cell starts that a spreadsheet would carry out. By the language of its user it separates cells at commas,
 * semicolons or bars, whatever the quotes of the file say, so a cell may start in the middle of a text. Excel takes
 * full-width signs as their narrow ones.
 */
const FORMULA = /(^|[,;|])([\s"']*)(?=[=+\-@＝＋－＠])/g;

/**
 * Returns a text for a cell of a file that people open in a spreadsheet, or print in a terminal. Names come from
 * applications and receipts: one that starts as a formula gets an apostrophe before it, as for a text that is typed.
 */
export function spreadsheetText(text: string): string {
  return terminalLine(text).replaceAll(FORMULA, "$1'$2");
}
