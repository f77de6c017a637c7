import type { ClassifiedRow } from "../rows/classified-rows.ts";
import { chainedSums } from "../rows/chained-sums.ts";
import { isInformation } from "../rows/row-kinds.ts";

// The end of a list whose total has no known word: the row that is the sum of those above it, if what follows is
// explained by that sum. It works in any language.

/** The last amount of a row. `isInColumn`: it is in the price column, as those of goods are. */
interface Priced {
  index: number;
  minor: number;
  isInColumn: boolean;
  text: string;
}

/**
 * How strong each sign is that an amount is the sum of the list. Set by hand on typed receipts in an invented language.
 */
const WEIGHT = {
  /** The number of amounts that add up to it. */
  summed: [0, 0.5, 1, 1.5, 2],
  /** Not summed: an amount was misread. */
  notSummed: -1,
  repeated: 2,
  cashAndChange: 2,
  /** It and the rows below make a later amount: tax on top, rounding. */
  chained: 2,
  netAndTax: 1,
  rate: 0.5,
  large: 1,
  /** Nothing has an amount below: a receipt without its sum is rare. */
  last: 0.6,
  /** An amount below, or between the goods and their sum, that the sum does not explain: goods, perhaps. */
  unexplained: -0.7,
  unexplainedMore: -0.2,
  between: -0.4,
} as const;
const SCORE_MIN = 1;
/** A sum is set large if its row is this many times as high as the median row. */
const LARGE_HEIGHTS = 1.25;
/** This number of unexplained amounts counts in full: a card's slip and a customer's points have some too. */
const UNEXPLAINED_FULL = 3;
/** A sum of misread amounts may differ from what was read by this factor. */
const MISREAD_FACTOR = 1.6;
/** Amounts below a sum that are compared with each other, and sums that are weighed, at most: pages of an attacker. */
const BELOW_MAX = 40;
const SUMS_MAX = 60;
const RATE = /\d\s?%|%\s?\d/;

/** Where the list ends: before row `index`. `isSummed`: the amount there is the sum of those above. */
export interface ArithmeticEnd {
  index: number;
  isSummed: boolean;
}

/** Returns where a list that begins at row `first` most likely ends; null if no amount looks like its sum. */
export function arithmeticEnd(rows: readonly ClassifiedRow[], first: number): ArithmeticEnd | null {
  const priced = rows.flatMap((row, index): Priced[] => {
    const minor = row.columnAmount?.minor ?? row.amounts.findLast(({ isUnitPrice }) => !isUnitPrice)?.minor;
    return index < first || !minor || isInformation(row)
      ? []
      : [{ index, minor, isInColumn: row.columnAmount !== null, text: row.text }];
  });
  const medianHeight = rows.map(({ height }) => height).sort((a, b) => a - b)[rows.length >> 1] ?? 1;
  let best: (ArithmeticEnd & { score: number }) | null = null;
  for (const candidate of candidatesIn(priced).slice(0, SUMS_MAX)) {
    const { at, end, isSummed } = candidate;
    const isLarge = rows[priced[at]!.index]!.height > LARGE_HEIGHTS * medianHeight;
    const score = scoreOf(priced, candidate, rows) + (isLarge ? WEIGHT.large : 0);
    if (score > (best?.score ?? SCORE_MIN)) best = { index: priced[end - 1]!.index + 1, isSummed, score };
  }
  return best && { index: best.index, isSummed: best.isSummed };
}

/** An amount that may be the sum: the one at `at`, of the goods before `end`, `count` of them. */
interface Candidate {
  at: number;
  end: number;
  count: number;
  isSummed: boolean;
}

function candidatesIn(priced: readonly Priced[]): Candidate[] {
  const candidates: Candidate[] = [];
  /** The last place where the goods before it add up to a sum, and their number. */
  const ends = new Map<number, { end: number; count: number }>();
  let [sum, count, most] = [0, 0, 0];
  for (const [at, { minor, isInColumn }] of priced.entries()) {
    const known = ends.get(minor);
    const isSame = known?.count === 1 && wordsOf(priced[known.end - 1]!) === wordsOf(priced[at]!);
    // `COLA 5.00`, `COLA 5.00`: two equal goods.
    if (known && minor > 0 && !isSame) candidates.push({ at, ...known, isSummed: true });
    else if (count > 1 && minor > most && sum < MISREAD_FACTOR * minor && minor < MISREAD_FACTOR * sum)
      candidates.push({ at, end: at, count: 0, isSummed: false });
    if (!isInColumn) continue;
    sum += minor;
    count++;
    most = Math.max(most, minor);
    ends.set(sum, { end: at + 1, count });
  }
  return candidates;
}

/** Returns how well an amount explains those below it as a sum of those above it. */
function scoreOf(
  priced: readonly Priced[],
  { at, end, count, isSummed }: Candidate,
  rows: readonly ClassifiedRow[],
): number {
  const { minor: sum, index } = priced[at]!;
  const below = priced.slice(at + 1, at + 1 + BELOW_MAX);
  const chain = chainedSum(below, sum, count > 1);
  const isPair = (a: Priced, b: Priced, of: (x: number, y: number) => number): boolean =>
    a.index < b.index && a.minor > 0 && b.minor > 0 && [sum, chain?.minor].includes(of(a.minor, b.minor));
  const others = below.filter((one) => !chain?.added.includes(one));
  const isPaired = (one: Priced, of: (x: number, y: number) => number): boolean =>
    others.some((other) => isPair(one, other, of) || isPair(other, one, of));
  const changes = others.filter((one) => isPaired(one, (paid, change) => paid - change));
  const parts = others.filter((one) => isPaired(one, (net, tax) => net + tax));
  const isTabled = rows.slice(index).some((row) => isTableRow(row, sum));
  const rated = below.filter(({ text, minor }) => RATE.test(text) && minor < sum);
  const repeated = below.filter(({ minor }) => minor === sum || minor === chain?.minor);
  const explained = new Set([...changes, ...parts, ...rated, ...repeated, ...(chain?.added ?? [])]);
  const unexplained = below.filter((one) => one.isInColumn && !explained.has(one) && /\p{L}{3}/u.test(one.text)).length;
  return (
    (isSummed ? WEIGHT.summed[Math.min(count, WEIGHT.summed.length - 1)]! : WEIGHT.notSummed) +
    (repeated.length > 0 ? WEIGHT.repeated : 0) +
    (changes.length > 0 ? WEIGHT.cashAndChange : 0) +
    (chain ? WEIGHT.chained : 0) +
    (parts.length > 0 || isTabled ? WEIGHT.netAndTax : 0) +
    (rated.length > 0 ? WEIGHT.rate : 0) +
    (below.length === 0 ? WEIGHT.last : 0) +
    WEIGHT.unexplained * Math.min(UNEXPLAINED_FULL, unexplained) +
    WEIGHT.unexplainedMore * Math.max(0, unexplained - UNEXPLAINED_FULL) +
    WEIGHT.between * (isOfGroups(priced.slice(end, at), sum) ? 0 : at - end)
  );
}

/** Whether the amounts between goods and their sum make it as well: `FOOD 58.50`, `DRINKS 5.00`, `SUBTOTAL 63.50`. */
function isOfGroups(between: readonly Priced[], sum: number): boolean {
  return between.reduce((total, { minor }) => total + minor, 0) === sum;
}

function wordsOf({ text }: Priced): string {
  return text.replace(/[^\p{L}]/gu, "");
}

/** Returns the last amount that is made of a sum and what is between, and all that was added for it. */
function chainedSum(
  below: readonly Priced[],
  sum: number,
  isCertain: boolean,
): { minor: number; added: readonly Priced[] } | null {
  const chain = chainedSums(
    below.map(({ minor }) => minor),
    sum,
    isCertain,
  );
  const last = chain.at(-1);
  return last ? { minor: last.minor, added: chain.flatMap(({ added, at }) => [...added, at]).map((at) => below[at]!) } : null; // prettier-ignore
}

/** Whether a row has two figures that add up to the sum, as in a table of taxes. */
function isTableRow({ amounts }: ClassifiedRow, sum: number): boolean {
  const minors = amounts.slice(0, 6).map(({ minor }) => minor);
  return minors.some((a, i) => minors.some((b, j) => i < j && a > 0 && b > 0 && a + b === sum));
}
