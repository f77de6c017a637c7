// The names that the model of names is trained on, each with the food that it means.
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGunzip, gunzipSync } from "node:zlib";
import { parseCsv } from "../../src/csv/csv.ts";
import { createRowReader } from "../../src/csv/row-reader.ts";
import { LANGUAGES } from "../../src/foods/catalogue/catalogue.ts";
import type { Catalogue, Food } from "../../src/foods/catalogue/catalogue.ts";
import { namesOf } from "../../src/foods/catalogue/catalogue.ts";
import type { Matcher } from "../../src/foods/matching/match.ts";
import { contentWords } from "../../src/foods/matching/words.ts";

/** A name and its food; null for a name of nothing that is sold as food. */
export interface Sample {
  readonly name: string;
  readonly food: Food | null;
  /** False: another language; undefined: not known. */
  readonly isEnglish?: boolean | undefined;
}

export interface Samples {
  /** Names of catalogues and taxonomies, labelled by codes. */
  readonly named: readonly Sample[];
  /** Names of products, labelled by the matcher where the product's own nutrients agree. */
  readonly products: readonly Sample[];
  /** The same, left out of training. */
  readonly heldOut: readonly Sample[];
}

/** The least confidence of a product's name that is believed to mean the food, where its nutrients agree. */
const BELIEVED = 0.7;
/** A product may differ from its food by these grams of fat, carbohydrates and protein in 100 g, in all. */
const DIFFERENCE_MAX_G = 22;
/** Products of one food that are kept: the commonest foods would drown the others. */
const OF_FOOD_MAX = 1_200;
/** Of the products, one in this many is left out of training. */
const HELD_OUT_EACH = 25;

/** Reads the samples from the folder of sources. `evaluated`: names that must not be trained on. */
export async function readSamples(
  folder: string,
  { catalogue, matcher, evaluated }: { catalogue: Catalogue; matcher: Matcher; evaluated: ReadonlySet<string> },
): Promise<Samples> {
  const keyOf = (name: string) => contentWords(name).join(" ");
  const isFree = (name: string) => !evaluated.has(keyOf(name));
  const named = [
    ...namesOfCatalogue(catalogue),
    ...plantNames(catalogue),
    ...taxonomyNames(folder, "off-categories-2023.jsonl.gz", catalogue),
    ...taxonomyNames(folder, "off-ingredients-2026.jsonl.gz", catalogue),
    ...tableNames(folder, catalogue),
    ...germanNames(folder, catalogue, matcher),
  ].filter(({ name }) => isFree(name));
  const products = await productNames(folder, matcher, isFree);
  return { named, ...products };
}

function* namesOfCatalogue(catalogue: Catalogue): Generator<Sample> {
  for (const food of catalogue.foods)
    for (const { text, isRough, language } of namesOf(food))
      if (!isRough) yield { name: text, food, isEnglish: language === "en" };
}

/** Words for what is made of plants in place of an animal's, by language; the last come behind the name. */
const PLANT_WORDS = {
  en: ["vegan", "plant based", "veggie", "meat free", "dairy free", "vgn"],
  de: ["vegane", "veganer", "vegan", "vegetarische", "pflanzliche", "veg."],
  fr: ["végétal", "végétale", "vegan", "végétarien", "végé"],
  es: ["vegano", "vegana", "vegetal", "veggie"],
  it: ["vegano", "vegana", "vegetale", "veg"],
} as const;

/** The plant-based food that imitates a food: by the food, else by its group. */
const IMITATIONS: Readonly<Record<string, string>> = {
  cheese: "plant-based-cheese",
  "beef-mince": "meat-free-mince",
  "pork-mince": "meat-free-mince",
  "beef-burger": "veggie-burger",
  hamburger: "veggie-burger",
  "pork-sausages": "vegetarian-sausage",
  "frankfurter-sausage": "vegetarian-sausage",
  "chicken-nuggets": "vegetable-nuggets",
  "chicken-breast": "vegan-chicken-pieces",
  "breaded-veal": "vegan-chicken-pieces",
  "veal-escalope": "vegan-chicken-pieces",
  meatballs: "meat-free-meatballs",
  bacon: "plant-based-ham",
  "streaky-bacon": "plant-based-ham",
  "cooked-ham": "plant-based-ham",
  "chicken-deli-slices": "plant-based-ham",
  salami: "plant-based-ham",
  mortadella: "plant-based-ham",
  "natural-yogurt": "soya-yogurt",
  "fruit-yogurt": "soya-yogurt",
  "double-cream": "soya-cream",
  "light-cream": "soya-cream",
};

/** Names of plant-based foods made from those of what they imitate (`vegan cheddar`). */
function* plantNames(catalogue: Catalogue): Generator<Sample> {
  for (const food of catalogue.foods) {
    const imitation = catalogue.byId.get(IMITATIONS[food.id] ?? IMITATIONS[food.group] ?? "");
    if (!imitation || imitation === food) continue;
    for (const { text, isRough, language } of namesOf(food).slice(0, 24)) {
      if (isRough) continue;
      const isBefore = language === "en" || language === "de";
      for (const word of PLANT_WORDS[language].slice(0, food.group === "cheese" ? 2 : 6))
        yield { name: isBefore ? `${word} ${text}` : `${text} ${word}`, food: imitation, isEnglish: language === "en" };
    }
  }
}

/** The food whose first code is this one. */
function foodsByCode(catalogue: Catalogue): ReadonlyMap<string, Food> {
  const foods = new Map<string, Food>();
  for (const food of catalogue.foods) {
    const [own] = food.ciqualCodes;
    if (own !== undefined && !foods.has(own)) foods.set(own, food);
  }
  for (const food of catalogue.foods) for (const code of food.ciqualCodes) if (!foods.has(code)) foods.set(code, food);
  return foods;
}

function* taxonomyNames(folder: string, file: string, catalogue: Catalogue): Generator<Sample> {
  const byCode = foodsByCode(catalogue);
  for (const line of gunzipSync(readFileSync(join(folder, file)))
    .toString("utf8")
    .split("\n")) {
    if (line === "") continue;
    const entry = JSON.parse(line) as {
      names: Record<string, string | null>;
      synonyms?: Record<string, string[]>;
      ciqual?: string;
      agb?: string;
    };
    const food = byCode.get(entry.ciqual ?? entry.agb?.split("_")[0] ?? "");
    if (!food) continue;
    for (const language of LANGUAGES) {
      const name = entry.names[language];
      const isEnglish = language === "en";
      if (name) yield { name, food, isEnglish };
      for (const synonym of entry.synonyms?.[language] ?? []) if (synonym) yield { name: synonym, food, isEnglish };
    }
  }
}

function* tableNames(folder: string, catalogue: Catalogue): Generator<Sample> {
  const byCode = foodsByCode(catalogue);
  for (const row of parseCsv(readFileSync(join(folder, "ciqual-2020.csv"), "utf8"))) {
    const food = byCode.get(row["code_ciqual"] ?? "");
    if (!food) continue;
    const [english, french] = [row["name_en"], row["name_fr"]];
    if (english) yield { name: english, food, isEnglish: true };
    if (french) yield { name: french, food, isEnglish: false };
  }
}

/** German names of foods whose English and German names mean foods of one group. */
function* germanNames(folder: string, catalogue: Catalogue, matcher: Matcher): Generator<Sample> {
  for (const row of parseCsv(readFileSync(join(folder, "de-bls-4.0-macros.csv"), "utf8"))) {
    const [german, english] = [row["name_de"] ?? "", row["name_en"] ?? ""];
    const [first] = matcher.match(german, { source: "food", limit: 1 });
    const [second] = matcher.match(english, { source: "food", limit: 1 });
    if (!first || !second || first.food.group !== second.food.group || !isNear(row, first.food)) continue;
    if (Math.max(first.confidence, second.confidence) < BELIEVED) continue;
    const food = first.confidence >= second.confidence ? first.food : second.food;
    yield { name: german.split(",")[0]!, food, isEnglish: false };
  }
}

function isNear(row: Record<string, string>, { nutrition }: Food): boolean {
  if (!nutrition) return false;
  const own = [row["fat_g"], row["carbs_g"], row["protein_g"]].map(Number);
  const its = [nutrition.fatG, nutrition.carbsG, nutrition.proteinG];
  return own.reduce((sum, each, at) => sum + Math.abs(each - its[at]!), 0) <= DIFFERENCE_MAX_G;
}

async function productNames(
  folder: string,
  matcher: Matcher,
  isFree: (name: string) => boolean,
): Promise<Pick<Samples, "products" | "heldOut">> {
  const products: Sample[] = [];
  const heldOut: Sample[] = [];
  const seen = new Set<string>();
  const counts = new Map<Food, number>();
  let kept = 0;
  const reader = createRowReader(",");
  let header: readonly string[] | undefined;
  let read = 0;
  const add = (cells: readonly string[]) => {
    if (!header) {
      header = cells;
      return;
    }
    read += 1;
    if (read % 100_000 === 0) console.log(`  ${read} products read, ${products.length} kept`);
    const row = Object.fromEntries(header.map((column, at) => [column, cells[at] ?? ""]));
    const name = row["name"] ?? "";
    const key = contentWords(name).join(" ");
    if (key === "" || seen.has(key) || name.length > 60 || !isFree(name)) return;
    seen.add(key);
    const [first] = matcher.match(name, { source: "food", limit: 1 });
    if (!first || first.confidence < BELIEVED || !isNear(row, first.food)) return;
    const count = counts.get(first.food) ?? 0;
    if (count >= OF_FOOD_MAX) return;
    counts.set(first.food, count + 1);
    kept += 1;
    (kept % HELD_OUT_EACH === 0 ? heldOut : products).push({ name, food: first.food });
  };
  const file = createReadStream(join(folder, "off-products-2019.csv.gz")).pipe(createGunzip()).setEncoding("utf8");
  for await (const text of file) for (const { cells } of reader.push(text as string)) add(cells);
  for (const { cells } of reader.end()) add(cells);
  return { products, heldOut };
}
