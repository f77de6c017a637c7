import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { carbonFootprint, carbonRating, carbonRatingOf, mealCarbonRating } from "./carbon.ts";
import type { FoodCarbon } from "../catalogue/catalogue.ts";

const figure = (over: Partial<FoodCarbon> = {}): FoodCarbon => ({
  co2eGPerKg: 1_310,
  source: "agribalyse-3.1.1:19041",
  uncertaintyK: 1.7,
  reconstitution: null,
  ...over,
});

test("each class is twice the one before it and starts with its lower bound", () => {
  const ratings = [0, 0.999, 1, 1.999, 2, 3.999, 4, 7.999, 8, 60].map(carbonRating);
  assert.deepEqual(ratings, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
});

test("a pint of milk: its CO2e in whole mg, low and high a factor apart, B with its source and method", () => {
  assert.deepEqual(carbonFootprint(figure(), 568_000), {
    co2eMg: 744_080,
    co2eLowMg: 437_694,
    co2eHighMg: 1_264_936,
    co2eGPerKg: 1_310,
    carbonRating: 2,
    ratingUncertain: true,
    carbonMethod: "co2e-per-kg/1",
    carbonDataSource: "agribalyse-3.1.1:19041",
  });
});

test("ground coffee is rated as it is drunk, and its CO2e is that of the pack", () => {
  const coffee = carbonFootprint(figure({ co2eGPerKg: 9_994, reconstitution: 17 }), 250_000);
  assert.equal(coffee.carbonRating, 1);
  assert.equal(carbonRatingOf(figure({ co2eGPerKg: 9_994, reconstitution: 17 })), 1);
  assert.equal(coffee.co2eMg, 2_498_500);
});

test("a rating is uncertain where low and high lie more than one class apart", () => {
  assert.equal(carbonFootprint(figure({ co2eGPerKg: 1_400, uncertaintyK: 1.3 }), 1_000).ratingUncertain, false);
  assert.equal(carbonFootprint(figure({ co2eGPerKg: 1_400, uncertaintyK: 3 }), 1_000).ratingUncertain, true);
});

test("a meal is rated by its CO2e for its mass: a little beef outweighs a lot of tomato", () => {
  const beef = { co2eMg: 3_325_000, massMg: 100_000 };
  const tomato = { co2eMg: 186_000, massMg: 300_000 };
  assert.equal(mealCarbonRating([beef, tomato]), 5);
  assert.equal(mealCarbonRating([tomato]), 1);
  assert.equal(mealCarbonRating([]), null);
});

test("CO2e is a whole number that JavaScript counts exactly, up to a tonne of anything", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60_000 }),
      fc.integer({ min: 1, max: 1_000_000_000 }),
      (co2eGPerKg, massMg) => {
        const { co2eMg, co2eLowMg, co2eHighMg } = carbonFootprint(figure({ co2eGPerKg }), massMg);
        assert.ok([co2eMg, co2eLowMg, co2eHighMg].every(Number.isSafeInteger));
        assert.ok(co2eLowMg <= co2eMg && co2eMg <= co2eHighMg);
      },
    ),
  );
});
