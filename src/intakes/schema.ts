// Schemas of meals and foods: as sent, and as accepted.
import { Type } from "typebox";
import type { Static } from "typebox";
import { instant, money, nullable, oneOf, text } from "../http/schema-members.ts";

const name = (description: string) => Type.String({ pattern: "\\S", maxLength: 255, description });
const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }));
const address = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }));
const requiredAddress = (description: string) => Type.String({ pattern: "\\S", maxLength: 2048, description });
const nutrient = (description: string) => Type.Optional(Type.Number({ minimum: 0, maximum: 1e7, description }));

/** From 1 mg in kg to more than any meal weighs in any unit. Its mass times `quantity` has a bound of its own. */
const weight = (defaultText = "") =>
  Type.Number({ minimum: 1e-6, maximum: 1e6, description: `Weight of one unit, in \`unit\`.${defaultText}` });
/** Bounded, so that the price of one unit is a finite number for every amount. */
const quantity = Type.Number({ minimum: 1e-3, maximum: 1e4, default: 1, description: "Number of units." });
const amount = (defaultText: string) =>
  Type.Number({ minimum: 0, maximum: 1e9, description: `Price of the whole line, in major units. ${defaultText}` });
const currency = (defaultText: string) =>
  Type.String({
    format: "currency",
    maxLength: 255,
    description: `ISO 4217 code of \`amount\`, in upper or lower case. ${defaultText}`,
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
    description:
      "Nutrition of the stated weight of one unit. Values that are left out are those of the reference food.",
  },
);

export const MerchantBody = Type.Object(
  {
    name: shortText("Name of the shop or restaurant."),
    logo: address("Address of its logo."),
    website: address("Address of its site."),
    domain: shortText("Its domain."),
    country: shortText("Its country, preferably as an ISO 3166 code."),
  },
  { title: "Merchant", description: "The merchant where it was bought." },
);

const foodId = name(
  "Your own id of the food, or an id of the catalogue (from `GET /catalogue/match`). A known id decides the food; " +
    "otherwise the name decides.",
);

export const IngredientBody = Type.Object(
  {
    foodId,
    name: name("Its name, in any language of the catalogue."),
    imageUrl: address("Address of its picture."),
    merchant: Type.Optional(MerchantBody),
    weight: Type.Optional(weight(" Default: the usual portion of the food.")),
    unit: shortText("Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others. Default: grams."),
    quantity: Type.Optional(quantity),
    amount: Type.Optional(amount("Default: 1, in the currency of the meal, which is GBP without any amount.")),
    currency: Type.Optional(currency("Required with an amount; one currency for the whole meal.")),
    nutrition: Type.Optional(NutritionBody),
  },
  { title: "Ingredient", description: "A food in a meal. `currency` is required with an `amount`." },
);

/** Both names of the integrator's reference; one of them is required. */
const referenceMembers = {
  transactionId: Type.Optional(
    name(
      "Your own reference, unique among your meals or foods. Send either this or `logId`, or both with the same value.",
    ),
  ),
  logId: Type.Optional(name("Another name of `transactionId`.")),
};

const userId = name("The user's id, as the response to the enrolment had it.");

export const MealBody = Type.Object(
  {
    userId,
    ...referenceMembers,
    mealName: name("Name of the meal. Without ingredients, it is rated by this name."),
    imageUrl: requiredAddress("Address of its picture. It is stored and shown, but never fetched."),
    loggedAt: Type.String({
      format: "date-time",
      maxLength: 64,
      description:
        "When it was eaten, with its time zone. At most 14 days ago (older meals fail) and at most 24 hours in the future.",
    }),
    mealType: oneOf(["breakfast", "lunch", "dinner", "snack", "other"], "Which meal of the day."),
    country: shortText("Country where it was eaten, preferably as an ISO 3166 code."),
    location: shortText("Place where it was eaten, in words."),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: "Your own data: at most 16 KiB and 32 levels deep. Shown in its status.",
      }),
    ),
    ingredients: Type.Optional(
      Type.Array(IngredientBody, { maxItems: 100, description: "Its ingredients; at most 100." }),
    ),
  },
  { title: "Meal", description: "A meal that was eaten. Either `transactionId` or `logId` is required." },
);

export const FoodBody = Type.Object(
  {
    userId,
    ...referenceMembers,
    foodId,
    name: name("Its name, in any language of the catalogue."),
    imageUrl: requiredAddress("Address of its picture. It is stored and shown, but never fetched."),
    merchant: Type.Object(
      { ...MerchantBody.properties, name: name("Name of the shop or restaurant.") },
      { description: "The merchant where it was bought; its name is required." },
    ),
    weight: weight(),
    unit: name("Unit of `weight`: g, kg, ml, l, oz, lb, cup, piece and others."),
    nutrition: NutritionBody,
    quantity: Type.Optional(quantity),
    amount: Type.Optional(amount("Default: 1 GBP.")),
    currency: Type.Optional(currency("Default: GBP.")),
  },
  { title: "Food", description: "A single food that was eaten. Either `transactionId` or `logId` is required." },
);

/** One ingredient as accepted. A member that was not sent is null; defaults are applied when it is scored. */
const SubmittedIngredient = Type.Object(
  {
    foodId: text("As sent."),
    name: text("As sent."),
    imageUrl: text("As sent; empty when not sent."),
    merchant: nullable(MerchantBody, "As sent, or null."),
    weight: nullable(Type.Number({ description: "As sent, or null." })),
    unit: nullable(text("As sent, or null.")),
    quantity: Type.Number({ description: "As sent, or 1." }),
    amount: nullable(money("As sent, or null.")),
    currency: nullable(text("In upper case. When not sent: GBP for a food, null in a meal.")),
    nutrition: nullable(NutritionBody, "As sent, or null."),
  },
  { title: "SubmittedIngredient", description: "An ingredient as it was accepted." },
);
export type SubmittedIngredient = Static<typeof SubmittedIngredient>;

/** A meal or a food as accepted: one shape for both, stored and shown. */
export const Submission = Type.Object(
  {
    reference: text("Your own reference."),
    name: text("Name of the meal or food, exactly as sent."),
    imageUrl: text("As sent."),
    loggedAt: instant("When it was eaten; for a food, when it was accepted."),
    mealType: text("As sent; empty for a food."),
    country: text("As sent; for a food, that of its merchant. Empty when not sent."),
    location: text("As sent; empty when not sent."),
    merchant: nullable(MerchantBody, "As sent, or null."),
    metadata: nullable(Type.Record(Type.String(), Type.Unknown(), { description: "As sent, or null." })),
    ingredients: Type.Array(SubmittedIngredient, { description: "As sent. A food is its own only ingredient." }),
  },
  { title: "Submission", description: "A meal or food as it was accepted." },
);
export type Submission = Static<typeof Submission>;

/** The response to a meal or food. `id` and `trackId` are equal, since both names are in use. */
export const Accepted = Type.Object(
  {
    id: text("The submission's id."),
    trackId: text("The same as `id`. Events have it under this name."),
    message: text("Confirmation, in words."),
  },
  { title: "Accepted", description: "The submission is stored and will be scored." },
);
export type Accepted = Static<typeof Accepted>;
