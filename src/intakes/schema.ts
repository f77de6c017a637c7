import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { co2e, count, instant, money, nullable, oneOf, pathId, points, rating, text } from "../http/members.ts";
import { operation } from "../http/operation.ts";
import { ExcludedItem, Item, exclusionReason } from "../points/schema.ts";
import { intakeErrorType } from "../webhooks/event-schema.ts";
import answers from "./answers.json" with { type: "json" };

export const MEAL_TYPES = ["breakfast", "lunch", "dinner", "snack", "other"] as const;

const name = (description: string) => Type.String({ pattern: "\\S", maxLength: 255, description });
const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }));
const address = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }));
const requiredAddress = (description: string) => Type.String({ pattern: "\\S", maxLength: 2048, description });
const nutrient = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1e7, description }));

/** From 1 mg in kg to more than any meal weighs in any unit; small enough that 100 of them stay exact as mg. */
const weight = Type.Number({
  minimum: 1e-6,
  maximum: 1e6,
  description: "Of one unit, in `unit`. Where there is none, the usual portion of the food is taken.",
});
/** Small enough that the price of one stays a number, whatever the amount. */
const quantity = Type.Number({ minimum: 1e-3, maximum: 1e4, default: 1, description: "How many units." });
const amount = (unpriced: string) =>
  Type.Number({ minimum: 0, maximum: 1e9, description: `What the whole line cost, in major units. ${unpriced}` });
const currency = Type.String({
  format: "currency",
  maxLength: 255,
  description: "ISO 4217 code of `amount`, in any letter case; one currency for a whole meal.",
});

export const NutritionBody = Type.Object(
  {
    energyKcal: nutrient("Energy, kcal."),
    proteinG: nutrient("Protein, grams."),
    carbsG: nutrient("Carbohydrates, grams."),
    fatG: nutrient("Fat, grams."),
    sugarG: nutrient("Sugar, grams; part of the carbohydrates."),
    fiberG: nutrient("Fibre, grams."),
    saltG: nutrient("Salt, grams."),
    saturatedFatG: nutrient("Saturated fat, grams; part of the fat."),
    fruitsVegetablesLegumesPct: Type.Optional(
      Type.Number({ minimum: 0, maximum: 100, description: "Fruit, vegetables and legumes, percent of the weight." }),
    ),
  },
  {
    title: "Nutrition",
    description: "For the stated weight of one unit. What is left out is taken from the reference food.",
  },
);
export type Nutrition = Static<typeof NutritionBody>;

export const MerchantBody = Type.Object(
  {
    name: shortText("Name of the shop or restaurant."),
    logo: address("Address of its logo."),
    website: address("Address of its site."),
    domain: shortText("Its domain."),
    country: shortText("Its country, best as the ISO 3166 code."),
  },
  { title: "Merchant", description: "Where it was bought." },
);
export type Merchant = Static<typeof MerchantBody>;

const foodId = name(
  "Your own id of the food, or an id of the catalogue (`GET /catalogue/match` gives them). One that is known decides; " +
    "otherwise the name does.",
);

export const IngredientBody = Type.Object(
  {
    foodId,
    name: name("What it is called, in any of the catalogue's languages."),
    imageUrl: address("Its picture."),
    merchant: Type.Optional(MerchantBody),
    weight: Type.Optional(weight),
    unit: shortText("Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others. Grams where left out."),
    quantity: Type.Optional(quantity),
    amount: Type.Optional(amount("1 GBP where left out.")),
    currency: Type.Optional(currency),
    nutrition: Type.Optional(NutritionBody),
  },
  { title: "Ingredient", description: "A food in a meal. `currency` is wanted with an `amount`." },
);

/** Both names of the integrator's reference; one of them is wanted. */
const referenceMembers = {
  transactionId: Type.Optional(
    name("Your own reference, unique among your meals or foods. Either this or `logId`; where both are given, equal."),
  ),
  logId: Type.Optional(name("Another name of `transactionId`.")),
};

const userId = name("The user's id, as enrolment answered it.");

export const MealBody = Type.Object(
  {
    userId,
    ...referenceMembers,
    mealName: name("What the meal is called. Without ingredients, it is rated by this name."),
    imageUrl: requiredAddress("Its picture; kept and shown, never fetched."),
    loggedAt: Type.String({
      format: "date-time",
      maxLength: 64,
      description: "When it was eaten, with its zone. At most 14 days ago (older ones fail) and not in the future.",
    }),
    mealType: Type.Enum([...MEAL_TYPES], { type: "string", description: "Which meal of the day." }),
    country: shortText("Where it was eaten, best as the ISO 3166 code."),
    location: shortText("Where it was eaten, in words."),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Whatever you want to keep with it: at most 16 KiB and 32 levels deep. Shown in its status.",
      }),
    ),
    ingredients: Type.Optional(
      Type.Array(IngredientBody, { maxItems: 100, description: "What it was made of; at most 100." }),
    ),
  },
  { title: "Meal", description: "A meal that was eaten. Either `transactionId` or `logId` is wanted." },
);

export const FoodBody = Type.Object(
  {
    userId,
    ...referenceMembers,
    foodId,
    name: name("What it is called, in any of the catalogue's languages."),
    imageUrl: requiredAddress("Its picture; kept and shown, never fetched."),
    merchant: Type.Object(
      { ...MerchantBody.properties, name: name("Name of the shop or restaurant.") },
      { description: "Where it was bought; its name is wanted." },
    ),
    weight,
    unit: name("Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others."),
    nutrition: NutritionBody,
    quantity: Type.Optional(quantity),
    amount: Type.Optional(amount("1 GBP where left out.")),
    currency: Type.Optional(currency),
  },
  { title: "Food", description: "A single food that was eaten. Either `transactionId` or `logId` is wanted." },
);

/** What a meal or food is answered: `id` and `trackId` are equal, both are in use. */
export const Accepted = Type.Object(
  {
    id: text("The submission's id."),
    trackId: text("The same as `id`: events name the submission by it."),
    message: text("For people."),
  },
  { title: "Accepted", description: "The submission is stored and will be scored." },
);
export type Accepted = Static<typeof Accepted>;

const SubmittedIngredient = Type.Object(
  {
    foodId: text("As sent."),
    name: text("As sent."),
    imageUrl: text("As sent; else empty."),
    merchant: nullable(MerchantBody, "As sent, or null."),
    weight: nullable(Type.Number({ description: "As sent, or null." })),
    unit: nullable(text("As sent, or null.")),
    quantity: Type.Number({ description: "As sent, or 1." }),
    amount: nullable(money("As sent, or null.")),
    currency: nullable(text("In capitals; null where not sent.")),
    nutrition: nullable(NutritionBody, "As sent, or null."),
  },
  { title: "SubmittedIngredient", description: "An ingredient as it was accepted." },
);

const Submission = Type.Object(
  {
    reference: text("Your own reference."),
    name: text("Of the meal or food, letter for letter."),
    imageUrl: text("As sent."),
    loggedAt: instant("When it was eaten; of a food, when it was accepted."),
    mealType: text("As sent; empty for a food."),
    country: text("As sent; else empty."),
    location: text("As sent; else empty."),
    merchant: nullable(MerchantBody, "As sent, or null."),
    metadata: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "As sent, or null." })),
    ingredients: Type.Array(SubmittedIngredient, { description: "As sent. A food is its own only ingredient." }),
  },
  { title: "Submission", description: "A meal or food as it was accepted." },
);

const Portion = Type.Object(
  {
    weight: Type.Number({ description: "Of one unit." }),
    unit: text("Of `weight`."),
    isAssumed: Type.Boolean({ description: "No weight was sent: this is the usual portion of the food." }),
    isAmountDefaulted: Type.Boolean({ description: "No amount was sent: it counts as 1." }),
  },
  { title: "Portion", description: "What an ingredient's rating weighed." },
);

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

const AFTERWARDS =
  "The answer comes at once, when the submission is safely stored. It is then rated and credited within about a second; " +
  "the outcome comes by webhook (`intake.scored`, then `intake.completed` or `intake.failed`, and `rewards.awarded`) and " +
  "stands in its status.\n\nA `transactionId` that was used before is accepted and then fails as DUPLICATE_MEAL, unless the " +
  "submission that had it failed. Send an `Idempotency-Key` to be able to repeat a request whose answer was lost.";

const EXAMPLE_USER = "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70";

/** POST /track/meals */
export const trackMeal = operation({
  id: "trackMeal",
  method: "POST",
  path: "/track/meals",
  tag: "Meals and foods",
  summary: "Submit a meal",
  description: `Hands in a meal that a user ate: its ingredients, or just its name. ${AFTERWARDS}`,
  body: MealBody,
  examples: [
    {
      summary: "A meal of three ingredients",
      value: {
        userId: EXAMPLE_USER,
        transactionId: "meal-1042",
        mealName: "Porridge with banana",
        imageUrl: "https://example.com/porridge.jpg",
        loggedAt: "2026-02-02T07:30:00Z",
        mealType: "breakfast",
        country: "GB",
        ingredients: [
          { foodId: "porridge-oats", name: "Porridge oats", weight: 50, unit: "g", amount: 0.2, currency: "GBP" },
          { foodId: "milk", name: "Semi-skimmed milk", weight: 200, unit: "ml", amount: 0.3, currency: "GBP" },
          { foodId: "banana", name: "Banana", quantity: 1, amount: 0.25, currency: "GBP" },
        ],
      },
    },
    {
      summary: "A meal by its name alone",
      value: {
        userId: EXAMPLE_USER,
        logId: "meal-1043",
        mealName: "Lentil soup",
        imageUrl: "https://example.com/soup.jpg",
        loggedAt: "2026-02-02T13:05:00+01:00",
        mealType: "lunch",
      },
    },
  ],
  answers: {
    202: {
      description: "The meal is stored and will be scored.",
      schema: Accepted,
      examples: [{ summary: "Accepted", value: answers.trackMeal }],
    },
  },
});

/** POST /track/food */
export const trackFood = operation({
  id: "trackFood",
  method: "POST",
  path: "/track/food",
  tag: "Meals and foods",
  summary: "Submit a food",
  description: `Hands in a single food that a user ate, with its nutrition as on the label. ${AFTERWARDS}`,
  body: FoodBody,
  examples: [
    {
      summary: "A yogurt from the shop",
      value: {
        userId: EXAMPLE_USER,
        transactionId: "food-2077",
        foodId: "greek-yogurt",
        name: "Greek yogurt",
        imageUrl: "https://example.com/yogurt.jpg",
        merchant: { name: "Larkmeadow Market", country: "GB" },
        weight: 150,
        unit: "g",
        nutrition: { energyKcal: 146, proteinG: 13.5, carbsG: 6, fatG: 7.5, sugarG: 6, fiberG: 0, saltG: 0.15 },
        amount: 1.1,
        currency: "GBP",
      },
    },
  ],
  answers: {
    202: {
      description: "The food is stored and will be scored.",
      schema: Accepted,
      examples: [{ summary: "Accepted", value: answers.trackFood }],
    },
  },
});

const statusAnswers = (which: "meal" | "food") =>
  ({
    200: {
      description: `The ${which}, as far as it is.`,
      schema: IntakeStatus,
      examples:
        which === "meal"
          ? [
              { summary: "Completed", value: answers.getMealStatus },
              { summary: "Failed", value: answers.failedMealStatus },
            ]
          : [{ summary: "Completed", value: answers.getFoodStatus }],
    },
  }) as const;

/** GET /track/meals/{id}/status */
export const getMealStatus = operation({
  id: "getMealStatus",
  method: "GET",
  path: "/track/meals/:id/status",
  tag: "Meals and foods",
  summary: "See how far a meal is",
  description: "What was sent, and what scoring and crediting found. Webhooks tell the same without asking.",
  params: pathId("The meal's id, as its acceptance answered it."),
  answers: statusAnswers("meal"),
});

/** GET /track/food/{id}/status */
export const getFoodStatus = operation({
  id: "getFoodStatus",
  method: "GET",
  path: "/track/food/:id/status",
  tag: "Meals and foods",
  summary: "See how far a food is",
  description: "What was sent, and what scoring and crediting found. Webhooks tell the same without asking.",
  params: pathId("The food's id, as its acceptance answered it."),
  answers: statusAnswers("food"),
});
