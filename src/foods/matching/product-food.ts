import type { Catalogue, Food, FoodNutrition } from "../catalogue/catalogue.ts";
import type { FoundProduct } from "../lookup/lookup.ts";
import { completeNutrition } from "../nutrition/nutrition.ts";
import type { Candidate } from "./candidate.ts";
import type { Matcher } from "./match.ts";
import * as tuning from "./tuning.ts";

/** A product as a food that can be rated: its own figures, completed from its reference food. */
export interface ProductFood {
  readonly food: Food;
  /** The confidence in the figures: below `ACCEPTED_CONFIDENCE` the product is not rated. */
  readonly confidence: number;
  /** Its reference food; null where all figures are its own. */
  readonly reference: { readonly food: Food; readonly by: ReferenceBy } | null;
}

type ReferenceBy = "source" | "category" | "product_name" | "sent_name";

const CACHE_MAX = 10_000;
/** Candidates of a name that are compared with a product's own figures. */
const CANDIDATES_MAX = 3;
/** The usual portion and pack, for a product without any. */
const PORTION_G = 100;
const PACK_G = 400;

/** The nutrients that a product needs to be rated for health without a reference food. */
const REQUIRED = ["energyKcal", "fatG", "saturatedFatG", "carbsG", "sugarG", "proteinG", "saltG"] as const;

/**
 * Creates foods from products. `sentName` is the name that the integrator or the till uses; null where that is the
 * product's.
 */
export function createProductFoods(
  catalogue: Catalogue,
  matcher: Matcher,
): (product: FoundProduct, sentName: string | null) => ProductFood | null {
  const byCiqual = new Map<string, Food>();
  // The entry that has a code as its first one counts before entries that only share it.
  for (const place of ["own", "shared"] as const) {
    for (const food of catalogue.foods) {
      const codes = place === "own" ? food.ciqualCodes.slice(0, 1) : food.ciqualCodes;
      for (const code of codes) if (!byCiqual.has(code)) byCiqual.set(code, food);
    }
  }

  const cache = new Map<string, readonly Candidate[]>();
  /** The same categories and names come again and again: each is read once. */
  const read = (name: string): readonly Candidate[] => {
    const cached = cache.get(name);
    if (cached) return cached;
    // Shops sell raw food, whatever was logged: `receipt` is the source that ignores cooking.
    const found = matcher.match(name, { source: "receipt", limit: CANDIDATES_MAX });
    if (cache.size >= CACHE_MAX) cache.clear();
    cache.set(name, found);
    return found;
  };

  const referenceOf = (product: FoundProduct, sentName: string | null) => {
    const [kind, code = ""] = product.reference?.split(":", 2) ?? [];
    const stated = kind === "food" ? catalogue.byId.get(code) : byCiqual.get(code);
    if (stated) {
      const confidence = kind === "food" ? tuning.REFERENCE_CONFIDENCE.foodId : tuning.REFERENCE_CONFIDENCE.ciqual;
      return { food: stated, by: "source" as const, confidence };
    }
    let best: { food: Food; by: ReferenceBy; confidence: number } | null = null;
    for (const [by, name] of [
      ["category", product.category],
      ["product_name", product.name],
      ["sent_name", sentName],
    ] as const) {
      for (const { food, confidence: byName } of name === null ? [] : read(name)) {
        const confidence = byName * (differsFrom(product.nutrition, food) ? tuning.NUTRITION_DIFFERENT_FACTOR : 1);
        if (confidence > (best?.confidence ?? 0)) best = { food, by, confidence };
      }
    }
    return best;
  };

  return (product, sentName) => {
    const reference = referenceOf(product, sentName);
    const isAccepted = reference !== null && reference.confidence >= tuning.ACCEPTED_CONFIDENCE;
    const isComplete = REQUIRED.every((nutrient) => product.nutrition?.[nutrient] !== undefined);
    const isSelfContained = product.co2eGPerKg !== null && isComplete;
    if (!isAccepted && !isSelfContained) {
      return reference && { food: foodOf(product, reference.food), confidence: reference.confidence, reference };
    }
    return {
      food: foodOf(product, isAccepted ? reference.food : null),
      confidence: isSelfContained ? 1 : (reference?.confidence ?? 0),
      reference: isAccepted ? reference : null,
    };
  };
}

/** True where a product's own figures differ from those of the food that its name means. */
function differsFrom(own: FoundProduct["nutrition"], { nutrition }: Food): boolean {
  if (!own || !nutrition) return false;
  const differences = (["fatG", "carbsG", "proteinG"] as const).map((nutrient) =>
    Math.abs((own[nutrient] ?? nutrition[nutrient]) - nutrition[nutrient]),
  );
  return differences.reduce((sum, each) => sum + each, 0) > tuning.NUTRITION_DIFFERENCE_MAX_G;
}

function foodOf(product: FoundProduct, reference: Food | null): Food {
  const source = `${product.source}:${product.code}`;
  const carbon =
    product.co2eGPerKg === null || product.co2eUncertainty === null
      ? (reference?.carbon ?? null)
      : {
          co2eGPerKg: product.co2eGPerKg,
          source,
          uncertaintyK: product.co2eUncertainty,
          reconstitution: reference?.carbon?.reconstitution ?? null,
        };
  return {
    id: source,
    name: product.name,
    synonyms: { en: [], de: [], fr: [], es: [], it: [] },
    roughNames: new Set(),
    group: reference?.group ?? "",
    parent: null,
    kind: reference?.kind ?? "food",
    state: null,
    portionG: reference?.portionG ?? PORTION_G,
    packG: product.packG ?? reference?.packG ?? PACK_G,
    pieceG: reference?.pieceG ?? null,
    densityGPerMl: reference?.densityGPerMl ?? null,
    ciqualCodes: [],
    carbon,
    nutrition: nutritionOf(product, reference?.nutrition ?? null, source),
    nutriScoreClass: reference?.nutriScoreClass ?? "not_applicable",
    redMeat: reference?.redMeat ?? false,
    nonNutritiveSweetener: reference?.nonNutritiveSweetener ?? false,
  };
}

const NO_NUTRITION: FoodNutrition = {
  energyKcal: 0,
  proteinG: 0,
  carbsG: 0,
  sugarG: 0,
  fatG: 0,
  saturatedFatG: 0,
  fiberG: 0,
  saltG: 0,
  fvlPct: 0,
  source: "",
  estimated: [],
};

/** Returns the product's own values, completed like sent ones; where it has none, the reference food's. */
function nutritionOf(product: FoundProduct, reference: FoodNutrition | null, source: string): FoodNutrition | null {
  if (product.nutrition === null) return reference;
  const { per100, basis, imputed } = completeNutrition(product.nutrition, 100, reference ?? NO_NUTRITION);
  return basis === "reference" ? reference : { ...per100, source, estimated: [...imputed] };
}
