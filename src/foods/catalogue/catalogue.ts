/**
 * The kinds of things on receipts. Only `food` and `water` are rated; the others are recognised in order to be
 * excluded.
 */
export const FOOD_KINDS = [
  "food",
  "water",
  "alcohol",
  "tobacco",
  "infant_formula",
  "supplement",
  "bag",
  "deposit",
  "pet_food",
  "non_food",
] as const;
export type FoodKind = (typeof FOOD_KINDS)[number];

/** The product classes of Nutri-Score 2023. */
export const NUTRISCORE_CLASSES = [
  "general",
  "cheese",
  "beverage",
  "water",
  "fats_oils_nuts_seeds",
  "not_applicable",
] as const;
export type NutriScoreClass = (typeof NUTRISCORE_CLASSES)[number];

export const LANGUAGES = ["en", "de", "fr", "es", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Greenhouse gases of a food from farm to shop shelf, as sold. */
export interface FoodCarbon {
  /** Whole grams of CO2e for each kilogram. */
  co2eGPerKg: number;
  /** `<source>:<code>`, such as `agribalyse-3.1.1:13050`. */
  source: string;
  /** The true value is expected between co2e / k and co2e × k; above 1. */
  uncertaintyK: number;
  /** A drink or soup concentrate is rated as prepared: the kilograms that are made of one. */
  reconstitution: number | null;
}

/** The nutrients of 100 g of a food as sold. */
export interface FoodNutrition {
  energyKcal: number;
  proteinG: number;
  carbsG: number;
  sugarG: number;
  fatG: number;
  saturatedFatG: number;
  fiberG: number;
  saltG: number;
  /** Fruit, vegetables and legumes as Nutri-Score 2023 defines them, percent of the mass. */
  fvlPct: number;
  source: string;
  /** Fields that the source leaves open, filled from similar foods. */
  estimated: string[];
}

/** One entry of the reference catalogue. */
export interface Food {
  /** Our id, kebab-case, never reused. */
  id: string;
  /** The English name, as shown. */
  name: string;
  synonyms: Record<Language, string[]>;
  /**
   * The synonyms that mean it only roughly (`ramen` as noodles) or another food in other countries (`chips`); marked
   * `~` in the file.
   */
  roughNames: ReadonlySet<string>;
  group: string;
  /** The raw food, where this is its cooked form. */
  parent: string | null;
  kind: FoodKind;
  /** Set where the name alone leaves open whether the weight is raw or cooked. */
  state: "raw" | "cooked" | null;
  /** Grams eaten at a time: the weight of a logged food without one. */
  portionG: number;
  /** Grams of the usual pack: the weight of a receipt line without one. */
  packG: number;
  pieceG: number | null;
  /** `null`: 1.0 is assumed. */
  densityGPerMl: number | null;
  /** CIQUAL codes that this entry represents, its own first. */
  ciqualCodes: string[];
  carbon: FoodCarbon | null;
  nutrition: FoodNutrition | null;
  nutriScoreClass: NutriScoreClass;
  redMeat: boolean;
  nonNutritiveSweetener: boolean;
}

/** The reference foods, and the words that names are read with. */
export interface Catalogue {
  foods: readonly Food[];
  byId: ReadonlyMap<string, Food>;
  /** The cooked form of a raw food, by the raw food's id. */
  cookedOf: ReadonlyMap<string, Food>;
  /** Abbreviations on receipts, lower case, with their meanings; an empty meaning: noise. */
  words: ReadonlyMap<string, string>;
  /** The languages of those that mean it in some languages only (ISO 639-1; not only the catalogue's own). */
  wordLanguages: ReadonlyMap<string, readonly string[]>;
  /** What an abbreviation means in one language and not elsewhere, by language; empty: noise there. */
  wordsIn: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Brands and ranges, lower case, with the food that they mean by themselves; null: noise. */
  brands: ReadonlyMap<string, Food | null>;
  /** Changes with every change of the data: `foods-` and 12 hex digits of its SHA-256. */
  version: string;
}

/** The id of anything that is no food: what an application says of a name. It has no name of its own to be found by. */
export const NOT_FOOD_ID = "not-food";

/** True for foods that the service rates. */
export function isEligible(food: Food): boolean {
  return food.kind === "food" || food.kind === "water";
}

/** A name of a food. `isRough`: it means the food only roughly. */
export interface FoodName {
  readonly food: Food;
  readonly language: Language;
  readonly text: string;
  readonly isRough: boolean;
}

/** Returns all names of a food with their language, the shown one first. */
export function namesOf(food: Food): FoodName[] {
  const names: FoodName[] = [{ food, language: "en", text: food.name, isRough: false }];
  for (const language of LANGUAGES)
    for (const text of food.synonyms[language])
      names.push({ food, language, text, isRough: food.roughNames.has(text) });
  return names;
}
