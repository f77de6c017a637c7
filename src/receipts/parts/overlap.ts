// The lines that two photos of a receipt both show, aligned: one goes on where the other ends, or shows a piece of it.
// Pure.
import type { PartRow } from "./part-rows.ts";

/** A row of the upper part, of the lower one, or the same row on both. */
export type Step = readonly [upper: number | null, lower: number | null];

/** The rows that two parts have in common, and how the rows between them belong together. */
export interface Overlap {
  readonly score: number;
  /** From the first common row to the last one: of both parts, in order. Before and after it is what only one shows. */
  readonly steps: readonly Step[];
  /** Number of rows that both show. */
  readonly common: number;
}

/**
 * What a row is worth that both parts show. A line with its amount counts most; the same amount under another name is
 * nearly nothing, and another amount contradicts, unless the name is long and the amount as long: one digit is misread.
 */
const WORTH = { amount: 1, row: 1, lettersMax: 10, misreadAmount: 0.3, otherName: 0.2, cutAmount: 0.6 } as const;
const OTHER_ROW = -1;
const CUT_ROW = -0.2;
const OTHER_AMOUNT = -1.3;
/** A row that only one of the parts shows between common ones. Two of them cost more than one row misread. */
const GAP = -0.7;
/** Shares of pairs of letters in common: two readings of one name, of one row without amount, of a long name. */
const SAME_NAME_MIN = 0.45;
const SAME_ROW_MIN = 0.6;
const SURE_NAME_MIN = 0.75;
/** Below this the parts have nothing in common: less than one line with its name and amount. */
const SCORE_MIN = 2;
/** Rows at the edge of a part that the other one does not show, though it shows what is around: cut, or misread. */
const SKIPPED_MAX = 4;

/** How much speaks for two rows being the same print; negative: they are not. A cut row says little. */
export function worthOf(one: PartRow, other: PartRow): number {
  const worth = worthOfWhole(one, other);
  return one.isAtEdge || other.isAtEdge ? Math.max(worth, CUT_ROW) : worth;
}

function worthOfWhole(one: PartRow, other: PartRow): number {
  const letters = Math.min(1, Math.min(one.key.length, other.key.length) / WORTH.lettersMax);
  if (letters === 0) return one.key.length === other.key.length ? 0 : OTHER_ROW;
  if (one.amount !== null && other.amount !== null) {
    const isEqual = one.amount === other.amount;
    if (!isEqual && !differsOnce(one.amount, other.amount)) return OTHER_AMOUNT;
    const share = diceOf(one.pairs, other.pairs);
    if (isEqual) return share >= SAME_NAME_MIN ? WORTH.row + WORTH.amount * letters + letters : WORTH.otherName;
    return share >= SURE_NAME_MIN ? WORTH.misreadAmount : OTHER_AMOUNT;
  }
  if (diceOf(one.pairs, other.pairs) < SAME_ROW_MIN) return OTHER_ROW;
  return letters * (one.amount === other.amount ? WORTH.row : WORTH.cutAmount);
}

function differsOnce(one: string, other: string): boolean {
  return one.length === other.length && Array.from(one).filter((digit, i) => digit !== other[i]).length === 1;
}

/** Share of pairs in common (Dice 1945), of two sorted lists. */
function diceOf(some: readonly number[], others: readonly number[]): number {
  if (some.length + others.length === 0) return 1;
  let [i, j, common] = [0, 0, 0];
  while (i < some.length && j < others.length) {
    const [a, b] = [some[i]!, others[j]!];
    if (a === b) common++;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return (2 * common) / (some.length + others.length);
}

/** The worth of each row of a part beside each of another one. */
export type Worths = readonly Float64Array[];

/** Returns the worths of two parts. With 1,000 boxes in all (join.ts) it has at most 250,000 cells. */
export function worthsOf(upper: readonly PartRow[], lower: readonly PartRow[]): Worths {
  return upper.map((row) => Float64Array.from(lower, (other) => worthOf(row, other)));
}

/** The best score from each pair of rows on. At the end of either part the other one goes on by itself. */
type Scores = readonly Float64Array[];

function scoresOf(worths: Worths): Scores {
  const [rows, columns] = [worths.length, worths[0]?.length ?? 0];
  const best = Array.from({ length: rows + 1 }, () => new Float64Array(columns + 1));
  for (let i = rows - 1; i >= 0; i--) {
    for (let j = columns - 1; j >= 0; j--) {
      const both = best[i + 1]![j + 1]! + worths[i]![j]!;
      best[i]![j] = Math.max(both, best[i + 1]![j]! + GAP, best[i]![j + 1]! + GAP);
    }
  }
  return best;
}

/**
 * Returns the ways in which two parts may belong together, the best first. Lines that repeat themselves leave more than
 * one. None: the parts have nothing in common.
 */
export function overlapsOf(worths: Worths, max: number): Overlap[] {
  const scores = scoresOf(worths);
  const starts = startsOf(worths, scores).toSorted((a, b) => b.score - a.score);
  const overlaps: Overlap[] = [];
  for (const start of starts) {
    if (overlaps.length === max || start.score < SCORE_MIN) break;
    const steps = traced(worths, scores, start);
    // A start in the middle of an overlap that is there already is the same one.
    if (overlaps.some((other) => sharesStep(other.steps, steps))) continue;
    const common = steps.filter(([i, j]) => i !== null && j !== null && worths[i]![j]! > 0).length;
    overlaps.push({ score: start.score, steps, common });
  }
  return overlaps;
}

interface Start {
  readonly i: number;
  readonly j: number;
  readonly score: number;
}

/** The pairs of rows with which the common ones may begin: at least one of them is at the beginning of its part. */
function startsOf(worths: Worths, scores: Scores): Start[] {
  return worths.flatMap((row, i) =>
    Array.from(row).flatMap((worth, j) => {
      const skipped = Math.min(i, j);
      if (worth <= 0 || skipped > SKIPPED_MAX) return [];
      let score = worth + scores[i + 1]![j + 1]!;
      for (let back = 1; back <= skipped; back++) score += Math.max(GAP, worths[i - back]![j - back]!);
      return [{ i, j, score }];
    }),
  );
}

function traced(worths: Worths, scores: Scores, start: Start): Step[] {
  const [rows, columns] = [worths.length, worths[0]!.length];
  const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-9;
  let [i, j] = [start.i, start.j];
  const steps: Step[] = [];
  // What one part shows at its edge is printed where the other one shows rows: they are taken for the same, and the
  // better one is kept.
  for (let back = Math.min(i, j); back > 0; back--) steps.push([i - back, j - back]);
  steps.push([i++, j++]);
  while (i < rows && j < columns) {
    if (isSame(scores[i]![j]!, scores[i + 1]![j + 1]! + worths[i]![j]!)) steps.push([i++, j++]);
    else if (isSame(scores[i]![j]!, scores[i + 1]![j]! + GAP)) steps.push([i++, null]);
    else steps.push([null, j++]);
  }
  const last = steps.findLastIndex(([a, b]) => a !== null && b !== null && worths[a]![b]! > 0);
  const [lastI, lastJ] = steps[last] as [number, number];
  const behind = Math.min(rows - lastI, columns - lastJ) - 1;
  return [
    ...steps.slice(0, last + 1),
    ...Array.from({ length: behind }, (_, k): Step => [lastI + 1 + k, lastJ + 1 + k]),
  ];
}

function sharesStep(some: readonly Step[], others: readonly Step[]): boolean {
  const known = new Set(some.map(([i, j]) => `${i} ${j}`));
  return others.some(([i, j]) => i !== null && j !== null && known.has(`${i} ${j}`));
}
