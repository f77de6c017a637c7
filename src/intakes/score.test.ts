import assert from "node:assert/strict";
import { DEFAULT_TERMS } from "../points/terms.ts";
import { before, test } from "node:test";
import * as fc from "fast-check";
import { readCatalogue } from "../foods/catalogue/store.ts";
import { shippedMatcherOf } from "../foods/matching/learned/store.ts";
import { createRater } from "../foods/rating/rate.ts";
import type { Rater } from "../foods/rating/rate.ts";
import { recordTotals } from "../points/record.ts";
import { foodSubmission, mealSubmission } from "./intake.ts";
import { itemsToRate, scoreSubmission } from "./score.ts";

let rater: Rater;
let heaviest: string[];
before(() => {
  const catalogue = readCatalogue();
  rater = createRater(catalogue, shippedMatcherOf(catalogue));
  const foods = [...catalogue.byId.values()];
  const most = (figure: (food: (typeof foods)[number]) => number) =>
    foods.toSorted((a, b) => figure(b) - figure(a)).slice(0, 3);
  heaviest = [
    ...most((food) => food.carbon?.co2eGPerKg ?? 0),
    ...most((food) => food.packG),
    ...most((food) => food.pieceG ?? 0),
    ...most((food) => food.densityGPerMl ?? 0),
    ...most((food) => food.portionG),
  ].map(({ id }) => id);
});

const AT = new Date("2026-11-22T12:00:00Z");
const EXTREME = {
  weight: fc.constantFrom(undefined, 1e-6, 1, 1e3, 1e4, 1e5, 1e6),
  quantity: fc.constantFrom(undefined, 1e-3, 1, 1e3, 1e4),
  unit: fc.constantFrom(undefined, "mg", "g", "kg", "lb", "l", "gal", "cup", "piece", "dozen", "portion", "pack"),
  amount: fc.constantFrom(0, 1, 1e9),
  currency: fc.constantFrom("KWD"),
  nutrient: fc.constantFrom(0, 1e-9, 1, 1e7),
  percent: fc.constantFrom(0, 100),
};

/** All numbers in a value. */
function* numbersIn(value: unknown): Generator<number> {
  if (typeof value === "number") yield value;
  else if (typeof value === "object" && value !== null) for (const each of Object.values(value)) yield* numbersIn(each);
}

test("the largest values that pass the checks are booked exactly: every number is finite, every sum a safe integer", () => {
  const ingredient = fc.record({
    weight: EXTREME.weight,
    quantity: EXTREME.quantity,
    unit: EXTREME.unit,
    amount: EXTREME.amount,
    foodId: fc.nat(14).map((index) => heaviest[index]!),
    nutrition: fc.record({
      energyKcal: EXTREME.nutrient,
      fatG: EXTREME.nutrient,
      saltG: EXTREME.nutrient,
    }),
  });
  let scored = 0;
  fc.assert(
    fc.property(
      ingredient,
      fc.constantFrom("meal" as const, "food" as const),
      fc.constantFrom(1, 100),
      (one, source, count) => {
        const given = Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined));
        const item = { ...given, name: "x", currency: "KWD" } as unknown as { name: string; foodId: string };
        const head = { userId: "u", transactionId: "t", imageUrl: "x" };
        const submission =
          source === "meal"
            ? mealSubmission(
                {
                  ...head,
                  mealName: "x",
                  mealType: "lunch",
                  loggedAt: AT.toISOString(),
                  ingredients: Array.from({ length: count }, () => item),
                },
                AT,
              )
            : foodSubmission({ ...head, merchant: { name: "x" }, weight: 1, unit: "g", nutrition: {}, ...item }, AT);
        if ("errors" in submission) return;
        const intake = { id: "i", source, submission, acceptedAt: AT };
        const scoring = scoreSubmission(
          intake,
          itemsToRate(intake.submission).map((input) => rater.rate(input, source)),
          1e9,
          DEFAULT_TERMS,
        );
        for (const number of numbersIn(scoring)) assert.ok(Number.isFinite(number));
        if (scoring.kind === "failed") return assert.equal(scoring.errorType, "DATA_INCOMPLETE");
        scored++;
        const { co2eMg, points } = recordTotals(scoring.record.body);
        assert.ok([co2eMg, points, scoring.record.body.totalAmountMinor].every(Number.isSafeInteger), String(co2eMg));
      },
    ),
    { numRuns: 2_000, seed: 20_261_122 },
  );
  assert.ok(scored > 500, String(scored));
});
