import { readGtin, isInStore } from "./gtin.ts";
import type { SentNutrition } from "../nutrition/nutrition.ts";
import { readPrintedSize } from "../measures/quantity.ts";
import { contentWords } from "../matching/words.ts";

/** A product that is sold, with the figures of its source; the rest is taken from its reference food. */
export interface Product {
  /** Its id within the source. */
  readonly code: string;
  /** 14 digits; null also for an in-store number of a common source: it means another product in each shop. */
  readonly gtin: string | null;
  readonly name: string;
  readonly brand: string | null;
  /** The narrowest category, in words. */
  readonly category: string | null;
  /** `food:<id of our catalogue>` or `ciqual:<code>`. */
  readonly reference: string | null;
  /** The key to find it by name; null where the name says no more than the reference foods do. */
  readonly nameKey: string | null;
  readonly packG: number | null;
  /** For 100 g. */
  readonly nutrition: SentNutrition | null;
  readonly co2eGPerKg: number | null;
  /** Set with the CO2e: the true value is expected between co2e / k and co2e × k. */
  readonly co2eUncertainty: number | null;
}

/** A row of a source before validation: texts as they are written. */
export type RawProduct = {
  code: string;
  gtin: string;
  name: string;
  brand: string;
  category: string;
  reference: string;
  /** As printed: `500 g`. */
  quantity: string;
  packG: string;
  co2eKgPerKg: string;
  /** Agribalyse's data quality ratio, 1 best to 5. */
  dataQuality: string;
} & Record<(typeof NUTRIENTS)[number], string>;

/** The members of a product's nutrition, for 100 g. */
export const NUTRIENTS = [
  "energyKcal",
  "proteinG",
  "carbsG",
  "fatG",
  "sugarG",
  "fiberG",
  "saltG",
  "saturatedFatG",
  "fruitsVegetablesLegumesPct",
] as const;

/** The reasons to reject a row, with the text that an operator reads. */
export const REFUSALS = {
  unreadable_row: "the row cannot be read",
  no_code: "neither an id nor a GTIN",
  invalid_gtin: "the GTIN has not 8, 12, 13 or 14 digits, or its check digit is wrong",
  no_name: "no name",
  not_a_number: "a figure is not a number of 0 or more",
  implausible_nutrition: "more in 100 g than 100 g can hold",
  implausible_co2e: "more than 1,000 kg CO2e per kg",
  duplicate: "the same id is further up in the file",
} as const;
/** The name of a reason. */
export type Refusal = keyof typeof REFUSALS;

/** The rules for reading the rows of a source. */
export interface ProductRules {
  /** The source is an application's own, so its in-store numbers are meaningful. */
  readonly isOwn: boolean;
}

const NAME_LENGTH_MAX = 255;
const ENERGY_KCAL_MAX = 930;
/** Grams of 100 g that labels may add up to, with their rounding. */
const MACROS_G_MAX = 105;
/** Sugar is part of the carbohydrates and saturates are part of the fat, to the rounding of labels. */
const PART_TOLERANCE_G = 0.5;
const CO2E_KG_PER_KG_MAX = 1_000;
const PACK_G_MAX = 50_000;
/** Uncertainty of a figure for exactly this product. Agribalyse's depend on the data quality; see docs/data.md. */
const UNCERTAINTY_OWN = 1.3;
const UNCERTAINTY_BY_QUALITY = [
  { upTo: 2, k: 1.5 },
  { upTo: 3, k: 1.7 },
  { upTo: 4, k: 2 },
  { upTo: Infinity, k: 2.5 },
] as const;

/** Reads one row; returns the product, or the reason to reject it. */
export function readProduct(raw: RawProduct, { isOwn }: ProductRules): Product | Refusal {
  const gtin = raw.gtin === "" ? null : readGtin(raw.gtin);
  if (raw.gtin !== "" && gtin === null) return "invalid_gtin";
  const code = raw.code || gtin;
  if (!code || code.length > NAME_LENGTH_MAX) return "no_code";
  const name = plainText(raw.name);
  if (name === "") return "no_name";

  const nutrition: SentNutrition = {};
  for (const nutrient of NUTRIENTS) {
    const value = numberOf(raw[nutrient]);
    if (Number.isNaN(value)) return "not_a_number";
    if (value !== null) nutrition[nutrient] = value;
  }
  if (!isPlausible(nutrition)) return "implausible_nutrition";
  const co2e = numberOf(raw.co2eKgPerKg);
  const quality = numberOf(raw.dataQuality);
  const stated = numberOf(raw.packG);
  if (Number.isNaN(co2e) || Number.isNaN(quality) || Number.isNaN(stated)) return "not_a_number";
  if (co2e !== null && co2e > CO2E_KG_PER_KG_MAX) return "implausible_co2e";

  const category = plainText(raw.category) || null;
  const reference = raw.reference || null;
  const packG = stated ?? printedPackG(raw.quantity);
  const isKnownOtherwise = category !== null || reference !== null || co2e !== null;
  return {
    code,
    gtin: gtin !== null && !isOwn && isInStore(gtin) ? null : gtin,
    name,
    brand: plainText(raw.brand) || null,
    category,
    reference,
    nameKey: isKnownOtherwise ? productKey(name) : null,
    packG: packG !== null && packG > 0 && packG <= PACK_G_MAX ? packG : null,
    nutrition: Object.keys(nutrition).length > 0 ? nutrition : null,
    co2eGPerKg: co2e === null ? null : Math.round(co2e * 1_000),
    co2eUncertainty: co2e === null ? null : uncertaintyOf(quality),
  };
}

/** Returns the words of a product's name without its size, in alphabetical order; null where no word is left. */
export function productKey(name: string): string | null {
  const words = contentWords(readPrintedSize(name).rest);
  return words.length === 0 ? null : [...new Set(words)].sort().join(" ");
}

function isPlausible(nutrition: SentNutrition): boolean {
  const { energyKcal = 0, proteinG = 0, carbsG = 0, fatG = 0, sugarG = 0, fiberG = 0, saltG = 0 } = nutrition;
  const { saturatedFatG = 0, fruitsVegetablesLegumesPct = 0 } = nutrition;
  return (
    energyKcal <= ENERGY_KCAL_MAX &&
    proteinG + Math.max(carbsG, sugarG) + Math.max(fatG, saturatedFatG) <= MACROS_G_MAX &&
    saltG <= 100 &&
    fiberG <= 100 &&
    fruitsVegetablesLegumesPct <= 100 &&
    (nutrition.carbsG === undefined || sugarG <= carbsG + PART_TOLERANCE_G) &&
    (nutrition.fatG === undefined || saturatedFatG <= fatG + PART_TOLERANCE_G)
  );
}

/**
 * Reads a number of 0 or more; null where the text is empty, NaN where it is no such number. A decimal comma is read
 * too.
 */
function numberOf(text: string): number | null {
  if (text === "") return null;
  const value = Number(/^\d+,\d+$/.test(text) ? text.replace(",", ".") : text);
  return Number.isFinite(value) && value >= 0 ? value : Number.NaN;
}

function printedPackG(quantity: string): number | null {
  const { size } = readPrintedSize(quantity);
  const grams = size && !size.isCount ? GRAMS[size.unit] : undefined;
  return size && grams !== undefined ? size.amount * grams : null;
}

/** Grams of one unit. A millilitre is taken as a gram: packs are not more exact than that. */
const GRAMS: Readonly<Record<string, number>> = { g: 1, gr: 1, kg: 1_000, ml: 1, cl: 10, dl: 100, l: 1_000, lt: 1_000 };

function uncertaintyOf(quality: number | null): number {
  if (quality === null) return UNCERTAINTY_OWN;
  return UNCERTAINTY_BY_QUALITY.find(({ upTo }) => quality <= upTo)?.k ?? 2.5;
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", apos: "'", nbsp: " " };

/** Returns a text as one line without HTML entities and control characters, cut to the length of a name. */
function plainText(text: string): string {
  const decoded = text.includes("&")
    ? text.replaceAll(/&(#\d{1,6}|[a-z]+);/g, (whole, entity: string) =>
        entity.startsWith("#")
          ? String.fromCodePoint(Number(entity.slice(1)) % 0x11_00_00)
          : (ENTITIES[entity] ?? whole),
      )
    : text;
  return decoded
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, NAME_LENGTH_MAX)
    .toWellFormed();
}
