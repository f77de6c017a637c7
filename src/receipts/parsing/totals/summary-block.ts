import { chainedTotals } from "./chained-totals.ts";
import type { ChainedTotal } from "./chained-totals.ts";
import type { Label } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isPayment, isTotal, ROUNDING_MINOR_MAX } from "../rows/row-kinds.ts";

/** An amount with the labels of its row, or of the row above it; `figures` stand beside it, itself included. */
interface Labelled {
  minor: number;
  labels: ReadonlySet<Label>;
  row: ReceiptRow;
  index: number;
  figures: number;
}

/** What is printed below the list and speaks for a total. */
export interface Below {
  labelled: readonly Labelled[];
  subtotals: readonly number[];
  taxes: readonly number[];
  payments: readonly Labelled[];
  changes: readonly number[];
  rounding: { minor: number; index: number } | null;
  chained: readonly ChainedTotal[];
  /** All amounts of the receipt. */
  printed: ReadonlySet<number>;
}

/** What stands from row `linesEnd` on; `linesSumMinor` is what the list's lines add up to. */
export function findBelow(rows: readonly ReceiptRow[], linesEnd: number, linesSumMinor: number): Below {
  const labelled = labelledAmounts(rows, linesEnd);
  const withLabel = (label: Label): Labelled[] => labelled.filter(({ labels }) => labels.has(label));
  const payments = labelled.filter(({ labels }) => isPayment(labels) && !labels.has("change") && !isTotal(labels));
  const printed = new Set(rows.flatMap((row) => row.amounts.map(({ minor }) => minor)));
  const changes = [
    ...withLabel("change").map(({ minor }) => Math.abs(minor)),
    ...payments.flatMap(({ minor, labels, index }) =>
      labels.has("cash") ? changeBelow(rows, index, minor, printed) : [],
    ),
  ];
  const rounding = roundingIn(rows, linesEnd) ?? unnamedRounding(rows, labelled, payments, changes);
  return {
    labelled,
    subtotals: withLabel("subtotal").map(({ minor }) => minor),
    taxes: [...withLabel("taxTotal").map(({ minor }) => minor), ...addedTaxes(labelled, linesSumMinor)],
    payments,
    changes,
    rounding,
    chained: [...chainedTotals(rows, linesEnd), ...roundedTotals(rows, labelled, rounding)],
    printed,
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

/** Where sums are paid in coins of five. */
const SMALLEST_COIN_MINOR = 5;

/** A rounding whose word is not known (`ROUND 0.01`, `ROUNDED 0.02 (38.55)`): it makes a total what stands below it as the next total, or was paid. */
function unnamedRounding(
  rows: readonly ReceiptRow[],
  labelled: readonly Labelled[],
  payments: readonly Labelled[],
  changes: readonly number[],
): Below["rounding"] {
  const totals = labelled.filter(({ labels }) => isTotal(labels));
  for (const { minor: total, index } of totals) {
    if (total % SMALLEST_COIN_MINOR === 0) continue;
    const settled = [...totals.filter((other) => other.index > index), ...payments].flatMap(({ minor }) => [
      minor,
      ...changes.map((change) => minor - change),
    ]);
    for (const [below, row] of rows.entries()) {
      if (below <= index || row.labels.size > 0) continue;
      const minors = row.amounts.flatMap(({ minor }) => (Math.abs(minor) < SMALLEST_COIN_MINOR ? [minor, -minor] : []));
      const rounding = minors.find(
        (minor) => minor !== 0 && (total + minor) % SMALLEST_COIN_MINOR === 0 && settled.includes(total + minor),
      );
      if (rounding !== undefined) return { minor: rounding, index: below };
    }
  }
  return null;
}

/** The total that a rounding makes and that stands beside it: `ROUNDED 0.02 (38.55)`. */
function roundedTotals(
  rows: readonly ReceiptRow[],
  labelled: readonly Labelled[],
  rounding: Below["rounding"],
): ChainedTotal[] {
  if (rounding === null) return [];
  const beside = rows[rounding.index]!.amounts.map(({ minor }) => Math.abs(minor));
  return labelled.flatMap(({ labels, minor }) =>
    isTotal(labels) && beside.includes(minor + rounding.minor)
      ? [{ minor: minor + rounding.minor, earlierMinor: minor, isMisread: false }]
      : [],
  );
}

/** Taxes that were put on top: with them the subtotal or the list's sum makes a total. */
function addedTaxes(labelled: readonly Labelled[], linesSumMinor: number): number[] {
  const sums = [linesSumMinor, ...labelled.filter(({ labels }) => labels.has("subtotal")).map(({ minor }) => minor)];
  const totals = new Set(labelled.filter(({ labels }) => isTotal(labels)).map(({ minor }) => minor));
  return labelled.flatMap(({ labels, minor }) =>
    labels.has("tax") && !isTotal(labels) && sums.some((sum) => totals.has(sum + minor)) ? [minor] : [],
  );
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
