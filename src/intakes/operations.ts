import { pathId } from "../http/schema-members.ts";
import { operation } from "../http/operation.ts";
import responses from "../openapi-examples/intakes.json" with { type: "json" };
import { Accepted, FoodBody, MealBody } from "./schema.ts";
import { IntakeStatus } from "./status-schema.ts";

const PROCESSING =
  "The response is sent as soon as the submission is safely stored. It is then rated and credited within about a second. " +
  "The result is sent by webhook (`intake.scored`, then `intake.completed` or `intake.failed`, and `rewards.awarded`), and " +
  "is available in its status.\n\nA `transactionId` that was used before is accepted and then fails as DUPLICATE_MEAL, " +
  "unless its earlier submission failed. Send an `Idempotency-Key`, so that you can repeat a request whose response was lost.";

const EXAMPLE_USER = "019e8f2c-6a41-7c3e-9b0d-5f2a8c1e4d70";

/** POST /track/meals */
export const trackMeal = operation({
  id: "trackMeal",
  method: "POST",
  path: "/track/meals",
  tag: "Meals and foods",
  scope: "track.write",
  summary: "Submit a meal",
  description: `Submits a meal that a user ate: its ingredients, or only its name. ${PROCESSING}`,
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
  responses: {
    202: {
      description: "The meal is stored and will be scored.",
      schema: Accepted,
      examples: [{ summary: "Accepted", value: responses.trackMeal }],
    },
  },
});

/** POST /track/food */
export const trackFood = operation({
  id: "trackFood",
  method: "POST",
  path: "/track/food",
  tag: "Meals and foods",
  scope: "track.write",
  summary: "Submit a food",
  description: `Submits a single food that a user ate, with the nutrition on its label. ${PROCESSING}`,
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
  responses: {
    202: {
      description: "The food is stored and will be scored.",
      schema: Accepted,
      examples: [{ summary: "Accepted", value: responses.trackFood }],
    },
  },
});

const statusResponses = (which: "meal" | "food") =>
  ({
    200: {
      description: `The ${which} with its results so far.`,
      schema: IntakeStatus,
      examples:
        which === "meal"
          ? [
              { summary: "Completed", value: responses.getMealStatus },
              { summary: "Failed", value: responses.failedMealStatus },
            ]
          : [{ summary: "Completed", value: responses.getFoodStatus }],
    },
  }) as const;

/** GET /track/meals/{id}/status */
export const getMealStatus = operation({
  id: "getMealStatus",
  method: "GET",
  path: "/track/meals/:id/status",
  tag: "Meals and foods",
  scope: "track.read",
  summary: "Read the status of a meal",
  description: "The submission, with the results of scoring and crediting. Webhooks send the same without polling.",
  params: pathId("The meal's id, as the response to its submission had it."),
  responses: statusResponses("meal"),
});

/** GET /track/food/{id}/status */
export const getFoodStatus = operation({
  id: "getFoodStatus",
  method: "GET",
  path: "/track/food/:id/status",
  tag: "Meals and foods",
  scope: "track.read",
  summary: "Read the status of a food",
  description: "The submission, with the results of scoring and crediting. Webhooks send the same without polling.",
  params: pathId("The food's id, as the response to its submission had it."),
  responses: statusResponses("food"),
});
