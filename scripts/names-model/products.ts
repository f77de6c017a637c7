// The names of products that the model of names is trained on, each with the food that it means.
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { createGunzip, gunzipSync } from "node:zlib";
import { createRowReader } from "../../src/csv/row-reader.ts";
import { LANGUAGES } from "../../src/foods/catalogue/catalogue.ts";
import type { Food, Language } from "../../src/foods/catalogue/catalogue.ts";
import { BELIEVED, DIFFERENCE_MAX_G, isNear, keyOf } from "./labels.ts";
import type { Options, Sample } from "./labels.ts";

/** The same where the nutrients agree closely: then a less sure name is believed too. */
const HALF_BELIEVED = 0.5;
const CLOSE_MAX_G = 9;
/** Foods with less of them in 100 g are all alike, so their nutrients say nothing. */
const TELLING_G = 15;
/** Products of one food that are kept: the commonest foods would drown the others. */
const OF_FOOD_MAX = 1_200;
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

/** Reads the names of products that the matcher is sure of and whose nutrients agree. */
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

/** Returns what labels a product by its name and adds it to `products`, once for each name. */
function createLabeller({ matcher, evaluated }: Options, products: Sample[]): (product: Product) => void {
  const seen = new Set<string>();
  const counts = new Map<Food, number>();
  return ({ name, language, row }) => {
    const key = keyOf(name);
    if (key === "" || seen.has(key) || name.length > 60 || evaluated.has(key)) return;
    seen.add(key);
    const [first] = matcher.match(name, { source: "food", limit: 1, language });
    if (!first || !isBelieved(first, row)) return;
    const count = counts.get(first.food) ?? 0;
    if (count >= OF_FOOD_MAX) return;
    counts.set(first.food, count + 1);
    products.push({ name, food: first.food, language });
  };
}

function isBelieved({ food, confidence }: { food: Food; confidence: number }, row: Product["row"]): boolean {
  if (confidence >= BELIEVED) return isNear(row, food, DIFFERENCE_MAX_G);
  const { fatG = 0, carbsG = 0, proteinG = 0 } = food.nutrition ?? {};
  return confidence >= HALF_BELIEVED && fatG + carbsG + proteinG >= TELLING_G && isNear(row, food, CLOSE_MAX_G);
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
