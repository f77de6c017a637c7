import type { Label } from "../rows/labels.ts";
import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { chainedSums } from "../rows/chained-sums.ts";
import { isInformation } from "../rows/row-kinds.ts";

// Corrections of the end of the list, for receipts with sections and for sums without a known word.

/** Labels of rows that are printed below the last total only, or that are no money to pay. */
const BELOW_LIST: readonly Label[] = ["cash", "card", "change", "savings", "count", "rounding"];

/**
 * Returns the end of the list on an invoice with sections: if goods below the first total (`end`) have a total of their
 * own, the list goes on to the total that all goods, with the taxes between them, add up to. Otherwise returns `end`.
 */
export function endOfSections(rows: readonly ClassifiedRow[], first: number, end: number): number {
  let [goods, taxes, sectionGoods] = [0, 0, 0];
  let isSecondSection = false;
  let lastEnd = end;
  for (const [index, row] of rows.entries()) {
    const minor = row.amounts.at(-1)?.minor;
    if (index < first || minor === undefined) continue;
    if (row.kinds.has("total")) {
      isSecondSection ||= index > end && minor > 0 && minor === sectionGoods && sectionGoods !== goods;
      sectionGoods = 0;
      if (isSecondSection && (minor === goods || minor === goods + taxes)) lastEnd = index;
    } else if (row.labels.has("tax") || row.labels.has("taxTotal")) taxes += minor;
    else if (row.columnAmount !== null && !BELOW_LIST.some((label) => row.labels.has(label))) {
      goods += minor;
      sectionGoods += minor;
    }
  }
  return lastEnd;
}

/**
 * Returns the end of the list before sums without a known word, printed between the goods and the total
 * (`Food & Beverage 77.65`, `BASE 10% 11.45`, `IVA 10% 1.15`). The total shows where they begin: either it is the goods
 * plus the rows below such a sum, or goods and sums each add up to it. Otherwise returns `end`.
 */
export function beforeUnknownSums(rows: readonly ClassifiedRow[], first: number, end: number): number {
  const total = rows[end]?.amounts.at(-1)?.minor;
  if (total === undefined) return end;
  const amounts = rows.slice(first, end).map((row) => (isInformation(row) ? 0 : (row.columnAmount?.minor ?? 0)));
  let rest = amounts.reduce((sum, minor) => sum + minor, 0);
  let sum = 0;
  let count = 0;
  for (const [i, minor] of amounts.entries()) {
    if (minor === 0) continue;
    // The total has its word, as if it were printed twice.
    const below = [...amounts.slice(i + 1).filter((other) => other !== 0), total, total];
    if (count > 1 && minor === sum && chainedSums(below, sum).some((later) => later.minor === total)) return first + i;
    if (count > 0 && sum === total && rest === total) return first + i;
    sum += minor;
    rest -= minor;
    count++;
  }
  return end;
}
