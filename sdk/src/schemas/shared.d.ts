// Written by generate.ts from the service's OpenAPI document: change that, not this.

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

/** A hosted page that is open for this user. */
export interface Session {
  /** Lead the user here; it holds the session. */
  readonly redirectUrl: string;
}
