// The status document of a meal or food.
import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { co2e, count, instant, money, nullable, oneOf, points, rating, text } from "../http/members.ts";
import { ExcludedItem, Item, exclusionReason } from "../points/schema.ts";
import { intakeErrorType } from "../webhooks/intake-event-schema.ts";
import { Submission } from "./schema.ts";

/** The weight of one unit that a rating rests on. */
const Portion = Type.Object(
  {
    weight: Type.Number({ description: "Of one unit." }),
    unit: text("Of `weight`."),
    isAssumed: Type.Boolean({ description: "No weight was sent: this is the usual portion of the food." }),
    isAmountDefaulted: Type.Boolean({ description: "No amount was sent: it counts as 1." }),
  },
  { title: "Portion", description: "What an ingredient's rating weighed." },
);
export type Portion = Static<typeof Portion>;

const ScoredItem = Type.Object(
  { ...Item.properties, portion: Portion },
  { title: "ScoredItem", description: "An item of the record, with what was weighed." },
);

const ScoredData = Type.Object(
  {
    items: Type.Array(ScoredItem, { description: "What counted." }),
    excludedItems: Type.Array(ExcludedItem, { description: "What earned nothing, and why." }),
    totalAmount: money("The sum of the amounts."),
    currency: text("Of `totalAmount`, as its ISO 4217 code."),
    totalCo2e: co2e("Of all items."),
    carbonImpactRating: rating("Carbon rating of the whole."),
    healthImpactRating: rating("Health rating of the whole."),
  },
  { title: "IntakeScoredData", description: "What scoring found. Absent until then." },
);

const CompletedData = Type.Object(
  {
    transactionID: text("The record's id, by which its detail is read."),
    totalPoints: points("What was credited."),
    totalHealthPoints: points("Points for health ratings."),
    totalCarbonPoints: points("Points for carbon ratings."),
    totalGreenProducts: count("Items with the carbon rating 1 or 2."),
    totalHealthyProducts: count("Items with the health rating 1 or 2."),
    createdAt: instant("When it was credited."),
  },
  { title: "IntakeCompletedData", description: "What was credited. Absent until then." },
);

const LeftOut = Type.Object(
  { name: text("As sent."), exclusionReason },
  { title: "LeftOut", description: "An ingredient that could not be rated, and why." },
);

/** The status document of a meal or food. */
export const IntakeStatus = Type.Object(
  {
    status: oneOf(["received", "completed", "failed"], "How far it is."),
    id: text("The submission's id."),
    trackId: text("The same as `id`."),
    transactionId: text("Your own reference."),
    userId: text("Whose it is."),
    source: oneOf(["meal", "food"], "What was submitted."),
    createdAt: instant("When it was accepted."),
    lastUpdated: instant("When it last moved on."),
    errorType: nullable(intakeErrorType),
    errorMessage: nullable(text("Why it failed, for people; null where it has not.")),
    submission: Submission,
    excludedItems: Type.Optional(
      Type.Array(LeftOut, { description: "Only of a failed one: what could not be rated, and why." }),
    ),
    scored: Type.Optional(ScoredData),
    completed: Type.Optional(CompletedData),
  },
  {
    title: "IntakeStatus",
    description: "A meal or food on its way: what was sent, and what each finished step found.",
  },
);
export type IntakeStatus = Static<typeof IntakeStatus>;
