import { createHash } from "node:crypto";
import { parseCsv } from "../csv/csv.ts";

/** What a name on a receipt can stand for. Only `food` and `water` are rated; the others are recognised so that they can be excluded by name. */
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
  /** The true value is thought to lie between co2e / k and co2e × k; above 1. */
  uncertaintyK: number;
  /** A drink or soup concentrate is rated as prepared: this many kilograms come of one. */
  reconstitution: number | null;
}

/** What 100 g of a food contain, as sold. `null`: no source says. */
export interface FoodNutrition {
  energyKcal: number;
  proteinG: number;
  carbsG: number;
  sugarG: number;
  fatG: number;
  saturatedFatG: number;
  fiberG: number;
  saltG: number;
  /** Fruit, vegetables and legumes in the sense of Nutri-Score 2023, percent of the mass. */
  fvlPct: number;
  source: string;
  /** Fields the source leaves open, filled from its neighbours. */
  estimated: string[];
}

/** One entry of the reference catalogue. */
export interface Food {
  /** Ours, kebab-case, never reused. */
  id: string;
  /** English, as shown. */
  name: string;
  synonyms: Record<Language, string[]>;
  /** Those of the synonyms that mean it only roughly (`ramen` as noodles) or elsewhere another food (`chips`); marked `~` in the file. */
  roughNames: ReadonlySet<string>;
  group: string;
  /** The raw food of which this is the cooked form. */
  parent: string | null;
  kind: FoodKind;
  /** Set where the name alone leaves open whether the weight is raw or cooked. */
  state: "raw" | "cooked" | null;
  /** Grams people eat at a time: the weight of a logged food that states none. */
  portionG: number;
  /** Grams of the usual pack: the weight of a receipt line that states none. */
  packG: number;
  pieceG: number | null;
  /** `null`: 1.0 is assumed. */
  densityGPerMl: number | null;
  /** CIQUAL codes this entry stands for, its own first. */
  ciqualCodes: string[];
  carbon: FoodCarbon | null;
  nutrition: FoodNutrition | null;
  nutriScoreClass: NutriScoreClass;
  redMeat: boolean;
  nonNutritiveSweetener: boolean;
}

/** The reference foods, and the words by which names are read. */
export interface Catalogue {
  foods: readonly Food[];
  byId: ReadonlyMap<string, Food>;
  /** The cooked form of a raw food, by the raw food's id. */
  cookedOf: ReadonlyMap<string, Food>;
  /** Words of receipts, lower case: abbreviation -> what it stands for; empty = says nothing about the food. */
  words: ReadonlyMap<string, string>;
  /** Brands and ranges, lower case, of one word or more: what the brand means where nothing else is said; null = it says nothing. */
  brands: ReadonlyMap<string, Food | null>;
  /** Changes with every change of the data: `foods-` and 12 hex digits of its SHA-256. */
  version: string;
}

/** The texts of `reference/foods.csv`, `reference/till-abbreviations.csv` and `reference/brands.csv`. */
export interface CatalogueFiles {
  foods: string;
  words: string;
  brands?: string;
}

/** True for what a shop sells and the service rates. */
export function isEligible(food: Food): boolean {
  return food.kind === "food" || food.kind === "water";
}

/** Reads the catalogue's files. Throws one error that lists every error: the data ships with the program, so a error is a broken build. */
export function parseCatalogue(files: CatalogueFiles): Catalogue {
  const errors: string[] = [];
  const foods = parseCsv(files.foods).map((row) => readFood(row, errors));
  const byId = new Map<string, Food>();
  for (const food of foods) {
    if (byId.has(food.id)) errors.push(`${food.id}: the id occurs twice`);
    byId.set(food.id, food);
  }
  const cookedOf = new Map<string, Food>();
  for (const food of foods) {
    if (food.parent === null) continue;
    if (!byId.has(food.parent)) errors.push(`${food.id}: no such parent: ${food.parent}`);
    if (food.state === "cooked") cookedOf.set(food.parent, food);
  }
  const words = new Map(parseCsv(files.words).map((row) => [row["word"] ?? "", row["meaning"] ?? ""]));
  const brands = new Map<string, Food | null>();
  for (const row of parseCsv(files.brands ?? "brand,food_id\n")) {
    const id = row["food_id"] ?? "";
    const food = byId.get(id);
    if (id !== "" && !food) errors.push(`${row["brand"]}: no such food: ${id}`);
    brands.set(row["brand"] ?? "", food ?? null);
  }
  if (errors.length > 0) throw new Error(`The food catalogue is broken:\n${errors.join("\n")}`);
  const digest = createHash("sha256").update(files.foods).update("\0").update(files.words);
  digest.update("\0").update(files.brands ?? "");
  return {
    foods,
    byId,
    cookedOf,
    words,
    brands,
    version: `foods-${digest.digest("hex").slice(0, 12)}`,
  };
}

/** A name of a food, and whether it means it only roughly. */
export interface FoodName {
  readonly food: Food;
  readonly language: Language;
  readonly text: string;
  readonly isRough: boolean;
}

/** All names of a food with their language, the shown one first. */
export function namesOf(food: Food): FoodName[] {
  const names: FoodName[] = [{ food, language: "en", text: food.name, isRough: false }];
  for (const language of LANGUAGES)
    for (const text of food.synonyms[language])
      names.push({ food, language, text, isRough: food.roughNames.has(text) });
  return names;
}

function readFood(row: Record<string, string>, errors: string[]): Food {
  const id = row["id"] ?? "";
  const fault = (text: string) => errors.push(`${id || "?"}: ${text}`);
  const cell = (name: string) => row[name] ?? "";
  const list = (name: string) =>
    cell(name)
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  const optional = (name: string): number | null => {
    if (cell(name) === "") return null;
    const value = Number(cell(name));
    if (Number.isFinite(value) && value >= 0) return value;
    fault(`${name} is not a number: ${cell(name)}`);
    return null;
  };
  const required = (name: string): number => {
    const value = optional(name);
    if (value === null) fault(`${name} is missing`);
    return value ?? 0;
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], value: string): T => {
    const found = allowed.find((entry) => entry === value);
    if (!found) fault(`${name} is none of ${allowed.join(", ")}: ${value}`);
    return found ?? (allowed[0] as T);
  };

  const kind = oneOf("kind", FOOD_KINDS, cell("kind"));
  const hasFigures = cell("co2e_source") !== "";
  if (!hasFigures && (kind === "food" || kind === "water")) fault("a food needs its figures");
  const state = cell("state");
  const roughNames = new Set<string>();
  const names = (column: string): string[] =>
    list(column).map((name) => {
      if (!name.startsWith("~")) return name;
      roughNames.add(name.slice(1));
      return name.slice(1);
    });
  return {
    id,
    name: cell("name"),
    synonyms: {
      en: names("synonyms_en"),
      de: names("synonyms_de"),
      fr: names("synonyms_fr"),
      es: names("synonyms_es"),
      it: names("synonyms_it"),
    },
    roughNames,
    group: cell("group"),
    parent: cell("parent") || null,
    kind,
    state: state === "" ? null : oneOf("state", ["raw", "cooked"] as const, state),
    portionG: hasFigures ? required("portion_g") : 0,
    packG: hasFigures ? required("pack_g") : 0,
    pieceG: optional("piece_g"),
    densityGPerMl: optional("density_g_per_ml"),
    ciqualCodes: list("ciqual_codes"),
    carbon: hasFigures
      ? {
          co2eGPerKg: required("co2e_g_per_kg"),
          source: cell("co2e_source"),
          uncertaintyK: required("co2e_uncertainty"),
          reconstitution: optional("reconstitution"),
        }
      : null,
    nutrition: hasFigures
      ? {
          energyKcal: required("energy_kcal"),
          proteinG: required("protein_g"),
          carbsG: required("carbs_g"),
          sugarG: required("sugar_g"),
          fatG: required("fat_g"),
          saturatedFatG: required("saturated_fat_g"),
          fiberG: required("fiber_g"),
          saltG: required("salt_g"),
          fvlPct: required("fvl_pct"),
          source: cell("nutrition_source"),
          estimated: list("nutrition_estimated"),
        }
      : null,
    nutriScoreClass: hasFigures
      ? oneOf("nutriscore_class", NUTRISCORE_CLASSES, cell("nutriscore_class"))
      : "not_applicable",
    redMeat: cell("red_meat") === "1",
    nonNutritiveSweetener: cell("sweetener") === "1",
  };
}
