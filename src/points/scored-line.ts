// A line of a receipt, or an ingredient, after rating: what it is and cost, and either its ratings or why it has none.
import type { RatingEvidence } from "../foods/rating/evidence.ts";
import type { Rating } from "../foods/rating/health.ts";
import type { ExclusionReason as RatingExclusion } from "../foods/rating/rate.ts";
import type { ItemResult } from "../foods/lookup/item-rater.ts";
import type { AwardItem } from "./award.ts";

/** Why an item earns nothing, and whether its mass still counts in a meal (`unmatched`) or not (`ignored`). */
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
} as const satisfies Readonly<Record<string, AwardItem["kind"]>>;

/** A reason as it is stored and shown. */
export type ExclusionReason = keyof typeof EXCLUSION_REASONS;

/** A rating's word for why it leaves something out, as the reason that is stored and shown. */
export function exclusionReason(reason: RatingExclusion): ExclusionReason {
  return reason.toUpperCase() as Uppercase<RatingExclusion>;
}

/** What an item is and cost, whether or not it earns. Texts not known are "". */
export interface ItemFacts {
  /** The item's own id, the same in status documents, events and the record. */
  readonly id: string;
  /** The foodId as sent; "" on a receipt. */
  readonly externalId: string;
  /** As sent or printed, byte for byte. */
  readonly name: string;
  readonly cleanedName: string;
  readonly imageUrl: string;
  /** Pieces after voids, or kg or litres. */
  readonly quantity: number;
  /** Of the whole line, in minor units of the record's currency; negative for a refund. */
  readonly amountMinor: number;
  /** The name of the matched food. */
  readonly matchedName: string;
}

/** What the rating of an item gave: both ratings, CO2e of the whole line, and its source `<source>:<code>`. */
export interface ItemRatings {
  readonly healthRating: Rating;
  readonly carbonRating: Rating;
  readonly co2eMg: number;
  readonly carbonDataSource: string;
}

/** How an item is weighed by the rule; see `AwardItem`. */
interface ItemAmount {
  readonly soldByWeight: boolean;
  readonly massMg: number | null;
}

/** A line after rating. `plainWater`: rated and shown, but earns nothing and counts in no mean. */
export type ScoredLine = ItemFacts &
  ItemAmount & {
    /** What the rating rests on; absent where nothing was looked up, as for a discount. */
    readonly basis?: RatingEvidence;
  } & (
    | (ItemRatings & { readonly exclusionReason: null; readonly confidence: number; readonly plainWater: boolean })
    | { readonly exclusionReason: ExclusionReason }
  );

/** An item as its rating leaves it. */
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
