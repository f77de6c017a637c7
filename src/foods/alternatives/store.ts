import type { Errors } from "../../problems.ts";
import type { Tx } from "../../postgres/postgres.ts";
import { presentCandidate } from "../lookup/match-query.ts";
import type { Resolution, Resolver } from "../lookup/resolve.ts";
import { lookUp } from "../lookup/store.ts";
import type { Candidate } from "../schema.ts";
import type { AlternativesOf } from "./alternatives.ts";
import { presentAlternative } from "./present.ts";
import type { AlternativesQuery } from "./query.ts";
import type { Alternative } from "./schema.ts";

/** The food of a query, and what may be eaten in its place. */
export interface FoodWithAlternatives {
  readonly food: Candidate | null;
  readonly alternatives: Alternative[];
}

/** Finds a food as scoring would, and its alternatives; errors where a code names nothing. One lookup. */
export async function findWithAlternatives(
  tx: Tx,
  applicationId: string,
  { name, merchantName, source, code }: AlternativesQuery,
  { resolver, alternativesOf }: { readonly resolver: Resolver; readonly alternativesOf: AlternativesOf },
): Promise<FoodWithAlternatives | { errors: Errors }> {
  const item = { foodId: code?.value ?? null, name, merchants: merchantName === null ? [] : [merchantName] };
  const found = await lookUp(tx, [{ applicationId, ...item }]);
  const [resolution] = resolver.resolve(item, found, applicationId, { source, limit: 1 });
  if (!resolution) return code ? { errors: nothing(code.parameter) } : { food: null, alternatives: [] };
  const rating = resolver.rateFood(resolution.food);
  const isRated = resolution.accepted && rating.kind === "rated";
  return {
    food: presentCandidate(resolution, rating),
    alternatives: isRated
      ? alternativesOf(referenceId(resolution), rating).map((each) => presentAlternative(each, rating))
      : [],
  };
}

function nothing(parameter: "foodId" | "gtin"): Errors {
  return {
    [parameter]: [parameter === "gtin" ? "names no product" : "names no food of the catalogue and no own product"],
  };
}

/** The food of the catalogue; that of a product is the one whose figures complete it. */
function referenceId({ food, product, reference }: Resolution): string {
  return product ? (reference?.food.id ?? "") : food.id;
}
