import { createHash } from "node:crypto";
import { parseCsv } from "../csv/csv.ts";

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
  /** Brands and ranges, lower case, with the food that they mean by themselves; null: noise. */
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

/** True for foods that the service rates. */
export function isEligible(food: Food): boolean {
  return food.kind === "food" || food.kind === "water";
}

/**
 * Reads the catalogue's files. Throws one error that lists all errors: since the data ships with the program, the
 * build is broken.
 */
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

/** Reads the cells of one row. Collects errors, and returns a default in place of a bad cell. */
function createCells(row: Record<string, string>, fail: (error: string) => void) {
  const text = (name: string) => row[name] ?? "";
  const list = (name: string) =>
    text(name)
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part !== "");
  const optional = (name: string): number | null => {
    if (text(name) === "") return null;
    const value = Number(text(name));
    if (Number.isFinite(value) && value >= 0) return value;
    fail(`${name} is not a number: ${text(name)}`);
    return null;
  };
  const required = (name: string): number => {
    const value = optional(name);
    if (value === null) fail(`${name} is missing`);
    return value ?? 0;
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[]): T => {
    const found = allowed.find((entry) => entry === text(name));
    if (!found) fail(`${name} is none of ${allowed.join(", ")}: ${text(name)}`);
    return found ?? (allowed[0] as T);
  };
  return { text, list, optional, required, oneOf };
}
type Cells = ReturnType<typeof createCells>;

function readFood(row: Record<string, string>, errors: string[]): Food {
  const id = row["id"] ?? "";
  const fail = (error: string) => errors.push(`${id || "?"}: ${error}`);
  const { text, list, optional, required, oneOf } = createCells(row, fail);
  const kind = oneOf("kind", FOOD_KINDS);
  const hasFigures = text("co2e_source") !== "";
  if (!hasFigures && (kind === "food" || kind === "water")) fail("a food needs its figures");
  return {
    id,
    name: text("name"),
    ...readSynonyms(list),
    group: text("group"),
    parent: text("parent") || null,
    kind,
    state: text("state") === "" ? null : oneOf("state", ["raw", "cooked"] as const),
    portionG: hasFigures ? required("portion_g") : 0,
    packG: hasFigures ? required("pack_g") : 0,
    pieceG: optional("piece_g"),
    densityGPerMl: optional("density_g_per_ml"),
    ciqualCodes: list("ciqual_codes"),
    carbon: hasFigures
      ? {
          co2eGPerKg: required("co2e_g_per_kg"),
          source: text("co2e_source"),
          uncertaintyK: required("co2e_uncertainty"),
          reconstitution: optional("reconstitution"),
        }
      : null,
    nutrition: hasFigures ? readNutrition({ text, list, required }) : null,
    nutriScoreClass: hasFigures ? oneOf("nutriscore_class", NUTRISCORE_CLASSES) : "not_applicable",
    redMeat: text("red_meat") === "1",
    nonNutritiveSweetener: text("sweetener") === "1",
  };
}

/** Reads the synonyms of each language; those marked `~` are rough names. */
function readSynonyms(list: Cells["list"]): Pick<Food, "synonyms" | "roughNames"> {
  const roughNames = new Set<string>();
  const names = (column: string): string[] =>
    list(column).map((name) => {
      if (!name.startsWith("~")) return name;
      roughNames.add(name.slice(1));
      return name.slice(1);
    });
  const synonyms = {
    en: names("synonyms_en"),
    de: names("synonyms_de"),
    fr: names("synonyms_fr"),
    es: names("synonyms_es"),
    it: names("synonyms_it"),
  };
  return { synonyms, roughNames };
}

function readNutrition({ text, list, required }: Pick<Cells, "text" | "list" | "required">): FoodNutrition {
  return {
    energyKcal: required("energy_kcal"),
    proteinG: required("protein_g"),
    carbsG: required("carbs_g"),
    sugarG: required("sugar_g"),
    fatG: required("fat_g"),
    saturatedFatG: required("saturated_fat_g"),
    fiberG: required("fiber_g"),
    saltG: required("salt_g"),
    fvlPct: required("fvl_pct"),
    source: text("nutrition_source"),
    estimated: list("nutrition_estimated"),
  };
}
