import type { DraftLine, UnpricedRow } from "../items/lines.ts";
import type { Repair } from "./repair.ts";

/** A missing amount may be at most this many times the largest one read. Set by hand on the development receipts. */
const LARGEST_TIMES_MAX = 2;
/** Highest score of a line without its amount on the row. Set by hand on the development receipts. */
const SCORE_MAX = 0.5;

/**
 * Returns the lines with the missing amount added to the one row that has none: the row with its figures without their
 * point, or the only row without an amount.
 */
export function missingAmountRepairs(
  lines: readonly DraftLine[],
  unpriced: readonly UnpricedRow[],
  targets: readonly number[],
  sum: number,
): Repair[] {
  return targets.flatMap((target) => {
    const amountMinor = target - sum;
    const printed = unpriced.filter(({ bareFigures }) => bareFigures.includes(amountMinor));
    const [row, second] = printed.length > 0 ? printed : unpriced;
    const isLikely =
      printed.length > 0 ||
      (lines.length >= 2 && amountMinor <= LARGEST_TIMES_MAX * Math.max(...lines.map((line) => line.amountMinor)));
    if (amountMinor <= 0 || !row || second || !isLikely) return [];
    const line: DraftLine = {
      kind: "item",
      name: row.name,
      quantity: null,
      amountMinor,
      isAmountComputed: true,
      score: printed.length > 0 ? row.score : Math.min(SCORE_MAX, row.score),
      rowIndex: row.rowIndex,
    };
    const all = [...lines, line].sort((a, b) => a.rowIndex - b.rowIndex);
    return [{ lines: all, note: `${row.name}: amount taken from the total` }];
  });
}
