import { eligibleTotals } from "./eligible-totals.ts";
import { withoutInformation } from "./information.ts";
import { isReadFor, totalScores } from "./total-scores.ts";
import type { ListSum } from "./misread-totals.ts";
import { readSummary } from "./summary-block.ts";
import type { Summary } from "./summary-block.ts";
import { unnamedTotals } from "./unnamed-totals.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isTotal } from "../rows/row-kinds.ts";

/** Sums below the list of items, in minor units; null if not read. */
export interface Totals {
  subTotalMinor: number | null;
  /** Taxes in the prices or on top of them; a service charge counts among those on top. */
  taxMinor: number | null;
  roundingMinor: number | null;
  totalMinor: number | null;
  paidMinor: number | null;
  changeMinor: number | null;
  /** The amount read beside the word for the total, if one digit of it was corrected. */
  misreadTotalMinor: number | null;
  /** How certain the total is, 0 to 1: 1 if the payment or the sum of the list equals the printed total. */
  totalScore: number;
}

/** A total with evidence of this weight is certain. Set by hand on the development receipts. */
const CERTAIN_WEIGHT = 10;
/**
 * Weight of the sum of the list where it is not printed and nothing else speaks for it. It is no total: mostly the list
 * did not end where it should, and the sum has the total and the payment in it.
 */
const SUM_ALONE = 0.5;

/** Whether a row is a total without cents that is an amount: `Celkem k úhradě  348,- Kč`. */
function isWholeTotal({ labels, amounts, text }: ReceiptRow, minor: number): boolean {
  return (
    minor % 100 === 0 &&
    isTotal(labels) &&
    amounts.length === 0 &&
    new RegExp(String.raw`(?<!\d)${minor / 100}(?!\d)`).test(text)
  );
}

/** Highest score of a corrected total. Set by hand on the development receipts. */
const CORRECTED_SCORE_MAX = 0.55;

/** Reads the totals from the rows after the list. */
export function readTotals(all: readonly ReceiptRow[], linesEnd: number, list: ListSum): Totals {
  const rows = withoutInformation(all, linesEnd);
  const linesSumMinor = list.sumMinor;
  const summary = readSummary(rows, linesEnd, list);
  const { subtotals, taxes, payments, changes, rounding, chained } = summary;
  const scores = totalScores(rows, linesEnd, linesSumMinor, summary);
  const isNamed = rows.slice(linesEnd).some(({ kinds, labels }) => kinds.has("total") && !labels.has("subtotal"));
  const unnamed = isNamed ? null : unnamedTotals(rows, linesEnd, linesSumMinor);
  for (const { minor, weight } of unnamed?.totals ?? []) scores.set(minor, (scores.get(minor) ?? 0) + weight);
  // `TOTAL 19.15, SERVICE 1.92, TO PAY 21.07`: the later total is to pay, whatever the evidence for the earlier one,
  // unless the earlier one was paid.
  for (const { minor, earlierMinor } of chained) {
    const earlier = earlierMinor === null ? undefined : scores.get(earlierMinor);
    if (earlier !== undefined && !payments.some((payment) => payment.minor === earlierMinor))
      scores.set(minor, Math.max(scores.get(minor) ?? 0, earlier + 1));
  }
  const mayBe = eligibleTotals(summary, linesSumMinor);
  const [best] = [...scores]
    .filter(([minor, score]) => mayBe(minor) && (score > SUM_ALONE || rows.some((row) => isWholeTotal(row, minor))))
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || b - a);
  const billMinor = best?.[0] ?? null;
  const totalMinor = totalWithTip(rows, billMinor) ?? billMinor;
  const below = rows.slice(linesEnd);
  const misreadTotalMinor = totalMinor === null ? null : misreadTotal(totalMinor, below, rounding?.minor ?? 0);
  const isChained = unnamed?.addedMinor != null && totalMinor === linesSumMinor + unnamed.addedMinor;
  const addedMinor = isChained ? unnamed.addedMinor : null;
  const unnamedRounding = isChained ? unnamed.roundingMinor : null;
  const taxMinor = addedMinor === null ? null : addedMinor - (unnamedRounding ?? 0);
  const payment = payments.find(({ minor }) => totalMinor !== null && minor >= totalMinor) ?? payments[0];
  return {
    subTotalMinor: subtotals[0] ?? (addedMinor === null ? null : linesSumMinor),
    taxMinor:
      taxesOnTop(summary, linesSumMinor, totalMinor) ??
      taxes[0] ??
      (taxMinor !== null && taxMinor > 0 ? taxMinor : taxFromTable(below)),
    roundingMinor: rounding?.minor ?? unnamedRounding,
    totalMinor,
    paidMinor: payment?.minor ?? null,
    changeMinor: changes[0] ?? null,
    misreadTotalMinor,
    totalScore: Math.min(misreadTotalMinor === null ? 1 : CORRECTED_SCORE_MAX, (best?.[1] ?? 0) / CERTAIN_WEIGHT),
  };
}

/** Rows between the amount, the tip and the total of a card's slip. */
const SLIP_ROWS_MAX = 3;

/**
 * Returns the total of a card's slip above the bill or below it, if it is the bill and a tip: `Amount 72.10`,
 * `Tip 14.40`, `Total 86.50`; otherwise null.
 */
function totalWithTip(rows: readonly ReceiptRow[], billMinor: number | null): number | null {
  if (billMinor === null) return null;
  const has = (from: number, to: number, minor: number): boolean =>
    rows.slice(Math.max(0, from), to).some(({ amounts }) => amounts.at(-1)?.minor === minor);
  for (const [i, { kinds, labels, amounts }] of rows.entries()) {
    const tipMinor = amounts.at(-1)?.minor ?? 0;
    if (!kinds.has("tip") || labels.has("note") || tipMinor <= 0) continue;
    const sum = billMinor + tipMinor;
    if (has(i - SLIP_ROWS_MAX, i, billMinor) && has(i + 1, i + 1 + SLIP_ROWS_MAX, sum)) return sum;
  }
  return null;
}

/**
 * Returns the printed amount that is the total with a misread digit; null if the total is printed as such, or before
 * its rounding.
 */
function misreadTotal(totalMinor: number, below: readonly ReceiptRow[], roundingMinor: number): number | null {
  const named = below.filter((row) => row.kinds.has("total") && isTotal(row.labels));
  const isShown = (minor: number): boolean => minor === totalMinor || minor + roundingMinor === totalMinor;
  if (named.some(({ amounts }) => amounts.some(({ minor }) => isShown(minor)))) return null;
  return named.find((row) => isReadFor(row, totalMinor))?.amounts[0]!.minor ?? null;
}

/**
 * Returns the sum of several taxes and charges above the total (GST and PST, service and GST) if it is the difference
 * between the total and the subtotal or the list.
 */
function taxesOnTop(
  { labelled, subtotals, rounding }: Summary,
  linesSumMinor: number,
  totalMinor: number | null,
): number | null {
  const end = labelled.findIndex(({ labels, minor }) => isTotal(labels) && minor === totalMinor);
  const taxes = labelled.slice(0, Math.max(0, end)).filter(({ labels }) => labels.has("tax") || labels.has("taxTotal"));
  const sum = taxes.reduce((total, { minor }) => total + minor, rounding?.minor ?? 0);
  const isAll = [linesSumMinor, ...subtotals].some((net) => net + sum === totalMinor);
  return taxes.length > 1 && isAll ? sum - (rounding?.minor ?? 0) : null;
}

/**
 * Returns the sum of the taxes in a table of net, tax and gross, in any order: rows of three figures with two that add
 * up to the third.
 */
function taxFromTable(rows: readonly ReceiptRow[]): number | null {
  const taxes = rows.flatMap((row) => {
    if (row.amounts.length < 3 || row.labels.has("total")) return [];
    const figures = row.amounts.slice(-3).map(({ minor }) => minor).sort((a, b) => a - b); // prettier-ignore
    const [smallest = 0, middle = 0, largest = 0] = figures;
    return largest > 0 && smallest + middle === largest ? [smallest] : [];
  });
  return taxes.length === 0 ? null : taxes.reduce((sum, tax) => sum + tax, 0);
}
