import type { RatingEvidence, EvidenceMatch, MatchedBy } from "../rating/evidence.ts";
import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import { keysOf, lookupKey, NO_KEYS } from "./lookup.ts";
import type { LookupItem, LookupResult, FoundAlias, FoundProduct } from "./lookup.ts";
import { ACCEPTED_CONFIDENCE, createMatcher } from "../matching/match.ts";
import type { Matcher, NameSource } from "../matching/match.ts";
import { presentCustomWord, spellOut } from "../aliases/custom-words.ts";
import type { CustomWord } from "../aliases/custom-words.ts";
import { createProductFoods } from "../matching/product-food.ts";
import type { ProductFood } from "../matching/product-food.ts";
import { createRater } from "../rating/rate.ts";
import type { RateInput, RateResult } from "../rating/rate.ts";

/** An item to rate, with the names of its merchant: what was taught of one counts only there. */
export type ItemInput = RateInput & { readonly merchants?: readonly string[] };

/** A rating with what it rests on, which a rater by the reference catalogue alone doesn't tell. */
export type ItemResult = RateResult & { readonly basis?: RatingEvidence };

/** Rates one item at a time, by whatever is known. */
export interface ItemRater {
  readonly rate: (input: ItemInput, source: NameSource) => ItemResult;
}

/** Looks up a batch of items of any applications at once; gives each application's rater. */
export type RaterFor = (asked: readonly LookupItem[]) => Promise<(applicationId: string) => ItemRater>;

/** What an item may be: best first, before anything is rated. */
export interface Resolution {
  readonly by: MatchedBy;
  readonly food: Food;
  readonly matchedName: string | null;
  readonly confidence: number;
  readonly accepted: boolean;
  readonly product: FoundProduct | null;
  readonly reference: ProductFood["reference"];
  readonly alias: FoundAlias | null;
  /** Words of the application's own by which the name was read. */
  readonly words: readonly CustomWord[];
}

/** Says what items are and how they rate. */
export interface Resolver {
  /** The rating of a portion of a food or of a product as a food. */
  rateFood: (food: Food) => RateResult;
  /** A rater for one application that knows beside the reference catalogue what was looked up for a batch. */
  knowing: (known: LookupResult, applicationId: string) => ItemRater;
  /** What an item may be, best first, at most `limit`: the first is what rating takes. */
  resolve: (
    item: Pick<ItemInput, "foodId" | "name" | "merchants">,
    known: LookupResult,
    applicationId: string,
    options: { source: NameSource; limit: number },
  ) => Resolution[];
}

/** A name as it is read for an application, by the words that it has taught. */
export function readFor(known: LookupResult, applicationId: string, name: string): ReturnType<typeof spellOut> {
  if (known.words.size === 0) return { readAs: name, words: [] };
  return spellOut(name, (word) => known.words.get(lookupKey(applicationId, word)));
}

/** A number under a bar code is read without doubt; that the bar code was put there rightly is nearly so. */
const GTIN_CONFIDENCE = 0.99;
/** Products of one name, all of one food: as sure as a name in the catalogue that fits but for a word. */
const PRODUCT_NAME_CONFIDENCE = 0.9;
const NOT_BY_NAME = { matchedName: null, confidence: 1, accepted: true, product: null, reference: null, words: [] };

/**
 * Says what an item is: by the application's own foodId, else an id of the catalogue, else a GTIN, else what the
 * application has taught, else its name among the reference foods, or among the products where those are surer.
 * What is found and cannot be rated gives way to the next. Deterministic under the same catalogue and `known`.
 */
export function createResolver(catalogue: Catalogue, matcher: Matcher = createMatcher(catalogue)): Resolver {
  const productFood = createProductFoods(catalogue, matcher);
  const byCatalogue = createRater(catalogue, matcher);

  const ofProduct = (
    by: MatchedBy,
    product: FoundProduct | undefined | null,
    sentName: string | null,
    ceiling: number,
    alias: FoundAlias | null = null,
  ): Resolution | null => {
    const made = product && productFood(product, sentName);
    if (!product || !made) return null;
    const confidence = Math.min(made.confidence, ceiling);
    const accepted = confidence >= ACCEPTED_CONFIDENCE;
    const { food, reference } = made;
    return { by, food, matchedName: null, confidence, accepted, product, reference, alias, words: [] };
  };

  const ofFood = (by: MatchedBy, food: Food | undefined, alias: FoundAlias | null = null): Resolution | null =>
    food ? { ...NOT_BY_NAME, by, food, alias } : null;

  const ofAlias = (alias: FoundAlias | undefined, sentName: string): Resolution | null => {
    if (!alias) return null;
    if (alias.target.kind === "food") return ofFood("alias", catalogue.byId.get(alias.target.id), alias);
    return ofProduct("alias", alias.product, sentName, 1, alias);
  };

  /** Products of that very name: the food that most of them are, as sure as they agree. */
  const ofNamed = (products: readonly FoundProduct[]): Resolution | null => {
    const made = products
      .map((product) => ofProduct("product_name", product, null, PRODUCT_NAME_CONFIDENCE))
      .filter((each) => each !== null);
    const kindOf = ({ reference, food }: Resolution) => reference?.food.id ?? food.id;
    const votes = (each: Resolution) => made.filter((other) => kindOf(other) === kindOf(each)).length;
    const [best] = made.toSorted((a, b) => votes(b) - votes(a) || b.confidence - a.confidence);
    if (!best) return null;
    const confidence = Math.round((1000 * best.confidence * votes(best)) / products.length) / 1000;
    return { ...best, confidence, accepted: confidence >= ACCEPTED_CONFIDENCE };
  };

  const resolve: Resolver["resolve"] = (item, known, applicationId, { source, limit }) => {
    const { name } = item;
    const { readAs, words } = readFor(known, applicationId, name);
    // Where nothing was imported or taught, 10 µs an item are saved.
    const isAnythingKnown = Object.values(known).some((found: ReadonlyMap<string, unknown>) => found.size > 0);
    const keys = isAnythingKnown ? keysOf({ foodId: item.foodId, name, merchants: item.merchants ?? [] }) : NO_KEYS;
    const find = <Found>(map: ReadonlyMap<string, Found>, ...parts: (string | null)[]) =>
      map.size === 0 || parts.includes(null) ? undefined : map.get(lookupKey(applicationId, ...(parts as string[])));
    const alias = keys.merchantKeys
      .map((merchant) => find(known.aliases, keys.nameKey, merchant))
      .find((found) => found !== undefined);
    const sure = [
      ofProduct("own_food_id", find(known.ownProducts, keys.ownCode), readAs, 1),
      ofFood("catalogue_id", item.foodId ? catalogue.byId.get(item.foodId) : undefined),
      ofProduct("gtin", find(known.gtins, keys.gtin), readAs, GTIN_CONFIDENCE),
      ofAlias(alias, readAs),
    ].filter((found) => found !== null);
    const accepted = sure.filter((found) => found.accepted);
    const withWords = (found: readonly Resolution[]) =>
      found.slice(0, limit).map((each) => (each.reference?.by === "sent_name" ? { ...each, words } : each));
    if (accepted.length >= limit) return withWords(accepted);
    const byName = matcher.match(readAs, { source, limit }).map((candidate): Resolution => ({
      ...candidate,
      by: "name",
      product: null,
      reference: null,
      alias: null,
      words,
    }));
    const isSure = (byName[0]?.confidence ?? 0) >= PRODUCT_NAME_CONFIDENCE;
    const product = isSure ? null : ofNamed(find(known.named, keys.productKey) ?? []);
    const named = product && product.confidence > (byName[0]?.confidence ?? 0) ? [product, ...byName] : byName;
    return withWords([...accepted, ...named, ...sure.filter((found) => !found.accepted)]);
  };

  const rateAs = (input: ItemInput, source: NameSource, found: Resolution | undefined): RateResult => {
    if (found?.by === "catalogue_id") return byCatalogue.rate(input, source);
    const { food, confidence, accepted } = found ?? {};
    const candidates =
      food === undefined || confidence === undefined || accepted === undefined
        ? []
        : [{ food, matchedName: found?.matchedName ?? food.name, confidence, accepted }];
    return createRater(catalogue, { match: () => candidates }).rate({ ...input, foodId: null }, source);
  };

  return {
    resolve,
    rateFood: (food) =>
      createRater(catalogue, { match: () => [{ food, matchedName: food.name, confidence: 1, accepted: true }] }).rate(
        { foodId: null, name: food.name, weight: null, unit: null, quantity: 1, nutrition: null },
        "food",
      ),
    knowing: (known, applicationId) => ({
      rate: (input, source) => {
        const [found] = resolve(input, known, applicationId, { source, limit: 1 });
        const result = rateAs(input, source, found);
        return { ...result, basis: basisOf(input, found, result, catalogue) };
      },
    }),
  };
}

function basisOf(
  input: ItemInput,
  found: Resolution | undefined,
  result: RateResult,
  catalogue: Catalogue,
): RatingEvidence {
  const { foodId, name, weight, unit, quantity, nutrition } = input;
  const sent = Object.entries(nutrition ?? {}).flatMap(([member, value]) => (value === undefined ? [] : [member]));
  const food = result.kind === "incomplete" ? null : result.food;
  const rated = result.kind === "rated" ? result : null;
  // The raw food of a dish may have given way to its cooked form, by the energy that was sent.
  const used = (rated && catalogue.byId.get(rated.food.id)) ?? found?.food;
  return {
    input: { foodId: foodId ?? "", name, weight, unit, quantity, nutrition: sent },
    match: found ? matchOf(found, food) : null,
    massMg: result.kind === "incomplete" ? null : result.massMg,
    rated: rated && {
      weightGPerUnit: rated.weightGPerUnit,
      weightAssumed: rated.weightAssumed,
      carbon: {
        co2eGPerKg: rated.co2eGPerKg,
        source: rated.carbonDataSource,
        method: rated.carbonMethod,
        co2eMg: rated.co2eMg,
        co2eLowMg: rated.co2eLowMg,
        co2eHighMg: rated.co2eHighMg,
        rating: rated.carbonRating,
        ratingUncertain: rated.ratingUncertain,
        reconstitution: used?.carbon?.reconstitution ?? null,
      },
      health: {
        ...rated.health,
        rating: rated.healthRating,
        per100: rated.per100,
        source: used?.nutrition?.source ?? "",
      },
      isWater: rated.isWater,
      flags: rated.flags,
    },
    exclusion: result.kind === "excluded" ? result.reason : null,
  };
}

function matchOf(found: Resolution, food: EvidenceMatch["food"]): EvidenceMatch {
  const { by, matchedName, confidence, product, reference, alias, words } = found;
  return {
    by,
    food,
    matchedName,
    confidence,
    product: product && {
      source: product.source,
      code: product.code,
      name: product.name,
      revision: product.revision,
    },
    reference: reference && { id: reference.food.id, name: reference.food.name, by: reference.by },
    alias: alias && {
      id: alias.id,
      name: alias.name,
      merchantName: alias.merchantName,
      author: alias.author,
      createdAt: alias.createdAt.toISOString(),
    },
    words: words.map(presentCustomWord),
  };
}
