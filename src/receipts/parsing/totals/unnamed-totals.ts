import type { ReceiptRow } from "../rows/receipt-rows.ts";
import { chainedSums } from "../rows/chained-sums.ts";
import type { ChainedSum } from "../rows/chained-sums.ts";
import { isRoundedToNearest } from "../rows/coins.ts";

// The total of a receipt whose words are not known, from what is printed below its list: sums, payments and change.

/** An amount that may be the total, with the weight of its evidence (see WEIGHT of total-scores.ts). */
export interface UnnamedTotal {
  minor: number;
  weight: number;
}

/** What the rows below the list say without words: `addedMinor` is between the sum of the list and the total. */
export interface UnnamedTotals {
  totals: readonly UnnamedTotal[];
  addedMinor: number | null;
  /** The last thing that was added is a rounding. */
  roundingMinor: number | null;
}

/** Set by hand on typed receipts in an invented language. */
const WEIGHT = { chained: 4.5, paidLessChange: 4, repeated: 1.5 } as const;

/** Reads the rows from `linesEnd` on; `linesSumMinor` is the sum of the list's lines. */
export function unnamedTotals(rows: readonly ReceiptRow[], linesEnd: number, linesSumMinor: number): UnnamedTotals {
  const below = rows.slice(linesEnd).flatMap((row): number[] => {
    const minor = row.amounts.at(-1)?.minor;
    return minor === undefined || minor === 0 || row.labels.has("count") ? [] : [minor];
  });
  const after = below.slice(below.indexOf(linesSumMinor) + 1);
  const chain = chainedSums(after, linesSumMinor);
  const chained = chain.at(-1)?.minor ?? null;
  // A tax that was added before is no change: `96.35`, `2.26`, `98.61`, and again `2.26` in the table of taxes.
  const differences = new Set(
    below.flatMap((paid, i) =>
      paid === chained
        ? []
        : below.slice(i + 1).flatMap((change) => (change > 0 && paid > change ? [paid - change] : [])),
    ),
  );
  const paid = [...new Set([linesSumMinor, chained ?? linesSumMinor])].filter((sum) => differences.has(sum));
  const timesOf = (minor: number): number => below.filter((other) => other === minor).length;
  // `42.83`, `42.83`, discount `-6.75`, `36.08`, card `36.08`: the last of two sums that are repeated.
  const repeated =
    chained !== null && timesOf(chained) > 1 ? chained : Math.max(0, ...below.filter((minor) => timesOf(minor) > 1));
  return {
    totals: [
      ...(chained === null ? [] : [{ minor: chained, weight: WEIGHT.chained }]),
      ...paid.map((minor) => ({ minor, weight: WEIGHT.paidLessChange })),
      ...(repeated > 0 ? [{ minor: repeated, weight: WEIGHT.repeated }] : []),
    ],
    addedMinor: chained === null ? null : chained - linesSumMinor,
    roundingMinor: roundingOf(chain, after),
  };
}

function roundingOf(chain: readonly ChainedSum[], amounts: readonly number[]): number | null {
  const last = chain.at(-1);
  const minor = last?.added.length === 1 ? amounts[last.added[0]!]! : 0;
  return last && isRoundedToNearest(last.minor - minor, minor) ? minor : null;
}
