import type { Row } from "./rows.ts";

/** `*21.00` at the end of a row: a till's mark against figures that somebody adds before an amount. */
const STARRED = /\*(?=-?\d{1,4}[.,]\d{2}$)/;
/** Fewer rows may be a price that is multiplied (`3 *1.50`). */
const STARRED_ROWS_MIN = 3;

/** Returns the rows without a star before their amount where most amounts have one: then it does not multiply. */
export function withoutStars(rows: readonly Row[]): Row[] {
  const starred = rows.filter(({ text }) => STARRED.test(text)).length;
  const priced = rows.filter(({ text }) => /\d[.,]\d{2}$/.test(text)).length;
  if (starred < STARRED_ROWS_MIN || 2 * starred < priced) return [...rows];
  return rows.map((row) => {
    const cells = row.cells.map((cell) => ({ ...cell, text: cell.text.replace(STARRED, " ").trim() }));
    return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
  });
}
