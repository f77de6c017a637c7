import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { isInformation } from "./list-total.ts";

// The end of a list whose total has no known word: the row that is the sum of those above it, if what follows is
// explained by that sum. It works in any language.

/** An amount in the price column, with the index of its row. */
interface Priced {
  index: number;
  minor: number;
  text: string;
}

/**
 * How strong each sign is that a row is the sum of the list. Set by hand on typed receipts in an invented language.
 */
const WEIGHT = {
  /** The number of amounts that add up to it. */
  summed: [0, 0.5, 1, 1.5, 2],
  /** The same words above: two equal goods. */
  sameWords: -2,
  repeated: 1.5,
  cashAndChange: 2,
  /** It and the rows below make a later amount: tax on top, rounding. */
  chained: 2,
  netAndTax: 1,
  rate: 0.5,
  large: 1,
  /** A row below that the sum does not explain: goods, perhaps. */
  unexplained: -0.8,
} as const;
const SCORE_MIN = 1.2;
/** A sum is set large if its row is this many times as high as the median row. */
const LARGE_HEIGHTS = 1.25;
/** Rows between a sum and the one to pay: taxes, a service charge, a rounding. */
const ADDED_MAX = 5;
const RATE = /\d\s?%|%\s?\d/;

/**
 * Returns the index of the row that most likely is the sum of the amounts above it, the first of which is on row
 * `first`; -1 if none is.
 */
export function arithmeticEnd(rows: readonly ClassifiedRow[], first: number): number {
  const priced = rows.flatMap((row, index): Priced[] =>
    index < first || !row.columnAmount?.minor || isInformation(row)
      ? []
      : [{ index, minor: row.columnAmount.minor, text: row.text }],
  );
  const medianHeight = rows.map(({ height }) => height).sort((a, b) => a - b)[rows.length >> 1] ?? 1;
  let best = { index: -1, score: SCORE_MIN };
  let sum = 0;
  for (const [at, { index, minor }] of priced.entries()) {
    if (at > 0 && minor === sum && minor > 0) {
      const isLarge = rows[index]!.height > LARGE_HEIGHTS * medianHeight;
      const score = scoreOf(priced, at, rows) + (isLarge ? WEIGHT.large : 0);
      if (score > best.score) best = { index, score };
    }
    sum += minor;
  }
  return best.index;
}

/** Returns how well an amount explains those below it as a sum of those above it. */
function scoreOf(priced: readonly Priced[], at: number, rows: readonly ClassifiedRow[]): number {
  const { minor: sum, index } = priced[at]!;
  const below = priced.slice(at + 1);
  const chain = chainedSum(below, sum);
  const isPair = (a: Priced, b: Priced, of: (x: number, y: number) => number): boolean =>
    a.index < b.index && a.minor > 0 && b.minor > 0 && [sum, chain?.minor].includes(of(a.minor, b.minor));
  const isPaired = (one: Priced, of: (x: number, y: number) => number): boolean =>
    below.some((other) => isPair(one, other, of) || isPair(other, one, of));
  const changes = below.filter((one) => isPaired(one, (paid, change) => paid - change));
  const parts = below.filter((one) => isPaired(one, (net, tax) => net + tax));
  const tabled = rows.slice(index + 1).some((row) => isTableRow(row, sum));
  const rated = below.filter(({ text, minor }) => RATE.test(text) && minor < sum);
  const repeated = below.filter(({ minor }) => minor === sum || minor === chain?.minor);
  const explained = new Set([...changes, ...parts, ...rated, ...repeated, ...(chain?.added ?? [])]);
  const words = (text: string): string => text.replace(/[^\p{L}]/gu, "");
  const unexplained = below.filter((one) => !explained.has(one) && /\p{L}{3}/u.test(one.text)).length;
  return (
    WEIGHT.summed[Math.min(at, WEIGHT.summed.length - 1)]! +
    (at === 1 && words(priced[0]!.text) === words(priced[1]!.text) ? WEIGHT.sameWords : 0) +
    (repeated.length > 0 ? WEIGHT.repeated : 0) +
    (changes.length > 0 ? WEIGHT.cashAndChange : 0) +
    (chain ? WEIGHT.chained : 0) +
    (parts.length > 0 || tabled ? WEIGHT.netAndTax : 0) +
    (rated.length > 0 ? WEIGHT.rate : 0) +
    WEIGHT.unexplained * unexplained
  );
}

/** Returns the first amount that is a sum plus all amounts between them, and those. */
function chainedSum(below: readonly Priced[], sum: number): { minor: number; added: readonly Priced[] } | null {
  let total = sum;
  const added: Priced[] = [];
  for (const one of below) {
    if (added.length > 0 && one.minor === total) return { minor: total, added };
    if (one.minor === sum && added.length === 0) continue;
    if (added.length === ADDED_MAX) return null;
    total += one.minor;
    added.push(one);
  }
  return null;
}

/** Whether a row has two figures that add up to the sum, as in a table of taxes. */
function isTableRow({ amounts }: ClassifiedRow, sum: number): boolean {
  const minors = amounts.map(({ minor }) => minor);
  return minors.some((a, i) => minors.some((b, j) => i < j && a > 0 && b > 0 && a + b === sum));
}
