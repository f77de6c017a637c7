// Computes the points of one record: ratings and amounts in, whole points out. Every item has a health cell and a
// carbon cell, exact integers over one common divisor. The record's points are their rounded sum, capped, and are
// distributed over the cells again, so that the points of rows and columns add up. A rule is data and is never
// edited: a change is a new rule.
import { scaled } from "../decimal.ts";
import type { Rating } from "../foods/rating/nutri-score.ts";

/** Kind of a submission. Each has its own divisor and cap. */
export type Source = "receipt" | "meal" | "food";

/** One line of a receipt, one ingredient of a meal, or the tracked food. */
export interface AwardItem {
  /**
   * `rated` earns by its ratings. `unmatched` earns nothing, but its mass counts in a meal, so that it does not pay
   * to give bad ingredients odd names. `ignored` earns nothing and its mass does not count: plain water, and items
   * that are not eligible.
   */
  readonly kind: "rated" | "unmatched" | "ignored";
  readonly healthRating: Rating | null;
  readonly carbonRating: Rating | null;
  /** Confidence of the match, 0..1. */
  readonly confidence: number;
  /** Pieces, after voids; for a receipt line sold by weight or volume the kg or litres. Zero or less earns nothing. */
  readonly quantity: number;
  readonly soldByWeight: boolean;
  /** Mass of all pieces together, an integer; null when unknown. Receipts don't use it. */
  readonly massMg: number | null;
}

/** The numbers of one version of the rules. */
export interface PointsRule {
  readonly id: string;
  /** Base points of a rating, for each of the two ratings. */
  readonly base: Readonly<Record<Rating, number>>;
  /** Those of the carbon rating, where they differ. */
  readonly carbonBase?: Readonly<Record<Rating, number>>;
  /** Halves of the base that a match confidence earns, the highest first. Below the last step it earns none. */
  readonly confidenceSteps: readonly { readonly from: number; readonly halves: number }[];
  /** Units are hundredths of a piece, a portion, or a started kg or litre. */
  readonly unitsMax: number;
  /** A tracked food earns for at most one portion for each of these. */
  readonly portionMassMg: number;
  /** Mass of an item whose mass is unknown. */
  readonly assumedMassMg: number;
  readonly receipt: { readonly divisor: number; readonly pointsMax: number };
  readonly food: { readonly divisor: number; readonly pointsMax: number };
  /** `factor` times the mean of the bases by mass, over at least `massMinMg`. */
  readonly meal: { readonly factor: number; readonly massMinMg: number; readonly pointsMax: number };
  /** A fraction that every cell is multiplied by: 5 over 4 is 1.25. 1 if absent. */
  readonly multiplier?: { readonly times: number; readonly over: number };
  /** How the sum of the cells becomes whole points; down if absent. */
  readonly rounding?: Rounding;
}

/** To the next whole number below or above, or to the nearest (a half goes up). */
export const ROUNDINGS = ["down", "nearest", "up"] as const;
export type Rounding = (typeof ROUNDINGS)[number];

/**
 * The default rule. A receipt item earns its base of 0..10 for each unit: 200 = 2 halves × 100 hundredths. A food earns
 * half of that, since it has no proof; a meal three times the mean, so that more ingredients never earn more.
 */
export const POINTS_1: PointsRule = {
  id: "points/1",
  base: { 1: 5, 2: 4, 3: 2, 4: 1, 5: 0 },
  confidenceSteps: [
    { from: 0.7, halves: 2 },
    { from: 0.5, halves: 1 },
  ],
  unitsMax: 500,
  portionMassMg: 20_000,
  assumedMassMg: 100_000,
  receipt: { divisor: 200, pointsMax: 150 },
  food: { divisor: 400, pointsMax: 25 },
  meal: { factor: 3, massMinMg: 100_000, pointsMax: 30 },
};

/** The points of one item. Cells are integers in decimal digits, over the award's divisor; points are 0 or more. */
export interface ItemAward {
  readonly healthCell: string;
  readonly carbonCell: string;
  readonly healthPoints: number;
  readonly carbonPoints: number;
  /** healthPoints + carbonPoints. */
  readonly totalPoints: number;
}

/** The points of a record; `items` in the order full, every total the sum over them. */
export interface Award {
  readonly rule: string;
  readonly divisor: string;
  readonly items: readonly ItemAward[];
  readonly totalHealthPoints: number;
  readonly totalCarbonPoints: number;
  readonly totalPoints: number;
  /** Whether the cells gave more than a record of this source may earn. */
  readonly capped: boolean;
}

/** Awards the items of one record. Throws RangeError unless quantities are finite and masses are integers ≥ 0. */
export function award(source: Source, items: readonly AwardItem[], rule: PointsRule = POINTS_1): Award {
  const { weights, divisor } = weigh(source, items, rule);
  const cells = items.flatMap((item, index) => {
    const weight = weights[index] ?? 0n;
    return [baseOf(item.healthRating, rule.base) * weight, baseOf(item.carbonRating, carbonBase(rule)) * weight];
  });
  const sum = cells.reduce((total, cell) => total + cell, 0n);
  const earned = wholePoints(sum, divisor, rule);
  const pointsMax = BigInt(rule[source].pointsMax);
  const capped = earned > pointsMax;
  return {
    rule: rule.id,
    divisor: String(divisor),
    ...distributed(capped ? pointsMax : earned, cells),
    capped,
  };
}

/** Whole points of the sum of all cells, before the maximum of a record. */
export function wholePoints(sum: bigint, divisor: bigint, { rounding = "down" }: Pick<PointsRule, "rounding">): bigint {
  if (rounding === "nearest") return (2n * sum + divisor) / (2n * divisor);
  return rounding === "up" ? (sum + divisor - 1n) / divisor : sum / divisor;
}

/** Reduces an award to at most `pointsMax` points, distributed over its cells again. */
export function cutTo(pointsMax: number, full: Award): Award {
  if (full.totalPoints <= pointsMax) return full;
  const cells = full.items.flatMap(({ healthCell, carbonCell }) => [BigInt(healthCell), BigInt(carbonCell)]);
  return { ...full, ...distributed(BigInt(pointsMax), cells) };
}

/** Whether a match of this confidence earns points. If not, it is more likely wrong than right, and is excluded. */
export function isAccepted(confidence: number, rule: PointsRule = POINTS_1): boolean {
  return confidenceHalves(confidence, rule) > 0;
}

/** The weights of items in their order, and the common divisor. */
export interface Weights {
  readonly weights: readonly bigint[];
  readonly divisor: bigint;
}

/**
 * Computes the weights of items and the common divisor. A cell is the base of a rating times the weight of its item.
 */
export function weigh(source: Source, items: readonly AwardItem[], rule: PointsRule): Weights {
  const { weights, divisor } = plainWeights(source, items, rule);
  if (!rule.multiplier) return { weights, divisor };
  const { times, over } = rule.multiplier;
  return { weights: weights.map((weight) => weight * BigInt(times)), divisor: divisor * BigInt(over) };
}

/** The weights without the rule's multiplier. */
function plainWeights(source: Source, items: readonly AwardItem[], rule: PointsRule): Weights {
  if (source === "meal") {
    const masses = items.map((item) => (item.kind === "ignored" ? 0n : massMg(item, rule)));
    const total = masses.reduce((sum, mass) => sum + mass, 0n);
    const massMin = BigInt(rule.meal.massMinMg);
    return {
      weights: items.map(
        (item, index) => BigInt(rule.meal.factor) * BigInt(halvesOf(item, rule)) * (masses[index] ?? 0n),
      ),
      divisor: 2n * (total > massMin ? total : massMin),
    };
  }
  const unitsOf = source === "receipt" ? receiptUnits : foodUnits;
  return {
    weights: items.map((item) => BigInt(halvesOf(item, rule)) * unitsOf(item, rule)),
    divisor: BigInt(rule[source].divisor),
  };
}

/** The quantity of a line. Sold by weight or volume: one unit for each started kg or litre (0.434 kg is one). */
function receiptUnits({ quantity, soldByWeight }: AwardItem, rule: PointsRule): bigint {
  const units = soldByWeight ? 100n * scaled(quantity, 0, "ceil") : scaled(quantity, 2, "floor");
  return between(units, 0n, BigInt(rule.unitsMax));
}

/** The quantity, but at most the portions in the mass: a leaf of spinach is not a portion. */
function foodUnits(item: AwardItem, rule: PointsRule): bigint {
  const byMass = (100n * massMg(item, rule)) / BigInt(rule.portionMassMg);
  const byQuantity = scaled(item.quantity, 2, "floor");
  return between(byQuantity < byMass ? byQuantity : byMass, 0n, BigInt(rule.unitsMax));
}

function massMg(item: AwardItem, rule: PointsRule): bigint {
  const mass = BigInt(item.massMg ?? rule.assumedMassMg);
  if (mass < 0n) throw new RangeError("a mass is never negative");
  return mass;
}

/** The halves of its bases that an item earns, by its confidence; 0 unless it is rated. */
export function halvesOf({ kind, confidence }: AwardItem, rule: PointsRule): number {
  return kind === "rated" ? confidenceHalves(confidence, rule) : 0;
}

function confidenceHalves(confidence: number, rule: PointsRule): number {
  return rule.confidenceSteps.find((step) => confidence >= step.from)?.halves ?? 0;
}

function baseOf(rating: Rating | null, base: PointsRule["base"]): bigint {
  return rating === null ? 0n : BigInt(base[rating]);
}

/** The base points of the carbon rating. */
export function carbonBase({ base, carbonBase = base }: PointsRule): PointsRule["base"] {
  return carbonBase;
}

/** Distributes `total` points over the cells. Each item has two: health, then carbon. */
function distributed(
  total: bigint,
  cells: readonly bigint[],
): Pick<Award, "items" | "totalHealthPoints" | "totalCarbonPoints" | "totalPoints"> {
  const points = distribute(total, cells);
  const items = Array.from({ length: cells.length / 2 }, (_, index): ItemAward => {
    const [healthPoints = 0, carbonPoints = 0] = points.slice(2 * index, 2 * index + 2);
    return {
      healthCell: String(cells[2 * index]),
      carbonCell: String(cells[2 * index + 1]),
      healthPoints,
      carbonPoints,
      totalPoints: healthPoints + carbonPoints,
    };
  });
  const totalHealthPoints = items.reduce((sum, item) => sum + item.healthPoints, 0);
  const totalCarbonPoints = items.reduce((sum, item) => sum + item.carbonPoints, 0);
  return { items, totalHealthPoints, totalCarbonPoints, totalPoints: totalHealthPoints + totalCarbonPoints };
}

/**
 * Largest remainder method: each cell gets the floor of its share of `total`. The rest goes, one each, to the cells
 * with the largest remainders, the earlier cell first when equal. A cell of 0 gets 0, and none exceeds its share by 1
 * or more.
 */
export function distribute(total: bigint, cells: readonly bigint[]): number[] {
  const sum = cells.reduce((all, cell) => all + cell, 0n);
  if (sum === 0n) return cells.map(() => 0);
  const shares = cells.map((cell) => Number((total * cell) / sum));
  const remainders = cells.map((cell) => (total * cell) % sum);
  const left = Number(total) - shares.reduce((all, share) => all + share, 0);
  const largestFirst = cells
    .map((_, index) => index)
    .sort((a, b) => compare(remainders[b] ?? 0n, remainders[a] ?? 0n) || a - b);
  const raised = new Set(largestFirst.slice(0, left));
  return shares.map((share, index) => (raised.has(index) ? share + 1 : share));
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}

function between(value: bigint, min: bigint, max: bigint): bigint {
  if (value < min) return min;
  return value > max ? max : value;
}
