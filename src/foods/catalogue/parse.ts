import { createHash } from "node:crypto";
import { parseCsv } from "../../csv/csv.ts";
import { FOOD_KINDS, NOT_FOOD_ID, NUTRISCORE_CLASSES } from "./catalogue.ts";
import type { Catalogue, Food, FoodNutrition } from "./catalogue.ts";

/**
 * The texts of `reference/foods.csv`, `reference/till-abbreviations.csv` and `reference/brands.csv`. `model`: that of
 * `reference/names-model/model.json`, which decides on the version like the others, since it decides on foods.
 */
export interface CatalogueFiles {
  foods: string;
  words: string;
  brands?: string;
  model?: string;
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
  byId.set(NOT_FOOD_ID, readFood({ id: NOT_FOOD_ID, name: "Not a food", kind: "non_food" }, errors));
  const cookedOf = new Map<string, Food>();
  for (const food of foods) {
    if (food.parent === null) continue;
    if (!byId.has(food.parent)) errors.push(`${food.id}: no such parent: ${food.parent}`);
    if (food.state === "cooked") cookedOf.set(food.parent, food);
  }
  const rows = parseCsv(files.words);
  const { words, wordLanguages, wordsIn } = readWords(rows);
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
  digest.update("\0").update(files.model ?? "");
  return {
    foods,
    byId,
    cookedOf,
    words,
    wordLanguages,
    wordsIn,
    brands,
    version: `foods-${digest.digest("hex").slice(0, 12)}`,
  };
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
/**
 * Reads the abbreviations. The first row of a word is its meaning; the next ones, and those that are noise in some
 * languages only, are its meanings in these languages.
 */
function readWords(rows: readonly Record<string, string>[]): Pick<Catalogue, "words" | "wordLanguages" | "wordsIn"> {
  const words = new Map<string, string>();
  const wordLanguages = new Map<string, readonly string[]>();
  const wordsIn = new Map<string, Map<string, string>>();
  for (const { word = "", meaning = "", languages = "" } of rows) {
    const list = languages === "" ? [] : languages.split(" ");
    const isFirst = !words.has(word) && (meaning !== "" || list.length === 0);
    if (isFirst) words.set(word, meaning);
    if (isFirst && list.length > 0) wordLanguages.set(word, list);
    for (const language of isFirst ? [] : list) {
      const own = wordsIn.get(language) ?? new Map<string, string>();
      wordsIn.set(language, own.set(word, meaning));
    }
  }
  return { words, wordLanguages, wordsIn };
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
