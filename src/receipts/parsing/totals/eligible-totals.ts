import { isTotal } from "../rows/row-kinds.ts";
import type { Summary } from "./summary-block.ts";
import { isPaidTogether } from "./total-scores.ts";

/**
 * Returns whether an amount may be the total. Where one is printed beside its word, it is that one, or one that rows
 * below make of it, or what two separate readings agree on against it: what was paid, and the goods or the subtotal
 * with what is added to them. In 901 clean typed receipts no total was another one, with misread characters three of
 * 557 were.
 */
export function eligibleTotals(summary: Summary, linesSumMinor: number): (minor: number) => boolean {
  const { labelled, chained, rounding, subtotals, taxes, payments, netPayments } = summary;
  const totals = labelled.filter(({ labels }) => labels.has("total"));
  if (!totals.some(({ labels, figures }) => isTotal(labels) && figures === 1)) return () => true;
  const roundingMinor = rounding?.minor ?? 0;
  const named = totals.flatMap(({ minor }) => [minor, minor + roundingMinor]);
  const derived = new Set([...named, ...chained.map(({ minor }) => minor)]);
  const added = new Set([0, roundingMinor, ...taxes]);
  const sums = new Set([linesSumMinor, ...subtotals].flatMap((sum) => [...added].map((more) => sum + more)));
  const paid = new Set([...payments, ...netPayments].map(({ minor }) => minor));
  return (minor) => derived.has(minor) || (sums.has(minor) && (paid.has(minor) || isPaidTogether(payments, minor)));
}
