// The names that the model of names is trained on, each with the food that it means.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parseCsv } from "../../src/csv/csv.ts";
import { LANGUAGES } from "../../src/foods/catalogue/catalogue.ts";
import type { Catalogue, Food } from "../../src/foods/catalogue/catalogue.ts";
import { namesOf } from "../../src/foods/catalogue/catalogue.ts";
import { isImitation } from "../../src/foods/matching/plant-based.ts";
import type { Matcher } from "../../src/foods/matching/match.ts";
import { BELIEVED, DIFFERENCE_MAX_G, isNear, keyOf } from "./labels.ts";
import type { Options, Sample } from "./labels.ts";

/** Reads the names of the catalogue, of brands and of taxonomies. */
export function readNames(folder: string, { catalogue, matcher, evaluated }: Options): Sample[] {
  return [
    ...namesOfCatalogue(catalogue),
    ...plantNames(catalogue),
    ...brandNames(catalogue),
    ...taxonomyNames(folder, "off-categories-2023.jsonl.gz", catalogue),
    ...taxonomyNames(folder, "off-ingredients-2026.jsonl.gz", catalogue),
    ...tableNames(folder, catalogue),
    ...germanNames(folder, matcher),
    ...englishNames(folder, matcher),
  ].filter(({ name }) => !evaluated.has(keyOf(name)));
}

function* namesOfCatalogue(catalogue: Catalogue): Generator<Sample> {
  for (const food of catalogue.foods)
    for (const { text, isRough, language } of namesOf(food)) if (!isRough) yield { name: text, food, language };
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
  "beef-lasagne": "vegetable-lasagne",
  "spaghetti-bolognese": "vegetable-bolognese",
  "bolognese-sauce": "vegetable-bolognese",
  "chilli-con-carne": "vegetable-curry",
  "hot-dog": "vegetarian-sausage",
  "double-cream": "soya-cream",
  "light-cream": "soya-cream",
};

/** Names of plant-based foods made from those of what they imitate (`vegan cheddar`, `VIOLIFE cheddar`). */
function* plantNames(catalogue: Catalogue): Generator<Sample> {
  const brands = [...catalogue.brands].filter(([, food]) => food !== null && isImitation(food));
  const [ofCheese = [], ofMeat = []] = [true, false].map((isCheese) =>
    brands.filter(([, food]) => (food!.group === "cheese") === isCheese).map(([brand]) => brand),
  );
  let turn = 0;
  for (const food of catalogue.foods) {
    const imitation = catalogue.byId.get(IMITATIONS[food.id] ?? IMITATIONS[food.group] ?? "");
    if (!imitation || imitation === food) continue;
    const makers = food.group === "cheese" ? ofCheese : food.group.startsWith("meat-") ? ofMeat : [];
    for (const { text, isRough, language } of namesOf(food).slice(0, 24)) {
      if (isRough) continue;
      const isBefore = language === "en" || language === "de";
      for (const word of PLANT_WORDS[language].slice(0, food.group === "cheese" ? 2 : 6))
        yield { name: isBefore ? `${word} ${text}` : `${text} ${word}`, food: imitation, language };
      turn += 1;
      const maker = makers[turn % Math.max(1, makers.length)];
      if (maker) yield { name: `${maker} ${text}`, food: imitation, language };
    }
  }
}

/** Brands by themselves, for the food or the thing that they mean. */
function* brandNames({ brands }: Catalogue): Generator<Sample> {
  for (const [name, food] of brands) if (food) yield { name, food, language: null };
}

/** The food whose first code is this one. */
export function foodsByCode(catalogue: Catalogue): ReadonlyMap<string, Food> {
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
      if (name) yield { name, food, language };
      for (const synonym of entry.synonyms?.[language] ?? []) if (synonym) yield { name: synonym, food, language };
    }
  }
}

function* tableNames(folder: string, catalogue: Catalogue): Generator<Sample> {
  const byCode = foodsByCode(catalogue);
  for (const row of parseCsv(readFileSync(join(folder, "ciqual-2020.csv"), "utf8"))) {
    const food = byCode.get(row["code_ciqual"] ?? "");
    if (!food) continue;
    const [english, french] = [row["name_en"], row["name_fr"]];
    if (english) yield { name: english, food, language: "en" };
    if (french) yield { name: french, food, language: "fr" };
  }
}

/** German names of foods whose English and German names mean foods of one group. */
function* germanNames(folder: string, matcher: Matcher): Generator<Sample> {
  for (const row of parseCsv(readFileSync(join(folder, "de-bls-4.0-macros.csv"), "utf8"))) {
    const [german, english] = [row["name_de"] ?? "", row["name_en"] ?? ""];
    const [first] = matcher.match(german, { source: "food", limit: 1 });
    const [second] = matcher.match(english, { source: "food", limit: 1 });
    if (!first || !second || first.food.group !== second.food.group || !isNear(row, first.food, DIFFERENCE_MAX_G))
      continue;
    if (Math.max(first.confidence, second.confidence) < BELIEVED) continue;
    const food = first.confidence >= second.confidence ? first.food : second.food;
    yield { name: german.split(",")[0]!, food, language: "de" };
  }
}

/**
 * English names of British and American foods that the matcher is sure of and whose nutrients agree. The American ones
 * have short forms too (`CHICKEN,BROILER,BRST`).
 */
function* englishNames(folder: string, matcher: Matcher): Generator<Sample> {
  const rows = [
    ...parseCsv(readFileSync(join(folder, "uk-cofid-2021-macros.csv"), "utf8")),
    ...parseCsv(readFileSync(join(folder, "usda-sr28.csv"), "utf8")),
  ];
  for (const row of rows) {
    const name = row["name_en"] ?? row["name"] ?? "";
    const [first] = matcher.match(name, { source: "food", limit: 1 });
    if (!first || first.confidence < BELIEVED || !isNear(row, first.food, DIFFERENCE_MAX_G)) continue;
    for (const each of [name, row["short_desc"]])
      if (each) yield { name: each.split(",").slice(0, 3).join(" "), food: first.food, language: "en" };
  }
}
