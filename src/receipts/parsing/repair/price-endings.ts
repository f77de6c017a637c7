import type { DraftLine } from "../items/lines.ts";

// Which of several lines has the misread digit. Most prices end in 0, 5 or 9: among `1.49`, `2.99` and `0.79` a `3.93`
// was rather 3.99 than `1.40` was 1.46.

/** How often amounts have each digit in their last place, and in the one before: 300 amounts of real receipts. */
const LAST: readonly number[] = [0.6, 0.03, 0.03, 0.02, 0.02, 0.08, 0.02, 0.02, 0.04, 0.14];
const TENS: readonly number[] = [0.16, 0.06, 0.06, 0.06, 0.09, 0.17, 0.08, 0.05, 0.08, 0.19];
/** The receipt's own amounts count as much as these shares if there are this many of them. */
const HABIT_AMOUNTS = 4;
/** A misread row mostly has a lower score of the OCR. With this added, two rows of nearly the same score are alike. */
const DOUBT_MIN = 0.05;
/** The likeliest line must be this many times as likely as all others together. Set by hand on typed receipts. */
const LIKELIER_TIMES = 8;

/** A line, and the amount that it would have. */
export interface Correction {
  line: DraftLine;
  wanted: number;
}

/**
 * Returns the correction that the endings of all prices, and the OCR's scores, make much likelier than the others; null
 * if there is none.
 */
export function likeliestCorrection(
  corrections: readonly Correction[],
  lines: readonly DraftLine[],
): Correction | null {
  const weighed = corrections
    .map((correction) => ({ correction, weight: weightOf(correction, lines) }))
    .sort((a, b) => b.weight - a.weight);
  const [best, ...others] = weighed;
  const rest = others.reduce((sum, { weight }) => sum + weight, 0);
  return best && best.weight >= LIKELIER_TIMES * rest ? best.correction : null;
}

function weightOf({ line, wanted }: Correction, lines: readonly DraftLine[]): number {
  const endings = lines.flatMap((other) => (other === line ? [] : [endingOf(other.amountMinor)]));
  const doubt = 1 - line.score + DOUBT_MIN;
  return (doubt * shareOf(endingOf(wanted), endings)) / shareOf(endingOf(line.amountMinor), endings);
}

/** The last two digits of an amount. */
function endingOf(minor: number): number {
  return Math.abs(minor) % 100;
}

/** How usual an ending is, by the receipt's own amounts and by those of others. */
function shareOf(ending: number, endings: readonly number[]): number {
  const [tens, last] = [Math.floor(ending / 10), ending % 10];
  const share = (usual: number, all: number, found: number): number =>
    (HABIT_AMOUNTS * usual + found) / (HABIT_AMOUNTS + all);
  const sameLast = endings.filter((other) => other % 10 === last).length;
  const same = endings.filter((other) => other === ending).length;
  return share(LAST[last]!, endings.length, sameLast) * share(TENS[tens]!, sameLast, same);
}
