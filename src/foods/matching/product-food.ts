import type { Catalogue, Food, FoodNutrition } from "../catalogue/catalogue.ts";
import type { FoundProduct } from "../lookup/lookup.ts";
import { ACCEPTED_CONFIDENCE } from "./match.ts";
import type { Candidate, Matcher } from "./match.ts";
import { completeNutrition } from "../rating/nutrition.ts";

/** A product as a food that can be rated: its own figures, the rest from the reference food that it is. */
export interface ProductFood {
  readonly food: Food;
  /** How sure the figures are: below `ACCEPTED_CONFIDENCE` it is not rated. */
  readonly confidence: number;
  /** What it was taken for; null where its own figures are all that there is. */
  readonly reference: { readonly food: Food; readonly by: ReferenceBy } | null;
}

type ReferenceBy = "source" | "category" | "product_name" | "sent_name";

/** A source's own word for which food it is: an id of our catalogue, or a CIQUAL code, which may be the nearest one. */
const CONFIDENCE_OF_FOOD_ID = 1;
const CONFIDENCE_OF_CIQUAL = 0.95;
const MEMORY_MAX = 10_000;
/** Foods of a name that are held against a product's own figures. */
const READINGS_MAX = 3;
/**
 * Fat, carbohydrates and protein that lie this many grams of 100 apart, all together, are another food's: of 276 labelled
 * products of Open Food Facts whose name was matched with 0.5 and more, 62 % were right below it and 31 % above.
 */
const APART_MAX_G = 30;
const APART_FACTOR = 0.55;
/** Of a product that says nothing of itself: a portion and a pack as they usually are. */
const PORTION_G = 100;
const PACK_G = 400;

/** What must be there for a product to be rated for health without a reference food. */
const NEEDED = ["energyKcal", "fatG", "saturatedFatG", "carbsG", "sugarG", "proteinG", "saltG"] as const;

/** Makes foods of products. `sentName` is what the integrator or the till calls it, null where that is its name. */
export function createProductFoods(
  catalogue: Catalogue,
  matcher: Matcher,
): (product: FoundProduct, sentName: string | null) => ProductFood | null {
  const byCiqual = new Map<string, Food>();
  // A code stands first in the entry that is its own; that one counts before those which only share it.
  for (const place of ["own", "shared"] as const) {
    for (const food of catalogue.foods) {
      const codes = place === "own" ? food.ciqualCodes.slice(0, 1) : food.ciqualCodes;
      for (const code of codes) if (!byCiqual.has(code)) byCiqual.set(code, food);
    }
  }

  const memory = new Map<string, readonly Candidate[]>();
  /** Categories and names of products come again and again: read once each, as long as there is room. */
  const read = (name: string): readonly Candidate[] => {
    const known = memory.get(name);
    if (known) return known;
    // Shops sell raw and by full names, whatever was logged: `receipt` is the source that leaves cooking out.
    const found = matcher.match(name, { source: "receipt", limit: READINGS_MAX });
    if (memory.size >= MEMORY_MAX) memory.clear();
    memory.set(name, found);
    return found;
  };

  const referenceOf = (product: FoundProduct, sentName: string | null) => {
    const [kind, code = ""] = product.reference?.split(":", 2) ?? [];
    const told = kind === "food" ? catalogue.byId.get(code) : byCiqual.get(code);
    if (told) {
      const confidence = kind === "food" ? CONFIDENCE_OF_FOOD_ID : CONFIDENCE_OF_CIQUAL;
      return { food: told, by: "source" as const, confidence };
    }
    let best: { food: Food; by: ReferenceBy; confidence: number } | null = null;
    for (const [by, name] of [
      ["category", product.category],
      ["product_name", product.name],
      ["sent_name", sentName],
    ] as const) {
      for (const { food, confidence: byName } of name === null ? [] : read(name)) {
        const confidence = byName * (isFarFrom(product.nutrition, food) ? APART_FACTOR : 1);
        if (confidence > (best?.confidence ?? 0)) best = { food, by, confidence };
      }
    }
    return best;
  };

  return (product, sentName) => {
    const reference = referenceOf(product, sentName);
    const isAccepted = reference !== null && reference.confidence >= ACCEPTED_CONFIDENCE;
    const isComplete = NEEDED.every((nutrient) => product.nutrition?.[nutrient] !== undefined);
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

/** True where a product's own figures are not those of the food that its name means. */
function isFarFrom(own: FoundProduct["nutrition"], { nutrition }: Food): boolean {
  if (!own || !nutrition) return false;
  const apart = (["fatG", "carbsG", "proteinG"] as const).map((nutrient) =>
    Math.abs((own[nutrient] ?? nutrition[nutrient]) - nutrition[nutrient]),
  );
  return apart.reduce((sum, each) => sum + each, 0) > APART_MAX_G;
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

/** The product's own values, completed like those that are sent; where it has none, the reference food's. */
function nutritionOf(product: FoundProduct, reference: FoodNutrition | null, source: string): FoodNutrition | null {
  if (product.nutrition === null) return reference;
  const { per100, basis, imputed } = completeNutrition(product.nutrition, 100, reference ?? NO_NUTRITION);
  return basis === "reference" ? reference : { ...per100, source, estimated: [...imputed] };
}
