import assert from "node:assert/strict";
import { test } from "node:test";
import { isEligible } from "../catalogue/catalogue.ts";
import type { Food } from "../catalogue/catalogue.ts";
import { readUses } from "./uses.store.ts";
import { readCatalogue } from "../catalogue/store.ts";
import { shippedMatcherOf } from "../matching/learned/store.ts";
import { createResolver } from "../lookup/resolve.ts";
import type { RatedFood } from "../rating/rate.ts";
import { ALTERNATIVES_MAX, createAlternatives, mayBeReplaced } from "./alternatives.ts";
import { presentAlternative } from "./present.ts";
import { NO_USE, parseUses } from "./uses.ts";

const catalogue = readCatalogue();
const uses = readUses(catalogue);
const { rateFood } = createResolver(catalogue, shippedMatcherOf(catalogue));
const alternativesOf = createAlternatives(catalogue, uses, rateFood);
const eligible = catalogue.foods.filter(isEligible);

function rated(food: Food): RatedFood {
  const result = rateFood(food);
  assert.ok(result.kind === "rated", food.id);
  return result;
}

function idsFor(id: string): string[] {
  return alternativesOf(id, rated(catalogue.byId.get(id)!)).map((each) => each.rated.food.id);
}

function usesOf(id: string): string[] {
  return uses.filter(({ foods }) => foods.some((food) => food.id === id)).map(({ use }) => use);
}

test("every alternative rates better in one, worse in none, has the same use, and is another food", () => {
  let shown = 0;
  for (const food of eligible) {
    const own = rated(food);
    const alternatives = alternativesOf(food.id, own);
    assert.ok(alternatives.length <= ALTERNATIVES_MAX);
    const gains = alternatives.map(({ gain }) => gain);
    assert.deepEqual(
      gains,
      gains.toSorted((a, b) => b - a),
      food.id,
    );
    assert.equal(new Set(alternatives.map((each) => each.rated.food.id)).size, alternatives.length);
    for (const { rated: other, use, gain } of alternatives) {
      const pair = `${food.id} -> ${other.food.id}`;
      assert.notEqual(other.food.id, food.id);
      assert.ok(other.carbonRating <= own.carbonRating && other.healthRating <= own.healthRating, pair);
      assert.equal(gain, own.carbonRating - other.carbonRating + own.healthRating - other.healthRating, pair);
      assert.ok(gain > 0, pair);
      assert.ok(use !== NO_USE && usesOf(food.id).includes(use) && usesOf(other.food.id).includes(use), pair);
    }
    shown += alternatives.length;
  }
  assert.ok(shown > 1_500, String(shown));
});

test("no food that is rated better than C in both has alternatives", () => {
  const good = eligible.filter((food) => !mayBeReplaced(rated(food)));
  assert.ok(good.length > 300);
  for (const food of good) assert.deepEqual(idsFor(food.id), [], food.id);
});

test("an alternative is never raw for cooked, has no meat or fish where there was none, and is no alcohol", () => {
  const animal = /^(?:meat-(?!alternative)|fish$)/;
  for (const food of eligible) {
    for (const id of idsFor(food.id)) {
      const other = catalogue.byId.get(id)!;
      const pair = `${food.id} -> ${id}`;
      assert.ok(!food.state || !other.state || food.state === other.state, pair);
      if (animal.test(other.group)) assert.ok(animal.test(food.group) || food.group === "ready-meal", pair);
      if (other.group === "meat-pork") assert.ok(/pork|processed/.test(food.group), pair);
      assert.notEqual(other.kind, "alcohol", pair);
      assert.notEqual(other.group, "baby-food", pair);
    }
  }
});

test("every food rated C or worse has a use, or is in the list of those without, with the reason", () => {
  const named = new Set(uses.flatMap(({ foods }) => foods.map(({ id }) => id)));
  const missing = eligible.filter((food) => mayBeReplaced(rated(food)) && !named.has(food.id));
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
    "add it to reference/uses.csv",
  );
  const none = uses.filter(({ use }) => use === NO_USE).flatMap(({ foods }) => foods.map(({ id }) => id));
  for (const id of none) assert.deepEqual([...new Set(usesOf(id))], [NO_USE], id);
});

test("a food contains the same in all its uses, and is once in each", () => {
  const contains = new Map<string, number>();
  for (const { use, form, contains: rank, foods } of uses) {
    assert.equal(new Set(foods).size, foods.length, `${use}, ${form}`);
    for (const { id } of foods) {
      if (use === NO_USE) continue;
      assert.equal(contains.get(id) ?? rank, rank, id);
      contains.set(id, rank);
    }
  }
  for (const [use, forms] of Map.groupBy(uses, (each) => each.use)) {
    const ids = forms.flatMap(({ foods }) => foods.map(({ id }) => id));
    assert.equal(new Set(ids).size, ids.length, `${use}: twice`);
  }
});

test("the alternatives are the same each time and in any order of the lines of the file", () => {
  const reversed = createAlternatives(catalogue, uses.toReversed(), rateFood);
  for (const food of eligible) {
    const again = reversed(food.id, rated(food)).map((each) => each.rated.food.id);
    assert.deepEqual(again, idsFor(food.id), food.id);
  }
});

test("minced beef, butter, cola, rice and plant drinks have what one would take instead", () => {
  assert.deepEqual(idsFor("beef-mince"), ["soya-mince", "red-lentils", "chicken-mince"]);
  assert.equal(idsFor("butter")[0], "margarine");
  assert.deepEqual(idsFor("cola").slice(0, 2), ["sparkling-water", "diet-cola"]);
  assert.ok(idsFor("rice").includes("couscous"));
  assert.deepEqual(idsFor("oat-milk"), ["soya-milk"]);
  // Pepper is eaten by the gram, and nobody but the parents decides on a baby's food.
  for (const id of ["black-pepper", "baby-dessert", "banana", "gluten-free-bread"]) assert.deepEqual(idsFor(id), []);
});

test("a product of other ratings than its food gets what is better than the product", () => {
  const ids = alternativesOf("cola", { carbonRating: 1, healthRating: 3 }).map((each) => each.rated.food.id);
  assert.deepEqual(ids, ["sparkling-water"]);
  assert.deepEqual(alternativesOf("", { carbonRating: 5, healthRating: 5 }), []);
  assert.deepEqual(alternativesOf("no-such-food", { carbonRating: 5, healthRating: 5 }), []);
});

test("an alternative is said in words", () => {
  const own = rated(catalogue.byId.get("beef-mince")!);
  const [first] = alternativesOf("beef-mince", own);
  assert.equal(
    presentAlternative(first!, own).text,
    "Soya mince, used for the same (minced meat): climate A instead of E, health A instead of C.",
  );
  const chicken = rated(catalogue.byId.get("chicken-breast")!);
  const words = alternativesOf("chicken-breast", chicken).map((each) => presentAlternative(each, chicken).text);
  assert.match(words[0]!, /: climate A instead of D, health A as well\.$/);
});

test("a broken file of uses is refused with every error", () => {
  const csv = "use,form,contains,foods\nsoup,hot,,tomato-soup; no-such-food\nsoup,cold,meet,gazpacho\n,x,,gazpacho\n";
  assert.throws(
    () => parseUses(csv, catalogue),
    (error: Error) => error.message.split("\n").length === 4 && /no-such-food/.test(error.message),
  );
});
