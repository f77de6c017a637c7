import { applyWords } from "../aliases/custom-words.ts";
import type { CustomWord } from "../aliases/custom-words.ts";
import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import type { Candidate } from "../matching/candidate.ts";
import type { Matcher, NameSource } from "../matching/match.ts";
import { createProductFoods } from "../matching/product-food.ts";
import type { ProductFood } from "../matching/product-food.ts";
import { ACCEPTED_CONFIDENCE, GTIN_CONFIDENCE, PRODUCT_NAME_CONFIDENCE } from "../matching/tuning.ts";
import type { MatchedBy } from "../rating/evidence.ts";
import { createRater } from "../rating/rate.ts";
import type { RateResult } from "../rating/rate.ts";
import { createItemRaters } from "./item-rater.ts";
import type { ItemInput, ItemRater } from "./item-rater.ts";
import { isEmpty, keysOf, lookupKey, NO_KEYS } from "./lookup.ts";
import type { FoundAlias, FoundProduct, LookupResult } from "./lookup.ts";

/** A food that an item may be, before anything is rated. */
export interface Resolution {
  readonly by: MatchedBy;
  readonly food: Food;
  readonly matchedName: string | null;
  readonly confidence: number;
  readonly accepted: boolean;
  readonly product: FoundProduct | null;
  readonly reference: ProductFood["reference"];
  readonly alias: FoundAlias | null;
  /** The application's custom words in the name. */
  readonly words: readonly CustomWord[];
}

/** Finds the foods of items, and rates them. */
export interface Resolver {
  /** Rates a portion of a food, or of a product as a food. */
  rateFood: (food: Food) => RateResult;
  /** Returns a rater for one application, with the lookup result of a batch beside the reference catalogue. */
  raterFor: (found: LookupResult, applicationId: string) => ItemRater;
  /** Returns the foods that an item may be, best first, at most `limit`. Rating takes the first. */
  resolve: (
    item: Pick<ItemInput, "foodId" | "name" | "merchants" | "language">,
    found: LookupResult,
    applicationId: string,
    options: { source: NameSource; limit: number },
  ) => Resolution[];
}

/** Replaces an application's custom words in a name by their meanings. */
export function applyCustomWords(
  found: LookupResult,
  applicationId: string,
  name: string,
): ReturnType<typeof applyWords> {
  if (found.words.size === 0) return { readAs: name, words: [] };
  return applyWords(name, (word) => found.words.get(lookupKey(applicationId, word)));
}

/**
 * Creates the resolver. It finds an item's food by the application's own foodId, else an id of the catalogue, else a
 * GTIN, else an alias, else its name among the reference foods, or among the products where those are more confident.
 * Foods that are not confident enough come last. Deterministic for the same catalogue and lookup result.
 */
export function createResolver(catalogue: Catalogue, matcher: Matcher): Resolver {
  const foodOf = createProductFoods(catalogue, matcher);

  const resolve: Resolver["resolve"] = (item, found, applicationId, { source, limit }) => {
    const { name, language = null } = item;
    const { readAs, words } = applyCustomWords(found, applicationId, name);
    // Without imports and aliases this saves 10 µs an item.
    const keys = isEmpty(found) ? NO_KEYS : keysOf({ foodId: item.foodId, name, merchants: item.merchants ?? [] });
    const get = <Found>(map: ReadonlyMap<string, Found>, ...parts: (string | null)[]) =>
      map.size === 0 || parts.includes(null) ? undefined : map.get(lookupKey(applicationId, ...(parts as string[])));
    const alias = keys.merchantKeys
      .map((merchant) => get(found.aliases, keys.nameKey, merchant))
      .find((each) => each !== undefined);
    const byKey = [
      ofProduct(foodOf, "own_food_id", get(found.ownProducts, keys.ownCode), { sentName: readAs }),
      ofFood("catalogue_id", item.foodId ? catalogue.byId.get(item.foodId) : undefined),
      ofProduct(foodOf, "gtin", get(found.gtins, keys.gtin), { sentName: readAs, confidenceMax: GTIN_CONFIDENCE }),
      ofAlias(foodOf, catalogue, alias, readAs),
    ].filter((each) => each !== null);
    const accepted = byKey.filter((each) => each.accepted);
    const withWords = (resolutions: readonly Resolution[]) =>
      resolutions.slice(0, limit).map((each) => (each.reference?.by === "sent_name" ? { ...each, words } : each));
    if (accepted.length >= limit) return withWords(accepted);
    const byName = matcher.match(readAs, { source, limit, language }).map((candidate) => ofCandidate(candidate, words));
    const byNameConfidence = byName[0]?.confidence ?? 0;
    const isSure = byNameConfidence >= PRODUCT_NAME_CONFIDENCE;
    const product = isSure ? null : ofNamedProducts(foodOf, get(found.named, keys.productKey) ?? []);
    const named = product && product.confidence > byNameConfidence ? [product, ...byName] : byName;
    return withWords([...accepted, ...named, ...byKey.filter((each) => !each.accepted)]);
  };

  return {
    resolve,
    rateFood: (food) =>
      createRater(catalogue, { match: () => [{ food, matchedName: food.name, confidence: 1, accepted: true }] }).rate(
        { foodId: null, name: food.name, weight: null, unit: null, quantity: 1, nutrition: null },
        "food",
      ),
    raterFor: createItemRaters({ catalogue, matcher, resolve }),
  };
}

type ProductFoods = ReturnType<typeof createProductFoods>;

/** The fields of a resolution that was found by a key, for a food of the catalogue. */
const BY_KEY = { matchedName: null, confidence: 1, accepted: true, product: null, reference: null, words: [] };

function ofFood(by: MatchedBy, food: Food | undefined, alias: FoundAlias | null = null): Resolution | null {
  return food ? { ...BY_KEY, by, food, alias } : null;
}

function ofCandidate(candidate: Candidate, words: readonly CustomWord[]): Resolution {
  return { ...candidate, by: "name", product: null, reference: null, alias: null, words };
}

function ofProduct(
  foodOf: ProductFoods,
  by: MatchedBy,
  product: FoundProduct | undefined | null,
  options: { sentName: string | null; confidenceMax?: number; alias?: FoundAlias },
): Resolution | null {
  const { sentName, confidenceMax = 1, alias = null } = options;
  const productFood = product && foodOf(product, sentName);
  if (!product || !productFood) return null;
  const confidence = Math.min(productFood.confidence, confidenceMax);
  const accepted = confidence >= ACCEPTED_CONFIDENCE;
  const { food, reference } = productFood;
  return { by, food, matchedName: null, confidence, accepted, product, reference, alias, words: [] };
}

function ofAlias(
  foodOf: ProductFoods,
  { byId }: Catalogue,
  alias: FoundAlias | undefined,
  sentName: string,
): Resolution | null {
  if (!alias) return null;
  if (alias.target.kind === "food") return ofFood("alias", byId.get(alias.target.id), alias);
  return ofProduct(foodOf, "alias", alias.product, { sentName, alias });
}

/** Returns the food that most products of one name are; the more of them agree, the more confident. */
function ofNamedProducts(foodOf: ProductFoods, products: readonly FoundProduct[]): Resolution | null {
  const resolutions = products
    .map((product) =>
      ofProduct(foodOf, "product_name", product, { sentName: null, confidenceMax: PRODUCT_NAME_CONFIDENCE }),
    )
    .filter((each) => each !== null);
  const kindOf = ({ reference, food }: Resolution) => reference?.food.id ?? food.id;
  const votes = (each: Resolution) => resolutions.filter((other) => kindOf(other) === kindOf(each)).length;
  const [best] = resolutions.toSorted((a, b) => votes(b) - votes(a) || b.confidence - a.confidence);
  if (!best) return null;
  const confidence = Math.round((1000 * best.confidence * votes(best)) / products.length) / 1000;
  return { ...best, confidence, accepted: confidence >= ACCEPTED_CONFIDENCE };
}
