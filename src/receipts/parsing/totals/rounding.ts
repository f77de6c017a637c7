import type { ChainedTotal } from "./chained-totals.ts";
import type { Labelled } from "./labelled.ts";
import type { NetPayment } from "./summary-block.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isRoundedBy, isRoundedToNearest } from "../rows/coins.ts";
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
  netPayments: readonly NetPayment[];
}

/** Returns the rounding that is printed from row `from` on, or one without a word that a total is made with. */
export function roundingOf(rows: readonly ReceiptRow[], from: number, printed: Printed): Rounding | null {
  return namedRounding(rows, from, printed) ?? unnamedRounding(rows, printed);
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

/**
 * Returns the rounding beside its word: one that makes a sum the next total, or what was paid, however large; otherwise
 * a small one, by what was paid if the printed one does not fit it.
 */
function namedRounding(rows: readonly ReceiptRow[], from: number, printed: Printed): Rounding | null {
  const { labelled } = printed;
  const finals = finalsOf(printed);
  const unit = labelled.every(({ minor }) => minor % 100 === 0) ? 100 : 1;
  let small: Rounding | null = null;
  for (const [index, row] of rows.entries()) {
    if (index < from || !row.labels.has("rounding") || isTotal(row.labels)) continue;
    const amount = row.amounts.at(-1) ?? bareRounding(row, unit) ?? labelled.find((one) => one.index === index);
    if (!amount) continue;
    const sums = labelled.filter((sum) => sum.index < index && (isTotal(sum.labels) || sum.labels.has("subtotal")));
    // The sign of a subtotal's rounding may have been lost (`-J.02`).
    const signs = sums.some(({ labels }) => labels.has("subtotal")) ? [1, -1] : [1];
    const made = signs
      .map((sign) => sign * amount.minor)
      .find((minor) => sums.some((sum) => isRoundedBy(sum.minor, minor, unit) && finals.has(sum.minor + minor)));
    if (made !== undefined) return { minor: made, index };
    if (Math.abs(amount.minor) <= ROUNDING_MINOR_MAX) small ??= { minor: amount.minor, index };
  }
  return small && paidRounding(small, printed);
}

/** Returns the rounding without its point, which is easily lost (`-001`), or never was there (`-1`, `2 Ft`). */
function bareRounding({ text }: ReceiptRow, unit: number): { minor: number } | null {
  const [, sign = "", zeros = "", figure] = /(-?)\s?(0{0,2})(\d{1,2})(?:\s?\p{L}{2,3})?\s*-?$/u.exec(text) ?? [];
  if (figure === undefined || (zeros === "" && unit === 1)) return null;
  const isNegative = sign !== "" || text.endsWith("-");
  return { minor: (isNegative ? -1 : 1) * unit * Number(figure) };
}

/** All totals, payments, and payments less their change: what a rounded sum may be. */
function finalsOf({ labelled, payments, netPayments }: Printed): ReadonlySet<number> {
  const totals = labelled.filter(({ labels }) => isTotal(labels));
  return new Set([...totals, ...payments, ...netPayments].map(({ minor }) => minor));
}

/**
 * Returns the rounding that was paid, if the printed one does not fit: `TOTAL 38.23`, `ROUNDING -0.08`, `CASH 40.00`,
 * `CHANGE 1.80` show that it is -0.03.
 */
function paidRounding(rounding: Rounding, { labelled, netPayments }: Printed): Rounding {
  if (rounding.minor === 0) return rounding;
  const totals = labelled.flatMap(({ labels, minor }) => (isTotal(labels) ? [minor] : []));
  const found = totals.flatMap((total) =>
    netPayments
      .map(({ minor }) => minor)
      .filter((minor) => minor % SMALLEST_COIN_MINOR === 0)
      .map((minor) => minor - total),
  );
  const minor = found.find((one) => one !== 0 && Math.abs(one) <= ROUNDING_MINOR_MAX);
  return minor === undefined ? rounding : { ...rounding, minor };
}

/** Smallest coin where sums are rounded. */
const SMALLEST_COIN_MINOR = 5;

/**
 * Returns a rounding whose word is not known (`ROUND 0.01`, `ROUNDED 0.02 (38.55)`): with it a total becomes the next
 * total below, or the payment.
 */
function unnamedRounding(rows: readonly ReceiptRow[], { labelled, payments, netPayments }: Printed): Rounding | null {
  const totals = labelled.filter(({ labels }) => isTotal(labels));
  for (const { minor: total, index } of totals) {
    if (total % SMALLEST_COIN_MINOR === 0) continue;
    const finals = [...totals.filter((other) => other.index > index), ...payments, ...netPayments].map(
      ({ minor }) => minor,
    );
    for (const [below, row] of rows.entries()) {
      if (below <= index || row.labels.size > 0) continue;
      const minors = row.amounts.flatMap(({ minor }) => [minor, -minor]);
      const rounding = minors.find((minor) => isRoundedToNearest(total, minor) && finals.includes(total + minor));
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
function paidRounded(rounding: Rounding, { labelled, payments, netPayments }: Printed): ChainedTotal[] {
  const paid = [...payments, ...netPayments].filter(({ index }) => index > rounding.index).map(({ minor }) => minor);
  return labelled.flatMap(({ labels, minor, index }) =>
    isTotal(labels) && index < rounding.index && paid.includes(minor + rounding.minor)
      ? [{ minor: minor + rounding.minor, earlierMinor: minor, isMisread: false }]
      : [],
  );
}
