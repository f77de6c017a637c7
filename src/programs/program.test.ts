import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { award, POINTS_1 } from "../points/award.ts";
import type { Source } from "../points/award.ts";
import { programOf } from "./program.ts";

const SOURCES: readonly Source[] = ["receipt", "meal", "food"];

test("a programme that changes nothing has the numbers of points/1", () => {
  const { rules, limits } = programOf({ name: "Plain" }, "program/1");
  for (const source of SOURCES) assert.deepEqual(rules[source], { ...POINTS_1, id: "program/1" });
  assert.equal(limits, null);
});

test("points by source, grade and multiplier become exact rules", () => {
  const { rules } = programOf(
    {
      name: "Own points",
      points: {
        receipt: { health: { A: 10 }, climate: { A: 20, E: 1 }, multiplier: 1.25, pointsMax: 500 },
        food: { multiplier: 0.5 },
        rounding: "nearest",
      },
    },
    "program/2",
  );
  assert.deepEqual(rules.receipt, {
    ...POINTS_1,
    id: "program/2",
    base: { 1: 10, 2: 4, 3: 2, 4: 1, 5: 0 },
    carbonBase: { 1: 20, 2: 4, 3: 2, 4: 1, 5: 1 },
    multiplier: { times: 5, over: 4 },
    rounding: "nearest",
    receipt: { divisor: 200, pointsMax: 500 },
  });
  assert.deepEqual(rules.food.multiplier, { times: 1, over: 2 });
  assert.equal(rules.meal.multiplier, undefined);
});

test("names are compared as they are elsewhere: merchants by words, products by GTIN, countries in upper case", () => {
  const { eligible } = programOf(
    {
      name: "Choices",
      eligible: {
        merchants: { only: ["Larkmeadow  Market"] },
        products: { except: ["4006381333931", "own-1"] },
        countries: { only: ["gb "] },
      },
    },
    "program/3",
  );
  assert.deepEqual(eligible.merchants, { isOnly: true, names: new Set(["larkmeadow market"]) });
  assert.deepEqual(eligible.countries, { isOnly: true, names: new Set(["GB"]) });
  assert.equal(eligible.products?.names.size, 2);
  assert.equal(eligible.foodGroups, null);
});

test("any multiplier of two decimals is exact: points of 100 equal items are its hundredths times the base", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (hundredths) => {
      const points = { receipt: { multiplier: hundredths / 100, pointsMax: 1_000_000 } };
      const { rules } = programOf({ name: "Any", points }, "program/4");
      const best = { healthRating: 1, carbonRating: 1, confidence: 1, quantity: 1, soldByWeight: false } as const;
      const items = Array.from({ length: 100 }, () => ({ ...best, kind: "rated", massMg: null }) as const);
      assert.equal(award("receipt", items, rules.receipt).totalPoints, 10 * hundredths);
    }),
  );
});
