import type { ListRow } from "./list-rows.ts";

// A name over several rows above its amount: the till begins a new row where the next word would not fit.

/** A row of fewer letters is no measure of how much fits. */
const LETTERS_MIN = 20;
/** What has no more letters is hardly a name. */
const REST_LETTERS_MAX = 4;
/** Rows of a name above its last one, at most. */
const ROWS_MAX = 2;

/** Whether a row is a name without an amount. */
export function isNameOnly(row: ListRow | undefined): row is ListRow {
  return row !== undefined && row.amountMinor === null && row.name !== "" && !row.isSkipped;
}

/**
 * Returns the rows above the last row of a name that belong to it, the first one first. Such a row could not have taken
 * the first word of the next one without becoming longer than all names without an amount: `PERLA APA MINERALA`,
 * `NATURALA CARBOGAZOASA PET 2L`; but `BAKERY` is above `BAGUETTE`.
 */
export function rowsOfName(list: readonly ListRow[], last: ListRow, isFree: (row: ListRow) => boolean): ListRow[] {
  const width = Math.max(...list.filter(isNameOnly).map(({ row }) => row.text.trim().length));
  if (width < LETTERS_MIN) return [];
  const rows: ListRow[] = [];
  let below = last;
  const end = list.indexOf(last);
  // Above the first amount is the head: only what cannot be a name is the rest of one (`SGR`).
  const isFirst = list.slice(0, end).every(({ amountMinor }) => amountMinor === null);
  if (isFirst && last.name.replace(/[^\p{L}]/gu, "").length > REST_LETTERS_MAX) return [];
  for (let at = end - 1; at >= 0 && rows.length < ROWS_MAX; at--) {
    const above = list[at];
    const word = below.row.text.trim().split(/\s+/)[0]!;
    if (!isNameOnly(above) || !isFree(above) || above.row.text.trim().length + 1 + word.length <= width) break;
    rows.unshift(above);
    below = above;
  }
  return rows;
}
