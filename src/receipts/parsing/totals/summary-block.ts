import { chainedTotals } from "./chained-totals.ts";
import type { ChainedTotal } from "./chained-totals.ts";
import { misreadTotals } from "./misread-totals.ts";
import type { ListSum } from "./misread-totals.ts";
import type { Label } from "../rows/labels.ts";
import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { isPayment, isTotal } from "../rows/row-kinds.ts";
import { labelledAmounts } from "./labelled.ts";
import type { Labelled } from "./labelled.ts";
import { roundedTotals, roundingOf } from "./rounding.ts";
import type { Rounding } from "./rounding.ts";

/** The summary block: amounts printed below the list that are evidence for a total. */
export interface Summary {
  labelled: readonly Labelled[];
  subtotals: readonly number[];
  taxes: readonly number[];
  payments: readonly Labelled[];
  /** What was given back, and payments less what was given back below them. */
  changes: readonly number[];
  netPayments: readonly NetPayment[];
  rounding: Rounding | null;
  chained: readonly ChainedTotal[];
  /** All amounts of the receipt. */
  printed: ReadonlySet<number>;
}

/** A payment less the change below it; or all payments together. */
export interface NetPayment {
  minor: number;
  change: number;
  /** The row of the payment. */
  index: number;
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
  const roundings = withLabel("rounding").map(({ minor }) => minor);
  const sums = new Set([...printed, ...labelled.flatMap(({ labels, minor }) => (isTotal(labels) ? roundings.map((one) => minor + one) : []))]); // prettier-ignore
  const changes = [
    ...withLabel("change").map(({ minor, index }) => ({ minor: Math.abs(minor), index })),
    ...payments.flatMap(({ minor, labels, index }) =>
      labels.has("cash") ? changeBelow(rows, index, minor, sums) : [],
    ),
  ];
  // `TROCO SOLIDARIO 0,20` above the payment is a donation.
  const netPayments = payments.flatMap(({ minor, index }) =>
    changes.flatMap((change) =>
      change.index < index ? [] : [{ minor: minor - change.minor, change: change.minor, index }],
    ),
  );
  netPayments.push(...payments.flatMap((payment) => paidOutBelow(rows, payment, labelled)));
  // `VOUCHER 5.00`, `CARD 12.10`: together they are what was paid.
  if (payments.length > 1 && payments.every(({ minor }) => minor > 0))
    netPayments.push({
      minor: payments.reduce((sum, { minor }) => sum + minor, 0),
      change: 0,
      index: payments[0]!.index,
    });
  const printedBelow = { labelled, payments, netPayments };
  const rounding = roundingOf(rows, linesEnd, printedBelow);
  return {
    labelled,
    subtotals: withLabel("subtotal").map(({ minor }) => minor),
    taxes: [...withLabel("taxTotal").map(({ minor }) => minor), ...addedTaxes(labelled, linesSumMinor)],
    payments,
    changes: changes.map(({ minor }) => minor),
    netPayments,
    rounding,
    chained: [
      ...chainedTotals(rows, linesEnd, linesSumMinor),
      ...roundedTotals(rows, rounding, printedBelow),
      ...discountedTotals(rows, linesEnd, netPayments),
      ...misreadTotals(labelled, payments, netPayments, rows, linesEnd, list),
    ],
    printed,
  };
}

/** Returns what a total becomes by discounts below it: `TOTAL 32.00`, `DISCOUNT -4.00`, `CASH 30.00`, `CHANGE 2.00`. */
function discountedTotals(
  rows: readonly ReceiptRow[],
  linesEnd: number,
  netPayments: readonly NetPayment[],
): ChainedTotal[] {
  const from = rows.findIndex((row, index) => index >= linesEnd && isTotal(row.labels) && row.amounts.length > 0);
  if (from < 0) return [];
  const earlierMinor = rows[from]!.amounts.at(-1)!.minor;
  const paid = netPayments.flatMap(({ minor, change }) => (change > 0 ? [minor] : []));
  let total = earlierMinor;
  for (const { labels, amounts } of rows.slice(from + 1)) {
    if (isPayment(labels)) return [];
    const minor = amounts.at(-1)?.minor ?? 0;
    if (minor >= 0 || labels.has("rounding") || labels.has("change")) continue;
    total += minor;
    if (paid.includes(total)) return [{ minor: total, earlierMinor, isMisread: false }];
  }
  return [];
}

/**
 * Returns the change of `cash`, whatever its word: one of the two figures below it, if the difference is one of
 * `sums`.
 */
function changeBelow(
  rows: readonly ReceiptRow[],
  cashIndex: number,
  cash: number,
  sums: ReadonlySet<number>,
): { minor: number; index: number }[] {
  return rows.slice(cashIndex + 1, cashIndex + 3).flatMap(({ amounts, labels }, i) => {
    const minor = amounts.at(-1)?.minor ?? 0;
    // `Item Count 12  Char e Aml 11.05` has the word for a count alone.
    const hasNoOther = [...labels].every((label) => label === "count");
    return hasNoOther && minor > 0 && minor < cash && sums.has(cash - minor)
      ? [{ minor, index: cashIndex + 1 + i }]
      : [];
  });
}

/**
 * Returns a card's payment less the money that was given out with it, whatever its word, if that is a total above:
 * `TOTAL 41.00`, `DEBIT 61.00`, `CASH BACK 20.00`. A tip is paid with the rest.
 */
function paidOutBelow(
  rows: readonly ReceiptRow[],
  { minor, index, labels }: Labelled,
  labelled: readonly Labelled[],
): NetPayment[] {
  if (!labels.has("card")) return [];
  const totals = new Set(labelled.flatMap((one) => (isTotal(one.labels) && one.index < index ? [one.minor] : [])));
  return rows.slice(index + 1, index + 3).flatMap((row) => {
    const change = row.amounts.at(-1)?.minor ?? 0;
    // `CASH BACK` has the word for a payment.
    const isOther = [...row.labels].every((label) => label === "cash" || label === "count") && !row.kinds.has("tip");
    return isOther && change > 0 && totals.has(minor - change) ? [{ minor: minor - change, change, index }] : [];
  });
}

/**
 * Returns the taxes on top: with one of them the subtotal or the sum of the list, perhaps less the discounts below it,
 * is a total, or what a card paid.
 */
function addedTaxes(labelled: readonly Labelled[], linesSumMinor: number): number[] {
  const gross = [linesSumMinor, ...labelled.filter(({ labels }) => labels.has("subtotal")).map(({ minor }) => minor)];
  const takenOff = labelled.reduce(
    (sum, { labels, minor }) => (labels.has("discount") && minor < 0 ? sum + minor : sum),
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
