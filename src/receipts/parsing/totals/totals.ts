import { findBelow } from "./summary-block.ts";
import type { Below } from "./summary-block.ts";
import { mayBeReadFor } from "../repair/misread-digits.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isTotal, isTotalRow, mayHaveBeen } from "../rows/row-kinds.ts";
import { anyWordOf } from "../languages/notation.ts";
import { wordsOf } from "../languages/vocabulary.ts";

/** What stands below the list of items, in minor units; null where not read. */
export interface Totals {
  subTotalMinor: number | null;
  /** In the prices or on top of them, a service charge among those on top. */
  taxMinor: number | null;
  roundingMinor: number | null;
  totalMinor: number | null;
  paidMinor: number | null;
  changeMinor: number | null;
  /** What was read beside the word for the total, where a digit of it was put right. */
  misreadTotalMinor: number | null;
  /** How sure the total is, 0 to 1: 1 where the payment or the list's sum agrees with what is printed as total. */
  totalScore: number;
}

/** Words that make a total the last one. */
const FINAL_TOTAL = new RegExp(anyWordOf(wordsOf("finalTotals")), "i");

/** How much each finding speaks for an amount being the total; only their proportions matter. */
const WEIGHT = {
  /** It stands beside the word, and what makes that word the last, or this row stand out. */
  called: 4,
  calledFinal: 2,
  calledLarge: 1,
  calledFirst: 0.5,
  /** It ends a row of several figures, as in a table of taxes. */
  tabled: 0.7,
  /** `TOTAL 8 ITEMS  33.42`, but also `TOTAL QTY  8.00`. */
  counted: 2,
  /** A total with the rounding below it, printed or paid. */
  rounded: 5,
  /** An earlier total and all that stands between; and where the figure beside its word is another by a digit. */
  chained: 4,
  chainedMisread: 7,
  subtotal: 1,
  subtotalAndTax: 3,
  subtotalRounded: 3,
  paidByCard: 2.5,
  paidInCash: 1,
  paidLessChange: 4,
  /** Voucher and card: together what is called a total. */
  paidTogether: 4,
  lines: 3,
  linesAndTax: 3,
  linesRounded: 4.5,
  /** What the goods come to and what was paid are read apart: where they agree, a total that was misread doesn't count. */
  linesPaid: 3,
  /** A damaged figure beside the word may be it. */
  damaged: 4,
  /** What is only computed is no total, unless cash and change say so. */
  printedNowhere: -2.5,
  printedAgain: 0.3,
} as const;
/** A row this much higher than the others is set large. */
const LARGE_HEIGHTS = 1.3;
/** Beside a word of rounding, what is less is what was rounded by: half a rupee at most. */
const ROUNDED_TOTAL_MIN = 100;
/** Findings of this weight together leave no doubt. */
const SURE_WEIGHT = 10;
/** A total that was put right is not surer than this. */
const REPAIRED_SCORE_MAX = 0.55;

/** Reads the totals from the rows after the list; `linesSumMinor` is what the list's lines add up to. */
export function readTotals(rows: readonly ReceiptRow[], linesEnd: number, linesSumMinor: number): Totals {
  const below = findBelow(rows, linesEnd, linesSumMinor);
  const { subtotals, taxes, payments, changes, rounding, chained } = below;
  const scores = scoresOf(rows, linesEnd, linesSumMinor, below);
  // `TOTAL 19.15, SERVICE 1.92, TO PAY 21.07`: what is to pay is the later one, whatever speaks for the earlier, unless that was paid.
  for (const { minor, earlierMinor } of chained) {
    const earlier = earlierMinor === null ? undefined : scores.get(earlierMinor);
    if (earlier !== undefined && !payments.some((payment) => payment.minor === earlierMinor))
      scores.set(minor, Math.max(scores.get(minor) ?? 0, earlier + 1));
  }
  const best = [...scores].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || b - a)[0];
  const totalMinor = best?.[0] ?? null;
  const misreadTotalMinor = totalMinor === null ? null : misreadFor(totalMinor, rows.slice(linesEnd));
  const payment = payments.find(({ minor }) => totalMinor !== null && minor >= totalMinor) ?? payments[0];
  return {
    subTotalMinor: subtotals[0] ?? null,
    taxMinor: taxesOnTop(below, linesSumMinor, totalMinor) ?? taxes[0] ?? taxFromTable(rows.slice(linesEnd)),
    roundingMinor: rounding?.minor ?? null,
    totalMinor,
    paidMinor: payment?.minor ?? null,
    changeMinor: changes[0] ?? null,
    misreadTotalMinor,
    totalScore: Math.min(misreadTotalMinor === null ? 1 : REPAIRED_SCORE_MAX, (best?.[1] ?? 0) / SURE_WEIGHT),
  };
}

/** How much speaks for each amount that may be the total. */
function scoresOf(
  rows: readonly ReceiptRow[],
  linesEnd: number,
  linesSumMinor: number,
  below: Below,
): Map<number, number> {
  const { labelled, subtotals, taxes, payments, changes, chained, printed } = below;
  const rounding = below.rounding?.minor ?? 0;
  const scores = new Map<number, number>();
  const add = (minor: number, weight: number): void => {
    if (minor > 0) scores.set(minor, (scores.get(minor) ?? 0) + weight);
  };
  addCalled(rows, below, add);
  for (const { minor, isMisread } of chained) add(minor, isMisread ? WEIGHT.chainedMisread : WEIGHT.chained);
  for (const subtotal of subtotals) {
    add(subtotal, WEIGHT.subtotal);
    for (const tax of taxes) add(subtotal + tax, WEIGHT.subtotalAndTax);
    if (rounding !== 0) add(subtotal + rounding, WEIGHT.subtotalRounded);
  }
  for (const { minor, labels } of payments) add(minor, labels.has("card") ? WEIGHT.paidByCard : WEIGHT.paidInCash);
  const lessChange = payments.flatMap(({ minor }) => changes.map((change) => ({ minor: minor - change, change })));
  for (const { minor, change } of lessChange) if (change > 0) add(minor, WEIGHT.paidLessChange);
  for (const minor of new Set(labelled.flatMap(({ labels, minor }) => (labels.has("total") ? [minor] : []))))
    if (isPaidTogether(payments, minor)) add(minor, WEIGHT.paidTogether);
  add(linesSumMinor, WEIGHT.lines);
  if (rounding !== 0) add(linesSumMinor + rounding, WEIGHT.linesRounded);
  for (const tax of taxes) if (tax > 0) add(linesSumMinor + tax, WEIGHT.linesAndTax);
  const settled = new Set([...payments, ...lessChange].map(({ minor }) => minor));
  for (const extra of new Set([0, rounding, ...taxes]))
    if (settled.has(linesSumMinor + extra)) add(linesSumMinor + extra, WEIGHT.linesPaid);
  const timesBelow = (minor: number): number =>
    rows.slice(linesEnd).filter(({ amounts }) => amounts.some((amount) => amount.minor === minor)).length;
  const damaged = rows.slice(linesEnd).filter((row) => isTotalRow(row) && !row.labels.has("subtotal"));
  for (const [minor, score] of scores) {
    // The lines may be as wrong as the total: they alone are no reason to call it misread.
    const besideLines = minor === linesSumMinor ? score - WEIGHT.lines : score;
    const isMisread =
      besideLines >= WEIGHT.subtotalAndTax &&
      (printed.has(minor) || lessChange.some((paid) => paid.minor === minor)) &&
      damaged.some((row) => isReadFor(row, minor) && timesBelow(row.amounts[0]!.minor) === 1);
    if (isMisread || damaged.some((row) => mayHaveBeen(row, minor))) scores.set(minor, score + WEIGHT.damaged);
    else if (!printed.has(minor)) scores.set(minor, score + WEIGHT.printedNowhere);
  }
  for (const row of rows.slice(linesEnd))
    for (const { minor } of row.amounts) if (scores.has(minor)) add(minor, WEIGHT.printedAgain);
  return scores;
}

/** What is printed as the total where no total reads so, but one is it by a misread digit. */
function misreadFor(totalMinor: number, below: readonly ReceiptRow[]): number | null {
  const called = below.filter((row) => isTotalRow(row) && isTotal(row.labels));
  if (called.some(({ amounts }) => amounts.some(({ minor }) => minor === totalMinor))) return null;
  return called.find((row) => isReadFor(row, totalMinor))?.amounts[0]!.minor ?? null;
}

/** Whether a row's only figure is another by a misread digit. */
function isReadFor({ amounts }: ReceiptRow, minor: number): boolean {
  return amounts.length === 1 && mayBeReadFor(amounts[0]!.minor, minor);
}

/** Whether payments that follow each other come to an amount. */
function isPaidTogether(payments: Below["payments"], total: number): boolean {
  return payments.some((_, from) => {
    let sum = 0;
    return payments.slice(from).some(({ minor }, i) => {
      sum += minor;
      return i > 0 && minor > 0 && minor < total && sum === total;
    });
  });
}

/** What is called a total, and what a total becomes by the rounding below it. */
function addCalled(
  rows: readonly ReceiptRow[],
  { labelled, payments, changes, rounding }: Below,
  add: (minor: number, weight: number) => void,
): void {
  // What was handed over, and what of it was kept; where the rounding stands below, it is that of the change.
  const paid = new Set(
    payments.flatMap(({ minor, index }) =>
      rounding === null || index < rounding.index ? [minor] : [minor, ...changes.map((change) => minor - change)],
    ),
  );
  const largeHeight = LARGE_HEIGHTS * (rows.map((row) => row.height).sort((a, b) => a - b)[rows.length >> 1] ?? 1);
  let isFirst = true;
  for (const { minor, labels, row, figures } of labelled) {
    if (labels.has("total") && labels.has("count")) add(minor, WEIGHT.counted);
    if (!isTotal(labels) && !(labels.has("rounding") && minor >= ROUNDED_TOTAL_MIN)) continue;
    // A total before rounding points at the one after it.
    const rounded = minor + (rounding?.minor ?? 0);
    const isRounded = paid.has(rounded) || labelled.some((other) => isTotal(other.labels) && other.minor === rounded);
    if (rounded !== minor && isRounded) add(rounded, WEIGHT.rounded);
    const standsOut =
      (FINAL_TOTAL.test(row.text) ? WEIGHT.calledFinal : 0) +
      (row.height > largeHeight ? WEIGHT.calledLarge : 0) +
      (isFirst ? WEIGHT.calledFirst : 0);
    add(minor, figures > 1 ? WEIGHT.tabled : WEIGHT.called + standsOut);
    isFirst = false;
  }
}

/** What several taxes and charges above the total come to (GST and PST, service and GST), where they are what it has beyond subtotal or list. */
function taxesOnTop(
  { labelled, subtotals, rounding }: Below,
  linesSumMinor: number,
  totalMinor: number | null,
): number | null {
  const end = labelled.findIndex(({ labels, minor }) => isTotal(labels) && minor === totalMinor);
  const taxes = labelled.slice(0, Math.max(0, end)).filter(({ labels }) => labels.has("tax") || labels.has("taxTotal"));
  const sum = taxes.reduce((total, { minor }) => total + minor, rounding?.minor ?? 0);
  const isAll = [linesSumMinor, ...subtotals].some((net) => net + sum === totalMinor);
  return taxes.length > 1 && isAll ? sum - (rounding?.minor ?? 0) : null;
}

/** The sum of the taxes in a table of net, tax and gross, in whatever order: rows of three figures of which two add up to the third. */
function taxFromTable(rows: readonly ReceiptRow[]): number | null {
  const taxes = rows.flatMap((row) => {
    if (row.amounts.length < 3 || row.labels.has("total")) return [];
    const figures = row.amounts.slice(-3).map(({ minor }) => minor).sort((a, b) => a - b); // prettier-ignore
    const [smallest = 0, middle = 0, largest = 0] = figures;
    return largest > 0 && smallest + middle === largest ? [smallest] : [];
  });
  return taxes.length === 0 ? null : taxes.reduce((sum, tax) => sum + tax, 0);
}
