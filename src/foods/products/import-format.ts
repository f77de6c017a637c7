import type { RawProduct } from "./product.ts";

/** The formats of product files. */
export const IMPORT_FORMATS = ["off-csv", "off-jsonl", "agribalyse", "usda", "csv"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/** The name, licence and attribution of a source. */
export interface SourceTerms {
  readonly name: string;
  readonly licence: string;
  readonly attribution: string;
}

/** The terms of formats that one source has; `csv` has no usual source. */
export const USUAL_SOURCES: Readonly<Record<ImportFormat, SourceTerms | null>> = {
  "off-csv": openFoodFacts(),
  "off-jsonl": openFoodFacts(),
  agribalyse: { name: "agribalyse", licence: "etalab-2.0", attribution: "Agribalyse, ADEME" },
  usda: {
    name: "usda",
    licence: "public-domain",
    attribution: "U.S. Department of Agriculture, Agricultural Research Service",
  },
  csv: null,
};

function openFoodFacts(): SourceTerms {
  return { name: "open-food-facts", licence: "ODbL-1.0", attribution: "Open Food Facts contributors" };
}

type Column = keyof RawProduct | "energyKj" | "sodiumMg" | "ciqual" | "food";

/** The names of each of our columns in a format, lower case; the first one that is not empty counts. */
const COLUMNS: Readonly<Record<Exclude<ImportFormat, "off-jsonl">, Partial<Record<Column, readonly string[]>>>> = {
  "off-csv": {
    gtin: ["gtin", "code"],
    name: ["name", "product_name", "product_name_en", "generic_name"],
    brand: ["brands"],
    category: ["category", "categories_tags", "main_category"],
    ciqual: [
      "ciqual",
      "agb",
      "ciqual_food_code:en",
      "agribalyse_food_code:en",
      "agbproxy",
      "agribalyse_proxy_food_code:en",
    ],
    quantity: ["quantity"],
    energyKcal: ["energykcal", "energy_kcal", "energy-kcal_100g"],
    energyKj: ["energy-kj_100g", "energy_100g"],
    fatG: ["fatg", "fat_g", "fat_100g"],
    saturatedFatG: ["satfatg", "satfat_g", "saturated-fat_100g"],
    carbsG: ["carbsg", "carbs_g", "carbohydrates_100g"],
    sugarG: ["sugarg", "sugar_g", "sugars_100g"],
    fiberG: ["fiberg", "fiber_g", "fiber_100g"],
    proteinG: ["proteing", "protein_g", "proteins_100g"],
    saltG: ["saltg", "salt_g", "salt_100g"],
    fruitsVegetablesLegumesPct: ["fruits-vegetables-legumes-estimate-from-ingredients_100g"],
  },
  agribalyse: {
    code: ["code_agb", "code agb"],
    ciqual: ["code_ciqual", "code ciqual"],
    name: ["name_en", "lci name", "name_fr", "nom du produit en français"],
    co2eKgPerKg: ["co2e_to_retail_kg_per_kg", "changement climatique"],
    dataQuality: ["dqr", "dqr - note de qualité de la donnée (1 excellente ; 5 très faible)"],
  },
  usda: {
    code: ["ndb_no", "fdc_id"],
    gtin: ["gtin_upc"],
    name: ["name", "description", "shrt_desc"],
    brand: ["brand_owner"],
    category: ["common_name", "branded_food_category"],
    energyKcal: ["energy_kcal", "energ_kcal"],
    proteinG: ["protein_g", "protein_(g)"],
    carbsG: ["carbs_g", "carbohydrt_(g)"],
    sugarG: ["sugar_g", "sugar_tot_(g)"],
    fatG: ["fat_g", "lipid_tot_(g)"],
    saturatedFatG: ["satfat_g", "fa_sat_(g)"],
    fiberG: ["fiber_g", "fiber_td_(g)"],
    saltG: ["salt_g"],
    sodiumMg: ["sodium_(mg)"],
  },
  csv: {
    code: ["foodid"],
    gtin: ["gtin"],
    name: ["name"],
    brand: ["brand"],
    category: ["category"],
    food: ["cataloguefoodid"],
    packG: ["packg"],
    energyKcal: ["energykcal"],
    proteinG: ["proteing"],
    carbsG: ["carbsg"],
    fatG: ["fatg"],
    sugarG: ["sugarg"],
    fiberG: ["fiberg"],
    saltG: ["saltg"],
    saturatedFatG: ["saturatedfatg"],
    fruitsVegetablesLegumesPct: ["fruitsvegetableslegumespct"],
    co2eKgPerKg: ["co2ekgperkg"],
  },
};

const KJ_PER_KCAL = 4.184;
const SALT_G_PER_SODIUM_MG = 2.5 / 1_000;

/** A column that a table must have and does not. `expected`: the names that are known. */
export interface MissingColumn {
  readonly missing: "name" | "code";
  readonly expected: readonly string[];
}

/**
 * Creates a reader that turns rows of cells into products, by the table's header. Or returns the column that is
 * missing, with the names that it may have.
 */
export function tableReader(
  format: Exclude<ImportFormat, "off-jsonl">,
  header: readonly string[],
): ((cells: readonly string[]) => RawProduct) | MissingColumn {
  const places = new Map(
    header.map((name, place) => [
      name
        .replace(/^\uFEFF/, "")
        .trim()
        .toLowerCase(),
      place,
    ]),
  );
  const columns = new Map(
    Object.entries(COLUMNS[format]).map(([column, names]) => [
      column,
      names.map((name) => places.get(name)).filter((place) => place !== undefined),
    ]),
  );
  const { name = [], code = [], gtin = [] } = COLUMNS[format];
  if (columns.get("name")?.length === 0) return { missing: "name", expected: name };
  if (!columns.get("code")?.length && !columns.get("gtin")?.length) {
    return { missing: "code", expected: [...code, ...gtin] };
  }
  return (cells) =>
    rawProduct((column) => {
      for (const place of columns.get(column) ?? []) {
        const cell = cells[place]?.trim();
        if (cell) return cell;
      }
      return "";
    });
}

/** Reads one line of JSON, as Open Food Facts exports its products; null where it is no JSON object. */
export function readJsonLine(line: string): RawProduct | null {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return null;
  }
  if (typeof record !== "object" || record === null) return null;
  const { nutriments, categories_properties: properties, ...members } = record as Record<string, unknown>;
  const texts = new Map<string, string>();
  for (const part of [members, properties, nutriments]) {
    for (const [name, value] of Object.entries(part ?? {})) {
      if (typeof value === "string" || typeof value === "number") texts.set(name.toLowerCase(), String(value).trim());
      if (Array.isArray(value))
        texts.set(name.toLowerCase(), value.filter((each) => typeof each === "string").join(","));
    }
  }
  const names = COLUMNS["off-csv"];
  return rawProduct((column) => (names[column] ?? []).map((name) => texts.get(name)).find((text) => text) ?? "");
}

function rawProduct(text: (column: Column) => string): RawProduct {
  const energyKj = text("energyKj");
  const sodiumMg = text("sodiumMg");
  const ciqual = text("ciqual");
  const food = text("food");
  return {
    code: text("code"),
    gtin: text("gtin"),
    name: text("name"),
    brand: text("brand"),
    category: narrowest(text("category")),
    reference: food ? `food:${food}` : ciqual ? `ciqual:${ciqualCode(ciqual)}` : "",
    quantity: text("quantity"),
    packG: text("packG"),
    co2eKgPerKg: text("co2eKgPerKg"),
    dataQuality: text("dataQuality"),
    energyKcal: text("energyKcal") || (energyKj && String(Number(energyKj) / KJ_PER_KCAL)),
    proteinG: text("proteinG"),
    carbsG: text("carbsG"),
    fatG: text("fatG"),
    sugarG: text("sugarG"),
    fiberG: text("fiberG"),
    saltG: text("saltG") || (sodiumMg && String(Number(sodiumMg) * SALT_G_PER_SODIUM_MG)),
    saturatedFatG: text("saturatedFatG"),
    fruitsVegetablesLegumesPct: text("fruitsVegetablesLegumesPct"),
  };
}

/** Returns the narrowest category, which is the last English tag, as words (`en:cream-cheeses`: `cream cheeses`). */
function narrowest(categories: string): string {
  if (!/(?:^|,)[a-z]{2}:/.test(categories)) return categories;
  const tags = categories.split(",").map((tag) => tag.trim());
  const tag = tags.findLast((each) => each.startsWith("en:")) ?? tags.at(-1) ?? "";
  return tag.replace(/^[a-z]{2}:/, "").replaceAll("-", " ");
}

/** Agribalyse writes the variants of a food as `13050_1`, and some codes with zeros before. */
function ciqualCode(text: string): string {
  return text
    .replace(/_.*$/, "")
    .replace(/^0+(?=\d)/, "")
    .replace(/\.0$/, "");
}
