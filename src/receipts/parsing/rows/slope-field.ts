import { leastSquares } from "./least-squares.ts";
import type { Observation } from "./least-squares.ts";

// Rows of paper that is bent, curled or seen at an angle have another slope from place to place, but it changes
// smoothly: one low-order function of the place, fitted to all boxes of a page, knows the slope also where boxes are
// too short to show it.

/** A measured value and how exact it is. */
export interface Measured {
  readonly value: number;
  readonly sigma: number;
}

/** The slope of a stretch of a row, and half the change of the slope per pixel along it if it was measured. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly y: number;
  readonly slope: Measured;
  readonly bend: Measured | null;
}

/** The slope of rows at each place. */
export interface SlopeField {
  slopeAt: (x: number, y: number) => number;
  /** Half the change of the slope per pixel along the row. */
  bendAt: (x: number, y: number) => number;
}

/** Terms in x and y, each from -1 to 1 over the page: 1, x, y, xy, y², x², y³, xy². */
const POWERS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 2],
  [2, 0],
  [0, 3],
  [1, 2],
] as const;
/**
 * How large each term usually is, in slope at the edge of the page. Set on computed papers (lying-paper.test.ts): with
 * twice as much, flat paper with short names loses two rows of a hundred; with half, strongly bent one seven more.
 */
const USUAL = [0.1, 0.08, 0.1, 0.05, 0.07, 0.01, 0.03, 0.02];
/** Slopes of single rows differ by this from a smooth field. */
const UNEVEN = 0.006;
const ROUNDS = 4;
const OUTLIER_SIGMAS = 3;

/** Less weight for what lies far from what was expected (Cauchy); `exact` is one by the square of its sigma. */
export function robustWeight(residue: number, exact: number): number {
  return exact / (1 + (residue * residue * exact) / OUTLIER_SIGMAS ** 2);
}

/** Fits a field to stretches; what lies far from it counts little. */
export function slopeField(stretches: readonly Stretch[]): SlopeField {
  const [toU, halfX] = unitOf(stretches.flatMap(({ from, to }) => [from, to]));
  const [toV] = unitOf(stretches.map(({ y }) => y));
  const exact = stretches.flatMap(({ from, to, y, slope, bend }): Observation[] => {
    const [u, w, v] = [toU(from), toU(to), toV(y)];
    // The mean of each term along the stretch.
    const terms = POWERS.map(([p, q]) => meanPower(u, w, p) * v ** q);
    const slopes = { terms, value: slope.value, weight: exactness(slope.sigma, UNEVEN) };
    if (bend === null) return [slopes];
    const bends = bendTerms((u + w) / 2, v).map((term) => term / halfX);
    return [slopes, { terms: bends, value: bend.value, weight: exactness(bend.sigma, UNEVEN / (to - from)) }];
  });
  const holds = USUAL.map((usual) => 1 / (usual * usual));
  let found = holds.map(() => 0);
  let weighted = exact;
  for (let round = 0; round < ROUNDS; round++) {
    found = leastSquares(weighted, holds) ?? found;
    weighted = exact.map((one) => ({ ...one, weight: robustWeight(dot(one.terms, found) - one.value, one.weight) }));
  }
  return {
    slopeAt: (x, y) => dot(slopeTerms(toU(x), toV(y)), found),
    bendAt: (x, y) => dot(bendTerms(toU(x), toV(y)), found) / halfX,
  };
}

/** Returns how to bring places to -1 to 1, and half their extent. */
function unitOf(places: readonly number[]): [toUnit: (place: number) => number, half: number] {
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const half = Math.max(1, (high - low) / 2);
  return places.length === 0 ? [() => 0, 1] : [(place) => (place - (low + high) / 2) / half, half];
}

function exactness(sigma: number, uneven: number): number {
  return 1 / (sigma * sigma + uneven * uneven);
}

function slopeTerms(u: number, v: number): number[] {
  return POWERS.map(([p, q]) => u ** p * v ** q);
}

/** Half the change of each term along u. */
function bendTerms(u: number, v: number): number[] {
  return POWERS.map(([p, q]) => (p === 0 ? 0 : (p * u ** (p - 1) * v ** q) / 2));
}

function dot(terms: readonly number[], factors: readonly number[]): number {
  return terms.reduce((sum, term, i) => sum + term * factors[i]!, 0);
}

/** The mean of u to a power between two places. */
function meanPower(from: number, to: number, power: 0 | 1 | 2): number {
  if (power === 0) return 1;
  return power === 1 ? (from + to) / 2 : (from * from + from * to + to * to) / 3;
}
