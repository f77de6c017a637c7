import { differsByOneDigit } from "./amounts.ts";
import type { Label } from "./labels.ts";
import type { ReceiptRow } from "./receipt-rows.ts";
import { isPayment, isTip, isTotalRow, mayHaveBeen } from "./row-kinds.ts";

/** What stands below the list of items, in minor units; null where not read. */
export type Totals = {
  subTotalMinor: number | null;
  taxMinor: number | null;
  roundingMinor: number | null;
  totalMinor: number | null;
  paidMinor: number | null;
  changeMinor: number | null;
  /** How sure the total is, 0 to 1: 1 where the payment or the list's sum agrees with what is printed as total. */
  totalScore: number;
};

type Labelled = { minor: number; labels: ReadonlySet<Label>; row: ReceiptRow; index: number; figures: number };

/** Where small coins are not used sums are rounded to 5 or 10; a larger figure beside the word is the rounded total. */
const ROUNDING_MINOR_MAX = 9;
/** Labels beside which the word total means something else. */
const NO_TOTAL: readonly Label[] = ["subtotal", "taxTotal", "savings", "count", "change"];
/** Words that make a total the last one. */
const FINAL_TOTAL = /grand|nett?\b|payable|round|after|due|\bpay|paid|zahlen|payer|pagar|complessivo|besar|balance/i;

/** Reads the totals from the rows after the list; `linesSumMinor` is what the list's lines add up to. */
export function readTotals(rows: readonly ReceiptRow[], linesEnd: number, linesSumMinor: number): Totals {
  const labelled = labelledAmounts(rows, linesEnd);
  const withLabel = (label: Label): Labelled[] => labelled.filter(({ labels }) => labels.has(label));
  const { minor: rounding, index: roundingIndex } = roundingIn(rows, linesEnd) ?? { minor: null, index: rows.length };
  const subtotals = withLabel("subtotal").map(({ minor }) => minor);
  const taxes = [...withLabel("taxTotal").map(({ minor }) => minor), ...addedTaxes(labelled, linesSumMinor)];
  const payments = labelled.filter(({ labels }) => isPayment(labels) && !labels.has("change") && !isTotal(labels));
  const printed = new Set(rows.flatMap((row) => row.amounts.map(({ minor }) => minor)));
  const changes = [
    ...withLabel("change").map(({ minor }) => Math.abs(minor)),
    ...payments.flatMap(({ minor, labels, index }) =>
      labels.has("cash") ? changeBelow(rows, index, minor, printed) : [],
    ),
  ];
  // What was handed over, and what of it was kept; where the rounding stands below, it is that of the change.
  const paid = new Set(
    payments.flatMap(({ minor, index }) =>
      index < roundingIndex ? [minor] : [minor, ...changes.map((change) => minor - change)],
    ),
  );
  const scores = new Map<number, number>();
  const add = (minor: number, score: number): void => {
    if (minor > 0) scores.set(minor, (scores.get(minor) ?? 0) + score);
  };
  const medianHeight = rows.map((row) => row.height).sort((a, b) => a - b)[rows.length >> 1] ?? 1;
  let isFirst = true;
  for (const { minor, labels, row, figures } of labelled) {
    // `TOTAL 8 ITEMS  33.42`, and `TOTAL QTY  8.00`.
    if (labels.has("total") && labels.has("count")) add(minor, 2);
    if (!isTotal(labels) && !(labels.has("rounding") && minor > ROUNDING_MINOR_MAX)) continue;
    // A total before rounding points at the one after it.
    const rounded = minor + (rounding ?? 0);
    if (rounding && labelled.some((other) => isTotal(other.labels) && other.minor === rounded)) add(rounded, 5);
    else if (rounding && paid.has(rounded)) add(rounded, 5);
    // A row of several figures is a table of taxes.
    add(
      minor,
      figures > 1
        ? 0.7
        : 4 + (FINAL_TOTAL.test(row.text) ? 2 : 0) + (row.height > 1.3 * medianHeight ? 1 : 0) + (isFirst ? 0.5 : 0),
    );
    isFirst = false;
  }
  const chained = chainedTotals(rows, linesEnd);
  for (const { minor, isMisread } of chained) add(minor, isMisread ? 7 : 4);
  for (const subtotal of subtotals) {
    add(subtotal, 1);
    for (const tax of taxes) add(subtotal + tax, 3);
    if (rounding !== null && rounding !== 0) add(subtotal + rounding, 3);
  }
  for (const { minor, labels } of payments) add(minor, labels.has("card") ? 2.5 : 1);
  for (const { minor } of payments) for (const change of changes) if (change > 0) add(minor - change, 4);
  add(linesSumMinor, 3);
  if (rounding !== null && rounding !== 0) add(linesSumMinor + rounding, 4.5);
  for (const tax of taxes) if (tax > 0) add(linesSumMinor + tax, 3);
  // What the goods come to and what was paid are read apart: where they agree, a total that was misread doesn't count.
  const settled = new Set(payments.flatMap(({ minor }) => [minor, ...changes.map((change) => minor - change)]));
  for (const extra of new Set([0, rounding ?? 0, ...taxes]))
    if (settled.has(linesSumMinor + extra)) add(linesSumMinor + extra, 3);
  // What is only computed and printed nowhere is no total, unless cash and change say so, or a damaged figure beside the word may be it.
  const damaged = rows.slice(linesEnd).filter((row) => isTotalRow(row) && !row.labels.has("subtotal"));
  for (const [minor, score] of scores) {
    if (damaged.some((row) => mayHaveBeen(row, minor))) scores.set(minor, score + 4);
    else if (!printed.has(minor)) scores.set(minor, score - 2.5);
  }
  for (const row of rows.slice(linesEnd)) for (const { minor } of row.amounts) if (scores.has(minor)) add(minor, 0.3);
  // `TOTAL 19.15, SERVICE 1.92, TO PAY 21.07`: what is to pay is the later one, whatever speaks for the earlier, unless that was paid.
  for (const { minor, earlierMinor } of chained) {
    const earlier = earlierMinor === null ? undefined : scores.get(earlierMinor);
    if (earlier !== undefined && !payments.some((payment) => payment.minor === earlierMinor))
      scores.set(minor, Math.max(scores.get(minor) ?? 0, earlier + 1));
  }
  const best = [...scores].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || b - a)[0];
  const totalMinor = best?.[0] ?? null;
  const payment = payments.find(({ minor }) => totalMinor !== null && minor >= totalMinor) ?? payments[0];
  return {
    subTotalMinor: subtotals[0] ?? null,
    taxMinor: taxes[0] ?? taxFromTable(rows.slice(linesEnd)),
    roundingMinor: rounding,
    totalMinor,
    paidMinor: payment?.minor ?? null,
    changeMinor: changes[0] ?? null,
    totalScore: Math.min(1, (best?.[1] ?? 0) / 10),
  };
}

/** What came back of `cash`, whatever it is called: of the two figures below it the one that leaves a figure printed elsewhere. */
function changeBelow(
  rows: readonly ReceiptRow[],
  cashIndex: number,
  cash: number,
  printed: ReadonlySet<number>,
): number[] {
  return rows.slice(cashIndex + 1, cashIndex + 3).flatMap(({ amounts, labels }) => {
    const minor = amounts.at(-1)?.minor ?? 0;
    return labels.size === 0 && minor > 0 && minor < cash && printed.has(cash - minor) ? [minor] : [];
  });
}

/** What was added or taken off so that the sum can be paid in coins; its decimal point is easily lost (`-001`). */
function roundingIn(rows: readonly ReceiptRow[], from: number): { minor: number; index: number } | null {
  for (const [index, { labels, amounts, text }] of rows.entries()) {
    if (index < from || !labels.has("rounding") || isTotal(labels)) continue;
    const bare = /(-?)\s?0{1,2}(\d)\s*$/.exec(text);
    const minor = amounts.at(-1)?.minor ?? (bare ? Number(`${bare[1]}${bare[2]}`) : null);
    if (minor !== null && Math.abs(minor) <= ROUNDING_MINOR_MAX) return { minor, index };
  }
  return null;
}

/** Taxes that were put on top: with them the subtotal or the list's sum makes a total. */
function addedTaxes(labelled: readonly Labelled[], linesSumMinor: number): number[] {
  const sums = [linesSumMinor, ...labelled.filter(({ labels }) => labels.has("subtotal")).map(({ minor }) => minor)];
  const totals = new Set(labelled.filter(({ labels }) => isTotal(labels)).map(({ minor }) => minor));
  return labelled.flatMap(({ labels, minor }) =>
    labels.has("tax") && !isTotal(labels) && sums.some((sum) => totals.has(sum + minor)) ? [minor] : [],
  );
}

/**
 * A total that is an earlier one plus all that stands between them (service, taxes, rounding); `earlierMinor` is null where that was a subtotal.
 * `isMisread`: the figure beside its word is another by a digit, and the sum stands below.
 */
type ChainedTotal = { minor: number; earlierMinor: number | null; isMisread: boolean };

function chainedTotals(rows: readonly ReceiptRow[], from: number): ChainedTotal[] {
  const found: ChainedTotal[] = [];
  let sum: number | null = null;
  let earlierMinor: number | null = null;
  let [added, hasTip] = [[] as number[], false];
  const isPrintedBelow = (index: number, minor: number): boolean =>
    rows.slice(index + 1).some(({ amounts }) => amounts.some((amount) => amount.minor === minor));
  for (const [index, row] of rows.entries()) {
    const minor = row.amounts.at(-1)?.minor;
    if (index < from || minor === undefined || minor === 0) continue;
    // Figures alone, the word for them on a row of their own: the sum says that they are a total. So it does for words that are not
    // known, where it is of several figures or rounds the total; so is what was paid with the tip.
    const isRounded = added.length === 1 && Math.abs(added[0]!) <= ROUNDING_MINOR_MAX && minor % 5 === 0;
    const isOfSeveral = row.labels.size === 0 && (added.length > 1 || isRounded);
    const isBareSum = minor === sum && row.amounts.length === 1 && (isOfSeveral || !/\p{L}/u.test(row.text));
    const isPaidSum = minor === sum && hasTip && isPayment(row.labels);
    if (!isBareSum && !isPaidSum && !isTotal(row.labels) && !row.labels.has("subtotal")) {
      // The slip says the total again before the tip.
      if (sum === null || (minor === sum && added.length === 0)) continue;
      sum += minor;
      added.push(minor);
      hasTip ||= isTip(row);
      continue;
    }
    const isMisread = sum !== null && added.length > 0 && differsByOneDigit(minor, sum) && isPrintedBelow(index, sum);
    if (sum !== null && (minor === sum || isMisread) && !found.some((total) => total.minor === sum))
      found.push({ minor: sum, earlierMinor: earlierMinor === sum ? null : earlierMinor, isMisread });
    sum = minor;
    earlierMinor = isTotal(row.labels) || isPaidSum ? minor : null;
    [added, hasTip] = [[], false];
  }
  return found;
}

function isTotal(labels: ReadonlySet<Label>): boolean {
  return labels.has("total") && !NO_TOTAL.some((label) => labels.has(label));
}

/** Each labelled row with its last amount; where a label has none, the next row's, if that one has no label of its own. */
function labelledAmounts(rows: readonly ReceiptRow[], from: number): Labelled[] {
  return rows.slice(from).flatMap((row, i) => {
    const index = from + i;
    const next = rows[index + 1];
    const amounts =
      row.amounts.length === 0 && row.labels.size > 0 && next?.labels.size === 0 ? next.amounts : row.amounts;
    const minor = amounts.at(-1)?.minor;
    return minor === undefined || row.labels.size === 0
      ? []
      : [{ minor, labels: row.labels, row, index, figures: amounts.length }];
  });
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
