// The names of products that the model of names is trained on, each with the food that it means.
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGunzip, gunzipSync } from "node:zlib";
import { createRowReader } from "../../src/csv/row-reader.ts";
import { isEligible, LANGUAGES } from "../../src/foods/catalogue/catalogue.ts";
import type { Food, Language } from "../../src/foods/catalogue/catalogue.ts";
import type { Candidate } from "../../src/foods/matching/candidate.ts";
import { carbonRatingOf } from "../../src/foods/rating/carbon.ts";
import { keyOf } from "./labels.ts";
import type { Options, Sample } from "./labels.ts";

/** The foods that a product's name may mean, the surest first: its nutrients choose one of them. */
const CANDIDATES = 8;
/** A food this far from a product's nutrients is less likely by a factor of e. */
const FALL_G = 10;
/** A product is left out where its nearest likely food is farther than this. */
const FAR_G = 18;
/** Foods with less of them in 100 g are all alike, so their nutrients say nothing and the name must be sure. */
const TELLING_G = 15;
const SURE = 0.7;
/** The least confidence of a name's food, and the least share of its carbon grade among the likely ones. */
const LIKELY_MIN = 0.03;
const SHARE_MIN = 0.8;
/** Products of one food that are kept: the commonest foods would drown the others. */
const OF_FOOD_MAX = 2_000;
/** What is spoken where a company got its numbers, by the first digits of a GTIN-13. */
const LANGUAGE_OF_GTIN: readonly (readonly [RegExp, Language])[] = [
  [/^(?:0[013-9]|1[0-3]|50|539|9[34])/, "en"],
  [/^3[0-7]/, "fr"],
  [/^(?:4[0-4]|9[01])/, "de"],
  [/^(?:84|750|77)/, "es"],
  [/^8[0-3]/, "it"],
];

/** A product, as far as samples need it. */
interface Product {
  readonly name: string;
  readonly language: Language | null;
  readonly row: Readonly<Record<string, string | number | undefined>>;
}

/** Reads the names of products whose nutrients agree with a food that their name may mean. */
export async function readProducts(folder: string, options: Options): Promise<Sample[]> {
  const products: Sample[] = [];
  const add = createLabeller(options, products);
  for (const product of latestProducts(folder)) add(product);
  const reader = createRowReader(",");
  let header: readonly string[] | undefined;
  let read = 0;
  const addRow = (cells: readonly string[]) => {
    if (!header) {
      header = cells;
      return;
    }
    read += 1;
    if (read % 100_000 === 0) console.log(`  ${read} products read, ${products.length} kept`);
    const row = Object.fromEntries(header.map((column, at) => [column, cells[at] ?? ""]));
    add({ name: row["name"] ?? "", language: languageOf(row["gtin"] ?? ""), row });
  };
  const file = createReadStream(join(folder, "off-products-2019.csv.gz")).pipe(createGunzip()).setEncoding("utf8");
  for await (const text of file) for (const { cells } of reader.push(text as string)) addRow(cells);
  for (const { cells } of reader.end()) addRow(cells);
  return products;
}

/** Returns what labels a product by its name and nutrients and adds it to `products`, once for each name. */
function createLabeller({ teacher, evaluated }: Options, products: Sample[]): (product: Product) => void {
  const seen = new Set<string>();
  const counts = new Map<Food, number>();
  return ({ name, language, row }) => {
    const key = keyOf(name);
    if (key === "" || seen.has(key) || name.length > 60 || evaluated.has(key)) return;
    seen.add(key);
    const food = nearestOf(teacher.match(name, { source: "food", limit: CANDIDATES, language }), row);
    if (!food) return;
    const count = counts.get(food) ?? 0;
    if (count >= OF_FOOD_MAX) return;
    counts.set(food, count + 1);
    products.push({ name, food, language });
  };
}

/**
 * Returns the food that a product is by its name and its nutrients: `Canneberges Biologiques` with 83 g of
 * carbohydrates are dried. Undefined where both leave its carbon grade open.
 */
function nearestOf(candidates: readonly Candidate[], row: Product["row"]): Food | undefined {
  const likely = candidates
    .filter(({ food, confidence }) => confidence >= LIKELY_MIN && isEligible(food) && food.nutrition && food.carbon)
    .map(({ food, confidence }) => {
      const distance = distanceTo(row, food);
      return { food, confidence, distance, weight: confidence * Math.exp(-distance / FALL_G) };
    })
    .sort((a, b) => b.weight - a.weight);
  const [first] = likely;
  if (!first || first.distance > FAR_G) return undefined;
  if (tellingOf(first.food) < TELLING_G && first.confidence < SURE) return undefined;
  const rating = carbonRatingOf(first.food.carbon!);
  const sum = (of: typeof likely) => of.reduce((total, { weight }) => total + weight, 0);
  const alike = likely.filter(({ food }) => carbonRatingOf(food.carbon!) === rating);
  return sum(alike) >= SHARE_MIN * sum(likely) ? first.food : undefined;
}

function tellingOf({ nutrition }: Food): number {
  return nutrition ? nutrition.fatG + nutrition.carbsG + nutrition.proteinG : 0;
}

/** What is known of a product, as sums of grams: sugar and saturates half, as they are parts of others; salt twice. */
function distanceTo(row: Product["row"], { nutrition }: Food): number {
  if (!nutrition) return Number.POSITIVE_INFINITY;
  const { fatG, carbsG, proteinG, sugarG, saturatedFatG, saltG } = nutrition;
  const off = (column: string, own: number, factor: number, most: number) => {
    const value = row[column];
    return value === undefined || value === "" ? 0 : factor * Math.min(most, Math.abs(Number(value) - own));
  };
  return (
    off("fat_g", fatG, 1, 100) +
    off("carbs_g", carbsG, 1, 100) +
    off("protein_g", proteinG, 1, 100) +
    off("sugar_g", sugarG, 0.5, 100) +
    off("satfat_g", saturatedFatG, 0.5, 100) +
    off("salt_g", saltG, 2, 3)
  );
}

/** Products with brands, many of them of Latin America. */
function* latestProducts(folder: string): Generator<Product> {
  const lines = gunzipSync(readFileSync(join(folder, "off-products-2026-sample.jsonl.gz")))
    .toString("utf8")
    .split("\n");
  for (const line of lines) {
    if (line === "") continue;
    const { names, brands, fatG, carbsG, proteinG } = JSON.parse(line) as {
      names?: Record<string, string>;
      brands?: string;
      fatG?: number;
      carbsG?: number;
      proteinG?: number;
    };
    const row = { fat_g: fatG, carbs_g: carbsG, protein_g: proteinG };
    const [brand = ""] = brands?.split(",") ?? [];
    for (const language of LANGUAGES) {
      const name = names?.[language];
      if (!name) continue;
      yield { name, language, row };
      if (brand !== "") yield { name: `${brand} ${name}`, language, row };
    }
  }
}

/** Most names of products are in the language of the country that gave the company its numbers. */
function languageOf(gtin: string): Language | null {
  if (gtin.length !== 13) return null;
  return LANGUAGE_OF_GTIN.find(([prefix]) => prefix.test(gtin))?.[1] ?? null;
}
