// A line of a receipt, or an ingredient, after rating: its facts, and either its ratings or the reason for having none.
import type { RatingEvidence } from "../foods/rating/evidence.ts";
import type { Rating } from "../foods/rating/nutri-score.ts";
import type { ExclusionReason as RatingExclusion } from "../foods/rating/rate.ts";
import type { ItemResult } from "../foods/lookup/item-rater.ts";
import type { AwardItem } from "./award.ts";

/** Reasons for earning nothing. The mass of an `unmatched` item counts in a meal, that of an `ignored` one does not. */
export const EXCLUSION_REASONS = {
  NO_MATCH: "unmatched",
  LOW_CONFIDENCE: "unmatched",
  ALCOHOL: "ignored",
  TOBACCO: "ignored",
  INFANT_FORMULA: "ignored",
  SUPPLEMENT: "ignored",
  PET_FOOD: "ignored",
  NON_FOOD: "ignored",
  BAG: "ignored",
  DEPOSIT: "ignored",
  DISCOUNT: "ignored",
  REFUND: "ignored",
  VOID: "ignored",
  NOT_ELIGIBLE: "ignored",
} as const satisfies Readonly<Record<string, AwardItem["kind"]>>;

/** A reason as stored and shown. */
export type ExclusionReason = keyof typeof EXCLUSION_REASONS;

/** Converts the reason of a rating to the one that is stored and shown. */
export function exclusionReason(reason: RatingExclusion): ExclusionReason {
  return reason.toUpperCase() as Uppercase<RatingExclusion>;
}

/** Name, quantity and price of an item, whether it earns points or not. Unknown texts are "". */
export interface ItemFacts {
  /** The item's id, the same in status documents, events and the record. */
  readonly id: string;
  /** The foodId as sent; "" on a receipt. */
  readonly externalId: string;
  /** As sent or printed, byte for byte. */
  readonly name: string;
  readonly cleanedName: string;
  readonly imageUrl: string;
  /** Pieces after voids, or kg or litres. */
  readonly quantity: number;
  /** Price of the whole line, in minor units of the record's currency; negative for a refund. */
  readonly amountMinor: number;
  /** The name of the matched food. */
  readonly matchedName: string;
}

/** The ratings of an item: both ratings, CO2e of the whole line, and its source `<source>:<code>`. */
export interface ItemRatings {
  readonly healthRating: Rating;
  readonly carbonRating: Rating;
  readonly co2eMg: number;
  readonly carbonDataSource: string;
}

/** The inputs of the rule for the weight of an item; see `AwardItem`. */
interface ItemAmount {
  readonly soldByWeight: boolean;
  readonly massMg: number | null;
}

/** A line after rating. `plainWater`: rated and shown, but it earns nothing and does not count in means. */
export type ScoredLine = ItemFacts &
  ItemAmount & {
    /** Evidence for the rating; absent when nothing was looked up, as for a discount. */
    readonly basis?: RatingEvidence;
  } & (
    | (ItemRatings & { readonly exclusionReason: null; readonly confidence: number; readonly plainWater: boolean })
    | { readonly exclusionReason: ExclusionReason }
  );

/** Combines the facts of an item with its rating. */
export function scoredLine(
  facts: Omit<ItemFacts, "matchedName"> & Pick<ItemAmount, "soldByWeight">,
  rating: Exclude<ItemResult, { kind: "incomplete" }>,
): ScoredLine {
  const { food, massMg, basis } = rating;
  const line = { ...facts, matchedName: food?.name ?? "", massMg, ...(basis && { basis }) };
  if (rating.kind === "excluded") return { ...line, exclusionReason: exclusionReason(rating.reason) };
  const { confidence, isWater, healthRating, carbonRating, co2eMg, carbonDataSource } = rating;
  const ratings = { healthRating, carbonRating, co2eMg, carbonDataSource };
  return { ...line, exclusionReason: null, confidence, plainWater: isWater, ...ratings };
}
