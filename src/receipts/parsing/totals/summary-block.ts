import { chainedTotals } from "./chained-totals.ts";
import type { ChainedTotal } from "./chained-totals.ts";
import { misreadTotals } from "./misread-totals.ts";
import type { ListSum } from "./misread-totals.ts";
import type { Label } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isPayment, isTotal, ROUNDING_MINOR_MAX } from "../rows/row-kinds.ts";

/** An amount with the labels of its row, or of the row above it. */
export interface Labelled {
  minor: number;
  labels: ReadonlySet<Label>;
  row: ReceiptRow;
  index: number;
  /** Number of amounts on the row. */
  figures: number;
}

/** The summary block: amounts printed below the list that are evidence for a total. */
export interface Summary {
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

/** Reads the summary block from row `linesEnd` on. */
export function readSummary(rows: readonly ReceiptRow[], linesEnd: number, list: ListSum): Summary {
  const linesSumMinor = list.sumMinor;
  const labelled = labelledAmounts(rows, linesEnd);
  const withLabel = (label: Label): Labelled[] => labelled.filter(({ labels }) => labels.has(label));
  // Some tills print what was paid as taken off: `VISA  EUR  -18,25`.
  const payments = labelled
    .filter(({ labels }) => isPayment(labels) && !labels.has("change") && !isTotal(labels) && !labels.has("subtotal"))
    .map((payment) =>
      linesSumMinor > 0 && payment.row.kinds.has("barePayment")
        ? { ...payment, minor: Math.abs(payment.minor) }
        : payment,
    );
  const printed = new Set(rows.flatMap((row) => row.amounts.map(({ minor }) => minor)));
  const changes = [
    ...withLabel("change").map(({ minor }) => Math.abs(minor)),
    ...payments.flatMap(({ minor, labels, index }) =>
      labels.has("cash") ? changeBelow(rows, index, minor, printed) : [],
    ),
  ];
  const rounding =
    paidRounding(roundingIn(rows, linesEnd), labelled, payments, changes) ??
    wholeRounding(rows, labelled) ??
    unnamedRounding(rows, labelled, payments, changes);
  return {
    labelled,
    subtotals: withLabel("subtotal").map(({ minor }) => minor),
    taxes: [...withLabel("taxTotal").map(({ minor }) => minor), ...addedTaxes(labelled, linesSumMinor)],
    payments,
    changes,
    rounding,
    chained: [
      ...chainedTotals(rows, linesEnd, linesSumMinor),
      ...roundedTotals(rows, labelled, rounding),
      ...paidRounded(labelled, payments, changes, rounding),
      ...misreadTotals(labelled, payments, rows, linesEnd, list),
    ],
    printed,
  };
}

/**
 * Returns the change of `cash`, whatever its word: one of the two figures below it, if the difference is printed
 * elsewhere.
 */
function changeBelow(
  rows: readonly ReceiptRow[],
  cashIndex: number,
  cash: number,
  printed: ReadonlySet<number>,
): number[] {
  return rows.slice(cashIndex + 1, cashIndex + 3).flatMap(({ amounts, labels }) => {
    const minor = amounts.at(-1)?.minor ?? 0;
    // `Item Count 12  Char e Aml 11.05` has the word for a count alone.
    const hasNoOther = [...labels].every((label) => label === "count");
    return hasNoOther && minor > 0 && minor < cash && printed.has(cash - minor) ? [minor] : [];
  });
}

/** Returns the rounding of the sum to coins. Its decimal point is easily lost (`-001`). */
function roundingIn(rows: readonly ReceiptRow[], from: number): { minor: number; index: number } | null {
  for (const [index, { labels, amounts, text }] of rows.entries()) {
    if (index < from || !labels.has("rounding") || isTotal(labels)) continue;
    const bare = /(-?)\s?0{1,2}(\d)\s*$/.exec(text);
    const minor = amounts.at(-1)?.minor ?? (bare ? Number(`${bare[1]}${bare[2]}`) : null);
    if (minor !== null && Math.abs(minor) <= ROUNDING_MINOR_MAX) return { minor, index };
  }
  return null;
}

/**
 * Returns the rounding that was paid, if the printed one does not fit: `TOTAL 38.23`, `ROUNDING -0.08`, `CASH 40.00`,
 * `CHANGE 1.80` show that it is -0.03. Of a subtotal only the sign of the rounding may be wrong (`-J.02`).
 */
function paidRounding(
  rounding: Summary["rounding"],
  labelled: readonly Labelled[],
  payments: readonly Labelled[],
  changes: readonly number[],
): Summary["rounding"] {
  if (rounding === null || rounding.minor === 0) return rounding;
  const totals = labelled.flatMap(({ labels, minor }) => (isTotal(labels) ? [minor] : []));
  const subtotals = labelled.flatMap(({ labels, minor }) => (labels.has("subtotal") ? [minor] : []));
  const paid = payments.flatMap(({ minor }) => changes.map((change) => minor - change));
  const isBetween = (sums: readonly number[], minor: number): boolean =>
    sums.some((sum) => paid.includes(sum + minor) || totals.includes(sum + minor));
  if (isBetween([...totals, ...subtotals], rounding.minor)) return rounding;
  if (isBetween(subtotals, -rounding.minor)) return { ...rounding, minor: -rounding.minor };
  const found = totals.flatMap((total) =>
    paid.filter((minor) => minor % SMALLEST_COIN_MINOR === 0).map((minor) => minor - total),
  );
  const minor = found.find((one) => one !== 0 && Math.abs(one) <= ROUNDING_MINOR_MAX);
  return minor === undefined ? rounding : { ...rounding, minor };
}

/** `Kerekítés: -1`, `KEREKÍTÉS  2 Ft`: to five whole ones, where there are no smaller coins. */
const WHOLE_ROUNDING = /(-?)\s?([12])(?:[.,]00)?\s?(?:\p{L}{2,3})?\s*$/u;

/** Returns the rounding to whole coins that makes a total, all its figures whole, the next total or what was paid. */
function wholeRounding(rows: readonly ReceiptRow[], labelled: readonly Labelled[]): Summary["rounding"] {
  const minors = labelled.map(({ minor }) => minor);
  if (minors.some((minor) => minor % 100 !== 0)) return null;
  const totals = labelled.filter(({ labels }) => isTotal(labels) || labels.has("subtotal"));
  for (const { minor: total, index: above } of totals)
    for (const [index, { labels, text }] of rows.entries()) {
      if (index <= above || !labels.has("rounding")) continue;
      const [, sign, figure] = WHOLE_ROUNDING.exec(text) ?? [];
      const minor = figure === undefined ? 0 : 100 * Number(`${sign}${figure}`);
      if (minor !== 0 && (total + minor) % 500 === 0 && minors.includes(total + minor)) return { minor, index };
    }
  return null;
}

/** Smallest coin where sums are rounded. */
const SMALLEST_COIN_MINOR = 5;

/**
 * Returns a rounding whose word is not known (`ROUND 0.01`, `ROUNDED 0.02 (38.55)`): with it a total becomes the next
 * total below, or the payment.
 */
function unnamedRounding(
  rows: readonly ReceiptRow[],
  labelled: readonly Labelled[],
  payments: readonly Labelled[],
  changes: readonly number[],
): Summary["rounding"] {
  const totals = labelled.filter(({ labels }) => isTotal(labels));
  for (const { minor: total, index } of totals) {
    if (total % SMALLEST_COIN_MINOR === 0) continue;
    const finals = [...totals.filter((other) => other.index > index), ...payments].flatMap(({ minor }) => [
      minor,
      ...changes.map((change) => minor - change),
    ]);
    for (const [below, row] of rows.entries()) {
      if (below <= index || row.labels.size > 0) continue;
      const minors = row.amounts.flatMap(({ minor }) => (Math.abs(minor) < SMALLEST_COIN_MINOR ? [minor, -minor] : []));
      const rounding = minors.find(
        (minor) => minor !== 0 && (total + minor) % SMALLEST_COIN_MINOR === 0 && finals.includes(total + minor),
      );
      if (rounding !== undefined) return { minor: rounding, index: below };
    }
  }
  return null;
}

/** Returns the rounded total that is printed beside its rounding: `ROUNDED 0.02 (38.55)`. */
function roundedTotals(
  rows: readonly ReceiptRow[],
  labelled: readonly Labelled[],
  rounding: Summary["rounding"],
): ChainedTotal[] {
  if (rounding === null) return [];
  const beside = rows[rounding.index]!.amounts.map(({ minor }) => Math.abs(minor));
  return labelled.flatMap(({ labels, minor }) =>
    isTotal(labels) && beside.includes(minor + rounding.minor)
      ? [{ minor: minor + rounding.minor, earlierMinor: minor, isMisread: false }]
      : [],
  );
}

/** Returns the total with the rounding below it, if that was paid below both: `Kerekítés -1`, `Készpénz 17 705`. */
function paidRounded(
  labelled: readonly Labelled[],
  payments: readonly Labelled[],
  changes: readonly number[],
  rounding: Summary["rounding"],
): ChainedTotal[] {
  if (rounding === null) return [];
  const paid = payments
    .filter(({ index }) => index > rounding.index)
    .flatMap(({ minor }) => [minor, ...changes.map((change) => minor - change)]);
  return labelled.flatMap(({ labels, minor, index }) =>
    isTotal(labels) && index < rounding.index && paid.includes(minor + rounding.minor)
      ? [{ minor: minor + rounding.minor, earlierMinor: minor, isMisread: false }]
      : [],
  );
}

/**
 * Returns the taxes on top: with one of them the subtotal or the sum of the list, perhaps less the discounts below it,
 * is a total, or what a card paid.
 */
function addedTaxes(labelled: readonly Labelled[], linesSumMinor: number): number[] {
  const gross = [linesSumMinor, ...labelled.filter(({ labels }) => labels.has("subtotal")).map(({ minor }) => minor)];
  const takenOff = labelled.reduce(
    (sum, { labels, minor }) => (labels.has("discount") && !labels.has("savings") && minor < 0 ? sum + minor : sum),
    0,
  );
  const sums = takenOff === 0 ? gross : [...gross, ...gross.map((sum) => sum + takenOff)];
  const totals = new Set(
    labelled
      .filter(({ labels }) => isTotal(labels) || (labels.has("card") && !labels.has("subtotal")))
      .map(({ minor }) => minor),
  );
  return labelled.flatMap(({ labels, minor }) =>
    labels.has("tax") && !isTotal(labels) && sums.some((sum) => totals.has(sum + minor)) ? [minor] : [],
  );
}

/**
 * Returns each labelled row with its last amount, or with that of the next row if only that one has an amount and no
 * label.
 */
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
