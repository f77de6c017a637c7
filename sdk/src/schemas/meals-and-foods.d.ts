// Written by generate.ts from the service's OpenAPI document: change that, not this.

import type { ExcludedItem } from "./shared.d.ts";

/** The submission is stored and will be scored. */
export interface Accepted {
  /** The submission's id. */
  readonly id: string;
  /** The same as `id`: events name the submission by it. */
  readonly trackId: string;
  /** For people. */
  readonly message: string;
}

/** A single food that was eaten. Either `transactionId` or `logId` is wanted. */
export interface Food {
  /** The user's id, as enrolment answered it. */
  readonly userId: string;
  /** Your own reference, unique among your meals or foods. Either this or `logId`; where both are given, equal. */
  readonly transactionId?: string | undefined;
  /** Another name of `transactionId`. */
  readonly logId?: string | undefined;
  /** Your own id of the food, or an id of the catalogue (`GET /catalogue/match` gives them). One that is known decides; otherwise the name does. */
  readonly foodId: string;
  /** What it is called, in any of the catalogue's languages. */
  readonly name: string;
  /** Its picture; kept and shown, never fetched. */
  readonly imageUrl: string;
  /** Where it was bought; its name is wanted. */
  readonly merchant: {
    /** Name of the shop or restaurant. */
    readonly name: string;
    /** Address of its logo. */
    readonly logo?: string | undefined;
    /** Address of its site. */
    readonly website?: string | undefined;
    /** Its domain. */
    readonly domain?: string | undefined;
    /** Its country, best as the ISO 3166 code. */
    readonly country?: string | undefined;
  };
  /** Of one unit, in `unit`. */
  readonly weight: number;
  /** Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others. */
  readonly unit: string;
  readonly nutrition: Nutrition;
  /** How many units. */
  readonly quantity?: number | undefined;
  /** What the whole line cost, in major units. 1 GBP where left out. */
  readonly amount?: number | undefined;
  /** ISO 4217 code of `amount`, in any letter case. GBP where left out. */
  readonly currency?: string | undefined;
}

/** A food in a meal. `currency` is wanted with an `amount`. */
export interface Ingredient {
  /** Your own id of the food, or an id of the catalogue (`GET /catalogue/match` gives them). One that is known decides; otherwise the name does. */
  readonly foodId: string;
  /** What it is called, in any of the catalogue's languages. */
  readonly name: string;
  /** Its picture. */
  readonly imageUrl?: string | undefined;
  readonly merchant?: Merchant | undefined;
  /** Of one unit, in `unit`. Where there is none, the usual portion of the food is taken. */
  readonly weight?: number | undefined;
  /** Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others. Grams where left out. */
  readonly unit?: string | undefined;
  /** How many units. */
  readonly quantity?: number | undefined;
  /** What the whole line cost, in major units. Where left out: 1, in the currency of the meal, which is GBP where no amount is given. */
  readonly amount?: number | undefined;
  /** ISO 4217 code of `amount`, in any letter case. Wanted with an amount; one currency for a whole meal. */
  readonly currency?: string | undefined;
  readonly nutrition?: Nutrition | undefined;
}

/** What was credited. Absent until then. */
export interface IntakeCompletedData {
  /** The record's id, by which its detail is read. */
  readonly transactionID: string;
  /** What was credited. */
  readonly totalPoints: number;
  /** Points for health ratings. */
  readonly totalHealthPoints: number;
  /** Points for carbon ratings. */
  readonly totalCarbonPoints: number;
  /** Items with the carbon rating 1 or 2. */
  readonly totalGreenProducts: number;
  /** Items with the health rating 1 or 2. */
  readonly totalHealthyProducts: number;
  /** When it was credited. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** What scoring found. Absent until then. */
export interface IntakeScoredData {
  /** What counted. */
  readonly items: readonly (ScoredItem)[];
  /** What earned nothing, and why. */
  readonly excludedItems: readonly (ExcludedItem)[];
  /** The sum of the amounts. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalAmount: number;
  /** Of `totalAmount`, as its ISO 4217 code. */
  readonly currency: string;
  /** Of all items. Kilograms of CO2-equivalent. */
  readonly totalCo2e: number;
  /** Carbon rating of the whole. 1 = A, best, to 5 = E, worst. */
  readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Health rating of the whole. 1 = A, best, to 5 = E, worst. */
  readonly healthImpactRating: 1 | 2 | 3 | 4 | 5;
}

/** A meal or food on its way: what was sent, and what each finished step found. */
export interface IntakeStatus {
  /** How far it is. */
  readonly status: "received" | "completed" | "failed";
  /** The submission's id. */
  readonly id: string;
  /** The same as `id`. */
  readonly trackId: string;
  /** Your own reference. */
  readonly transactionId: string;
  /** Whose it is. */
  readonly userId: string;
  /** What was submitted. */
  readonly source: "meal" | "food";
  /** When it was accepted. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** When it last moved on. RFC 3339, UTC, milliseconds. */
  readonly lastUpdated: string;
  /** Why: no food was recognised; the meal lies too far back; the reference was used before; something needed is missing (`errorMessage` names its path); or a fault of ours. */
  readonly errorType: "NO_VALID_FOOD_ITEMS" | "OLD_MEAL_LOG" | "DUPLICATE_MEAL" | "DATA_INCOMPLETE" | "INTERNAL_ERROR" | null;
  /** Why it failed, for people; null where it has not. */
  readonly errorMessage: string | null;
  readonly submission: Submission;
  /** Only of a failed one: what could not be rated, and why. */
  readonly excludedItems?: readonly (LeftOut)[] | undefined;
  readonly scored?: IntakeScoredData | undefined;
  readonly completed?: IntakeCompletedData | undefined;
}

/** An ingredient that could not be rated, and why. */
export interface LeftOut {
  /** As sent. */
  readonly name: string;
  /** Why the item earns nothing: no food is known by the name (NO_MATCH), none well enough (LOW_CONFIDENCE), or it is of a kind that earns nothing. */
  readonly exclusionReason: "NO_MATCH" | "LOW_CONFIDENCE" | "ALCOHOL" | "TOBACCO" | "INFANT_FORMULA" | "SUPPLEMENT" | "PET_FOOD" | "NON_FOOD" | "BAG" | "DEPOSIT" | "DISCOUNT" | "REFUND" | "VOID";
}

/** A meal that was eaten. Either `transactionId` or `logId` is wanted. */
export interface Meal {
  /** The user's id, as enrolment answered it. */
  readonly userId: string;
  /** Your own reference, unique among your meals or foods. Either this or `logId`; where both are given, equal. */
  readonly transactionId?: string | undefined;
  /** Another name of `transactionId`. */
  readonly logId?: string | undefined;
  /** What the meal is called. Without ingredients, it is rated by this name. */
  readonly mealName: string;
  /** Its picture; kept and shown, never fetched. */
  readonly imageUrl: string;
  /** When it was eaten, with its zone. At most 14 days ago (older ones fail) and at most 24 hours ahead. */
  readonly loggedAt: string;
  /** Which meal of the day. */
  readonly mealType: "breakfast" | "lunch" | "dinner" | "snack" | "other";
  /** Where it was eaten, best as the ISO 3166 code. */
  readonly country?: string | undefined;
  /** Where it was eaten, in words. */
  readonly location?: string | undefined;
  /** Whatever you want to keep with it: at most 16 KiB and 32 levels deep. Shown in its status. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** What it was made of; at most 100. */
  readonly ingredients?: readonly (Ingredient)[] | undefined;
}

/** Where it was bought. */
export interface Merchant {
  /** Name of the shop or restaurant. */
  readonly name?: string | undefined;
  /** Address of its logo. */
  readonly logo?: string | undefined;
  /** Address of its site. */
  readonly website?: string | undefined;
  /** Its domain. */
  readonly domain?: string | undefined;
  /** Its country, best as the ISO 3166 code. */
  readonly country?: string | undefined;
}

/** For the stated weight of one unit. What is left out is taken from the reference food. */
export interface Nutrition {
  /** Energy, kcal. */
  readonly energyKcal?: number | undefined;
  /** Protein, grams. */
  readonly proteinG?: number | undefined;
  /** Carbohydrates, grams. */
  readonly carbsG?: number | undefined;
  /** Fat, grams. */
  readonly fatG?: number | undefined;
  /** Sugar, grams; part of the carbohydrates. */
  readonly sugarG?: number | undefined;
  /** Fibre, grams. */
  readonly fiberG?: number | undefined;
  /** Salt, grams. */
  readonly saltG?: number | undefined;
  /** Saturated fat, grams; part of the fat. */
  readonly saturatedFatG?: number | undefined;
  /** Fruit, vegetables and legumes, percent of the weight. */
  readonly fruitsVegetablesLegumesPct?: number | undefined;
}

/** What an ingredient's rating weighed. */
export interface Portion {
  /** Of one unit. */
  readonly weight: number;
  /** Of `weight`. */
  readonly unit: string;
  /** No weight was sent: this is the usual portion of the food. */
  readonly isAssumed: boolean;
  /** No amount was sent: it counts as 1. */
  readonly isAmountDefaulted: boolean;
}

/** An item of the record, with what was weighed. */
export interface ScoredItem {
  /** The `foodId` as sent; empty for an item of a receipt. */
  readonly externalId: string;
  /** As sent or printed, letter for letter. */
  readonly name: string;
  /** The name in a form that people like to read. */
  readonly cleanedName: string;
  /** Pieces, or kilograms or litres of what is sold by weight. */
  readonly qty: number;
  /** The amount of the line for one of `qty`. In major units of the currency (3.5 = 3 pounds 50). */
  readonly pricePerUnit: number;
  /** What kind of merchant it was. 0 = unspecified, 1 = grocery, 2 = restaurant, 3 = online, 4 = brand, 9 = other. */
  readonly partnerType: 0 | 1 | 2 | 3 | 4 | 9;
  /** Points beyond those of the two ratings. */
  readonly bonusPoints: number;
  /** Points for the health rating. */
  readonly healthPoints: number;
  /** The item's own id, the same in status documents, events and the record. */
  readonly id: string;
  /** Address of a picture, as sent; else empty. */
  readonly imageURL: string;
  /** All points of the item: health, carbon and bonus. */
  readonly totalServicePoints: number;
  /** Of the whole line. Kilograms of CO2-equivalent. */
  readonly totalCO2e: number;
  /** Carbon rating. 1 = A, best, to 5 = E, worst. */
  readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Health rating. 1 = A, best, to 5 = E, worst. */
  readonly healthImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Where the figure for CO2e is from, as `<source>:<code>`; empty where there is none. */
  readonly carbonDataSource: string;
  /** The food of the catalogue that the name was taken for; empty where there is none. */
  readonly matchedIngredientName: string;
  readonly portion: Portion;
}

/** A meal or food as it was accepted. */
export interface Submission {
  /** Your own reference. */
  readonly reference: string;
  /** Of the meal or food, letter for letter. */
  readonly name: string;
  /** As sent. */
  readonly imageUrl: string;
  /** When it was eaten; of a food, when it was accepted. RFC 3339, UTC, milliseconds. */
  readonly loggedAt: string;
  /** As sent; empty for a food. */
  readonly mealType: string;
  /** As sent; of a food its merchant's. Else empty. */
  readonly country: string;
  /** As sent; else empty. */
  readonly location: string;
  /** As sent, or null. */
  readonly merchant: Merchant | null;
  /** As sent, or null. */
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** As sent. A food is its own only ingredient. */
  readonly ingredients: readonly (SubmittedIngredient)[];
}

/** An ingredient as it was accepted. */
export interface SubmittedIngredient {
  /** As sent. */
  readonly foodId: string;
  /** As sent. */
  readonly name: string;
  /** As sent; else empty. */
  readonly imageUrl: string;
  /** As sent, or null. */
  readonly merchant: Merchant | null;
  /** As sent, or null. */
  readonly weight: number | null;
  /** As sent, or null. */
  readonly unit: string | null;
  /** As sent, or 1. */
  readonly quantity: number;
  /** As sent, or null. In major units of the currency (3.5 = 3 pounds 50). */
  readonly amount: number | null;
  /** In capitals; where not sent, GBP of a food and null in a meal. */
  readonly currency: string | null;
  /** As sent, or null. */
  readonly nutrition: Nutrition | null;
}
