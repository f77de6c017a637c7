import { findAmounts } from "./amounts.ts";
import type { Row } from "./rows.ts";

// Goods of one offer, their amounts in brackets, then what they cost together (Coop in Norway):
//   JAM 500G         ( 38.50)
//   JAM 500G         ( 38.50)
//     Sum            ( 77.00)
//     Mixrabatt      (-17.00)
//     Sum mix          60.00
// Here the brackets go, and the two sums: what is left is a list like others.

/** A bracketed amount at the end of a row, perhaps with its own minus. */
const BRACKETED = /\(\s?(-?)\s?(\d{1,5}[.,]\s?\d{2})\s?\)\s*$/;
/** Rows of one group: more are another list. */
const GROUP_ROWS_MAX = 30;

/**
 * Returns the rows without brackets around amounts and without the sums in a group, where it has a bracketed minus and
 * adds up. Elsewhere brackets mean a minus.
 */
export function withoutBracketedGroups(rows: readonly Row[]): Row[] {
  const sums = new Set<Row>();
  const opened = new Set<Row>();
  for (let start = 0; start < rows.length; start++) {
    if (!BRACKETED.test(rows[start]!.text)) continue;
    const group = groupAt(rows, start);
    if (group === null) continue;
    group.sums.forEach((row) => sums.add(row));
    group.opened.forEach((row) => opened.add(row));
    start = group.end;
  }
  return rows.flatMap((row) => (sums.has(row) ? [] : opened.has(row) ? [withoutBrackets(row)] : [row]));
}

/**
 * Returns the group that begins at a row: bracketed goods, their bracketed sum, a bracketed discount with a minus, and
 * what is left, unbracketed. Null if the arithmetic is another one.
 */
function groupAt(rows: readonly Row[], start: number): { opened: Row[]; sums: Row[]; end: number } | null {
  const opened: Row[] = [];
  const sums: Row[] = [];
  let [goods, left, isReduced] = [0, 0, false];
  for (let i = start; i < Math.min(rows.length, start + GROUP_ROWS_MAX); i++) {
    const row = rows[i]!;
    const minor = bracketedMinor(row);
    const last = minor === null ? (findAmounts(row.text).at(-1)?.minor ?? null) : null;
    if (minor === null && last === null) continue;
    if (minor === null) return isReduced && last === left ? { opened, sums: [...sums, row], end: i } : null;
    if (opened.length > 1 && !isReduced && minor === goods) sums.push(row);
    else opened.push(row);
    if (sums.at(-1) === row) left = goods;
    else if (minor < 0) [left, isReduced] = [(isReduced || sums.length > 0 ? left : goods) + minor, true];
    else if (isReduced) return null;
    else goods += minor;
  }
  return null;
}

function bracketedMinor({ text }: Row): number | null {
  const found = BRACKETED.exec(text);
  return found && Number(found[2]!.replace(/\D/g, "")) * (found[1] ? -1 : 1);
}

function withoutBrackets(row: Row): Row {
  const last = row.cells.length - 1;
  const cells = row.cells.map((cell, i) =>
    i === last ? { ...cell, text: cell.text.replace(BRACKETED, "$1$2").trim() } : cell,
  );
  return { ...row, cells, text: cells.map(({ text }) => text).join("  ") };
}
