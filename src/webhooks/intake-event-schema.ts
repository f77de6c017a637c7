// Schemas of the events of meals and foods, member for member; see event-schema.ts.
import { Type } from "typebox";
import type { Static } from "typebox";
import { co2e, count, instant, money, oneOf, points, rating, text } from "../http/schema-members.ts";

const source = oneOf(["meal", "food"], "What was submitted.");

/** The submission of an intake event: `transactionId` is the integrator's reference, `trackId` our id. */
const intakeSubject = {
  source,
  transactionId: text("Your own reference: the `transactionId` or `logId` that you sent."),
  trackId: text("The submission's id, as the response to its submission had it."),
  userId: text("The user's id."),
};

export const IntakeReceived = Type.Object(
  {
    event: Type.Literal("intake.received"),
    ...intakeSubject,
    loggedAt: instant("When it was eaten; for a food, when it was accepted."),
    country: text("Country as sent; for a food, that of its merchant. Empty when not sent."),
    createdAt: instant("When it was accepted."),
  },
  { title: "IntakeReceived", description: "A meal or food was accepted." },
);
export type IntakeReceived = Static<typeof IntakeReceived>;

const ingredientMembers = {
  foodId: text("As sent."),
  name: text("As sent, letter for letter."),
  imageUrl: text("As sent; empty when not sent."),
  weight: Type.Number({ description: "Weight of one unit: as sent, or the usual portion." }),
  unit: text("Unit of `weight`."),
  quantity: Type.Number({ description: "Number of units." }),
  amount: money("Price of the line; 1 when no amount was sent."),
  currency: text("Currency of `amount`, as an ISO 4217 code."),
  carbonImpactRating: rating("Carbon rating."),
  healthImpactRating: rating("Health rating."),
  co2e: co2e("CO2e of the whole line."),
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
    totalPoints: points("All points of the ingredient."),
    totalCarbonPoints: points("Points for its carbon rating."),
    totalHealthPoints: points("Points for its health rating."),
  },
  { title: "CreditedIngredient", description: "An ingredient with its ratings and points." },
);
export type CreditedIngredient = Static<typeof CreditedIngredient>;

/** Both ratings are those of the whole. A food is the only entry of `ingredients` and has `mealType` "". */
export const IntakeScored = Type.Object(
  {
    event: Type.Literal("intake.scored"),
    ...intakeSubject,
    name: text("Name of the meal or food."),
    imageUrl: text("Its picture, as sent."),
    mealType: text("breakfast, lunch, dinner, snack or other; empty for a food."),
    ingredients: Type.Array(ScoredIngredient, {
      description: "The rated ingredients. A food is its own only ingredient.",
    }),
    loggedAt: instant("When it was eaten; for a food, when it was accepted."),
    country: text("Country as sent; for a food, that of its merchant. Empty when not sent."),
    totalAmount: money("The sum of the ingredients' amounts."),
    currency: text("Currency of `totalAmount`, as an ISO 4217 code."),
    totalCo2e: co2e("CO2e of all ingredients."),
    carbonImpactRating: rating("Carbon rating of the meal or food."),
    healthImpactRating: rating("Health rating of the meal or food."),
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
    currency: text("Currency of `totalAmount`, as an ISO 4217 code."),
    ingredients: Type.Array(CreditedIngredient, { description: "The rated ingredients, with their points." }),
    totalPoints: points("Points that were credited."),
    totalGreenProducts: count("Ingredients with the carbon rating 1 or 2."),
    totalHealthyProducts: count("Ingredients with the health rating 1 or 2."),
    totalCo2e: co2e("CO2e of all ingredients."),
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
  "Why: no food was recognised; the meal is too old; the reference was used before; a needed member is missing " +
    "(`errorMessage` names its path); or an internal error.",
);

/** `errorMessage` of DATA_INCOMPLETE names the path of the missing field. */
export const IntakeFailed = Type.Object(
  {
    event: Type.Literal("intake.failed"),
    ...intakeSubject,
    errorType: intakeErrorType,
    errorMessage: text("The reason, in words."),
    failedAt: instant("When it failed."),
  },
  { title: "IntakeFailed", description: "A meal or food earned nothing, with the reason." },
);
export type IntakeFailed = Static<typeof IntakeFailed>;
