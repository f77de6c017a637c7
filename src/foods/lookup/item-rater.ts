import type { Catalogue, Language } from "../catalogue/catalogue.ts";
import { presentCustomWord } from "../aliases/custom-words.ts";
import type { Matcher, NameSource } from "../matching/match.ts";
import type { EvidenceMatch, RatingEvidence } from "../rating/evidence.ts";
import { createRater } from "../rating/rate.ts";
import type { RateInput, RateResult, Rater } from "../rating/rate.ts";
import type { LookupItem, LookupResult } from "./lookup.ts";
import type { Resolution, Resolver } from "./resolve.ts";

/**
 * An item to rate, with the names of its merchant: an alias may hold at that merchant only. `language`: what the shop's
 * goods are named in, where it is known.
 */
export type ItemInput = RateInput & { readonly merchants?: readonly string[]; readonly language?: Language | null };

/** A rating with its evidence; a rater that knows the reference catalogue alone gives none. */
export type ItemResult = RateResult & { readonly basis?: RatingEvidence };

/** Rates one item at a time, by aliases, products and the catalogue. */
export interface ItemRater {
  readonly rate: (input: ItemInput, source: NameSource) => ItemResult;
}

/** Looks up a batch of items of any applications at once. Returns a rater for each application. */
export type RaterFor = (items: readonly LookupItem[]) => Promise<(applicationId: string) => ItemRater>;

/** The parts that rating an item needs. */
interface ItemRaterDeps {
  catalogue: Catalogue;
  matcher: Matcher;
  resolve: Resolver["resolve"];
}

/** Creates the raters of applications, each with the lookup result of a batch. */
export function createItemRaters(deps: ItemRaterDeps): (found: LookupResult, applicationId: string) => ItemRater {
  const { catalogue, matcher, resolve } = deps;
  const byCatalogue = createRater(catalogue, matcher);
  return (found, applicationId) => ({
    rate: (input, source) => {
      const [resolution] = resolve(input, found, applicationId, { source, limit: 1 });
      const rater = resolution?.by === "catalogue_id" ? byCatalogue : raterOf(resolution, catalogue);
      const foodId = rater === byCatalogue ? input.foodId : null;
      const result = rater.rate({ ...input, foodId }, source);
      return { ...result, basis: evidenceOf(input, resolution, result, catalogue) };
    },
  });
}

/** Creates a rater whose matcher finds only what was resolved. */
function raterOf(resolution: Resolution | undefined, catalogue: Catalogue): Rater {
  if (!resolution) return createRater(catalogue, { match: () => [] });
  const { food, matchedName, confidence, accepted } = resolution;
  const candidate = { food, matchedName: matchedName ?? food.name, confidence, accepted };
  return createRater(catalogue, { match: () => [candidate] });
}

function evidenceOf(
  input: ItemInput,
  resolution: Resolution | undefined,
  result: RateResult,
  catalogue: Catalogue,
): RatingEvidence {
  const { foodId, name, weight, unit, quantity, nutrition } = input;
  const sent = Object.entries(nutrition ?? {}).flatMap(([member, value]) => (value === undefined ? [] : [member]));
  const food = result.kind === "incomplete" ? null : result.food;
  return {
    input: { foodId: foodId ?? "", name, weight, unit, quantity, nutrition: sent },
    match: resolution ? matchEvidenceOf(resolution, food) : null,
    massMg: result.kind === "incomplete" ? null : result.massMg,
    rated: ratedEvidenceOf(resolution, result, catalogue),
    exclusion: result.kind === "excluded" ? result.reason : null,
  };
}

function ratedEvidenceOf(
  resolution: Resolution | undefined,
  rated: RateResult,
  catalogue: Catalogue,
): RatingEvidence["rated"] {
  if (rated.kind !== "rated") return null;
  // By the energy that was sent, rating may have replaced the raw food of a dish by its cooked form.
  const used = catalogue.byId.get(rated.food.id) ?? resolution?.food;
  return {
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
  };
}

function matchEvidenceOf(resolution: Resolution, food: EvidenceMatch["food"]): EvidenceMatch {
  const { by, matchedName, confidence, product, reference, alias, words } = resolution;
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
