import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../foods/catalogue/store.ts";
import { shippedMatcherOf } from "../foods/matching/learned/store.ts";
import { createRater } from "../foods/rating/rate.ts";
import { DEFAULT_TERMS } from "../points/terms.ts";
import { foodSubmission, mealSubmission } from "./intake.ts";
import type { IntakeSource } from "./intake.ts";
import { completedIntake, keptOf, withRecord } from "./kept.ts";
import type { Submission } from "./schema.ts";
import { itemsToRate, scoreSubmission } from "./score.ts";

const catalogue = readCatalogue();
const rater = createRater(catalogue, shippedMatcherOf(catalogue));
const ID = "0192f0c1-0000-7000-8000-000000000001";
const AT = new Date("2026-11-22T12:00:00Z");
const MEAL = {
  userId: "u",
  transactionId: "t",
  mealName: "Lunch",
  mealType: "lunch" as const,
  imageUrl: "https://example.org/l.jpg",
  loggedAt: AT.toISOString(),
};
const FOOD = {
  userId: "u",
  transactionId: "t",
  foodId: "my-apple",
  name: "Apple",
  imageUrl: "https://example.org/a.jpg",
  merchant: { name: "Shop", country: "IE" },
  weight: 150,
  unit: "g",
  amount: 1.45,
  nutrition: { energyKcal: 80 },
};
const INGREDIENTS = [
  { foodId: "1", name: "Lentils", weight: 200, unit: "g", amount: 0.1, currency: "EUR", quantity: 3 },
  { foodId: "2", name: "Qwrtz plmk", imageUrl: "https://example.org/q.jpg" },
  { foodId: "3", name: " Apple ", weight: 0.15, unit: "kg", amount: 2.005, currency: "eur", merchant: { logo: "l" } },
  { foodId: "4", name: "Milk", weight: 250, currency: "EUR", nutrition: { fatG: 3.5 } },
];

/** A submission that is scored, as its row and its record have it. */
function completed(source: IntakeSource, submission: Submission | { errors: object }) {
  assert.ok(!("errors" in submission));
  const ratings = itemsToRate(submission).map((item) => rater.rate(item, source));
  const scored = scoreSubmission({ id: ID, source, submission, acceptedAt: AT }, ratings, Infinity, DEFAULT_TERMS);
  assert.ok(scored.kind === "scored");
  const { record, portions, carbonRating, healthRating } = scored;
  return { whole: { submission, details: { portions, carbonRating, healthRating } }, body: record.body };
}

test("a food keeps what its record does not say", () => {
  const { whole, body } = completed("food", foodSubmission(FOOD, AT));
  assert.deepEqual(keptOf("food", whole, body), {
    submission: {
      merchant: { country: "IE" },
      ingredients: [{ weight: 150, unit: "g", nutrition: { energyKcal: 80 } }],
    },
    details: {},
  });
});

test("a completed intake is the same from what it keeps, and from a row with all members", () => {
  const metadata = { b: [{ z: null }], a: "" };
  for (const [source, submission] of [
    ["meal", mealSubmission({ ...MEAL, metadata, country: "GB", location: "Home", ingredients: INGREDIENTS }, AT)],
    ["meal", mealSubmission({ ...MEAL, ingredients: INGREDIENTS.slice(2, 3) }, AT)],
    ["meal", mealSubmission({ ...MEAL, mealName: " Lentil soup " }, AT)],
    ["food", foodSubmission(FOOD, AT)],
    ["food", foodSubmission({ ...FOOD, merchant: { name: " ", logo: "" }, quantity: 2.5, currency: "jpy" }, AT)],
    ["food", foodSubmission({ ...FOOD, merchant: { ...FOOD.merchant, logo: "l", domain: "d" }, amount: 1.005 }, AT)],
  ] as const) {
    const { whole, body } = completed(source, submission);
    const kept = JSON.parse(JSON.stringify(keptOf(source, whole, body))) as ReturnType<typeof keptOf>;
    assert.ok(JSON.stringify(kept).length < JSON.stringify(whole).length);
    assert.deepEqual(completedIntake(source, kept, body), whole);
    assert.deepEqual(completedIntake(source, whole, body), whole);
    assert.deepEqual(withRecord({ source, ...kept, record: body }), { source, ...whole });
  }
});

test("an intake without a record is exported as it is", () => {
  const { submission, details } = completed("food", foodSubmission(FOOD, AT)).whole;
  assert.deepEqual(withRecord({ source: "food", submission, details, record: null }), {
    source: "food",
    submission,
    details,
  });
});
