import type { FoodNutrition } from "../catalogue/catalogue.ts";
import type { NutrientsPer100 } from "../rating/nutri-score.ts";

/** Nutrition as an integrator sends it: for the stated weight of one unit; any member may be absent. */
export interface SentNutrition {
  energyKcal?: number | undefined;
  proteinG?: number | undefined;
  carbsG?: number | undefined;
  fatG?: number | undefined;
  sugarG?: number | undefined;
  fiberG?: number | undefined;
  saltG?: number | undefined;
  saturatedFatG?: number | undefined;
  fruitsVegetablesLegumesPct?: number | undefined;
}

/** Complete values for 100 g as sold. */
export type Per100 = Omit<FoodNutrition, "source" | "estimated">;

/** The origin of the values: as sent, sent and completed from the catalogue, or the catalogue alone. */
export type NutritionBasis = "input" | "input+reference" | "reference";

/** The nutrition sent, completed from the reference food. */
export interface CompletedNutrition {
  per100: Per100;
  basis: NutritionBasis;
  /** Fields that were not sent. Empty unless the basis is `input+reference`. */
  imputed: (keyof Per100)[];
  /** Problems of the values sent, and how they were solved. */
  flags: NutritionFlag[];
}

/** A problem of the values sent. */
export type NutritionFlag =
  /** More than fits into the weight, and into 100 g too: the catalogue's values were used. */
  | "nutrition_implausible"
  /** Too much for the weight but right for 100 g: read as values for 100 g. */
  | "nutrition_read_as_per_100g"
  /**
   * The energy differs by more than a quarter (and 40 kcal) from that of fat, carbohydrates, protein and fibre: kept.
   */
  | "energy_inconsistent"
  /** Sugar above carbohydrates or saturates above fat: lowered to them. */
  | "part_above_whole";

/** Pure fat has 900 kcal in 100 g; labels round. */
const ENERGY_KCAL_MAX = 930;
/** Grams of 100 g that labels may add up to, with their rounding. */
const MACROS_G_MAX = 105;
const ATWATER_TOLERANCE = 0.25;
const ATWATER_TOLERANCE_KCAL = 40;
/** Saturates of a food whose reference has no fat to take a ratio from: the mean of 1,684 products. */
const SATURATES_OF_FAT = 0.35;
/** Below this much fat, all of it may be saturates. */
const FAT_G_LITTLE = 0.5;

/**
 * Returns values for 100 g: those sent, scaled from `weightG`, completed from the catalogue's food with the ratios that
 * agreed best with real labels (saturates by their ratio to fat, sugar by its ratio to carbohydrates, the rest
 * unchanged).
 */
export function completeNutrition(
  sent: SentNutrition | null,
  weightG: number,
  reference: FoodNutrition,
): CompletedNutrition {
  if (!sent || NUTRIENTS.every((field) => sent[field] === undefined)) {
    return { per100: referencePer100(reference, sent), basis: "reference", imputed: [], flags: [] };
  }
  const scaled = scale(sent, 100 / weightG);
  if (isPlausible(scaled)) return complete(scaled, reference, []);
  if (isPlausible(sent)) return complete(sent, reference, ["nutrition_read_as_per_100g"]);
  return {
    per100: referencePer100(reference, null),
    basis: "reference",
    imputed: [],
    flags: ["nutrition_implausible"],
  };
}

const NUTRIENTS = ["energyKcal", "proteinG", "carbsG", "fatG", "sugarG", "fiberG", "saltG", "saturatedFatG"] as const;

function scale(sent: SentNutrition, factor: number): SentNutrition {
  const scaled: SentNutrition = { fruitsVegetablesLegumesPct: sent.fruitsVegetablesLegumesPct };
  for (const field of NUTRIENTS) {
    const value = sent[field];
    if (value !== undefined) scaled[field] = value * factor;
  }
  return scaled;
}

function isPlausible({
  energyKcal = 0,
  proteinG = 0,
  carbsG = 0,
  fatG = 0,
  saltG = 0,
  fiberG = 0,
  sugarG = 0,
}: SentNutrition): boolean {
  return (
    energyKcal <= ENERGY_KCAL_MAX &&
    proteinG + Math.max(carbsG, sugarG) + fatG <= MACROS_G_MAX &&
    saltG <= 100 &&
    fiberG <= 100
  );
}

function complete(values: SentNutrition, reference: FoodNutrition, found: NutritionFlag[]): CompletedNutrition {
  const flags = [...found];
  const imputed: (keyof Per100)[] = [];
  const or = (field: keyof Per100, value: number | undefined, replacement: () => number): number => {
    if (value !== undefined) return value;
    imputed.push(field);
    return replacement();
  };
  const proteinG = or("proteinG", values.proteinG, () => reference.proteinG);
  const carbsG = or("carbsG", values.carbsG, () => Math.max(reference.carbsG, values.sugarG ?? 0));
  const fatG = or("fatG", values.fatG, () => Math.max(reference.fatG, values.saturatedFatG ?? 0));
  const fiberG = or("fiberG", values.fiberG, () => reference.fiberG);
  const atwaterKcal = 9 * fatG + 4 * carbsG + 4 * proteinG + 2 * fiberG;
  const energyKcal = or("energyKcal", values.energyKcal, () => atwaterKcal);
  const offKcal = Math.abs(energyKcal - atwaterKcal);
  if (offKcal > ATWATER_TOLERANCE_KCAL && offKcal > ATWATER_TOLERANCE * atwaterKcal) flags.push("energy_inconsistent");
  const sugarG = or("sugarG", values.sugarG, () => carbsG * ratio(reference.sugarG, reference.carbsG, 0));
  const saturatedFatG = or("saturatedFatG", values.saturatedFatG, () =>
    fatG < FAT_G_LITTLE ? fatG : fatG * ratio(reference.saturatedFatG, reference.fatG, SATURATES_OF_FAT),
  );
  if (sugarG > carbsG + 0.5 || saturatedFatG > fatG + 0.1) flags.push("part_above_whole");
  const per100 = {
    energyKcal,
    proteinG,
    carbsG,
    sugarG: Math.min(sugarG, carbsG + 0.5),
    fatG,
    saturatedFatG: Math.min(saturatedFatG, fatG),
    fiberG,
    saltG: or("saltG", values.saltG, () => reference.saltG),
    fvlPct: or("fvlPct", values.fruitsVegetablesLegumesPct, () => reference.fvlPct),
  };
  return { per100, basis: imputed.length > 0 ? "input+reference" : "input", imputed, flags };
}

function ratio(part: number, whole: number, otherwise: number): number {
  return whole >= FAT_G_LITTLE ? Math.min(1, part / whole) : otherwise;
}

function referencePer100(reference: FoodNutrition, sent: SentNutrition | null): Per100 {
  const { energyKcal, proteinG, carbsG, sugarG, fatG, saturatedFatG, fiberG, saltG } = reference;
  const fvlPct = sent?.fruitsVegetablesLegumesPct ?? reference.fvlPct;
  return { energyKcal, proteinG, carbsG, sugarG, fatG, saturatedFatG, fiberG, saltG, fvlPct };
}

const KJ_PER_KCAL = 4.184;

/** Returns the nutrients that Nutri-Score counts, of a food as prepared: of one kilogram `reconstitution` are made. */
export function nutrientsOf(per100: Per100, reconstitution: number): NutrientsPer100 {
  return {
    energyKj: (per100.energyKcal * KJ_PER_KCAL) / reconstitution,
    sugarG: per100.sugarG / reconstitution,
    saturatedFatG: per100.saturatedFatG / reconstitution,
    fatG: per100.fatG / reconstitution,
    saltG: per100.saltG / reconstitution,
    fiberG: per100.fiberG / reconstitution,
    proteinG: per100.proteinG / reconstitution,
    fvlPct: per100.fvlPct,
  };
}
