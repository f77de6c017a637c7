// What integrators are told, member for member. Every member is always present; money is in major units, CO2e in kg.
import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { co2e, count, instant, money, nullable, oneOf, points, rating, text } from "../http/members.ts";
import { ExcludedItem, Item } from "../points/schema.ts";

const source = oneOf(["meal", "food"], "What was submitted.");

/** Names the submission an intake event speaks of: `transactionId` is the integrator's reference, `trackId` our id. */
const intakeSubject = {
  source,
  transactionId: text("Your own reference: the `transactionId` or `logId` that you sent."),
  trackId: text("The submission's id, as its acceptance answered it."),
  userId: text("Whose it is."),
};

/** Names the receipt: `receiptId` and `receiptID` are equal, both spellings are in use. */
const receiptSubject = {
  receiptId: text("The receipt's id, as the upload answered it."),
  receiptID: text("The same as `receiptId`."),
  transactionId: text("Your own reference; the receipt's id where you gave none."),
  userId: text("Whose it is."),
  createdAt: instant("When this happened."),
};

export const IntakeReceived = Type.Object(
  {
    event: Type.Literal("intake.received"),
    ...intakeSubject,
    loggedAt: instant("When it was eaten; of a food, when it was accepted."),
    country: text("Country as sent; of a food its merchant's. Empty where not sent."),
    createdAt: instant("When it was accepted."),
  },
  { title: "IntakeReceived", description: "A meal or food was accepted." },
);
export type IntakeReceived = Static<typeof IntakeReceived>;

const ingredientMembers = {
  foodId: text("As sent."),
  name: text("As sent, letter for letter."),
  imageUrl: text("As sent; else empty."),
  weight: Type.Number({ description: "Of one unit: as sent, or the usual portion." }),
  unit: text("Of `weight`."),
  quantity: Type.Number({ description: "How many units." }),
  amount: money("What the line cost; 1 where no amount was sent."),
  currency: text("Of `amount`, as its ISO 4217 code."),
  carbonImpactRating: rating("Carbon rating."),
  healthImpactRating: rating("Health rating."),
  co2e: co2e("Of the whole line."),
};

/** One rated ingredient: `name` as sent, `weight` and `unit` as sent or the portion assumed. */
export const ScoredIngredient = Type.Object(ingredientMembers, {
  title: "ScoredIngredient",
  description: "An ingredient with its ratings.",
});
export type ScoredIngredient = Static<typeof ScoredIngredient>;

export const CreditedIngredient = Type.Object(
  {
    ...ingredientMembers,
    totalPoints: points("All its points."),
    totalCarbonPoints: points("Points for its carbon rating."),
    totalHealthPoints: points("Points for its health rating."),
  },
  { title: "CreditedIngredient", description: "An ingredient with its ratings and points." },
);
export type CreditedIngredient = Static<typeof CreditedIngredient>;

/** Both ratings are the meal's own, or the food's; a food is the one entry of `ingredients` and has `mealType` "". */
export const IntakeScored = Type.Object(
  {
    event: Type.Literal("intake.scored"),
    ...intakeSubject,
    name: text("Name of the meal or food."),
    imageUrl: text("Its picture, as sent."),
    mealType: text("breakfast, lunch, dinner, snack or other; empty for a food."),
    ingredients: Type.Array(ScoredIngredient, { description: "What was rated. A food is its own only ingredient." }),
    loggedAt: instant("When it was eaten; of a food, when it was accepted."),
    country: text("As sent; else empty."),
    totalAmount: money("The sum of the ingredients' amounts."),
    currency: text("Of `totalAmount`, as its ISO 4217 code."),
    totalCo2e: co2e("Of all ingredients."),
    carbonImpactRating: rating("Carbon rating of the whole."),
    healthImpactRating: rating("Health rating of the whole."),
    createdAt: instant("When it was scored."),
  },
  { title: "IntakeScored", description: "A meal or food was rated." },
);
export type IntakeScored = Static<typeof IntakeScored>;

export const IntakeCompleted = Type.Object(
  {
    event: Type.Literal("intake.completed"),
    ...intakeSubject,
    totalAmount: money("The sum of the ingredients' amounts."),
    currency: text("Of `totalAmount`, as its ISO 4217 code."),
    ingredients: Type.Array(CreditedIngredient, { description: "What was rated, with its points." }),
    totalPoints: points("What was credited."),
    totalGreenProducts: count("Ingredients with the carbon rating 1 or 2."),
    totalHealthyProducts: count("Ingredients with the health rating 1 or 2."),
    totalCo2e: co2e("Of all ingredients."),
    totalHealthPoints: points("Points for health ratings."),
    totalCarbonPoints: points("Points for carbon ratings."),
    createdAt: instant("When the points were credited."),
  },
  { title: "IntakeCompleted", description: "Points for a meal or food were credited." },
);
export type IntakeCompleted = Static<typeof IntakeCompleted>;

/** Why a meal or food may fail. */
export const INTAKE_ERROR_TYPES = [
  "NO_VALID_FOOD_ITEMS",
  "OLD_MEAL_LOG",
  "DUPLICATE_MEAL",
  "DATA_INCOMPLETE",
  "INTERNAL_ERROR",
] as const;
export type IntakeErrorType = (typeof INTAKE_ERROR_TYPES)[number];

export const intakeErrorType = oneOf(
  INTAKE_ERROR_TYPES,
  "Why: no food was recognised; the meal lies too far back; the reference was used before; something needed is missing " +
    "(`errorMessage` names its path); or a fault of ours.",
);

/** `errorMessage` of DATA_INCOMPLETE names the path of the missing field. */
export const IntakeFailed = Type.Object(
  {
    event: Type.Literal("intake.failed"),
    ...intakeSubject,
    errorType: intakeErrorType,
    errorMessage: text("The same for people."),
    failedAt: instant("When it failed."),
  },
  { title: "IntakeFailed", description: "A meal or food earned nothing, and why." },
);
export type IntakeFailed = Static<typeof IntakeFailed>;

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
    "before; or a fault of ours.",
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

/** Sent once for each credited record with points above 0, after its intake.completed or receipt_completed. */
export const RewardsAwarded = Type.Object(
  {
    eventType: Type.Literal("rewards.awarded"),
    data: Type.Object(
      {
        user: Type.Object(
          {
            id: text("The user's id."),
            availablePoints: points("Points that can be spent, just after this award."),
            lifetimePoints: points("All points ever earned, just after this award."),
          },
          { description: "Who was rewarded, with the new balance." },
        ),
        transaction: Type.Object(
          {
            transactionID: text("The record's id, by which its detail is read."),
            totalPoints: points("What was credited."),
            items: Type.Array(
              Type.Object({
                name: text("As sent or printed."),
                carbonImpactRating: rating("Carbon rating."),
                healthImpactRating: rating("Health rating."),
                totalServicePoints: points("All points of the item."),
              }),
              { description: "What counted." },
            ),
          },
          { description: "What it was for." },
        ),
      },
      { description: "Who was rewarded, and for what." },
    ),
  },
  { title: "RewardsAwarded", description: "A user's balance has grown." },
);
export type RewardsAwarded = Static<typeof RewardsAwarded>;

/** What shows an integrator that deliveries arrive and verify. */
export const TestEvent = Type.Object(
  {
    event: Type.Literal("webhook.test"),
    endpointId: text("The endpoint that was tested."),
    createdAt: instant("When the test was asked for."),
  },
  { title: "TestEvent", description: "A test of an endpoint, which says nothing of any user." },
);
export type TestEvent = Static<typeof TestEvent>;
