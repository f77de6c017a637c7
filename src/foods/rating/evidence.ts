import type { Rating } from "./health.ts";
import type { ExclusionReason, HealthFlag, RateInput, RatedHealth } from "./rate.ts";
import type { Per100 } from "./nutrition.ts";

/** How it was found what an item is. `catalogue_id`: it was sent with an id of our catalogue. */
export type MatchedBy = "own_food_id" | "catalogue_id" | "gtin" | "alias" | "name" | "product_name";

/** What an item was taken for, how, and how sure that is. */
export interface EvidenceMatch {
  readonly by: MatchedBy;
  /** Of the food or product that figures were taken from; null where nothing was accepted. */
  readonly food: { readonly id: string; readonly name: string } | null;
  /** The name of the food that fitted; null unless it was found by name. */
  readonly matchedName: string | null;
  readonly confidence: number;
  readonly product: {
    readonly source: string;
    readonly code: string;
    readonly name: string;
    /** The import that last changed it. */
    readonly revision: number;
  } | null;
  /** The reference food of a product, and what told it. */
  readonly reference: { readonly id: string; readonly name: string; readonly by: string } | null;
  readonly alias: {
    readonly id: string;
    readonly name: string;
    readonly merchantName: string | null;
    readonly author: string;
    readonly createdAt: string;
  } | null;
  /** Words of the application's own by which the name was read; records made before there were any lack it. */
  readonly words?: readonly {
    readonly id: string;
    readonly word: string;
    readonly means: string;
    readonly author: string;
    readonly createdAt: string;
  }[];
}

/** Everything a rating rests on, kept with the record so that it can be explained when the catalogue has moved on. */
export interface RatingEvidence {
  /** What was sent or read. `nutrition` names the members that were sent. */
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
      /** So many kilograms are made of one: rated as prepared. */
      readonly reconstitution: number | null;
    };
    readonly health: RatedHealth & {
      readonly rating: Rating;
      readonly per100: Per100;
      /** Where the nutrition that was not sent is from. */
      readonly source: string;
    };
    readonly isWater: boolean;
    readonly flags: readonly HealthFlag[];
  } | null;
  readonly exclusion: ExclusionReason | null;
}
