import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { nutriScore2023 } from "./nutri-score.ts";
import type { NutrientsPer100, NutriScore, NutriScoreCategory, NutriScoreInput } from "./nutri-score.ts";

const NOTHING: NutrientsPer100 = {
  energyKj: 0,
  sugarG: 0,
  saturatedFatG: 0,
  fatG: 0,
  saltG: 0,
  fiberG: 0,
  proteinG: 0,
  fvlPct: 0,
};

function score(
  category: NutriScoreCategory,
  per100: Partial<NutrientsPer100>,
  flags: Partial<NutriScoreInput> = {},
): NutriScore {
  const result = nutriScore2023({
    category,
    redMeat: false,
    nonNutritiveSweetener: false,
    ...flags,
    per100: { ...NOTHING, ...per100 },
  });
  assert.ok(result);
  return result;
}

test("a value on a threshold earns the points below it, one above the threshold the next", () => {
  const table: [NutriScoreCategory, keyof NutrientsPer100, number, number, number][] = [
    ["general", "energyKj", 335, 0, 1],
    ["general", "energyKj", 3350, 9, 10],
    ["cheese", "energyKj", 1675, 4, 5],
    ["beverage", "energyKj", 30, 0, 1],
    ["beverage", "energyKj", 390, 9, 10],
    ["general", "sugarG", 3.4, 0, 1],
    ["general", "sugarG", 51, 14, 15],
    ["beverage", "sugarG", 0.5, 0, 1],
    ["beverage", "sugarG", 11, 9, 10],
    ["general", "saturatedFatG", 10, 9, 10],
    ["general", "saltG", 0.6, 2, 3],
    ["general", "saltG", 4, 19, 20],
    ["general", "fiberG", 3, 0, -1],
    ["general", "fiberG", 7.4, -4, -5],
    ["general", "proteinG", 2.4, 0, -1],
    ["general", "proteinG", 17, -6, -7],
    ["beverage", "proteinG", 1.2, 0, -1],
    ["beverage", "proteinG", 3, -6, -7],
    ["general", "fvlPct", 40, 0, -1],
    ["general", "fvlPct", 60, -1, -2],
    ["general", "fvlPct", 80, -2, -5],
    ["beverage", "fvlPct", 40, 0, -2],
    ["beverage", "fvlPct", 60, -2, -4],
    ["beverage", "fvlPct", 80, -4, -6],
  ];
  for (const [category, nutrient, threshold, at, above] of table) {
    const name = `${category} ${nutrient} ${threshold}`;
    assert.equal(score(category, { [nutrient]: threshold }).score, at, `at ${name}`);
    assert.equal(score(category, { [nutrient]: threshold + 0.001 }).score, above, `above ${name}`);
  }
});

test("points stop at the top of each scale", () => {
  const extreme = {
    energyKj: 1e6,
    sugarG: 1e6,
    saturatedFatG: 1e6,
    fatG: 1e6,
    saltG: 1e6,
    fiberG: 1e6,
    proteinG: 1e6,
    fvlPct: 1e6,
  };
  assert.deepEqual(score("cheese", extreme).components, {
    negative: { energy: 10, saturated_fat: 10, sugars: 15, salt: 20 },
    positive: { fiber: 5, fruits_vegetables_legumes: 5, proteins: 7 },
  });
});

test("grades of each class change at their own scores", () => {
  const table: [NutriScoreCategory, Partial<NutrientsPer100>, number, string][] = [
    ["general", {}, 0, "A"],
    ["general", { sugarG: 4 }, 1, "B"],
    ["general", { sugarG: 7 }, 2, "B"],
    ["general", { sugarG: 11 }, 3, "C"],
    ["general", { sugarG: 35 }, 10, "C"],
    ["general", { sugarG: 38 }, 11, "D"],
    ["general", { sugarG: 52, saltG: 0.7 }, 18, "D"],
    ["general", { sugarG: 52, saltG: 0.9 }, 19, "E"],
    ["fats_oils_nuts_seeds", { fvlPct: 100, fiberG: 3.5 }, -6, "A"],
    ["fats_oils_nuts_seeds", { fvlPct: 100 }, -5, "B"],
    ["fats_oils_nuts_seeds", { sugarG: 7 }, 2, "B"],
    ["fats_oils_nuts_seeds", { sugarG: 11 }, 3, "C"],
    ["beverage", { fvlPct: 100 }, -6, "B"],
    ["beverage", { sugarG: 3 }, 2, "B"],
    ["beverage", { sugarG: 4 }, 3, "C"],
    ["beverage", { sugarG: 7.5 }, 6, "C"],
    ["beverage", { sugarG: 8.5 }, 7, "D"],
    ["beverage", { sugarG: 10.5 }, 9, "D"],
    ["beverage", { sugarG: 12 }, 10, "E"],
  ];
  for (const [category, per100, expected, grade] of table) {
    const result = score(category, per100);
    assert.deepEqual([result.score, result.grade], [expected, grade], `${category} ${expected}`);
  }
});

test("water is an A whatever minerals it holds, and only water among the drinks", () => {
  assert.equal(score("water", { saltG: 0.95 }).grade, "A");
  assert.equal(score("beverage", {}).grade, "B");
});

test("a product that the Nutri-Score does not cover has no grade", () => {
  assert.equal(
    nutriScore2023({
      category: "not_applicable",
      redMeat: false,
      nonNutritiveSweetener: false,
      per100: NOTHING,
    }),
    null,
  );
});

test("a value that is not declared gets no points either way", () => {
  const undeclared: NutrientsPer100 = {
    energyKj: null,
    sugarG: null,
    saturatedFatG: null,
    fatG: null,
    saltG: null,
    fiberG: null,
    proteinG: null,
    fvlPct: null,
  };
  for (const category of ["general", "cheese", "beverage", "water"] as const) {
    assert.equal(score(category, undeclared).score, 0);
  }
  assert.equal(score("fats_oils_nuts_seeds", { saturatedFatG: 3, fatG: null }).score, 0);
});

test("protein of red meat counts for two points at most", () => {
  assert.equal(score("general", { proteinG: 20 }).positivePoints, 7);
  assert.equal(score("general", { proteinG: 20 }, { redMeat: true }).positivePoints, 2);
  assert.equal(score("general", { proteinG: 3 }, { redMeat: true }).positivePoints, 1);
});

test("protein stops counting at 11 negative points in foods and 7 in fats, never in cheese and drinks", () => {
  assert.equal(score("general", { sugarG: 37, proteinG: 20 }).components.positive.proteins, 7);
  assert.equal("proteins" in score("general", { sugarG: 38, proteinG: 20 }).components.positive, false);
  const fats = "fats_oils_nuts_seeds";
  assert.equal(score(fats, { sugarG: 24, proteinG: 20 }).components.positive.proteins, 7);
  assert.equal("proteins" in score(fats, { sugarG: 25, proteinG: 20 }).components.positive, false);
  assert.equal(score("cheese", { sugarG: 60, proteinG: 20 }).components.positive.proteins, 7);
  assert.equal(score("beverage", { sugarG: 60, proteinG: 20 }).components.positive.proteins, 7);
});

test("a sweetener costs a drink four points and a food none", () => {
  const flags = { nonNutritiveSweetener: true };
  assert.equal(score("beverage", {}, flags).components.negative.non_nutritive_sweeteners, 4);
  assert.equal(score("general", {}, flags).score, 0);
});

test("the share of saturates in fat counts from the threshold on", () => {
  assert.equal(ratioPoints(1, 10), 1);
  assert.equal(ratioPoints(0.999, 10), 0);
  assert.equal(ratioPoints(5.2, 10), 8);
  assert.equal(ratioPoints(64, 100), 10);
});

test("without any fat the share is nothing, or everything", () => {
  assert.equal(ratioPoints(0, 0), 0);
  assert.equal(ratioPoints(1, 0), 10);
});

function ratioPoints(saturatedFatG: number, fatG: number): number | undefined {
  return score("fats_oils_nuts_seeds", { saturatedFatG, fatG }).components.negative.saturated_fat_ratio;
}

const anyFood: fc.Arbitrary<NutriScoreInput> = fc.record({
  category: fc.constantFrom("general", "cheese", "beverage", "water", "fats_oils_nuts_seeds"),
  redMeat: fc.boolean(),
  nonNutritiveSweetener: fc.boolean(),
  per100: fc.record({
    energyKj: amount(3900),
    sugarG: amount(100),
    saturatedFatG: amount(100),
    fatG: amount(100),
    saltG: amount(20),
    fiberG: amount(50),
    proteinG: amount(100),
    fvlPct: amount(100),
  }),
});

function amount(max: number): fc.Arbitrary<number | null> {
  return fc.option(fc.double({ min: 0, max, noNaN: true }), { nil: null });
}

function rescored(food: NutriScoreInput, nutrient: keyof NutrientsPer100, more: number) {
  const value = (food.per100[nutrient] ?? 0) + more;
  const before = nutriScore2023(food);
  const after = nutriScore2023({ ...food, per100: { ...food.per100, [nutrient]: value } });
  assert.ok(before && after);
  return { before, after };
}

test("more energy, sugar, saturates or salt never improves a score or a grade", () => {
  const worse = fc.constantFrom("energyKj", "sugarG", "saturatedFatG", "saltG");
  fc.assert(
    fc.property(anyFood, worse, fc.double({ min: 0, max: 50, noNaN: true }), (food, nutrient, more) => {
      const { before, after } = rescored(food, nutrient, more);
      assert.ok(after.score >= before.score);
      assert.ok(after.rating >= before.rating);
    }),
  );
});

test("more fibre, protein or fruit never worsens a score or a grade", () => {
  const better = fc.constantFrom("fiberG", "proteinG", "fvlPct");
  fc.assert(
    fc.property(anyFood, better, fc.double({ min: 0, max: 50, noNaN: true }), (food, nutrient, more) => {
      const { before, after } = rescored(food, nutrient, more);
      assert.ok(after.score <= before.score);
      assert.ok(after.rating <= before.rating);
    }),
  );
});

test("the parts add up to the score, and the rating is the letter of the grade", () => {
  fc.assert(
    fc.property(anyFood, (food) => {
      const result = nutriScore2023(food);
      assert.ok(result);
      assert.equal(sum(result.components.negative), result.negativePoints);
      assert.equal(sum(result.components.positive), result.positivePoints);
      assert.equal(result.score, result.negativePoints - result.positivePoints);
      assert.equal(result.grade, "ABCDE"[result.rating - 1]);
    }),
  );
});

function sum(points: object): number {
  return Object.values(points).reduce<number>((total, each) => total + Number(each), 0);
}

test("a value at a threshold is at it, however its portion was scaled to 100 g", () => {
  const fat = (saturatedFatG: number, fatG: number) =>
    nutriScore2023({
      category: "fats_oils_nuts_seeds",
      redMeat: false,
      nonNutritiveSweetener: false,
      per100: {
        energyKj: 3700,
        sugarG: 0,
        saturatedFatG,
        fatG,
        saltG: 0,
        fiberG: 0,
        proteinG: 0,
        fvlPct: 0,
      },
    })!.components.negative.saturated_fat_ratio;
  // 58 % is 9 points; in doubles 29 / 50 is 57.99999999999999 %.
  assert.deepEqual([fat(29, 50), fat(58, 100), fat((2.9 / 30) * 100, (5 / 30) * 100), fat(57.9, 100)], [9, 9, 9, 8]);
  assert.deepEqual([fat(0, 0), fat(1, 0)], [0, 10]);
  const salt = (saltG: number) =>
    nutriScore2023({
      category: "general",
      redMeat: false,
      nonNutritiveSweetener: false,
      per100: { energyKj: 0, sugarG: 0, saturatedFatG: 0, fatG: 0, saltG, fiberG: 0, proteinG: 0, fvlPct: 0 },
    })!.components.negative.salt;
  // 0.6 g is not above 0.6; in doubles 1.122 g of 187 g is 0.6000000000000001.
  assert.deepEqual([salt((1.122 / 187) * 100), salt(0.601)], [2, 3]);
});

const VECTORS = new URL("../../../../shared/food/nutri-score-vectors.dev.jsonl", import.meta.url);

interface Vector extends NutriScoreInput {
  readonly id: string;
  readonly expected: NutriScore;
}

test(
  "every reference vector is reproduced: components, totals, score, grade",
  { skip: existsSync(VECTORS) ? false : "the shared test vectors are not beside this checkout" },
  () => {
    const vectors = readFileSync(VECTORS, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Vector);
    assert.ok(vectors.length > 0);
    for (const vector of vectors) {
      const expected = vector.category === "not_applicable" ? null : vector.expected;
      assert.deepEqual(nutriScore2023(vector), expected, vector.id);
    }
  },
);
