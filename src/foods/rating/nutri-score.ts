// Nutri-Score, the 2023 revision for foods and beverages (Santé publique France), as a pure function of values per
// 100 g. Missing values are imputed before; here a value that is not declared gets no points either way.

/** 1..5 = A..E, 1 the best: the scale of health and of carbon alike. */
export type Rating = 1 | 2 | 3 | 4 | 5;

/** The letter of a rating. */
export type Grade = "A" | "B" | "C" | "D" | "E";

/** The letters in order: `GRADES[rating - 1]`. */
export const GRADES = ["A", "B", "C", "D", "E"] as const satisfies readonly Grade[];

/**
 * The class of a product decides its tables. `water` is plain water; `beverage` includes milk and plant drinks; cream,
 * butter, nut butters are `fats_oils_nuts_seeds`; alcohol, baby food, spices and leaves are `not_applicable`.
 */
export type NutriScoreCategory =
  | "general"
  | "cheese"
  | "beverage"
  | "water"
  | "fats_oils_nuts_seeds"
  | "not_applicable";

/**
 * Values per 100 g (beverages: per 100 ml), unrounded; null: not declared. Fibre by AOAC; `fvlPct`: fruit, vegetables
 * and legumes, 0 to 100.
 */
export interface NutrientsPer100 {
  readonly energyKj: number | null;
  readonly sugarG: number | null;
  readonly saturatedFatG: number | null;
  readonly fatG: number | null;
  readonly saltG: number | null;
  readonly fiberG: number | null;
  readonly proteinG: number | null;
  readonly fvlPct: number | null;
}

/**
 * The input of the score. `redMeat`: made mainly of red meat. `nonNutritiveSweetener`: contains any (erythritol alone
 * is none).
 */
export interface NutriScoreInput {
  readonly category: NutriScoreCategory;
  readonly redMeat: boolean;
  readonly nonNutritiveSweetener: boolean;
  readonly per100: NutrientsPer100;
}

type NegativeComponent =
  | "energy"
  | "energy_from_saturated_fat"
  | "saturated_fat"
  | "saturated_fat_ratio"
  | "sugars"
  | "salt"
  | "non_nutritive_sweeteners";

type PositiveComponent = "fiber" | "fruits_vegetables_legumes" | "proteins";

/** The points of each component that counts for the class; `proteins` is absent where protein does not count. */
export interface NutriScoreComponents {
  readonly negative: Readonly<Partial<Record<NegativeComponent, number>>>;
  readonly positive: Readonly<Partial<Record<PositiveComponent, number>>>;
}

/** score = negativePoints − positivePoints; the lower the better. */
export interface NutriScore {
  readonly score: number;
  readonly grade: Grade;
  readonly rating: Rating;
  readonly components: NutriScoreComponents;
  readonly negativePoints: number;
  readonly positivePoints: number;
}

// A scale gives one point for each threshold that the value exceeds; `worth` replaces the points for that number.
interface Scale {
  readonly above: readonly number[];
  readonly worth?: readonly number[];
}

interface ClassTables {
  readonly energy: Scale;
  readonly sugars: Scale;
  readonly proteins: Scale;
  readonly fvl: Scale;
  /** Protein counts while the negative points stay below this. */
  readonly proteinBelow: number;
  /** The highest score of A, B, C and D. */
  readonly gradeUpTo: readonly [number, number, number, number];
}

const SATURATED_FAT_G: Scale = { above: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] };
const ENERGY_FROM_SATURATED_FAT_KJ: Scale = {
  above: [120, 240, 360, 480, 600, 720, 840, 960, 1080, 1200],
};
// The one scale where reaching a threshold is enough.
const SATURATED_FAT_RATIO_PCT_FROM = [10, 16, 22, 28, 34, 40, 46, 52, 58, 64];
// Written out: 0.2 * 3 is 0.6000000000000001.
const SALT_G: Scale = {
  above: [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6, 2.8, 3, 3.2, 3.4, 3.6, 3.8, 4],
};
const FIBER_G: Scale = { above: [3, 4.1, 5.2, 6.3, 7.4] };

const GENERAL: ClassTables = {
  energy: { above: [335, 670, 1005, 1340, 1675, 2010, 2345, 2680, 3015, 3350] },
  sugars: { above: [3.4, 6.8, 10, 14, 17, 20, 24, 27, 31, 34, 37, 41, 44, 48, 51] },
  proteins: { above: [2.4, 4.8, 7.2, 9.6, 12, 14, 17] },
  fvl: { above: [40, 60, 80], worth: [0, 1, 2, 5] },
  proteinBelow: 11,
  gradeUpTo: [0, 2, 10, 18],
};

const BEVERAGE: ClassTables = {
  energy: { above: [30, 90, 150, 210, 240, 270, 300, 330, 360, 390] },
  sugars: { above: [0.5, 2, 3.5, 5, 6, 7, 8, 9, 10, 11] },
  proteins: { above: [1.2, 1.5, 1.8, 2.1, 2.4, 2.7, 3] },
  fvl: { above: [40, 60, 80], worth: [0, 2, 4, 6] },
  proteinBelow: Infinity,
  gradeUpTo: [-Infinity, 2, 6, 9],
};

const TABLES: Readonly<Record<Exclude<NutriScoreCategory, "not_applicable">, ClassTables>> = {
  general: GENERAL,
  cheese: { ...GENERAL, proteinBelow: Infinity },
  fats_oils_nuts_seeds: { ...GENERAL, proteinBelow: 7, gradeUpTo: [-6, 2, 10, 18] },
  beverage: BEVERAGE,
  water: { ...BEVERAGE, gradeUpTo: [Infinity, Infinity, Infinity, Infinity] },
};

const KJ_PER_G_OF_FAT = 37;
const SWEETENER_POINTS = 4;
const RED_MEAT_PROTEIN_POINTS_MAX = 2;

/** The Nutri-Score of one product; null for the class `not_applicable`, which has no grade. */
export function nutriScore2023(input: NutriScoreInput): NutriScore | null {
  if (input.category === "not_applicable") return null;
  const tables = TABLES[input.category];
  const negative = negativeComponents(input, tables);
  const negativePoints = sum(negative);
  const positive = positiveComponents(input, tables, negativePoints);
  const positivePoints = sum(positive);
  const score = negativePoints - positivePoints;
  const rating = (1 + tables.gradeUpTo.filter((highest) => score > highest).length) as Rating;
  return {
    score,
    grade: gradeOf(rating),
    rating,
    components: { negative, positive },
    negativePoints,
    positivePoints,
  };
}

/** The letter of a rating: 1 = A … 5 = E. */
export function gradeOf(rating: Rating): Grade {
  return GRADES[rating - 1] as Grade;
}

function negativeComponents(
  { category, nonNutritiveSweetener, per100 }: NutriScoreInput,
  tables: ClassTables,
): NutriScoreComponents["negative"] {
  const sugars = pointsOn(tables.sugars, per100.sugarG);
  const salt = pointsOn(SALT_G, per100.saltG);
  if (category === "fats_oils_nuts_seeds") {
    const saturatedFatG = per100.saturatedFatG ?? 0;
    return {
      energy_from_saturated_fat: pointsOn(ENERGY_FROM_SATURATED_FAT_KJ, saturatedFatG * KJ_PER_G_OF_FAT),
      saturated_fat_ratio: saturatedFatRatioPoints(saturatedFatG, per100.fatG),
      sugars,
      salt,
    };
  }
  const food = {
    energy: pointsOn(tables.energy, per100.energyKj),
    saturated_fat: pointsOn(SATURATED_FAT_G, per100.saturatedFatG),
    sugars,
    salt,
  };
  if (category !== "beverage" && category !== "water") return food;
  return { ...food, non_nutritive_sweeteners: nonNutritiveSweetener ? SWEETENER_POINTS : 0 };
}

function positiveComponents(
  { redMeat, per100 }: NutriScoreInput,
  tables: ClassTables,
  negativePoints: number,
): NutriScoreComponents["positive"] {
  const positive = {
    fiber: pointsOn(FIBER_G, per100.fiberG),
    fruits_vegetables_legumes: pointsOn(tables.fvl, per100.fvlPct),
  };
  if (negativePoints >= tables.proteinBelow) return positive;
  const proteins = pointsOn(tables.proteins, per100.proteinG);
  return {
    ...positive,
    proteins: redMeat ? Math.min(proteins, RED_MEAT_PROTEIN_POINTS_MAX) : proteins,
  };
}

// No saturates, or fat not declared: no points. Saturates without any fat: all points.
function saturatedFatRatioPoints(saturatedFatG: number, fatG: number | null): number {
  if (fatG === null || saturatedFatG === 0) return 0;
  const ratioPct = withoutFloatError((saturatedFatG / fatG) * 100);
  return SATURATED_FAT_RATIO_PCT_FROM.filter((threshold) => ratioPct >= threshold).length;
}

/**
 * Rounds to nine decimals. Nutrients have far fewer, and the error of a division of doubles is far smaller, so that a
 * value at a threshold is at it: 29 of 50 g is 58 %, and not 57.99999999999999 %.
 */
function withoutFloatError(value: number): number {
  return Number(value.toFixed(9));
}

function pointsOn({ above, worth }: Scale, value: number | null): number {
  const amount = withoutFloatError(value ?? 0);
  const exceeded = above.filter((threshold) => amount > threshold).length;
  return worth?.[exceeded] ?? exceeded;
}

function sum(components: Readonly<Partial<Record<string, number>>>): number {
  return Object.values(components).reduce<number>((total, points) => total + (points ?? 0), 0);
}
