import type { Rating } from "./nutri-score.ts";
import type { ExclusionReason, HealthFlag, RateInput, RatedHealth } from "./rate.ts";
import type { Per100 } from "../nutrition/nutrition.ts";

/** The way an item's food was found. `catalogue_id`: it was sent with an id of our catalogue. */
export type MatchedBy = "own_food_id" | "catalogue_id" | "gtin" | "alias" | "name" | "product_name";

/** The food an item was matched with, how, and with which confidence. */
export interface EvidenceMatch {
  readonly by: MatchedBy;
  /** The food or product whose figures were used; null where nothing was accepted. */
  readonly food: { readonly id: string; readonly name: string } | null;
  /** The name of the food that matched; null unless it was found by name. */
  readonly matchedName: string | null;
  readonly confidence: number;
  readonly product: {
    readonly source: string;
    readonly code: string;
    readonly name: string;
    /** The import that last changed it. */
    readonly revision: number;
  } | null;
  /** The reference food of a product, and how it was found. */
  readonly reference: { readonly id: string; readonly name: string; readonly by: string } | null;
  readonly alias: {
    readonly id: string;
    readonly name: string;
    readonly merchantName: string | null;
    readonly author: string;
    readonly createdAt: string;
  } | null;
  /** The application's custom words in the name. Missing in records from before custom words existed. */
  readonly words?: readonly {
    readonly id: string;
    readonly word: string;
    readonly means: string;
    readonly author: string;
    readonly createdAt: string;
  }[];
}

/** The evidence of a rating, stored with the record so that it can be explained after the catalogue has changed. */
export interface RatingEvidence {
  /** The input as sent or read. `nutrition` has the names of the members that were sent. */
  readonly input: Pick<RateInput, "name" | "weight" | "unit" | "quantity"> & {
    readonly foodId: string;
    readonly nutrition: readonly string[];
  };
  /** Null where no word of the name is known. */
  readonly match: EvidenceMatch | null;
  readonly massMg: number | null;
  /** Null where it is not rated. */
  readonly rated: {
    readonly weightGPerUnit: number;
    readonly weightAssumed: boolean;
    readonly carbon: {
      readonly co2eGPerKg: number;
      readonly source: string;
      readonly method: string;
      readonly co2eMg: number;
      readonly co2eLowMg: number;
      readonly co2eHighMg: number;
      readonly rating: Rating;
      readonly ratingUncertain: boolean;
      /** The kilograms that are made of one; it is rated as prepared. */
      readonly reconstitution: number | null;
    };
    readonly health: RatedHealth & {
      readonly rating: Rating;
      readonly per100: Per100;
      /** The source of the nutrition that was not sent. */
      readonly source: string;
    };
    readonly isWater: boolean;
    readonly flags: readonly HealthFlag[];
  } | null;
  readonly exclusion: ExclusionReason | null;
}
