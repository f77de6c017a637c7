// Written by generate.ts from the service's OpenAPI document: change that, not this.

import type { ExcludedItem, ExtractedData, Item, ReceiptCheck } from "./shared.d.ts";

/** An ingredient with its ratings and points. */
export interface CreditedIngredient {
  /** As sent. */
  readonly foodId: string;
  /** As sent, letter for letter. */
  readonly name: string;
  /** As sent; else empty. */
  readonly imageUrl: string;
  /** Of one unit: as sent, or the usual portion. */
  readonly weight: number;
  /** Of `weight`. */
  readonly unit: string;
  /** How many units. */
  readonly quantity: number;
  /** What the line cost; 1 where no amount was sent. In major units of the currency (3.5 = 3 pounds 50). */
  readonly amount: number;
  /** Of `amount`, as its ISO 4217 code. */
  readonly currency: string;
  /** Carbon rating. 1 = A, best, to 5 = E, worst. */
  readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Health rating. 1 = A, best, to 5 = E, worst. */
  readonly healthImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Of the whole line. Kilograms of CO2-equivalent. */
  readonly co2e: number;
  /** All its points. */
  readonly totalPoints: number;
  /** Points for its carbon rating. */
  readonly totalCarbonPoints: number;
  /** Points for its health rating. */
  readonly totalHealthPoints: number;
}

/** Points for a meal or food were credited. */
export interface IntakeCompleted {
  readonly event: "intake.completed";
  /** What was submitted. */
  readonly source: "meal" | "food";
  /** Your own reference: the `transactionId` or `logId` that you sent. */
  readonly transactionId: string;
  /** The submission's id, as its acceptance answered it. */
  readonly trackId: string;
  /** Whose it is. */
  readonly userId: string;
  /** The sum of the ingredients' amounts. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalAmount: number;
  /** Of `totalAmount`, as its ISO 4217 code. */
  readonly currency: string;
  /** What was rated, with its points. */
  readonly ingredients: readonly (CreditedIngredient)[];
  /** What was credited. */
  readonly totalPoints: number;
  /** Ingredients with the carbon rating 1 or 2. */
  readonly totalGreenProducts: number;
  /** Ingredients with the health rating 1 or 2. */
  readonly totalHealthyProducts: number;
  /** Of all ingredients. Kilograms of CO2-equivalent. */
  readonly totalCo2e: number;
  /** Points for health ratings. */
  readonly totalHealthPoints: number;
  /** Points for carbon ratings. */
  readonly totalCarbonPoints: number;
  /** When the points were credited. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** A meal or food earned nothing, and why. */
export interface IntakeFailed {
  readonly event: "intake.failed";
  /** What was submitted. */
  readonly source: "meal" | "food";
  /** Your own reference: the `transactionId` or `logId` that you sent. */
  readonly transactionId: string;
  /** The submission's id, as its acceptance answered it. */
  readonly trackId: string;
  /** Whose it is. */
  readonly userId: string;
  /** Why: no food was recognised; the meal lies too far back; the reference was used before; something needed is missing (`errorMessage` names its path); or a fault of ours. */
  readonly errorType: "NO_VALID_FOOD_ITEMS" | "OLD_MEAL_LOG" | "DUPLICATE_MEAL" | "DATA_INCOMPLETE" | "INTERNAL_ERROR";
  /** The same for people. */
  readonly errorMessage: string;
  /** When it failed. RFC 3339, UTC, milliseconds. */
  readonly failedAt: string;
}

/** A meal or food was accepted. */
export interface IntakeReceived {
  readonly event: "intake.received";
  /** What was submitted. */
  readonly source: "meal" | "food";
  /** Your own reference: the `transactionId` or `logId` that you sent. */
  readonly transactionId: string;
  /** The submission's id, as its acceptance answered it. */
  readonly trackId: string;
  /** Whose it is. */
  readonly userId: string;
  /** When it was eaten; of a food, when it was accepted. RFC 3339, UTC, milliseconds. */
  readonly loggedAt: string;
  /** Country as sent; of a food its merchant's. Empty where not sent. */
  readonly country: string;
  /** When it was accepted. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** A meal or food was rated. */
export interface IntakeScored {
  readonly event: "intake.scored";
  /** What was submitted. */
  readonly source: "meal" | "food";
  /** Your own reference: the `transactionId` or `logId` that you sent. */
  readonly transactionId: string;
  /** The submission's id, as its acceptance answered it. */
  readonly trackId: string;
  /** Whose it is. */
  readonly userId: string;
  /** Name of the meal or food. */
  readonly name: string;
  /** Its picture, as sent. */
  readonly imageUrl: string;
  /** breakfast, lunch, dinner, snack or other; empty for a food. */
  readonly mealType: string;
  /** What was rated. A food is its own only ingredient. */
  readonly ingredients: readonly (ScoredIngredient)[];
  /** When it was eaten; of a food, when it was accepted. RFC 3339, UTC, milliseconds. */
  readonly loggedAt: string;
  /** Country as sent; of a food its merchant's. Empty where not sent. */
  readonly country: string;
  /** The sum of the ingredients' amounts. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalAmount: number;
  /** Of `totalAmount`, as its ISO 4217 code. */
  readonly currency: string;
  /** Of all ingredients. Kilograms of CO2-equivalent. */
  readonly totalCo2e: number;
  /** Carbon rating of the whole. 1 = A, best, to 5 = E, worst. */
  readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Health rating of the whole. 1 = A, best, to 5 = E, worst. */
  readonly healthImpactRating: 1 | 2 | 3 | 4 | 5;
  /** When it was scored. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** Points for a receipt were credited. */
export interface ReceiptCompleted {
  readonly event: "receipt_completed";
  /** The receipt's id, as the upload answered it. */
  readonly receiptId: string;
  /** The same as `receiptId`. */
  readonly receiptID: string;
  /** Your own reference; the receipt's id where you gave none. */
  readonly transactionId: string;
  /** Whose it is. */
  readonly userId: string;
  /** When this happened. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** What counted. */
  readonly items: readonly (Item)[];
  /** What earned nothing, and why. */
  readonly excludedItems: readonly (ExcludedItem)[];
  /** What was paid. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalAmount: number;
  /** Of `totalAmount`, as its ISO 4217 code. */
  readonly currency: string;
  /** What was credited. */
  readonly totalPoints: number;
  /** Points for carbon ratings. */
  readonly totalCarbonPoints: number;
  /** Points for health ratings. */
  readonly totalHealthPoints: number;
  /** Items with the carbon rating 1 or 2. */
  readonly totalGreenProducts: number;
  /** Items with the health rating 1 or 2. */
  readonly totalHealthyProducts: number;
  /** Of all items. Kilograms of CO2-equivalent. */
  readonly totalCo2e: number;
}

/** The lines of a receipt were read. */
export interface ReceiptExtracted {
  readonly event: "receipt_extracted";
  /** The receipt's id, as the upload answered it. */
  readonly receiptId: string;
  /** The same as `receiptId`. */
  readonly receiptID: string;
  /** Your own reference; the receipt's id where you gave none. */
  readonly transactionId: string;
  /** Whose it is. */
  readonly userId: string;
  /** When this happened. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  readonly extractedData: ExtractedData;
}

/** A receipt earned nothing, and why. */
export interface ReceiptFailed {
  readonly event: "receipt_failed";
  /** The receipt's id, as the upload answered it. */
  readonly receiptId: string;
  /** The same as `receiptId`. */
  readonly receiptID: string;
  /** Your own reference; the receipt's id where you gave none. */
  readonly transactionId: string;
  /** Whose it is. */
  readonly userId: string;
  /** When this happened. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why: the shop could not be told; there was no food on it; it is no genuine receipt or another user's; it was handed in before; or a fault of ours. */
  readonly errorCode: "MERCHANT_NAME_NOT_FOUND" | "NO_VALID_FOOD_ITEMS" | "NOT_AUTHENTIC" | "ALREADY_EXISTS" | "INTERNAL_ERROR";
  /** The same for people. */
  readonly errorMessage: string;
  /** The last stage it finished; its status document still shows what was found until then. */
  readonly stage: "Uploaded" | "Extracted" | "Enriched" | "Validated" | "Scored";
  /** When it failed. RFC 3339, UTC, milliseconds. */
  readonly failedAt: string;
}

/** The image of a receipt was received and stored. */
export interface ReceiptUploaded {
  readonly event: "receipt_uploaded";
  /** The receipt's id, as the upload answered it. */
  readonly receiptId: string;
  /** The same as `receiptId`. */
  readonly receiptID: string;
  /** Your own reference; the receipt's id where you gave none. */
  readonly transactionId: string;
  /** Whose it is. */
  readonly userId: string;
  /** When this happened. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** As you declared it; else empty. */
  readonly merchantName: string;
  /** As you declared it; else 0. In major units of the currency (3.5 = 3 pounds 50). */
  readonly amount: number;
  /** When it was bought, as you declared it. RFC 3339, UTC, milliseconds; else empty. */
  readonly transactionTimestamp: string;
}

/** A receipt was found genuine. */
export interface ReceiptValidated {
  readonly event: "receipt_validated";
  /** The receipt's id, as the upload answered it. */
  readonly receiptId: string;
  /** The same as `receiptId`. */
  readonly receiptID: string;
  /** Your own reference; the receipt's id where you gave none. */
  readonly transactionId: string;
  /** Whose it is. */
  readonly userId: string;
  /** When this happened. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** The merchant's usual name. */
  readonly businessName: string;
  /** What was checked. */
  readonly checks: readonly (ReceiptCheck)[];
}

/** A user's balance has grown. */
export interface RewardsAwarded {
  readonly eventType: "rewards.awarded";
  /** Who was rewarded, and for what. */
  readonly data: {
    /** Who was rewarded, with the new balance. */
    readonly user: {
      /** The user's id. */
      readonly id: string;
      /** Points that can be spent, just after this award. */
      readonly availablePoints: number;
      /** All points ever earned, just after this award. */
      readonly lifetimePoints: number;
    };
    /** What it was for. */
    readonly transaction: {
      /** The record's id, by which its detail is read. */
      readonly transactionID: string;
      /** What was credited. */
      readonly totalPoints: number;
      /** What counted. */
      readonly items: readonly ({
        /** As sent or printed. */
        readonly name: string;
        /** Carbon rating. 1 = A, best, to 5 = E, worst. */
        readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5;
        /** Health rating. 1 = A, best, to 5 = E, worst. */
        readonly healthImpactRating: 1 | 2 | 3 | 4 | 5;
        /** All points of the item. */
        readonly totalServicePoints: number;
      })[];
    };
  };
}

/** An ingredient with its ratings. */
export interface ScoredIngredient {
  /** As sent. */
  readonly foodId: string;
  /** As sent, letter for letter. */
  readonly name: string;
  /** As sent; else empty. */
  readonly imageUrl: string;
  /** Of one unit: as sent, or the usual portion. */
  readonly weight: number;
  /** Of `weight`. */
  readonly unit: string;
  /** How many units. */
  readonly quantity: number;
  /** What the line cost; 1 where no amount was sent. In major units of the currency (3.5 = 3 pounds 50). */
  readonly amount: number;
  /** Of `amount`, as its ISO 4217 code. */
  readonly currency: string;
  /** Carbon rating. 1 = A, best, to 5 = E, worst. */
  readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Health rating. 1 = A, best, to 5 = E, worst. */
  readonly healthImpactRating: 1 | 2 | 3 | 4 | 5;
  /** Of the whole line. Kilograms of CO2-equivalent. */
  readonly co2e: number;
}

/** A test of an endpoint, which says nothing of any user. */
export interface TestEvent {
  readonly event: "webhook.test";
  /** The endpoint that was tested. */
  readonly endpointId: string;
  /** When the test was asked for. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** What each event holds, by its name. */
export interface WebhookEvents {
  /** A meal or food was accepted */
  readonly "intake.received": IntakeReceived;
  /** A meal or food was rated */
  readonly "intake.scored": IntakeScored;
  /** A meal or food was credited */
  readonly "intake.completed": IntakeCompleted;
  /** A meal or food earned nothing */
  readonly "intake.failed": IntakeFailed;
  /** A receipt was received */
  readonly "receipt_uploaded": ReceiptUploaded;
  /** A receipt was read */
  readonly "receipt_extracted": ReceiptExtracted;
  /** A receipt was found genuine */
  readonly "receipt_validated": ReceiptValidated;
  /** A receipt was credited */
  readonly "receipt_completed": ReceiptCompleted;
  /** A receipt earned nothing */
  readonly "receipt_failed": ReceiptFailed;
  /** A balance has grown */
  readonly "rewards.awarded": RewardsAwarded;
  /** An endpoint is tested */
  readonly "webhook.test": TestEvent;
}
