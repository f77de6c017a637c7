import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { foodSubmission, mealSubmission } from "../intake.ts";
import { packSubmission, unpackSubmission } from "./packed-submission.ts";

const AT = new Date("2026-11-22T12:00:00Z");

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }).filter((each) => each.isWellFormed()),
  fc.constantFrom("", "g", "GBP", "GB", "2026-11-22T12:00:00.000Z"),
);
const number = fc.oneof(
  fc.integer({ min: 0, max: 1_000_000 }),
  fc.integer({ min: 0, max: 9_999_999 }).map((n) => n / 100),
  fc.double({ min: 1e-6, max: 1e9, noNaN: true }),
);
const orNull = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: null });
const some = <Members>(members: { [Name in keyof Members]: fc.Arbitrary<Members[Name]> }) =>
  fc.record(members, { requiredKeys: [] });
const merchant = orNull(some({ name: text, logo: text, website: text, domain: text, country: text }));
const nutrition = some({
  energyKcal: number,
  proteinG: number,
  carbsG: number,
  fatG: number,
  sugarG: number,
  fiberG: number,
  saltG: number,
  saturatedFatG: number,
  fruitsVegetablesLegumesPct: number,
});
const ingredient = some({
  foodId: text,
  name: text,
  imageUrl: text,
  merchant,
  weight: orNull(number),
  unit: orNull(text),
  quantity: number,
  amount: orNull(number),
  currency: orNull(text),
  nutrition: orNull(nutrition),
});
/** Whole, or as far as the record does not say it. */
const submission = some({
  reference: text,
  name: text,
  imageUrl: text,
  loggedAt: text,
  mealType: text,
  country: text,
  location: text,
  metadata: fc.constant(null),
  merchant,
  ingredients: fc.array(ingredient, { maxLength: 12 }),
});

/** As a column of JSON returns it: members by length, then by name. */
function stored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, stored(member)]));
}

test("a submission is as a column of JSON would return it", () => {
  fc.assert(
    fc.property(submission, (given) => {
      const packed = packSubmission(given);
      assert.ok(packed, "it is not packed");
      assert.equal(JSON.stringify(unpackSubmission(packed)), JSON.stringify(stored(given)));
    }),
  );
});

test("submissions as they are accepted have the packed form", () => {
  const ingredient = {
    foodId: "1",
    name: "Lentils",
    weight: 200,
    unit: "g",
    amount: 0.1,
    currency: "EUR",
    quantity: 3,
  };
  const meal = { userId: "u", transactionId: "t", mealName: "Lunch", mealType: "lunch" as const, imageUrl: "i" };
  const food = { userId: "u", transactionId: "t", ...ingredient, imageUrl: "i", merchant: { name: "Shop" } };
  for (const accepted of [
    mealSubmission({ ...meal, loggedAt: AT.toISOString(), ingredients: [ingredient] }, AT),
    foodSubmission({ ...food, nutrition: { energyKcal: 80 } }, AT),
  ]) {
    const packed = packSubmission(accepted);
    assert.ok(packed && packed.length < JSON.stringify(accepted).length / 3);
    assert.deepEqual(unpackSubmission(packed), accepted);
  }
});

test("what has other members has no packed form", () => {
  for (const other of [
    { note: "unknown" },
    { metadata: { a: 1 } },
    { merchant: { note: "unknown" } },
    { ingredients: [{ note: "unknown" }] },
    { ingredients: [{ nutrition: { note: 1 } }] },
    { ingredients: { name: "a" } },
    { name: "\ud800" },
  ])
    assert.equal(packSubmission(other), null, JSON.stringify(other));
});

test("what was stored by this form is read for good", () => {
  const kept = {
    country: "GB",
    ingredients: [{ unit: "g", weight: 150, nutrition: { fatG: 1.2, energyKcal: 80 } }],
  };
  assert.deepEqual(unpackSubmission(Buffer.from("AQAOAwigBEoOAQ4ECLAECJYBQQ4DOQhQCgEM", "base64")), kept);
});
