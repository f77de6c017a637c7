import { isRoundedBy } from "./coins.ts";

// Sums below a sum, by arithmetic alone: a later amount is an earlier one with what is printed between them.

/** A later sum: its place among the amounts below, and the places of those that were added for it. */
export interface ChainedSum {
  readonly minor: number;
  readonly at: number;
  readonly added: readonly number[];
}

/** Amounts between two sums: taxes, charges, discounts, a rounding. With more of them some choice adds up by chance. */
const BETWEEN_MAX = 5;

/** Amounts below a sum that may confirm it, at most: pages of an attacker. */
const BELOW_MAX = 40;
/** With so few amounts between hardly any choice does: seven choices of three. */
const FEW_BETWEEN = 3;

/**
 * Returns the sums below `sum`, each made of the one before and of amounts between them: of all these, or, if it is
 * printed once more below or paid there, of some (`62.05`, discount `-0.15`, balance of points `24.40`, `61.90`, card
 * `61.90`). A sum that is printed again shows that what is between is no charge; paid with change, that it was the
 * last. Where the sum itself is not certain it is all of them, and no choice.
 */
export function chainedSums(below: readonly number[], sum: number, isCertain = true): ChainedSum[] {
  const found: ChainedSum[] = [];
  let current = sum;
  let between: number[] = [];
  for (const [at, minor] of below.entries()) {
    if (minor === current) {
      between = [];
      continue;
    }
    const all = sumAt(below, between);
    // `78.20`, `7.82`, `86.02`, and again `7.82` in the table of taxes, which is no change.
    const isAll = between.length > 0 && current + all === minor;
    if (!isAll && isPaidWithChange(below, at, current)) break;
    if (isPaidRounded(below, at, current)) {
      current += minor;
      found.push({ minor: current, at, added: [...between, at] });
      between = [];
      continue;
    }
    const added = isAll ? between : isCertain ? someOf(below, between, at, minor - current) : null;
    if (added !== null) {
      found.push({ minor, at, added });
      current = minor;
      between = [];
      continue;
    }
    if (between.length === BETWEEN_MAX) break;
    between.push(at);
  }
  return found;
}

/** Whether the amount at a place is cash for a sum, with the change among the next two. */
function isPaidWithChange(below: readonly number[], at: number, sum: number): boolean {
  return below.slice(at + 1, at + 3).some((change) => change > 0 && below[at]! - change === sum);
}

/** Whether an amount is paid below, or a sum is that it makes with all that is between. */
function isConfirmed(below: readonly number[], at: number): boolean {
  const rest = below.slice(at + 1, at + 1 + BELOW_MAX);
  return isPaid(rest, below[at]!) || chainedSums(rest, below[at]!, false).some((later) => isPaid(rest.slice(later.at + 1), later.minor)); // prettier-ignore
}

/** Whether a sum is printed again, or is cash less change, or voucher and card together. */
function isPaid(rest: readonly number[], sum: number): boolean {
  return rest.some(
    (one, i) =>
      one === sum ||
      isPaidWithChange(rest, i, sum) ||
      rest.slice(i + 1, i + 3).some((other) => one > 0 && other > 0 && one + other === sum),
  );
}

/** Whether an amount rounds a sum to what is paid in cash with change below, and is not printed itself. */
function isPaidRounded(below: readonly number[], at: number, sum: number): boolean {
  const rounded = sum + below[at]!;
  if (!isRoundedBy(sum, below[at]!)) return false;
  const rest = below.slice(at + 1);
  return rest[0] !== rounded && rest.slice(0, 2).some((_, i) => isPaidWithChange(rest, i, rounded));
}

/**
 * Returns the places of some amounts between two sums that are their difference. Of many amounts some are by chance, so
 * the later sum, at `at`, must be printed again or paid.
 */
export function someOf(
  below: readonly number[],
  between: readonly number[],
  at: number,
  difference: number,
): readonly number[] | null {
  if (between.length > BETWEEN_MAX || (between.length > FEW_BETWEEN && !isConfirmed(below, at))) return null;
  const choices = between.reduce<number[][]>((all, place) => [...all, ...all.map((some) => [...some, place])], [[]]);
  return choices.find((some) => some.length > 0 && sumAt(below, some) === difference) ?? null;
}

function sumAt(below: readonly number[], places: readonly number[]): number {
  return places.reduce((sum, place) => sum + below[place]!, 0);
}
