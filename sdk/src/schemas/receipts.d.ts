// Written by generate.ts from the service's OpenAPI document: change that, not this.

import type { ReceiptImage } from "../sdk.d.ts";
import type { ExcludedItem, ExtractedData, Item, ReceiptCheck } from "./shared.d.ts";

/** The points were credited. */
export interface CompletedState {
  /** Which stage this is. */
  readonly stateType: "Completed";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Whose it is. */
  readonly userID: string;
  /** When this stage finished. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why the receipt failed, where it failed after this stage; else empty. */
  readonly errorMessage: string;
  /** How the receipt came in. */
  readonly receiptSource: "api" | "hosted_page";
  /** The record's id, by which its detail is read. */
  readonly transactionID: string;
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

/** The lines were matched to foods. */
export interface EnrichState {
  /** Which stage this is. */
  readonly stateType: "Enriched";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Whose it is. */
  readonly userID: string;
  /** When this stage finished. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why the receipt failed, where it failed after this stage; else empty. */
  readonly errorMessage: string;
  /** How the receipt came in. */
  readonly receiptSource: "api" | "hosted_page";
  /** The merchant's usual name. */
  readonly businessName: string;
  /** The same as an id. */
  readonly businessID: string;
  /** ISO 4217 code. */
  readonly currency: string;
  /** The receipt shows neither a currency nor a country. */
  readonly currencyAssumed: boolean;
  /** Its lines. */
  readonly items: readonly (MatchedItem)[];
}

/** The lines were read. */
export interface ExtractedState {
  /** Which stage this is. */
  readonly stateType: "Extracted";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Whose it is. */
  readonly userID: string;
  /** When this stage finished. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why the receipt failed, where it failed after this stage; else empty. */
  readonly errorMessage: string;
  /** How the receipt came in. */
  readonly receiptSource: "api" | "hosted_page";
  readonly extractedData: ExtractedData;
}

/** The checks that rejected the receipt. */
export interface FailedState {
  /** Which stage this is. */
  readonly stateType: "Failed";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Whose it is. */
  readonly userID: string;
  /** When this stage finished. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why the receipt failed, where it failed after this stage; else empty. */
  readonly errorMessage: string;
  /** How the receipt came in. */
  readonly receiptSource: "api" | "hosted_page";
  /** What was checked, and how it came out. */
  readonly checks: readonly (ReceiptCheck)[];
}

/** A line of the receipt and the food that it is. */
export interface MatchedItem {
  /** The item's own id, the same in the record. */
  readonly id: string;
  /** As printed. */
  readonly name: string;
  /** In a form that people like to read. */
  readonly cleanedName: string;
  /** Pieces, or kilograms or litres. */
  readonly qty: number;
  /** Of the line. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalPrice: number;
  /** The food that it was taken for; empty where there is none. */
  readonly matchedIngredientName: string;
  /** How sure that is; 0 of what earns nothing. */
  readonly confidence: number;
  /** Why the item earns nothing: no food is known by the name (NO_MATCH), none well enough (LOW_CONFIDENCE), or it is of a kind that earns nothing. */
  readonly exclusionReason: "NO_MATCH" | "LOW_CONFIDENCE" | "ALCOHOL" | "TOBACCO" | "INFANT_FORMULA" | "SUPPLEMENT" | "PET_FOOD" | "NON_FOOD" | "BAG" | "DEPOSIT" | "DISCOUNT" | "REFUND" | "VOID" | null;
}

/** The image is stored and will be read. */
export interface ReceiptAccepted {
  /** The receipt's id: its events and its status go by it. */
  readonly receiptID: string;
  /** For people. */
  readonly message: string;
}

/** A user who is to hand in a receipt, and what you know of the purchase: more makes its checks surer. */
export interface ReceiptSession {
  /** The user's id, as enrolment answered it. */
  readonly userId: string;
  /** Your own reference, unique among your receipts. */
  readonly transactionId?: string | undefined;
  /** What was paid, in major units; compared with what the receipt says. */
  readonly amount?: number | undefined;
  /** The shop; compared with what the receipt says. */
  readonly merchantName?: string | undefined;
  /** When it was bought, with its zone; compared with what the receipt says. */
  readonly transactionTimestamp?: string | undefined;
  /** Where the user is led afterwards: https, or a scheme of your app (`myapp://…`), or http://localhost in a sandbox; only what is on your allow-list where you have one. Left out: your application's own. */
  readonly redirectUri?: string | undefined;
  /** Language of the page, a BCP 47 tag such as en-GB. */
  readonly locale?: string | undefined;
}

/** A receipt on its way. */
export interface ReceiptStatus {
  /** The last stage that finished, or Failed. */
  readonly status: "Uploaded" | "Extracted" | "Enriched" | "Validated" | "Scored" | "Completed" | "Failed";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Your own reference; the receipt's id where you gave none. */
  readonly transactionId: string;
  /** Whose it is. */
  readonly userId: string;
  /** When it last moved on. RFC 3339, UTC, milliseconds. */
  readonly lastUpdated: string;
  /** Why: the shop could not be told; there was no food on it; it is no genuine receipt or another user's; it was handed in before; or a fault of ours. */
  readonly errorCode: "MERCHANT_NAME_NOT_FOUND" | "NO_VALID_FOOD_ITEMS" | "NOT_AUTHENTIC" | "ALREADY_EXISTS" | "INTERNAL_ERROR" | null;
  /** Why it failed, for people; null where it has not. */
  readonly errorMessage: string | null;
  readonly receiptStatusDoc: ReceiptStatusDoc;
}

/** What each finished stage found; a stage that has not finished is absent. */
export interface ReceiptStatusDoc {
  /** The stage as a number: 0 = Uploaded, 1 = Extracted, 2 = Enriched, 3 = Validated, 4 = Scored, 5 = Completed, 6 = Failed. */
  readonly status: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  /** When it last moved on. RFC 3339, UTC, milliseconds. */
  readonly lastUpdated: string;
  readonly uploadStateData: UploadState;
  readonly extractedStateData?: ExtractedState | undefined;
  readonly enrichStateData?: EnrichState | undefined;
  readonly validatedStateData?: ValidatedState | undefined;
  readonly scoredStateData?: ScoredState | undefined;
  readonly completedStateData?: CompletedState | undefined;
  readonly failedStateData?: FailedState | undefined;
}

/** The sums of a receipt. */
export interface ReceiptTotals {
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

/** A photo of a receipt, and what you know of the purchase. In any order. */
export interface ReceiptUpload {
  /** The user's id, as enrolment answered it. */
  readonly userId: string;
  /** Your own reference, unique among your receipts. */
  readonly transactionId: string;
  /** What was paid, in major units; compared with what the receipt says. */
  readonly amount: number;
  /** The shop; compared with what the receipt says. */
  readonly merchantName: string;
  /** When it was bought, with its zone; compared with what the receipt says. */
  readonly transactionTimestamp: string;
  /** The photo: JPEG or PNG by its content, at most 10 MiB and 50 megapixels. HEIC, in which iPhones keep photos, has to be converted before: iOS does so where a file field accepts `image/jpeg`. */
  readonly receiptImage: ReceiptImage;
}

/** The points were counted. */
export interface ScoredState {
  /** Which stage this is. */
  readonly stateType: "Scored";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Whose it is. */
  readonly userID: string;
  /** When this stage finished. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why the receipt failed, where it failed after this stage; else empty. */
  readonly errorMessage: string;
  /** How the receipt came in. */
  readonly receiptSource: "api" | "hosted_page";
  /** What counts. */
  readonly items: readonly (Item)[];
  /** What earns nothing, and why. */
  readonly excludedItems: readonly (ExcludedItem)[];
  readonly totals: ReceiptTotals;
}

/** The image was received and stored. */
export interface UploadState {
  /** Which stage this is. */
  readonly stateType: "Uploaded";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Whose it is. */
  readonly userID: string;
  /** When this stage finished. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why the receipt failed, where it failed after this stage; else empty. */
  readonly errorMessage: string;
  /** How the receipt came in. */
  readonly receiptSource: "api" | "hosted_page";
  /** A link to the stored image that is good for 5 minutes; null where the image is gone. */
  readonly blobUrl: string | null;
  /** The image's name in the store. */
  readonly blobName: string;
}

/** The receipt was found genuine. */
export interface ValidatedState {
  /** Which stage this is. */
  readonly stateType: "Validated";
  /** The receipt's id. */
  readonly receiptID: string;
  /** Whose it is. */
  readonly userID: string;
  /** When this stage finished. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** Why the receipt failed, where it failed after this stage; else empty. */
  readonly errorMessage: string;
  /** How the receipt came in. */
  readonly receiptSource: "api" | "hosted_page";
  /** What was checked, and how it came out. */
  readonly checks: readonly (ReceiptCheck)[];
}
