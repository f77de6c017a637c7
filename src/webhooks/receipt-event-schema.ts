// What integrators are told of receipts, member for member; see event-schema.ts.
import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { co2e, count, instant, money, nullable, oneOf, points, text } from "../http/members.ts";
import { ExcludedItem, Item } from "../points/schema.ts";

/** Names the receipt: `receiptId` and `receiptID` are equal, both spellings are in use. */
const receiptSubject = {
  receiptId: text("The receipt's id, as the upload answered it."),
  receiptID: text("The same as `receiptId`."),
  transactionId: text("Your own reference; the receipt's id where you gave none."),
  userId: text("Whose it is."),
  createdAt: instant("When this happened."),
};

export const ReceiptUploaded = Type.Object(
  {
    event: Type.Literal("receipt_uploaded"),
    ...receiptSubject,
    merchantName: text("As you declared it; else empty."),
    amount: money("As you declared it; else 0."),
    transactionTimestamp: Type.String({
      description: "When it was bought, as you declared it. RFC 3339, UTC, milliseconds; else empty.",
    }),
  },
  { title: "ReceiptUploaded", description: "The image of a receipt was received and stored." },
);
export type ReceiptUploaded = Static<typeof ReceiptUploaded>;

const accuracy = (of: string) =>
  Type.Number({ minimum: 0, maximum: 1, description: `How sure ${of} is, from 0 to 1.` });

/** One line as printed; null is what could not be read. */
export const ExtractedItem = Type.Object(
  {
    description: text("As printed, without product codes and tax marks."),
    quantity: nullable(Type.Number({ description: "Pieces, or a weight; null where not read." })),
    totalPrice: nullable(money("Of the line; negative for a discount or refund, null where not read.")),
    accuracy: accuracy("the line"),
    cleanedName: text("In a form that people like to read."),
    category: nullable(text("discount or void; null for an ordinary line.")),
  },
  { title: "ExtractedItem", description: "A line of a receipt as it was read." },
);

/** What the receipt's image says. Null is what could not be read. */
export const ExtractedData = Type.Object(
  {
    userID: text("Whose receipt it is."),
    receiptID: text("The receipt's id."),
    merchantName: nullable(text("As printed; null where not read.")),
    merchantAddress: nullable(text("As printed; null where not read.")),
    country: nullable(text("ISO 3166 code; null where the receipt does not show it.")),
    currency: nullable(text("ISO 4217 code; null where the receipt does not show it.")),
    receiptType: nullable(text("grocery, restaurant, online or other; null where not known.")),
    items: Type.Array(ExtractedItem, { description: "Its lines." }),
    subTotal: nullable(money("Before rounding and tax; null where not read.")),
    total: nullable(money("What was to pay; null where not read.")),
    accuracy: accuracy("the reading as a whole"),
    transactionDate: nullable(text("YYYY-MM-DD; null where not read.")),
    transactionTime: nullable(text("HH:MM:SS by the till's clock; null where not read.")),
    receiptSource: text("api or hosted_page: how the receipt came in."),
  },
  { title: "ExtractedData", description: "What the receipt's image says." },
);
export type ExtractedData = Static<typeof ExtractedData>;

export const ReceiptExtracted = Type.Object(
  { event: Type.Literal("receipt_extracted"), ...receiptSubject, extractedData: ExtractedData },
  { title: "ReceiptExtracted", description: "The lines of a receipt were read." },
);
export type ReceiptExtracted = Static<typeof ReceiptExtracted>;

/** One check of authenticity: `score` from 0 to 1, `reason` in plain words. */
export const ReceiptCheck = Type.Object(
  {
    name: text("Which check it is, as merchant_as_declared or picture_is_new."),
    outcome: text("passed, failed, doubtful (lowers the confidence, rejects nothing) or not_checked."),
    score: accuracy("the check"),
    reason: text("In plain words."),
  },
  { title: "ReceiptCheck", description: "One check of whether a receipt is genuine." },
);
export type ReceiptCheck = Static<typeof ReceiptCheck>;

export const ReceiptValidated = Type.Object(
  {
    event: Type.Literal("receipt_validated"),
    ...receiptSubject,
    businessName: text("The merchant's usual name."),
    checks: Type.Array(ReceiptCheck, { description: "What was checked." }),
  },
  { title: "ReceiptValidated", description: "A receipt was found genuine." },
);
export type ReceiptValidated = Static<typeof ReceiptValidated>;

/** The sums of a scored receipt, as its status document and its event have them. */
export const receiptTotals = {
  totalAmount: money("What was paid."),
  currency: text("Of `totalAmount`, as its ISO 4217 code."),
  totalPoints: points("What was credited."),
  totalCarbonPoints: points("Points for carbon ratings."),
  totalHealthPoints: points("Points for health ratings."),
  totalGreenProducts: count("Items with the carbon rating 1 or 2."),
  totalHealthyProducts: count("Items with the health rating 1 or 2."),
  totalCo2e: co2e("Of all items."),
};

/** `items` and `excludedItems` are those of the record that endpoint 10 shows. */
export const ReceiptCompleted = Type.Object(
  {
    event: Type.Literal("receipt_completed"),
    ...receiptSubject,
    items: Type.Array(Item, { description: "What counted." }),
    excludedItems: Type.Array(ExcludedItem, { description: "What earned nothing, and why." }),
    ...receiptTotals,
  },
  { title: "ReceiptCompleted", description: "Points for a receipt were credited." },
);
export type ReceiptCompleted = Static<typeof ReceiptCompleted>;

/** Why a receipt may fail. */
export const RECEIPT_ERROR_CODES = [
  "MERCHANT_NAME_NOT_FOUND",
  "NO_VALID_FOOD_ITEMS",
  "NOT_AUTHENTIC",
  "ALREADY_EXISTS",
  "INTERNAL_ERROR",
] as const;
export type ReceiptErrorCode = (typeof RECEIPT_ERROR_CODES)[number];

export const receiptErrorCode = oneOf(
  RECEIPT_ERROR_CODES,
  "Why: the shop could not be told; there was no food on it; it is no genuine receipt or another user's; it was handed in " +
    "before; or a error of ours.",
);

/** `stage` is the last finished one: what was found until then stays in the status document. */
export const ReceiptFailed = Type.Object(
  {
    event: Type.Literal("receipt_failed"),
    ...receiptSubject,
    errorCode: receiptErrorCode,
    errorMessage: text("The same for people."),
    stage: oneOf(
      ["Uploaded", "Extracted", "Enriched", "Validated", "Scored"],
      "The last stage it finished; its status document still shows what was found until then.",
    ),
    failedAt: instant("When it failed."),
  },
  { title: "ReceiptFailed", description: "A receipt earned nothing, and why." },
);
export type ReceiptFailed = Static<typeof ReceiptFailed>;
