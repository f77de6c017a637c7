// The status document of a meal or food.
import { Type } from "typebox";
import type { Static } from "typebox";
import { co2e, count, instant, money, nullable, oneOf, points, rating, text } from "../http/schema-members.ts";
import { ExcludedItem, Item, exclusionReason } from "../points/schema.ts";
import { intakeErrorType } from "../webhooks/intake-event-schema.ts";
import { Submission } from "./schema.ts";

/** The weight of one unit, as used by the rating. */
const Portion = Type.Object(
  {
    weight: Type.Number({ description: "Weight of one unit." }),
    unit: text("Unit of `weight`."),
    isAssumed: Type.Boolean({ description: "True when no weight was sent: this is the usual portion of the food." }),
    isAmountDefaulted: Type.Boolean({ description: "True when no amount was sent: it counts as 1." }),
  },
  { title: "Portion", description: "The weight that the rating of an ingredient used." },
);
export type Portion = Static<typeof Portion>;

const ScoredItem = Type.Object(
  { ...Item.properties, portion: Portion },
  { title: "ScoredItem", description: "An item of the record, with the weight that its rating used." },
);

const ScoredData = Type.Object(
  {
    items: Type.Array(ScoredItem, { description: "Items that earned points." }),
    excludedItems: Type.Array(ExcludedItem, { description: "Items that earned nothing, with the reason." }),
    totalAmount: money("The sum of the amounts."),
    currency: text("Currency of `totalAmount`, as an ISO 4217 code."),
    totalCo2e: co2e("CO2e of all items."),
    carbonImpactRating: rating("Carbon rating of the meal or food."),
    healthImpactRating: rating("Health rating of the meal or food."),
  },
  { title: "IntakeScoredData", description: "Results of scoring. Absent until then." },
);

const CompletedData = Type.Object(
  {
    transactionID: text("The record's id, to read its details with."),
    totalPoints: points("Points that were credited."),
    totalHealthPoints: points("Points for health ratings."),
    totalCarbonPoints: points("Points for carbon ratings."),
    totalGreenProducts: count("Items with the carbon rating 1 or 2."),
    totalHealthyProducts: count("Items with the health rating 1 or 2."),
    createdAt: instant("When it was credited."),
  },
  { title: "IntakeCompletedData", description: "Results of crediting. Absent until then." },
);

const LeftOut = Type.Object(
  { name: text("As sent."), exclusionReason },
  { title: "LeftOut", description: "An ingredient that could not be rated, with the reason." },
);

/** The status document of a meal or food. */
export const IntakeStatus = Type.Object(
  {
    status: oneOf(["received", "completed", "failed"], "State of the submission."),
    id: text("The submission's id."),
    trackId: text("The same as `id`."),
    transactionId: text("Your own reference."),
    userId: text("The user's id."),
    source: oneOf(["meal", "food"], "What was submitted."),
    createdAt: instant("When it was accepted."),
    lastUpdated: instant("When its state last changed."),
    errorType: nullable(intakeErrorType),
    errorMessage: nullable(text("The reason of the failure, in words; null without a failure.")),
    submission: Submission,
    excludedItems: Type.Optional(
      Type.Array(LeftOut, {
        description: "Only in a failed submission: ingredients that could not be rated, with the reason.",
      }),
    ),
    scored: Type.Optional(ScoredData),
    completed: Type.Optional(CompletedData),
  },
  {
    title: "IntakeStatus",
    description: "A meal or food, with the results of each finished step.",
  },
);
export type IntakeStatus = Static<typeof IntakeStatus>;
