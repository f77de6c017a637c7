import { SIGN } from "../languages/currency-signs.ts";
import type { Cell, Row } from "./rows.ts";

// Tills that print numbers as their language writes them: `430.0` for 430.00, in every column (India). Here they get
// their second decimal, so that later passes find them.

/** A figure with one decimal, alone in its cell. */
const ONE_DECIMAL = new RegExp(String.raw`^(?:${SIGN}\s?)?-?(\d{1,3}(?:,\d{3})+\.\d|\d{1,6}[.,]\d)$`);
/** The same behind a label in one cell: `Total: 1,060.0`. */
const LABELLED = /(?<=\p{L}\s?:\s?)(\d{1,3}(?:,\d{3})+\.\d|\d{1,6}\.\d)$/u;

/**
 * Returns the rows with a zero behind the only decimal of their amounts, if a row shows that this is the page's habit:
 * its last figure is its last but one, as a rate and the amount of one are (`1  430.0  430.0`), or a count times that.
 */
export function withSecondDecimal(rows: readonly Row[]): Row[] {
  if (!rows.some(({ cells }) => isHabit(cells))) return [...rows];
  return rows.map((row) => {
    const last = row.cells.at(-1)!;
    if (!ONE_DECIMAL.test(last.text) && !LABELLED.test(last.text)) return row;
    const cells = row.cells.map((cell, i) =>
      i > 0 && ONE_DECIMAL.test(cell.text)
        ? { ...cell, text: `${cell.text}0` }
        : { ...cell, text: cell.text.replace(LABELLED, "$&0") },
    );
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}

function isHabit(cells: readonly Cell[]): boolean {
  const [count, price, amount] = cells.slice(-3).map(({ text }) => text);
  if (amount === undefined || !ONE_DECIMAL.test(amount)) return false;
  const product = Number(count) * valueOf(price!);
  return Number.isFinite(product) && Math.abs(product - valueOf(amount)) < 0.05;
}

function valueOf(figure: string): number {
  const plain = figure.replace(/[^\d.,]/g, "");
  return Number(/[.,]\d{1,2}$/.test(plain) ? plain.replace(/[.,](?=\d{3})/g, "").replace(",", ".") : plain);
}
