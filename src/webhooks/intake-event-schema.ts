// What integrators are told of meals and foods, member for member; see event-schema.ts.
import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { co2e, count, instant, money, oneOf, points, rating, text } from "../http/members.ts";

const source = oneOf(["meal", "food"], "What was submitted.");

/** Names the submission an intake event speaks of: `transactionId` is the integrator's reference, `trackId` our id. */
const intakeSubject = {
  source,
  transactionId: text("Your own reference: the `transactionId` or `logId` that you sent."),
  trackId: text("The submission's id, as its acceptance answered it."),
  userId: text("Whose it is."),
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
    country: text("Country as sent; of a food its merchant's. Empty where not sent."),
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
    "(`errorMessage` names its path); or a error of ours.",
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
