import type { ChainedTotal } from "./chained-totals.ts";
import type { Labelled } from "./labelled.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isTotal, ROUNDING_MINOR_MAX } from "../rows/row-kinds.ts";

// The rounding of a sum to coins, between a total and what was paid.

/** What was added to a total by rounding it, and its row. */
export interface Rounding {
  minor: number;
  index: number;
}

/** What is printed below the list, as far as it decides on a rounding. */
export interface Printed {
  labelled: readonly Labelled[];
  payments: readonly Labelled[];
  changes: readonly number[];
}

/** Returns the rounding that is printed from row `from` on, or one without a word that a total is made with. */
export function roundingOf(rows: readonly ReceiptRow[], from: number, printed: Printed): Rounding | null {
  const named = roundingIn(rows, from);
  return (
    (named && paidRounding(named, printed)) ?? wholeRounding(rows, printed.labelled) ?? unnamedRounding(rows, printed)
  );
}

/** Returns the totals that are another one with its rounding. */
export function roundedTotals(
  rows: readonly ReceiptRow[],
  rounding: Rounding | null,
  printed: Printed,
): ChainedTotal[] {
  return rounding === null
    ? []
    : [...printedBeside(rows, rounding, printed.labelled), ...paidRounded(rounding, printed)];
}

/** Returns the rounding of the sum to coins. Its decimal point is easily lost (`-001`). */
function roundingIn(rows: readonly ReceiptRow[], from: number): Rounding | null {
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
function paidRounding(rounding: Rounding, { labelled, payments, changes }: Printed): Rounding {
  if (rounding.minor === 0) return rounding;
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
function wholeRounding(rows: readonly ReceiptRow[], labelled: readonly Labelled[]): Rounding | null {
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
function unnamedRounding(rows: readonly ReceiptRow[], { labelled, payments, changes }: Printed): Rounding | null {
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
function printedBeside(rows: readonly ReceiptRow[], rounding: Rounding, labelled: readonly Labelled[]): ChainedTotal[] {
  const beside = rows[rounding.index]!.amounts.map(({ minor }) => Math.abs(minor));
  return labelled.flatMap(({ labels, minor }) =>
    isTotal(labels) && beside.includes(minor + rounding.minor)
      ? [{ minor: minor + rounding.minor, earlierMinor: minor, isMisread: false }]
      : [],
  );
}

/** Returns the total with the rounding below it, if that was paid below both: `Kerekítés -1`, `Készpénz 17 705`. */
function paidRounded(rounding: Rounding, { labelled, payments, changes }: Printed): ChainedTotal[] {
  const paid = payments
    .filter(({ index }) => index > rounding.index)
    .flatMap(({ minor }) => [minor, ...changes.map((change) => minor - change)]);
  return labelled.flatMap(({ labels, minor, index }) =>
    isTotal(labels) && index < rounding.index && paid.includes(minor + rounding.minor)
      ? [{ minor: minor + rounding.minor, earlierMinor: minor, isMisread: false }]
      : [],
  );
}
