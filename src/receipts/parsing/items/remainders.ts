import type { ReceiptRow } from "../rows/receipt-rows.ts";

// Some tills print a price again less its discount: `MASLO 6,99`, `OPUST -2,00`, `CENA 4,99`. The third row is no good.

/** Discounts on one price at most. */
const DISCOUNTS_MAX = 2;

const NOTHING = { cells: [], text: "", amounts: [], labels: new Set<never>(), kinds: new Set<never>() };

/** The rows with those blank that repeat a price less its discounts. `last`: the index of the last of them. */
export interface WithoutRemainders {
  readonly rows: ReceiptRow[];
  readonly last: number;
}

/**
 * Returns the rows with those blank that repeat a price less the discounts right above; null if there are none. By
 * chance a good may cost as much, and so does the sum below a discount on all: only a list that adds up without them,
 * and goes on below them, shows that they are none.
 */
export function withoutRemainders(rows: readonly ReceiptRow[]): WithoutRemainders | null {
  const minorOf = (index: number): number =>
    rows[index]?.amounts.findLast(({ isUnitPrice }) => !isUnitPrice)?.minor ?? 0;
  const isRemainder = (index: number): boolean => {
    let rest = minorOf(index);
    for (let above = index - 1; rest > 0 && above >= Math.max(1, index - DISCOUNTS_MAX); above--) {
      if (minorOf(above) >= 0) return false;
      rest -= minorOf(above);
      if (minorOf(above - 1) === rest) return true;
    }
    return false;
  };
  const found = new Set(rows.keys().filter((index) => rows[index]!.labels.size === 0 && isRemainder(index)));
  return found.size === 0
    ? null
    : {
        rows: rows.map((row, index) => (found.has(index) ? { ...row, ...NOTHING } : row)),
        last: Math.max(...found),
      };
}
