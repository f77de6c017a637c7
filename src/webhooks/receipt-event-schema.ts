// Schemas of the events of receipts, member for member; see event-schema.ts.
import { Type } from "typebox";
import type { Static } from "typebox";
import { co2e, count, instant, money, nullable, oneOf, points, text } from "../http/schema-members.ts";
import { ExcludedItem, Item } from "../points/schema.ts";

/** The receipt of an event: `receiptId` and `receiptID` are equal, since both spellings are in use. */
const receiptSubject = {
  receiptId: text("The receipt's id, as the response to the upload had it."),
  receiptID: text("The same as `receiptId`."),
  transactionId: text("Your own reference; the receipt's id when you sent none."),
  userId: text("The user's id."),
  createdAt: instant("When this happened."),
};

export const ReceiptUploaded = Type.Object(
  {
    event: Type.Literal("receipt_uploaded"),
    ...receiptSubject,
    merchantName: text("As you declared it; empty when you did not."),
    amount: money("As you declared it; 0 when you did not."),
    transactionTimestamp: Type.String({
      description: "Time of the purchase, as you declared it. RFC 3339, UTC, milliseconds; empty when you did not.",
    }),
  },
  { title: "ReceiptUploaded", description: "The image of a receipt was received and stored." },
);
export type ReceiptUploaded = Static<typeof ReceiptUploaded>;

const accuracy = (of: string) =>
  Type.Number({ minimum: 0, maximum: 1, description: `Confidence of ${of}, from 0 to 1.` });

/** One line as printed; null for values that could not be read. */
export const ExtractedItem = Type.Object(
  {
    description: text("As printed, without product codes and tax marks."),
    quantity: nullable(Type.Number({ description: "Pieces, or a weight; null when not read." })),
    totalPrice: nullable(money("Price of the line; negative for a discount or refund, null when not read.")),
    accuracy: accuracy("the line"),
    cleanedName: text("The description, cleaned up for people to read."),
    category: nullable(text("discount or void; null for an ordinary line.")),
  },
  { title: "ExtractedItem", description: "A line of a receipt, as read." },
);

/** The content of a receipt's image. Null for values that could not be read. */
export const ExtractedData = Type.Object(
  {
    userID: text("The user's id."),
    receiptID: text("The receipt's id."),
    merchantName: nullable(text("As printed; null when not read.")),
    merchantAddress: nullable(text("As printed; null when not read.")),
    country: nullable(text("ISO 3166 code; null when the receipt does not show it.")),
    currency: nullable(text("ISO 4217 code; null when the receipt does not show it.")),
    receiptType: nullable(text("grocery, restaurant, online or other; null when not known.")),
    items: Type.Array(ExtractedItem, { description: "Lines of the receipt." }),
    subTotal: nullable(money("Before rounding and tax; null when not read.")),
    total: nullable(money("Amount to pay; null when not read.")),
    accuracy: accuracy("the whole reading"),
    transactionDate: nullable(text("YYYY-MM-DD; null when not read.")),
    transactionTime: nullable(text("HH:MM:SS, local time of the till; null when not read.")),
    receiptSource: text("api or hosted_page: how the receipt was uploaded."),
  },
  { title: "ExtractedData", description: "The content of a receipt's image." },
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
    name: text("Name of the check, such as merchant_as_declared or picture_is_new."),
    outcome: text("passed, failed, doubtful (lowers the confidence, but does not reject) or not_checked."),
    score: accuracy("the check"),
    reason: text("The reason, in words."),
  },
  { title: "ReceiptCheck", description: "One check that a receipt is genuine." },
);
export type ReceiptCheck = Static<typeof ReceiptCheck>;

export const ReceiptValidated = Type.Object(
  {
    event: Type.Literal("receipt_validated"),
    ...receiptSubject,
    businessName: text("The merchant's usual name."),
    checks: Type.Array(ReceiptCheck, { description: "The checks." }),
  },
  { title: "ReceiptValidated", description: "A receipt was found genuine." },
);
export type ReceiptValidated = Static<typeof ReceiptValidated>;

/** The totals of a scored receipt, in its status document and its event. */
export const receiptTotals = {
  totalAmount: money("Amount paid."),
  currency: text("Currency of `totalAmount`, as an ISO 4217 code."),
  totalPoints: points("Points that were credited."),
  totalCarbonPoints: points("Points for carbon ratings."),
  totalHealthPoints: points("Points for health ratings."),
  totalGreenProducts: count("Items with the carbon rating 1 or 2."),
  totalHealthyProducts: count("Items with the health rating 1 or 2."),
  totalCo2e: co2e("CO2e of all items."),
};

/** `items` and `excludedItems` are those of the record that endpoint 10 shows. */
export const ReceiptCompleted = Type.Object(
  {
    event: Type.Literal("receipt_completed"),
    ...receiptSubject,
    items: Type.Array(Item, { description: "Items that earned points." }),
    excludedItems: Type.Array(ExcludedItem, { description: "Items that earned nothing, with the reason." }),
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
  "Why: the shop was not recognised; there was no food on it; the receipt is not genuine or belongs to another user; it " +
    "was uploaded before; or an internal error.",
);

/** `stage` is the last finished one. The status document still shows the results up to it. */
export const ReceiptFailed = Type.Object(
  {
    event: Type.Literal("receipt_failed"),
    ...receiptSubject,
    errorCode: receiptErrorCode,
    errorMessage: text("The reason, in words."),
    stage: oneOf(
      ["Uploaded", "Extracted", "Enriched", "Validated", "Scored"],
      "The last finished stage. The status document still shows the results up to it.",
    ),
    failedAt: instant("When it failed."),
    duplicateOf: Type.Optional(
      text("The earlier receipt that it repeats, if that is the same user's; absent for any other failure."),
    ),
  },
  { title: "ReceiptFailed", description: "A receipt earned nothing, with the reason." },
);
export type ReceiptFailed = Static<typeof ReceiptFailed>;

export const ReceiptCorrected = Type.Object(
  {
    event: Type.Literal("receipt_corrected"),
    ...receiptSubject,
    correctionId: text("The correction's id."),
    reason: text("The reason as you sent it."),
    transactionID: nullable(
      text("The record of the difference; null if the receipt had failed and is processed again."),
    ),
    relatedTransactionID: nullable(text("The award that was corrected; null without a record.")),
    totalPoints: points(
      "Points that the record adds to availablePoints; negative for points taken, 0 without a record.",
    ),
    receiptPoints: nullable(points("Points of the whole receipt as corrected; null if it is processed again.")),
    waivedPoints: count("Points that were spent already and were not taken."),
    availablePoints: nullable(points("Points that can be spent, just after this record; null without a record.")),
    lifetimePoints: nullable(
      points("All points earned and not reversed, just after this record; null without a record."),
    ),
    disputeIds: Type.Array(Type.String(), { description: "The disputes of the user that it accepts; often none." }),
  },
  { title: "ReceiptCorrected", description: "What was misread on a receipt was corrected." },
);
export type ReceiptCorrected = Static<typeof ReceiptCorrected>;

export const ReceiptHeld = Type.Object(
  {
    event: Type.Literal("receipt_held"),
    ...receiptSubject,
    because: Type.Array(Type.String(), { description: "Names of checks that hold it, or `confidence`." }),
  },
  { title: "ReceiptHeld", description: "A receipt waits for your decision." },
);
export type ReceiptHeld = Static<typeof ReceiptHeld>;

/** What a person may report as wrong on a receipt. */
export const DISPUTE_KINDS = [
  "wrong_name",
  "wrong_quantity",
  "wrong_price",
  "not_food",
  "not_mine",
  "missing_line",
  "wrong_merchant",
  "wrong_date",
  "wrong_total",
] as const;
export type DisputeKind = (typeof DISPUTE_KINDS)[number];

/** The members of a dispute, in its event and in the status of its receipt. */
export const disputeMembers = {
  disputeId: text("The dispute's id."),
  kind: oneOf(
    DISPUTE_KINDS,
    "What is wrong. Of a line: its name, quantity or price; it is no food; or the person has not bought it. Or a line is " +
      "missing, or the merchant, date or total is wrong.",
  ),
  lineId: nullable(text("The line, by its id in the status document; null if it is not about a line.")),
  shown: nullable(
    text(
      "What the page showed of it: name, quantity, price, merchant, day or total; null for nothing, or a missing line.",
    ),
  ),
  expected: nullable(
    text(
      "What is right, in the form of `shown`; of a missing line its name. Null if the person has not said it. Typed by the " +
        "person: check it.",
    ),
  ),
  price: nullable(money("Of a missing line; null for anything else, or if the person has not said it.")),
  note: nullable(text("What else the person has written; null for nothing.")),
};

export const ReceiptDisputed = Type.Object(
  { event: Type.Literal("receipt_disputed"), ...receiptSubject, ...disputeMembers },
  { title: "ReceiptDisputed", description: "A user reported something on a receipt as wrong." },
);
export type ReceiptDisputed = Static<typeof ReceiptDisputed>;
