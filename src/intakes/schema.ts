// What a meal or food is when it is sent, and as what it is accepted.
import { Type } from "@fastify/type-provider-typebox";
import type { Static } from "@fastify/type-provider-typebox";
import { instant, money, nullable, oneOf, text } from "../http/members.ts";

const name = (description: string) => Type.String({ pattern: "\\S", maxLength: 255, description });
const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }));
const address = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }));
const requiredAddress = (description: string) => Type.String({ pattern: "\\S", maxLength: 2048, description });
const nutrient = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1e7, description }));

/** From 1 mg in kg to more than any meal weighs in any unit; small enough that 100 of them stay exact as mg. */
const weight = (unweighed = "") =>
  Type.Number({ minimum: 1e-6, maximum: 1e6, description: `Of one unit, in \`unit\`.${unweighed}` });
/** Small enough that the price of one stays a number, whatever the amount. */
const quantity = Type.Number({ minimum: 1e-3, maximum: 1e4, default: 1, description: "How many units." });
const amount = (unpriced: string) =>
  Type.Number({ minimum: 0, maximum: 1e9, description: `What the whole line cost, in major units. ${unpriced}` });
const currency = (unsaid: string) =>
  Type.String({
    format: "currency",
    maxLength: 255,
    description: `ISO 4217 code of \`amount\`, in any letter case. ${unsaid}`,
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
    weight: Type.Optional(weight(" Where there is none, the usual portion of the food is taken.")),
    unit: shortText("Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others. Grams where left out."),
    quantity: Type.Optional(quantity),
    amount: Type.Optional(
      amount("Where left out: 1, in the currency of the meal, which is GBP where no amount is given."),
    ),
    currency: Type.Optional(currency("Wanted with an amount; one currency for a whole meal.")),
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
      description:
        "When it was eaten, with its zone. At most 14 days ago (older ones fail) and at most 24 hours ahead.",
    }),
    mealType: oneOf(["breakfast", "lunch", "dinner", "snack", "other"], "Which meal of the day."),
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
    weight: weight(),
    unit: name("Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others."),
    nutrition: NutritionBody,
    quantity: Type.Optional(quantity),
    amount: Type.Optional(amount("1 GBP where left out.")),
    currency: Type.Optional(currency("GBP where left out.")),
  },
  { title: "Food", description: "A single food that was eaten. Either `transactionId` or `logId` is wanted." },
);

/** One ingredient as accepted. A member that was not sent is null; defaults are applied when it is scored. */
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
    currency: nullable(text("In capitals; where not sent, GBP of a food and null in a meal.")),
    nutrition: nullable(NutritionBody, "As sent, or null."),
  },
  { title: "SubmittedIngredient", description: "An ingredient as it was accepted." },
);
export type SubmittedIngredient = Static<typeof SubmittedIngredient>;

/** A meal or a food as accepted: one shape for both, stored and shown. */
export const Submission = Type.Object(
  {
    reference: text("Your own reference."),
    name: text("Of the meal or food, letter for letter."),
    imageUrl: text("As sent."),
    loggedAt: instant("When it was eaten; of a food, when it was accepted."),
    mealType: text("As sent; empty for a food."),
    country: text("As sent; of a food its merchant's. Else empty."),
    location: text("As sent; else empty."),
    merchant: nullable(MerchantBody, "As sent, or null."),
    metadata: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "As sent, or null." })),
    ingredients: Type.Array(SubmittedIngredient, { description: "As sent. A food is its own only ingredient." }),
  },
  { title: "Submission", description: "A meal or food as it was accepted." },
);
export type Submission = Static<typeof Submission>;

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
