// Written by generate.ts from the service's OpenAPI document: change that, not this.

import type { CallOptions, ReceiptImage } from "./sdk.d.ts";

/** The submission is stored and will be scored. */
export interface Accepted {
  /** The submission's id. */
  readonly id: string;
  /** The same as `id`: events name the submission by it. */
  readonly trackId: string;
  /** For people. */
  readonly message: string;
}

/** A name that your application has taught the meaning of. */
export interface Alias {
  /** The alias's id. */
  readonly id: string;
  /** As taught. */
  readonly name: string;
  /** At which merchant; empty: at any. */
  readonly merchantName: string;
  /** The food or product that it means; empty where it means a GTIN. */
  readonly foodId: string;
  /** The GTIN that it means, 14 digits; else empty. */
  readonly gtin: string;
  /** Who taught it: your application, or the operator for it. */
  readonly author: "api" | "operator";
  /** When it was taught. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** One alias. */
export interface AliasAnswer {
  readonly alias: Alias;
}

/** A page of aliases. */
export interface AliasList {
  /** The newest first. */
  readonly aliases: readonly (Alias)[];
  /** How many there are in all. */
  readonly count: number;
}

/** How the points of the record were computed. */
export interface Arithmetic {
  /** The sum of all cells. */
  readonly sumOfCells: string;
  /** What it is divided by. */
  readonly divisor: string;
  /** The whole part of that. */
  readonly earned: string;
  /** The most that one record may earn. */
  readonly pointsMax: number;
  /** It would have earned more. */
  readonly capped: boolean;
  /** The same in words. */
  readonly text: string;
}

/** A bonus given with a record. Without one, all of it is empty. */
export interface Bonus {
  /** Who it is owed to. */
  readonly profileId: string;
  /** Their given name. */
  readonly firstName: string;
  /** Their family name. */
  readonly lastName: string;
  /** What it is given for. 0 = none, 1 = referral, 2 = welcome, 3 = streak, 4 = campaign, 5 = manual. */
  readonly type: 0 | 1 | 2 | 3 | 4 | 5;
}

/** A food that a name may mean. What is known and not rated (a bag, wine) has nulls. */
export interface Candidate {
  /** Send it as `foodId` to mean this very food. */
  readonly foodId: string;
  /** The food's name. */
  readonly name: string;
  /** How sure it is that the name means this food. */
  readonly confidence: number;
  /** Sure enough to be credited. */
  readonly accepted: boolean;
  /** Kilograms of CO2-equivalent for one kilogram; null: not rated. */
  readonly co2ePerKg: number | null;
  /** Carbon rating; null: not rated. 1 = A, best, to 5 = E, worst. */
  readonly carbonImpactRating: 1 | 2 | 3 | 4 | 5 | null;
  /** Health rating; null: not rated. 1 = A, best, to 5 = E, worst. */
  readonly healthImpactRating: 1 | 2 | 3 | 4 | 5 | null;
  /** Where the figure for CO2e is from, as `<source>:<code>`. */
  readonly carbonDataSource: string;
}

/** What a name may mean. */
export interface Candidates {
  /** The likeliest first; empty where no word is known. */
  readonly candidates: readonly (Candidate)[];
  /** The name as it was read, your own words replaced by what they mean. */
  readonly readAs: string;
}

/** What it means for the climate. */
export interface CarbonStep {
  /** Which step it is. */
  readonly step: "carbon";
  /** Kilograms of CO2-equivalent for one kilogram. */
  readonly kgCo2ePerKg: number;
  /** Where the figure is from. */
  readonly source: string;
  /** How it became a rating. */
  readonly method: string;
  /** Of the whole line. Kilograms of CO2-equivalent. */
  readonly totalCO2e: number;
  /** It may be as little as this. Kilograms of CO2-equivalent. */
  readonly co2eLow: number;
  /** It may be as much as this. Kilograms of CO2-equivalent. */
  readonly co2eHigh: number;
  /** Carbon rating. 1 = A, best, to 5 = E, worst. */
  readonly rating: 1 | 2 | 3 | 4 | 5;
  /** The rating as a letter. */
  readonly grade: "A" | "B" | "C" | "D" | "E";
  /** Between the low and the high figure lies another rating. */
  readonly ratingUncertain: boolean;
  /** So many kilograms are made of one (a powder, say): rated as prepared. Else null. */
  readonly reconstitution: number | null;
  /** The same in words. */
  readonly text: string;
}

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

/** A person who is to become a user. */
export interface Enrollment {
  /** By which the user is known; compared without regard to case and spaces around it. */
  readonly email: string;
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  /** Address of the user's picture. */
  readonly imageUrl?: string | undefined;
  /** Country, best as its ISO 3166 code. */
  readonly country?: string | undefined;
  /** Town or city. */
  readonly city?: string | undefined;
  /** Postal code. */
  readonly postalCode?: string | undefined;
}

/** A person who is to be asked for their consent. */
export interface EnrolmentSession {
  /** By which the user is known; compared without regard to case and spaces around it. */
  readonly email: string;
  /** Given name. */
  readonly firstName: string;
  /** Family name. */
  readonly lastName: string;
  /** Address of the user's picture. */
  readonly imageUrl?: string | undefined;
  /** Country, best as its ISO 3166 code. */
  readonly country?: string | undefined;
  /** Town or city. */
  readonly city?: string | undefined;
  /** Postal code. */
  readonly postalCode?: string | undefined;
  /** Where the user is led afterwards: https, or a scheme of your app (`myapp://…`), or http://localhost in a sandbox; only what is on your allow-list where you have one. Left out: your application's own. */
  readonly redirectUri?: string | undefined;
  /** Language of the page, a BCP 47 tag such as en-GB. */
  readonly locale?: string | undefined;
}

/** A thing bought or eaten that earns nothing, and why. */
export interface ExcludedItem {
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
  /** Always null: what is excluded is not rated. */
  readonly carbonImpactRating: null;
  /** Always null: what is excluded is not rated. */
  readonly healthImpactRating: null;
  /** Where the figure for CO2e is from, as `<source>:<code>`; empty where there is none. */
  readonly carbonDataSource: string;
  /** The food of the catalogue that the name was taken for; empty where there is none. */
  readonly matchedIngredientName: string;
  /** Why the item earns nothing: no food is known by the name (NO_MATCH), none well enough (LOW_CONFIDENCE), or it is of a kind that earns nothing. */
  readonly exclusionReason: "NO_MATCH" | "LOW_CONFIDENCE" | "ALCOHOL" | "TOBACCO" | "INFANT_FORMULA" | "SUPPLEMENT" | "PET_FOOD" | "NON_FOOD" | "BAG" | "DEPOSIT" | "DISCOUNT" | "REFUND" | "VOID";
}

/** Why it earns nothing. */
export interface ExclusionStep {
  /** Which step it is. */
  readonly step: "exclusion";
  /** As `exclusionReason` of the item. */
  readonly reason: string;
  /** The same in words. */
  readonly text: string;
}

/** Why a record is worth what it is. */
export interface Explanation {
  /** The record's id. */
  readonly transactionId: string;
  /** What it was earned with. */
  readonly source: "receipt" | "meal" | "food";
  /** When it was booked. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** The rule of points that held. */
  readonly rule: string;
  /** The version of the catalogue that held. */
  readonly catalogueVersion: string;
  /** All points of the record. */
  readonly totalPoints: number;
  /** Those for health. */
  readonly totalHealthPoints: number;
  /** Those for the climate. */
  readonly totalCarbonPoints: number;
  readonly arithmetic: Arithmetic;
  /** Every item, counted or not. */
  readonly items: readonly (ItemExplanation)[];
  /** The whole in words. */
  readonly text: string;
}

/** One explanation. */
export interface ExplanationAnswer {
  readonly explanation: Explanation;
}

/** What the receipt's image says. */
export interface ExtractedData {
  /** Whose receipt it is. */
  readonly userID: string;
  /** The receipt's id. */
  readonly receiptID: string;
  /** As printed; null where not read. */
  readonly merchantName: string | null;
  /** As printed; null where not read. */
  readonly merchantAddress: string | null;
  /** ISO 3166 code; null where the receipt does not show it. */
  readonly country: string | null;
  /** ISO 4217 code; null where the receipt does not show it. */
  readonly currency: string | null;
  /** grocery, restaurant, online or other; null where not known. */
  readonly receiptType: string | null;
  /** Its lines. */
  readonly items: readonly (ExtractedItem)[];
  /** Before rounding and tax; null where not read. In major units of the currency (3.5 = 3 pounds 50). */
  readonly subTotal: number | null;
  /** What was to pay; null where not read. In major units of the currency (3.5 = 3 pounds 50). */
  readonly total: number | null;
  /** How sure the reading as a whole is, from 0 to 1. */
  readonly accuracy: number;
  /** YYYY-MM-DD; null where not read. */
  readonly transactionDate: string | null;
  /** HH:MM:SS by the till's clock; null where not read. */
  readonly transactionTime: string | null;
  /** api or hosted_page: how the receipt came in. */
  readonly receiptSource: string;
}

/** A line of a receipt as it was read. */
export interface ExtractedItem {
  /** As printed, without product codes and tax marks. */
  readonly description: string;
  /** Pieces, or a weight; null where not read. */
  readonly quantity: number | null;
  /** Of the line; negative for a discount or refund, null where not read. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalPrice: number | null;
  /** How sure the line is, from 0 to 1. */
  readonly accuracy: number;
  /** In a form that people like to read. */
  readonly cleanedName: string;
  /** discount or void; null for an ordinary line. */
  readonly category: string | null;
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
  /** Of one unit, in `unit`. Where there is none, the usual portion of the food is taken. */
  readonly weight: number;
  /** Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others. */
  readonly unit: string;
  readonly nutrition: Nutrition;
  /** How many units. */
  readonly quantity?: number | undefined;
  /** What the whole line cost, in major units. 1 GBP where left out. */
  readonly amount?: number | undefined;
  /** ISO 4217 code of `amount`, in any letter case; one currency for a whole meal. */
  readonly currency?: string | undefined;
}

/** What it means for health. */
export interface HealthStep {
  /** Which step it is. */
  readonly step: "health";
  /** The Nutri-Score, as revised in 2023. */
  readonly method: "nutri-score-2023";
  /** The class of foods whose tables hold. */
  readonly class: string;
  /** What the score is made of. */
  readonly components: {
    /** Points that make it worse. */
    readonly negative: Readonly<Record<string, number>>;
    /** Points that make it better. */
    readonly positive: Readonly<Record<string, number>>;
  };
  /** Negative minus positive points: the lower the better. */
  readonly score: number;
  /** Health rating. 1 = A, best, to 5 = E, worst. */
  readonly rating: 1 | 2 | 3 | 4 | 5;
  /** The rating as a letter. */
  readonly grade: "A" | "B" | "C" | "D" | "E";
  /** The same in words. */
  readonly text: string;
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
  /** What the whole line cost, in major units. 1 GBP where left out. */
  readonly amount?: number | undefined;
  /** ISO 4217 code of `amount`, in any letter case; one currency for a whole meal. */
  readonly currency?: string | undefined;
  readonly nutrition?: Nutrition | undefined;
}

/** What was sent or read. */
export interface InputStep {
  /** Which step it is. */
  readonly step: "input";
  /** As sent or printed. */
  readonly name: string;
  /** As sent; else empty. */
  readonly foodId: string;
  /** Of one unit; null: not stated. */
  readonly weight: number | null;
  /** Of `weight`; null: not stated. */
  readonly unit: string | null;
  /** How many units. */
  readonly quantity: number;
  /** The members of nutrition that were sent. */
  readonly nutrition: readonly (string)[];
  /** The same in words. */
  readonly text: string;
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
  /** As sent; else empty. */
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

/** A thing bought or eaten, rated and with its points. */
export interface Item {
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
}

/** One item, step by step. */
export interface ItemExplanation {
  /** The item's id. */
  readonly id: string;
  /** As sent or printed. */
  readonly name: string;
  /** False: it stands in `excludedItems`. */
  readonly counted: boolean;
  /** All its points. */
  readonly totalPoints: number;
  /** From what was sent or read to its points, in order. */
  readonly steps: readonly (InputStep | MatchStep | WeightStep | CarbonStep | NutritionStep | HealthStep | ExclusionStep | PointsStep)[];
}

/** An ingredient that could not be rated, and why. */
export interface LeftOut {
  /** As sent. */
  readonly name: string;
  /** Why the item earns nothing: no food is known by the name (NO_MATCH), none well enough (LOW_CONFIDENCE), or it is of a kind that earns nothing. */
  readonly exclusionReason: "NO_MATCH" | "LOW_CONFIDENCE" | "ALCOHOL" | "TOBACCO" | "INFANT_FORMULA" | "SUPPLEMENT" | "PET_FOOD" | "NON_FOOD" | "BAG" | "DEPOSIT" | "DISCOUNT" | "REFUND" | "VOID";
}

/** The process answers. */
export interface Liveness {
  /** Always live. */
  readonly status: "live";
}

/** What it was taken for. Only `text` where no word of the name is known. */
export interface MatchStep {
  /** Which step it is. */
  readonly step: "match";
  /** How it was found: by your own foodId, the catalogue's id, a bar code, what you taught, its name, or a product's name. */
  readonly by?: "own_food_id" | "catalogue_id" | "gtin" | "alias" | "name" | "product_name" | undefined;
  /** The food that figures were taken from; null where nothing was accepted. */
  readonly food?: {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
  } | {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
  } | undefined;
  /** The name that fitted; null unless it was found by name. */
  readonly matchedName?: string | null | undefined;
  /** How sure that is. */
  readonly confidence?: number | undefined;
  /** The product that it is; null where it is none that is known. */
  readonly product?: {
    /** Whose data it is. */
    readonly source: string;
    /** The product's id there. */
    readonly code: string;
    /** Its name. */
    readonly name: string;
    /** The import that last changed it. */
    readonly revision: number;
  } | {
    /** Whose data it is. */
    readonly source: string;
    /** The product's id there. */
    readonly code: string;
    /** Its name. */
    readonly name: string;
    /** The import that last changed it. */
    readonly revision: number;
  } | undefined;
  /** The food from which comes what the product does not say. */
  readonly reference?: {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
    /** What told it. */
    readonly by: string;
  } | {
    /** Its id. */
    readonly id: string;
    /** Its name. */
    readonly name: string;
    /** What told it. */
    readonly by: string;
  } | undefined;
  /** What was taught of the name; null where nothing was. */
  readonly alias?: {
    /** Its id. */
    readonly id: string;
    /** The name as taught. */
    readonly name: string;
    /** At which merchant; null: at any. */
    readonly merchantName: string | null;
    /** api: your application; operator: the operator for it. */
    readonly author: string;
    /** When it was taught. RFC 3339, UTC, milliseconds. */
    readonly createdAt: string;
  } | {
    /** Its id. */
    readonly id: string;
    /** The name as taught. */
    readonly name: string;
    /** At which merchant; null: at any. */
    readonly merchantName: string | null;
    /** api: your application; operator: the operator for it. */
    readonly author: string;
    /** When it was taught. RFC 3339, UTC, milliseconds. */
    readonly createdAt: string;
  } | undefined;
  /** Words of your own that were read in place of others. */
  readonly words?: readonly ({
    /** The word's id. */
    readonly id?: string | undefined;
    /** The word. */
    readonly word: string;
    /** What was read in its place; empty: it was left out. */
    readonly means: string;
    /** api: your application; operator: the operator for it. */
    readonly author: string;
    /** When it was taught. RFC 3339, UTC, milliseconds. */
    readonly createdAt: string;
  })[] | undefined;
  /** The same in words. */
  readonly text: string;
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
  /** When it was eaten, with its zone. At most 14 days ago (older ones fail) and not in the future. */
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

/** What a name means. Either `foodId` or `gtin` is wanted. */
export interface NewAlias {
  /** The name as your receipts or users have it. */
  readonly name: string;
  /** Only at this merchant; left out or empty: at any. */
  readonly merchantName?: string | undefined;
  /** What it means: a food of the catalogue, or a product of your own. This or `gtin`. */
  readonly foodId?: string | undefined;
  /** What it means: a product by the number under its bar code. This or `foodId`. */
  readonly gtin?: string | undefined;
}

/** An address that is to receive events. */
export interface NewWebhookEndpoint {
  /** Where events are posted to: an https address on a public network, without user name and password, on port 443 or one above 1023. An operator may open private networks, there also for http. */
  readonly url: string;
  /** Which events it wants. Left out or null: all of them, also those that later versions of the service may add. */
  readonly events?: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null | undefined;
  /** A note of your own. */
  readonly description?: string | undefined;
  /** While disabled nothing is sent here; what happens meanwhile is kept, and goes out when it is enabled. */
  readonly disabled?: boolean | undefined;
}

/** A word of your own, such as an abbreviation of your tills. */
export interface NewWord {
  /** One word with a letter in it. */
  readonly word: string;
  /** What is read in its place; empty: it says nothing. */
  readonly means: string;
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

/** Its nutrition. */
export interface NutritionStep {
  /** Which step it is. */
  readonly step: "nutrition";
  /** What was sent, that and the catalogue's, or the catalogue's. */
  readonly basis: "input" | "input+reference" | "reference";
  /** Where what was not sent is from. */
  readonly source: string;
  /** Energy and nutrients in 100 g; `fvlPct` is the percentage of fruit, vegetables and legumes. */
  readonly per100: Readonly<Record<string, number>>;
  /** Members taken from the catalogue. */
  readonly imputed: readonly (string)[];
  /** What was odd about the values sent. */
  readonly flags: readonly (string)[];
  /** The same in words. */
  readonly text: string;
}

/** An OpenAPI document. */
export interface OpenApi {
  /** The version of OpenAPI. */
  readonly openapi: string;
}

/** What it earned. */
export interface PointsStep {
  /** Which step it is. */
  readonly step: "points";
  /** By which rule. */
  readonly rule: string;
  /** What its health rating is worth. */
  readonly healthBase: number;
  /** What its carbon rating is worth. */
  readonly carbonBase: number;
  /** 2 where the match is sure, 1 where it is not: half the points. */
  readonly confidenceHalves: number;
  /** What a base is multiplied with, as a whole number of any size. */
  readonly weight: string;
  /** Health base times weight. */
  readonly healthCell: string;
  /** Carbon base times weight. */
  readonly carbonCell: string;
  /** What cells are divided by. */
  readonly divisor: string;
  /** Its points for health. */
  readonly healthPoints: number;
  /** Its points for the climate. */
  readonly carbonPoints: number;
  /** The same in words. */
  readonly text: string;
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

/** What is answered instead of success (RFC 9457), as application/problem+json. */
export interface Problem {
  /** Which problem it is: the address of a page that explains it. */
  readonly type: string;
  /** The same in a few words, always the same for a type. */
  readonly title: string;
  /** The HTTP status. */
  readonly status: number;
  /** What is wrong with this request, for people. Repeats nothing that was sent. */
  readonly detail: string;
  /** The path that was called; empty where what arrived was no request. */
  readonly instance: string;
  /** The word that a program switches on. */
  readonly code: "ValidationFailed" | "MalformedBody" | "MalformedRequest" | "ApiVersionUnspecified" | "InvalidApiVersion" | "AmbiguousApiVersion" | "UnsupportedApiVersion" | "Unauthorized" | "ApplicationSuspended" | "NotFound" | "SessionNotFound" | "MethodNotAllowed" | "RequestTimeout" | "IdempotencyAnswerLost" | "PayloadTooLarge" | "UnsupportedMediaType" | "IdempotencyKeyReused" | "TooManyRequests" | "HeadersTooLarge" | "InternalError" | "Unavailable" | "StorageFull";
  /** The request's id, as in x-request-id: tell it to the operator when you ask for help. */
  readonly requestId: string;
  /** Every fault of the request: the path of each property (`ingredients[0].foodId`) to what is wrong. */
  readonly errors?: Readonly<Record<string, readonly (string)[]>> | undefined;
}

/** Whether the service can serve. */
export interface Readiness {
  /** Whether calls are served now. */
  readonly status: "ready" | "not ready";
}

/** The image is stored and will be read. */
export interface ReceiptAccepted {
  /** The receipt's id: its events and its status go by it. */
  readonly receiptID: string;
  /** For people. */
  readonly message: string;
}

/** One check of whether a receipt is genuine. */
export interface ReceiptCheck {
  /** Which check it is, as merchant_as_declared or picture_is_new. */
  readonly name: string;
  /** passed, failed, doubtful (lowers the confidence, rejects nothing) or not_checked. */
  readonly outcome: string;
  /** How sure the check is, from 0 to 1. */
  readonly score: number;
  /** In plain words. */
  readonly reason: string;
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
  /** The photo: JPEG or PNG by its content, at most 10 MiB and 50 megapixels. */
  readonly receiptImage: ReceiptImage;
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

/** What was asked to be removed is gone. */
export interface Removed {
  /** Of what is gone. */
  readonly id: string;
}

/** The endpoint is gone. */
export interface RemovedWebhookEndpoint {
  /** The endpoint's id. */
  readonly id: string;
}

/** A reward taken with a record. On a record that earns, all of it is empty. */
export interface Reward {
  /** Id of the reward. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** Number of the voucher. */
  readonly voucherIdentifier: string;
  /** Whose reward it is. */
  readonly brand: string;
  /** Its category. */
  readonly category: string;
  /** The code to redeem. */
  readonly code: string;
  /** What it is. */
  readonly description: string;
  /** Address of its picture. */
  readonly imageUrl: string;
  /** Address of the brand's logo. */
  readonly logoUrl: string;
  /** Where it holds. */
  readonly location: string;
  /** What is offered. */
  readonly offer: string;
  /** What it costs in points. */
  readonly points: number;
  /** What it is worth. */
  readonly value: number;
  /** For which members it is. 0 = none, 1 = bronze, 2 = silver, 3 = gold, 4 = platinum. */
  readonly tier: 0 | 1 | 2 | 3 | 4;
  /** Its conditions. */
  readonly terms: readonly (string)[];
  /** Until when it holds; null where there is no reward. RFC 3339, UTC, milliseconds. */
  readonly validTill: string | null;
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

/** A hosted page that is open for this user. */
export interface Session {
  /** Lead the user here; it holds the session. */
  readonly redirectUrl: string;
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
  /** As sent; else empty. */
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
  /** In capitals; null where not sent. */
  readonly currency: string | null;
  /** As sent, or null. */
  readonly nutrition: Nutrition | null;
}

/** A test of an endpoint, which says nothing of any user. */
export interface TestEvent {
  readonly event: "webhook.test";
  /** The endpoint that was tested. */
  readonly endpointId: string;
  /** When the test was asked for. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** What was bought or eaten, and what it was worth. */
export interface Transaction {
  /** The merchant's name; empty for a meal. */
  readonly brand: string;
  /** When the record was booked. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** What earned nothing. */
  readonly excludedItems: readonly (ExcludedItem)[];
  /** What counted. */
  readonly items: readonly (Item)[];
  /** Your own reference: the `transactionId` or `logId` that you sent. */
  readonly externalTransactionID: string;
  /** Where it was bought or eaten; empty where not known. */
  readonly location: string;
  /** Address of the merchant's logo, as sent; else empty. */
  readonly logo: string;
  /** What kind of merchant it was. 0 = unspecified, 1 = grocery, 2 = restaurant, 3 = online, 4 = brand, 9 = other. */
  readonly partnerType: 0 | 1 | 2 | 3 | 4 | 9;
  /** How it came in. 0 = unspecified, 1 = receiptScan, 2 = mealEntry, 3 = itemTracking, 4 = manual, 5 = reward. */
  readonly transactionSource: 0 | 1 | 2 | 3 | 4 | 5;
  /** The record's id, by which its detail is read. */
  readonly transactionID: string;
  /** When it was bought or eaten. RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  /** What was paid, or the sum of the amounts of a meal. In major units of the currency (3.5 = 3 pounds 50). */
  readonly totalAmount: number;
  /** Bonus points of all items. */
  readonly totalBonusPoints: number;
  /** Of all items. Kilograms of CO2-equivalent. */
  readonly totalCO2e: number;
  /** Items with the carbon rating 1 or 2. */
  readonly totalGreenProducts: number;
  /** Health points of all items. */
  readonly totalHealthPoints: number;
  /** All points of the record. */
  readonly totalPoints: number;
  /** When the record last changed. RFC 3339, UTC, milliseconds. */
  readonly updatedAt: string;
  /** Whose it is. */
  readonly userID: string;
}

/** One record. */
export interface TransactionAnswer {
  readonly transaction: TransactionRecord;
}

/** A page of records. */
export interface TransactionList {
  /** The newest first. */
  readonly transactions: readonly (TransactionRecord)[];
  /** How many there are in all, on this and other pages. */
  readonly count: number;
}

/** An entry of a user's ledger. Every member is always there: what does not apply is empty or 0. */
export interface TransactionRecord {
  /** The record's id. */
  readonly id: string;
  /** Whose it is. */
  readonly userID: string;
  /** What it did to the balance. */
  readonly totalPoints: number;
  /** What kind of movement it is. 0 = unspecified, 1 = earn, 2 = redeem, 3 = adjust, 4 = refund, 5 = expire, 6 = reverse. */
  readonly operation: 0 | 1 | 2 | 3 | 4 | 5 | 6;
  readonly transaction: Transaction;
  readonly reward: Reward;
  readonly bonus: Bonus;
  /** Where it stands. 0 = unspecified, 1 = pending, 2 = completed, 3 = failed, 4 = reversed, 5 = expired. */
  readonly status: 0 | 1 | 2 | 3 | 4 | 5;
  /** When it was booked. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** When it last changed. RFC 3339, UTC, milliseconds. */
  readonly updatedAt: string;
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

/** A user with the balance of their points. */
export interface User {
  /** The user's id. Every other call names the user by it. */
  readonly userID: string;
  /** E-mail address as enrolled, in lower case. */
  readonly email: string;
  /** All points ever earned. */
  readonly lifetimePoints: number;
  /** Points that can be spent now. */
  readonly availablePoints: number;
  /** Earning events credited: receipts, meals and foods. */
  readonly numOfTransactions: number;
  /** Points earned for the climate, over everything credited. */
  readonly totalCarbonScore: number;
  /** Items credited whose carbon rating is 1 or 2 (A or B). */
  readonly totalGreenProducts: number;
  /** When the user was enrolled. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** When anything of the above last changed. RFC 3339, UTC, milliseconds. */
  readonly updatedAt: string;
}

/** One user. */
export interface UserAnswer {
  readonly user: User;
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

/** One attempt at a delivery. */
export interface WebhookAttempt {
  /** When it began. RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** Until the answer, or until it was given up. */
  readonly durationMs: number;
  /** The status of your answer; null: there was none. */
  readonly status: number | null;
  /** The beginning of your answer's body, at most 512 characters; control characters are written as \u001b. */
  readonly answer: string;
  /** Why there was no answer: timeout, network or refused_address, and more in words. */
  readonly error: string | null;
}

/** One event on its way to one endpoint. */
export interface WebhookDelivery {
  /** The delivery's id. */
  readonly id: string;
  /** The event's id: `webhook-id` of every attempt. */
  readonly eventId: string;
  /** Where it goes. */
  readonly endpointId: string;
  /** The name of the event. */
  readonly event: string;
  /** The trackId or receiptID it tells of. */
  readonly subjectId: string;
  /** pending: an attempt is to come. failed: all attempts of the schedule failed. */
  readonly state: "pending" | "delivered" | "failed";
  /** When it happened. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** When the next attempt is due; null when there is none to come. RFC 3339, UTC, milliseconds. */
  readonly nextAttemptAt: string | null;
  /** The last 50, the earliest first. */
  readonly attempts: readonly (WebhookAttempt)[];
}

/** A page of the delivery log. */
export interface WebhookDeliveryList {
  /** Newest event first. */
  readonly deliveries: readonly (WebhookDelivery)[];
  /** `before` of the next page; null on the last one. */
  readonly next: string | null;
}

/** An address that receives events. */
export interface WebhookEndpoint {
  /** The endpoint's id. */
  readonly id: string;
  /** Where events are posted to, in its normal form. */
  readonly url: string;
  /** Your note; empty when there is none. */
  readonly description: string;
  /** Which events it wants. Left out or null: all of them, also those that later versions of the service may add. */
  readonly events: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null;
  /** Whether nothing is sent here for now. */
  readonly disabled: boolean;
  /** Since when it is disabled. RFC 3339, UTC, milliseconds. */
  readonly disabledAt: string | null;
  /** Why it is disabled. gone: it answered 410. failing: for five days no delivery succeeded. requested: you or the operator wished it. */
  readonly disabledReason: "gone" | "failing" | "requested" | null;
  /** The first failed attempt since the last that succeeded. A notice: five days later it is disabled. RFC 3339, UTC, milliseconds. */
  readonly failingSince: string | null;
  /** After a rotation: until then deliveries carry both signatures. RFC 3339, UTC, milliseconds. */
  readonly previousSecretValidUntil: string | null;
  /** When it was registered. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** What is to change of an endpoint; what is left out stays. */
export interface WebhookEndpointChange {
  /** Where events are posted to: an https address on a public network, without user name and password, on port 443 or one above 1023. An operator may open private networks, there also for http. */
  readonly url?: string | undefined;
  /** Which events it wants. Left out or null: all of them, also those that later versions of the service may add. */
  readonly events?: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null | undefined;
  /** A note of your own. */
  readonly description?: string | undefined;
  /** While disabled nothing is sent here; what happens meanwhile is kept, and goes out when it is enabled. */
  readonly disabled?: boolean | undefined;
}

/** All endpoints of your application. */
export interface WebhookEndpointList {
  /** In the order they were made. */
  readonly endpoints: readonly (WebhookEndpoint)[];
  /** How many there are. */
  readonly count: number;
}

/** An endpoint with its signing secret, which is shown this once. */
export interface WebhookEndpointWithSecret {
  /** The endpoint's id. */
  readonly id: string;
  /** Where events are posted to, in its normal form. */
  readonly url: string;
  /** Your note; empty when there is none. */
  readonly description: string;
  /** Which events it wants. Left out or null: all of them, also those that later versions of the service may add. */
  readonly events: readonly ("intake.received" | "intake.scored" | "intake.completed" | "intake.failed" | "receipt_uploaded" | "receipt_extracted" | "receipt_validated" | "receipt_completed" | "receipt_failed" | "rewards.awarded")[] | null;
  /** Whether nothing is sent here for now. */
  readonly disabled: boolean;
  /** Since when it is disabled. RFC 3339, UTC, milliseconds. */
  readonly disabledAt: string | null;
  /** Why it is disabled. gone: it answered 410. failing: for five days no delivery succeeded. requested: you or the operator wished it. */
  readonly disabledReason: "gone" | "failing" | "requested" | null;
  /** The first failed attempt since the last that succeeded. A notice: five days later it is disabled. RFC 3339, UTC, milliseconds. */
  readonly failingSince: string | null;
  /** After a rotation: until then deliveries carry both signatures. RFC 3339, UTC, milliseconds. */
  readonly previousSecretValidUntil: string | null;
  /** When it was registered. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
  /** The signing secret, `whsec_` and 32 bytes in base64. It is shown here and never again. */
  readonly secret: string;
}

/** Which events are to be sent again: give `since`, `only`, or both. */
export interface WebhookReplay {
  /** Events from this moment on. RFC 3339, with its zone. */
  readonly since?: string | undefined;
  /** failed: only what has not been delivered although it was tried; without it also what was delivered and what this endpoint was never sent. */
  readonly only?: "failed" | undefined;
}

/** What was asked for again. */
export interface WebhookReplayed {
  /** Deliveries that will be made. */
  readonly replayed: number;
  /** `since` of the next call when this one could not take all; else null. RFC 3339, UTC, milliseconds. */
  readonly nextSince: string | null;
}

/** What it weighs. */
export interface WeightStep {
  /** Which step it is. */
  readonly step: "weight";
  /** All units together; null: not known. */
  readonly totalGrams: number | null;
  /** One unit; null: not known. */
  readonly gramsPerUnit: number | null;
  /** Neither sent nor printed: the usual portion or pack. */
  readonly assumed: boolean;
  /** The same in words. */
  readonly text: string;
}

/** A word that your application has taught. */
export interface Word {
  /** The word's id. */
  readonly id: string;
  /** As words are compared: lower case, no accents. */
  readonly word: string;
  /** What is read in its place; empty: it says nothing about the food. */
  readonly means: string;
  /** Who taught it: your application, or the operator for it. */
  readonly author: "api" | "operator";
  /** When it was taught. RFC 3339, UTC, milliseconds. */
  readonly createdAt: string;
}

/** One word. */
export interface WordAnswer {
  readonly word: Word;
}

/** A page of words. */
export interface WordList {
  /** The newest first. */
  readonly words: readonly (Word)[];
  /** How many there are in all. */
  readonly count: number;
}

/** Hand in a receipt: what is asked for. */
export interface UploadReceiptQuery {
  /** Sandbox applications only: take this image in place of the uploaded one. `sample:<outcome>` draws one that ends so (`sample:completed`, `sample:completed_de` in German, `sample:not_authentic`, `sample:already_exists`, `sample:no_valid_food_items`, `sample:merchant_name_not_found`, `sample:internal_error`); an https address is fetched where the operator allows its host. */
  readonly testBlobUri?: string | undefined;
}

/** List a user's transactions: what is asked for. */
export interface ListTransactionsQuery {
  /** Entries of a page; 0 is 20, and more than 100 is 100. */
  readonly pageSize?: number | undefined;
  /** Which page, from 1; 0 is 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Only the newest entry. Wins over All. In any letter case. */
  readonly First?: boolean | undefined;
  /** No pages: the newest 5,000 entries at once, and a Link to the next where there are more. In any letter case. */
  readonly All?: boolean | undefined;
  /** Only what was booked in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks start on Monday), a number of days, weeks, months or years back (`30d`, `4w`, `6m`, `1y`), an ISO 8601 duration back (`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case. */
  readonly timeframe?: string | undefined;
}

/** Ask what a name means: what is asked for. */
export interface MatchNameQuery {
  /** The name, as sent or printed. */
  readonly name: string;
  /** Where it is printed. */
  readonly merchantName?: string | undefined;
  /** Where the name is from: what is printed on receipts is abbreviated, and a meal is cooked. */
  readonly source?: "receipt" | "meal" | "food" | undefined;
  /** How many at most. */
  readonly limit?: number | undefined;
}

/** List what names mean: what is asked for. */
export interface ListAliasesQuery {
  /** Entries of a page; 0 is 20, and more than 100 is 100. */
  readonly pageSize?: number | undefined;
  /** Which page, from 1; 0 is 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Only the newest entry. Wins over All. In any letter case. */
  readonly First?: boolean | undefined;
  /** No pages: the newest 5,000 entries at once, and a Link to the next where there are more. In any letter case. */
  readonly All?: boolean | undefined;
  /** Only what was booked in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks start on Monday), a number of days, weeks, months or years back (`30d`, `4w`, `6m`, `1y`), an ISO 8601 duration back (`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case. */
  readonly timeframe?: string | undefined;
}

/** List the words: what is asked for. */
export interface ListWordsQuery {
  /** Entries of a page; 0 is 20, and more than 100 is 100. */
  readonly pageSize?: number | undefined;
  /** Which page, from 1; 0 is 1. A page past the end is empty. */
  readonly page?: number | undefined;
  /** Only the newest entry. Wins over All. In any letter case. */
  readonly First?: boolean | undefined;
  /** No pages: the newest 5,000 entries at once, and a Link to the next where there are more. In any letter case. */
  readonly All?: boolean | undefined;
  /** Only what was booked in this time: `all`, `today`, `yesterday`, `week`, `month`, `year` (to date, UTC, weeks start on Monday), a number of days, weeks, months or years back (`30d`, `4w`, `6m`, `1y`), an ISO 8601 duration back (`P30D`), or an ISO 8601 interval (`2026-01-01/2026-02-01`, an open end is `..`). In any letter case. */
  readonly timeframe?: string | undefined;
}

/** Read the delivery log: what is asked for. */
export interface ListWebhookDeliveriesQuery {
  /** Only what goes to this endpoint. */
  readonly endpointId?: string | undefined;
  /** Only what stands so. */
  readonly state?: "pending" | "delivered" | "failed" | undefined;
  /** Only what comes after this delivery in the list. */
  readonly before?: string | undefined;
  /** How many; 20 without it or with 0, 100 at most. */
  readonly pageSize?: number | undefined;
}

/** Every operation of the interface: the ids of its path, what it sends or asks for, and options of the call. */
export interface Api {
  /** Enrol a user: POST /users/enroll */
  enrollUser(body: Enrollment, options?: CallOptions): Promise<UserAnswer>;
  /** Open the consent page: POST /users/enroll/session */
  openEnrolmentSession(body: EnrolmentSession, options?: CallOptions): Promise<Session>;
  /** Read a user's balance: GET /users/{id}/summary */
  getUserSummary(id: string, options?: CallOptions): Promise<UserAnswer>;
  /** Submit a meal: POST /track/meals */
  trackMeal(body: Meal, options?: CallOptions): Promise<Accepted>;
  /** Submit a food: POST /track/food */
  trackFood(body: Food, options?: CallOptions): Promise<Accepted>;
  /** See how far a meal is: GET /track/meals/{id}/status */
  getMealStatus(id: string, options?: CallOptions): Promise<IntakeStatus>;
  /** See how far a food is: GET /track/food/{id}/status */
  getFoodStatus(id: string, options?: CallOptions): Promise<IntakeStatus>;
  /** Hand in a receipt: POST /track/receipts */
  uploadReceipt(body: ReceiptUpload & UploadReceiptQuery, options?: CallOptions): Promise<ReceiptAccepted>;
  /** Open the upload page: POST /track/receipts/session */
  openReceiptSession(body: ReceiptSession, options?: CallOptions): Promise<Session>;
  /** See how far a receipt is: GET /track/receipts/{id}/status */
  getReceiptStatus(id: string, options?: CallOptions): Promise<ReceiptStatus>;
  /** List a user's transactions: GET /users/{id}/transactions */
  listTransactions(id: string, query?: ListTransactionsQuery, options?: CallOptions): Promise<TransactionList>;
  /** Read a transaction: GET /users/{id}/transactions/{transactionId} */
  getTransaction(id: string, transactionId: string, options?: CallOptions): Promise<TransactionAnswer>;
  /** Explain a transaction: GET /users/{id}/transactions/{transactionId}/explanation */
  explainTransaction(id: string, transactionId: string, options?: CallOptions): Promise<ExplanationAnswer>;
  /** Ask what a name means: GET /catalogue/match */
  matchName(query: MatchNameQuery, options?: CallOptions): Promise<Candidates>;
  /** List what names mean: GET /catalogue/aliases */
  listAliases(query?: ListAliasesQuery, options?: CallOptions): Promise<AliasList>;
  /** Teach what a name means: POST /catalogue/aliases */
  teachAlias(body: NewAlias, options?: CallOptions): Promise<AliasAnswer>;
  /** Forget a name: DELETE /catalogue/aliases/{id} */
  removeAlias(id: string, options?: CallOptions): Promise<Removed>;
  /** List the words: GET /catalogue/words */
  listWords(query?: ListWordsQuery, options?: CallOptions): Promise<WordList>;
  /** Teach a word: POST /catalogue/words */
  teachWord(body: NewWord, options?: CallOptions): Promise<WordAnswer>;
  /** Forget a word: DELETE /catalogue/words/{id} */
  removeWord(id: string, options?: CallOptions): Promise<Removed>;
  /** List endpoints: GET /webhooks/endpoints */
  listWebhookEndpoints(options?: CallOptions): Promise<WebhookEndpointList>;
  /** Register an endpoint: POST /webhooks/endpoints */
  createWebhookEndpoint(body: NewWebhookEndpoint, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
  /** Read one endpoint: GET /webhooks/endpoints/{id} */
  getWebhookEndpoint(id: string, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Change, disable or enable an endpoint: PATCH /webhooks/endpoints/{id} */
  changeWebhookEndpoint(id: string, body: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint>;
  /** Remove an endpoint: DELETE /webhooks/endpoints/{id} */
  deleteWebhookEndpoint(id: string, options?: CallOptions): Promise<RemovedWebhookEndpoint>;
  /** Rotate the signing secret: POST /webhooks/endpoints/{id}/rotate-secret */
  rotateWebhookSecret(id: string, options?: CallOptions): Promise<WebhookEndpointWithSecret>;
  /** Send a test event: POST /webhooks/endpoints/{id}/test */
  testWebhookEndpoint(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Send events again: POST /webhooks/endpoints/{id}/replay */
  replayWebhooks(id: string, body: WebhookReplay, options?: CallOptions): Promise<WebhookReplayed>;
  /** Read the delivery log: GET /webhooks/deliveries */
  listWebhookDeliveries(query?: ListWebhookDeliveriesQuery, options?: CallOptions): Promise<WebhookDeliveryList>;
  /** Read one delivery: GET /webhooks/deliveries/{id} */
  getWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Send one event again: POST /webhooks/deliveries/{id}/retry */
  retryWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /** Is the process alive: GET /health/live */
  getLiveness(options?: CallOptions): Promise<Liveness>;
  /** Can the service serve: GET /health/ready */
  getReadiness(options?: CallOptions): Promise<Readiness>;
  /** Read this document: GET /openapi.json */
  getOpenApi(options?: CallOptions): Promise<OpenApi>;
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

