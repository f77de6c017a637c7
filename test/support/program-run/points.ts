// The points of one record, written a second time from docs/programs.md alone: nothing of src/points is imported.
import type { ProgramDefinition } from "../../../src/programs/definition.ts";

export type Source = "receipt" | "meal" | "food";

/** An item that counts, as the programme sees it. */
export interface CountedItem {
  readonly id: string;
  /** 1 = A to 5 = E. */
  readonly health: number;
  readonly climate: number;
  /** Of the match, 0.5 to 1. */
  readonly confidence: number;
  /** Pieces, as sent or printed. */
  readonly pieces: number;
  /** Of all pieces; 0 on a receipt, where it does not count. */
  readonly massMg: number;
}

/** Points of one item for its two ratings. */
export interface ItemPoints {
  readonly health: number;
  readonly climate: number;
}

/** A record before limits: exact shares of each rating of each item, and what they give. */
export interface Base {
  readonly shares: readonly bigint[];
  readonly total: number;
}

const GRADES = ["A", "B", "C", "D", "E"] as const;
const DEFAULT_GRADE_POINTS = { A: 5, B: 4, C: 2, D: 1, E: 0 };
const DEFAULT_POINTS_MAX = { receipt: 150, meal: 30, food: 25 };

/**
 * The points of a record. `strangersMg`: the mass of a meal's ingredients that no food was found for; it counts in the
 * mean, and earns nothing.
 */
export function basePoints(
  source: Source,
  items: readonly CountedItem[],
  definition: Pick<ProgramDefinition, "points">,
  strangersMg = 0,
): Base {
  const rules = definition.points?.[source] ?? {};
  const pointsOf = (rating: number, of: "health" | "climate") =>
    BigInt({ ...DEFAULT_GRADE_POINTS, ...rules[of] }[GRADES[rating - 1]!]);
  // Everything in half hundredths of a unit, times the multiplier in hundredths.
  const multiplier = BigInt(Math.round((rules.multiplier ?? 1) * 100));
  const massMg = Math.max(100_000, strangersMg + sum(items.map((item) => item.massMg)));
  const over = (source === "meal" ? 2n * BigInt(massMg) : source === "food" ? 400n : 200n) * 100n;
  const shares = items.flatMap((item) => {
    const units = unitsOf(source, item) * (item.confidence >= 0.7 ? 2n : 1n) * multiplier;
    return [pointsOf(item.health, "health") * units, pointsOf(item.climate, "climate") * units];
  });
  const exact = shares.reduce((all, share) => all + share, 0n);
  const rounded = { down: exact / over, nearest: (2n * exact + over) / (2n * over), up: (exact + over - 1n) / over };
  const earned = Number(rounded[definition.points?.rounding ?? "down"]);
  return { shares, total: Math.min(earned, rules.pointsMax ?? DEFAULT_POINTS_MAX[source]) };
}

/** Gives whole points to the two ratings of each item, in proportion to their shares. */
export function itemPoints({ shares }: Base, total: number): ItemPoints[] {
  const given = spread(total, shares);
  return Array.from({ length: given.length / 2 }, (_, i) => ({ health: given[2 * i]!, climate: given[2 * i + 1]! }));
}

/** Whole points in proportion: whole parts first, then one each to the largest rests, the first of equal ones first. */
export function spread(total: number, shares: readonly bigint[]): number[] {
  const all = shares.reduce((one, share) => one + share, 0n);
  if (all === 0n) return shares.map(() => 0);
  const parts = shares.map((share, i) => ({
    i,
    whole: (BigInt(total) * share) / all,
    rest: (BigInt(total) * share) % all,
  }));
  let left = total - sum(parts.map(({ whole }) => Number(whole)));
  const given = parts.map(({ whole }) => Number(whole));
  for (const { i } of [...parts].sort((a, b) => (a.rest === b.rest ? a.i - b.i : a.rest > b.rest ? -1 : 1))) {
    if (left <= 0) break;
    given[i]! += 1;
    left -= 1;
  }
  return given;
}

/** Units of an item in hundredths; of a meal three times its mass, which is divided by that of the meal. */
function unitsOf(source: Source, { pieces, massMg }: CountedItem): bigint {
  if (source === "meal") return 3n * BigInt(massMg);
  const byPieces = Math.floor(Math.round(pieces * 1e6) / 1e4);
  const units = source === "food" ? Math.min(byPieces, Math.floor((100 * massMg) / 20_000)) : byPieces;
  return BigInt(Math.min(500, units));
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
