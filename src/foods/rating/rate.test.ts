import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { mealHealth } from "./meal-health.ts";
import { createRater } from "./rate.ts";
import type { RatedFood, RateInput, RateResult } from "./rate.ts";
import type { NameSource } from "../matching/match.ts";
import { readCatalogue } from "../catalogue/store.ts";
import { matcherOf } from "../matching/match.ts";

const catalogue = readCatalogue();
const rater = createRater(catalogue, matcherOf(catalogue));

function rate(input: Partial<RateInput>, source: NameSource = "meal"): RateResult {
  return rater.rate(
    { foodId: null, name: "", weight: null, unit: null, quantity: 1, nutrition: null, ...input },
    source,
  );
}

function rated(input: Partial<RateInput>, source: NameSource = "meal"): RatedFood {
  const result = rate(input, source);
  assert.ok(result.kind === "rated", JSON.stringify(result));
  return result;
}

function reasonOf(name: string, source: NameSource = "receipt") {
  const result = rate({ name, weight: 20, unit: "g" }, source);
  assert.ok(result.kind === "excluded", name);
  return result.reason;
}

function unmatchedMassMg(input: Partial<RateInput>) {
  const result = rate({ name: "qwzx", ...input });
  return result.kind === "excluded" ? result.massMg : undefined;
}

function item(name: string, weight: number, nutrition: RateInput["nutrition"] = null) {
  return rated({ name, weight, unit: "g", nutrition });
}

test("an id of the catalogue means that food, whatever the name", () => {
  const result = rated({ foodId: "lentil-soup", name: "Grandma's secret", weight: 300, unit: "g" });
  assert.deepEqual([result.food.id, result.confidence], ["lentil-soup", 1]);
  assert.equal(rated({ foodId: "their-own-77", name: "lentil soup" }).food.id, "lentil-soup");
});

test("a line sold by weight keeps its mass", () => {
  const result = rated({ name: "BANANAS LOOSE", weight: 0.436, unit: "kg" }, "receipt");
  assert.deepEqual([result.massMg, result.weightAssumed], [436_000, false]);
  assert.equal(result.co2eMg, Math.round((result.co2eGPerKg * 436_000) / 1_000));
});

test("a counted line weighs the size in its name, else the usual pack, times its quantity", () => {
  assert.equal(rated({ name: "PORK CHOPS 500G", quantity: 2 }, "receipt").massMg, 1_000_000);
  const assumed = rated({ name: "PORK CHOPS", quantity: 2 }, "receipt");
  assert.deepEqual([assumed.massMg, assumed.weightAssumed, assumed.unit], [1_000_000, true, "g"]);
  assert.equal(rated({ name: "EGGS DZ" }, "receipt").massMg, 12 * 58_000);
});

test("a logged food without a weight weighs its usual portion; every food of the catalogue has one", () => {
  for (const { id, kind } of catalogue.foods.filter((food) => food.kind === "food")) {
    const result = rated({ foodId: id, name: id });
    assert.ok(result.massMg > 0 && result.weightAssumed, `${id} ${kind}`);
    assert.equal(result.weightGPerUnit * 1_000, result.massMg);
  }
});

test("an unknown unit makes an item incomplete, but only where a weight was given", () => {
  assert.deepEqual(rate({ name: "apple", weight: 3, unit: "parsec" }), {
    kind: "incomplete",
    field: "unit",
    message: "is not a unit that a weight can be read from",
  });
  assert.equal(rate({ name: "apple", unit: "parsec" }).kind, "rated");
  assert.deepEqual(rated({ name: "apple", weight: 80 }).flags, ["unit_assumed"]);
});

test("an unknown, uncertain or ineligible item is excluded with its reason", () => {
  assert.equal(reasonOf("qwzx"), "no_match");
  assert.equal(reasonOf("DINO PARTY TIN"), "low_confidence");
  assert.equal(reasonOf("RED WINE 75CL"), "alcohol");
  assert.equal(reasonOf("CARRIER BAG"), "bag");
  assert.equal(reasonOf("infant formula", "food"), "infant_formula");
  assert.equal(reasonOf("whey protein", "food"), "supplement");
  assert.equal(reasonOf("SHAMPOO 250ML"), "non_food");
});

test("an unmatched ingredient keeps its mass where its unit is one of mass", () => {
  assert.equal(unmatchedMassMg({ weight: 0.2, unit: "kg", quantity: 2 }), 400_000);
  assert.equal(unmatchedMassMg({ weight: 2, unit: "pieces" }), null);
  assert.equal(unmatchedMassMg({}), null);
});

test("nutrition is for the stated weight of one unit and completed from the matched food", () => {
  const nutrition = { energyKcal: 150, proteinG: 8, carbsG: 6, fatG: 10, sugarG: 5, fiberG: 0, saltG: 0.15 };
  const result = rated({ name: "greek yogurt", weight: 150, unit: "g", quantity: 2, nutrition }, "food");
  assert.equal(result.massMg, 300_000);
  assert.equal(result.per100.energyKcal, 100);
  assert.deepEqual([result.health.basis, result.health.imputed], ["input+reference", ["saturatedFatG", "fvlPct"]]);
  assert.ok(result.per100.saturatedFatG < result.per100.fatG);
});

test("where saturates and the fruit share are sent, nothing is imputed", () => {
  const nutrition = {
    energyKcal: 52,
    proteinG: 0.3,
    carbsG: 12,
    fatG: 0.2,
    sugarG: 10,
    fiberG: 2,
    saltG: 0,
    saturatedFatG: 0,
    fruitsVegetablesLegumesPct: 100,
  };
  const { health } = rated({ name: "apple", weight: 100, unit: "g", nutrition });
  assert.deepEqual([health.basis, health.imputed, health.grade], ["input", [], "A"]);
});

test("values for 100 g sent with a small weight are read as such; more grams than weight are not believed", () => {
  const per100g = { energyKcal: 540, proteinG: 6, carbsG: 52, fatG: 34, sugarG: 1, fiberG: 4, saltG: 1.2 };
  const crisps = rated({ name: "crisps", weight: 25, unit: "g", nutrition: per100g });
  assert.deepEqual([crisps.per100.energyKcal, crisps.flags], [540, ["nutrition_read_as_per_100g"]]);
  const absurd = rated({ name: "crisps", weight: 25, unit: "g", nutrition: { ...per100g, fatG: 900 } });
  assert.deepEqual([absurd.health.basis, absurd.flags], ["reference", ["nutrition_implausible"]]);
});

test("energy that differs from that of its parts is kept and flagged", () => {
  const nutrition = { energyKcal: 400, proteinG: 1, carbsG: 10, fatG: 0, sugarG: 9, fiberG: 0, saltG: 0 };
  const { per100, flags } = rated({ name: "apple", weight: 100, unit: "g", nutrition });
  assert.deepEqual([per100.energyKcal, flags], [400, ["energy_inconsistent"]]);
});

test("the energy sent distinguishes dry rice from cooked", () => {
  assert.equal(item("rice", 100, { energyKcal: 355 }).food.id, "rice");
  assert.equal(item("rice", 100, { energyKcal: 130 }).food.id, "cooked-rice");
});

test("plain water is A twice and says so; with sugar it is a drink", () => {
  const water = rated({ name: "sparkling water", weight: 500, unit: "ml" });
  assert.deepEqual([water.healthRating, water.carbonRating, water.isWater], [1, 1, true]);
  const sweet = rated({
    name: "sparkling water",
    weight: 500,
    unit: "ml",
    nutrition: { energyKcal: 160, sugarG: 40, carbsG: 40 },
  });
  assert.deepEqual([sweet.isWater, sweet.health.class], [false, "beverage"]);
});

test("foods without a Nutri-Score are scored as the nearest class, which is flagged", () => {
  const basil = rated({ name: "fresh basil" });
  assert.deepEqual([basil.health.class, basil.flags], ["general", ["health_class_nearest"]]);
  const coffee = rated({ name: "ground coffee" }, "receipt");
  assert.deepEqual([coffee.health.class, coffee.flags, coffee.carbonRating], ["beverage", ["health_class_nearest"], 1]);
});

test("every food of the catalogue has both ratings", () => {
  for (const { id } of catalogue.foods.filter(({ kind }) => kind === "food" || kind === "water")) {
    const { healthRating, carbonRating } = rated({ foodId: id, name: id });
    assert.ok(healthRating >= 1 && healthRating <= 5 && carbonRating >= 1 && carbonRating <= 5, id);
  }
});

test("a meal's health is that of its mixture: red meat counts where it brings most of the protein, water not at all", () => {
  const beef = item("beef mince", 200);
  const lentils = item("cooked lentils", 200);
  assert.ok(mealHealth([lentils]).score < mealHealth([beef, lentils]).score);
  assert.ok(mealHealth([beef, lentils]).score < mealHealth([beef]).score);
  assert.equal(mealHealth([beef]).components.positive.proteins, 2);
  assert.deepEqual(mealHealth([beef, item("water", 1_000)]), mealHealth([beef]));
  assert.equal(mealHealth([item("water", 300)]).grade, "A");
});

test("the same input always gives the same result, in whole mg that JavaScript counts exactly", () => {
  const amount = fc.double({ min: 0.000_1, max: 100, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom("apple", "OLIVE OIL 1L", "beef mince", "2 eggs"),
      amount,
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.constantFrom("g", "ml", "kg", "piece", null),
      (name, weight, quantity, unit) => {
        const once = rate({ name, weight, quantity, unit });
        assert.deepEqual(rate({ name, weight, quantity, unit }), once);
        assert.ok(once.kind === "rated" && [once.massMg, once.co2eMg, once.co2eHighMg].every(Number.isSafeInteger));
        assert.ok(once.massMg >= 1);
      },
    ),
  );
});
