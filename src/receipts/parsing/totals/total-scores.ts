import { plainLetters } from "../languages/plain-letters.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";
import { mayBeReadFor } from "../rows/misread-digits.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isTotal, mayHaveBeen } from "../rows/row-kinds.ts";
import type { Summary } from "./summary-block.ts";

// Evidence for each amount that may be the total: its word, the subtotal and taxes, the payment, the sum of the lines.

/** Words that make a total the last one. */
const FINAL_TOTAL = new RegExp(anyWordOf(wordsOf("finalTotals")), "i");

/**
 * How strong each piece of evidence is that an amount is the total. Only the proportions matter. Set by hand on the
 * development receipts.
 */
const WEIGHT = {
  /** It is beside the word; and the word is a final one, or the first. */
  named: 4,
  namedFinal: 2,
  namedFirst: 0.5,
  /** It ends a row of several figures, as in a table of taxes. */
  tabled: 0.7,
  /** `TOTAL 8 ITEMS  33.42`, but also `TOTAL QTY  8.00`. */
  counted: 2,
  /** An earlier total plus all amounts between; and the same if the figure beside its word differs by one digit. */
  chained: 4,
  chainedMisread: 7,
  subtotal: 1,
  subtotalAndTax: 3,
  paidByCard: 2.5,
  paidLessChange: 4,
  /** Voucher and card: together they are the printed total. */
  paidTogether: 4,
  lines: 3,
  linesAndTax: 3,
  linesRounded: 4.5,
  /** Lines and payment are read separately: if they agree, a misread total doesn't count. */
  linesPaid: 3,
  /** A damaged figure beside the word may be it. */
  damaged: 4,
  /** An amount that is only computed is no total, unless cash and change say so. */
  notPrinted: -2.5,
  printedAgain: 0.3,
} as const;
/** Beside a word of rounding a smaller amount is the rounding itself: half a rupee at most. */
const ROUNDED_TOTAL_MIN = 100;

type Scores = Map<number, number>;
type Add = (minor: number, weight: number) => void;

/** Returns the weight of the evidence for each amount that may be the total. */
export function totalScores(
  rows: readonly ReceiptRow[],
  linesEnd: number,
  linesSumMinor: number,
  summary: Summary,
): Scores {
  const scores: Scores = new Map();
  const add: Add = (minor, weight) => {
    if (minor > 0) scores.set(minor, (scores.get(minor) ?? 0) + weight);
  };
  const below = rows.slice(linesEnd);
  addNamed(summary, add);
  for (const { minor, isMisread } of summary.chained) add(minor, isMisread ? WEIGHT.chainedMisread : WEIGHT.chained);
  addSubtotals(summary, add);
  addPayments(summary, add);
  addLines(summary, linesSumMinor, add);
  weighPrint(scores, below, linesSumMinor, summary);
  for (const row of below) for (const { minor } of row.amounts) if (scores.has(minor)) add(minor, WEIGHT.printedAgain);
  return scores;
}

/** Adds amounts beside a word for the total. */
function addNamed({ labelled }: Summary, add: Add): void {
  let isFirst = true;
  for (const { minor, labels, row, figures } of labelled) {
    if (labels.has("total") && labels.has("count")) add(minor, WEIGHT.counted);
    if (!isTotal(labels) && !(labels.has("rounding") && minor >= ROUNDED_TOTAL_MIN)) continue;
    const prominence =
      (FINAL_TOTAL.test(plainLetters(row.text)) ? WEIGHT.namedFinal : 0) + (isFirst ? WEIGHT.namedFirst : 0);
    add(minor, figures > 1 ? WEIGHT.tabled : WEIGHT.named + prominence);
    isFirst = false;
  }
}

function addSubtotals({ subtotals, taxes }: Summary, add: Add): void {
  for (const subtotal of subtotals) {
    add(subtotal, WEIGHT.subtotal);
    for (const tax of taxes) add(subtotal + tax, WEIGHT.subtotalAndTax);
  }
}

function addPayments({ labelled, payments, netPayments }: Summary, add: Add): void {
  for (const { minor, labels } of payments) if (labels.has("card")) add(minor, WEIGHT.paidByCard);
  for (const { minor, change } of netPayments) if (change > 0) add(minor, WEIGHT.paidLessChange);
  for (const minor of new Set(labelled.flatMap(({ labels, minor }) => (labels.has("total") ? [minor] : []))))
    if (isPaidTogether(payments, minor)) add(minor, WEIGHT.paidTogether);
}

/** Whether payments that follow each other add up to an amount. */
export function isPaidTogether(payments: Summary["payments"], total: number): boolean {
  return payments.some((_, from) => {
    let sum = 0;
    return payments.slice(from).some(({ minor }, i) => {
      sum += minor;
      return i > 0 && minor > 0 && minor < total && sum === total;
    });
  });
}

function addLines({ taxes, payments, netPayments, rounding }: Summary, linesSumMinor: number, add: Add): void {
  const roundingMinor = rounding?.minor ?? 0;
  add(linesSumMinor, WEIGHT.lines);
  if (roundingMinor !== 0) add(linesSumMinor + roundingMinor, WEIGHT.linesRounded);
  for (const tax of taxes) if (tax > 0) add(linesSumMinor + tax, WEIGHT.linesAndTax);
  const paid = new Set([...payments, ...netPayments].map(({ minor }) => minor));
  for (const extra of new Set([0, roundingMinor, ...taxes]))
    if (paid.has(linesSumMinor + extra)) add(linesSumMinor + extra, WEIGHT.linesPaid);
}

/**
 * Raises the score of an amount that a damaged total may have been, and lowers it of one that is not printed at all.
 */
function weighPrint(
  scores: Scores,
  below: readonly ReceiptRow[],
  linesSumMinor: number,
  { printed, netPayments }: Summary,
): void {
  const timesBelow = (minor: number): number =>
    below.filter(({ amounts }) => amounts.some((amount) => amount.minor === minor)).length;
  const totals = below.filter((row) => row.kinds.has("total") && !row.labels.has("subtotal"));
  for (const [minor, score] of scores) {
    // The lines may be as wrong as the total: they alone are no reason to call it misread.
    const withoutLines = minor === linesSumMinor ? score - WEIGHT.lines : score;
    const isMisread =
      withoutLines >= WEIGHT.subtotalAndTax &&
      (printed.has(minor) || netPayments.some((paid) => paid.minor === minor)) &&
      totals.some(
        (row) =>
          isReadFor(row, minor) &&
          timesBelow(row.amounts[0]!.minor) === 1 &&
          // `TOTAL 203.00`, the sum of the goods: rather is the change of `CASH 500.00`, `CHANGE 237.00` misread.
          row.amounts[0]!.minor !== linesSumMinor,
      );
    if (isMisread || totals.some((row) => mayHaveBeen(row, minor))) scores.set(minor, score + WEIGHT.damaged);
    else if (!printed.has(minor)) scores.set(minor, score + WEIGHT.notPrinted);
  }
}

/** Whether the only figure of a row is `minor` with a misread digit. */
export function isReadFor({ amounts }: ReceiptRow, minor: number): boolean {
  return amounts.length === 1 && mayBeReadFor(amounts[0]!.minor, minor);
}
