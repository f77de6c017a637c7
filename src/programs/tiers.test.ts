import assert from "node:assert/strict";
import { test } from "node:test";
import { programOf } from "./program.ts";
import { readDefinition } from "./read-definition.ts";

const KNOWN = { foodGroups: new Set<string>(), foods: new Set<string>() };
const LEVELS = [
  { tier: "bronze", name: " Sprout ", from: 0 },
  { tier: "silver", name: "Leaf", from: 1_000, multiplier: 1.1 },
  { tier: "platinum", name: "Tree", from: 5_000, multiplier: 1.25 },
] as const;

const errorsOf = (tiers: unknown) => {
  const read = readDefinition({ name: "Tiers", tiers }, KNOWN);
  return "errors" in read ? read.errors : {};
};

test("tiers have codes of rewards, exact multipliers and the programme's time zone", () => {
  const definition = { name: "Tiers", timeZone: "Europe/Berlin", tiers: { by: "lifetime", levels: [...LEVELS] } };
  assert.deepEqual(readDefinition(definition, KNOWN), definition);
  assert.deepEqual(programOf(definition as Parameters<typeof programOf>[0], "program/1").tiers, {
    by: "lifetime",
    timeZone: "Europe/Berlin",
    levels: [
      { tier: 1, name: "Sprout", from: 0, hundredths: 100 },
      { tier: 2, name: "Leaf", from: 1_000, hundredths: 110 },
      { tier: 4, name: "Tree", from: 5_000, hundredths: 125 },
    ],
  });
  assert.equal(programOf({ name: "None" }, "program/1").tiers, null);
});

test("the first tier may begin above 0", () => {
  assert.deepEqual(errorsOf({ by: "lifetime", levels: [{ tier: "gold", name: "Gold", from: 500 }] }), {});
});

test("every error of tiers is named at once, by its path", () => {
  assert.deepEqual(
    errorsOf({ by: "life", levels: [{ tier: "bronce", nmae: "", from: -1, multiplier: 0.5 }, {}], steps: 1 }),
    {
      "tiers.steps": ["is not known"],
      "tiers.by": ["must be one of lifetime, rolling_12_months"],
      "tiers.levels[0].nmae": ["is not known; did you mean name?"],
      "tiers.levels[0].name": ["is required"],
      "tiers.levels[0].tier": ["must be one of bronze, silver, gold, platinum"],
      "tiers.levels[0].from": ["must be at least 0"],
      "tiers.levels[0].multiplier": ["must be at least 1"],
      "tiers.levels[1].tier": ["is required"],
      "tiers.levels[1].name": ["is required"],
      "tiers.levels[1].from": ["is required"],
    },
  );
});

test("tiers ascend by points and by code, each is there once, and multipliers have two decimals", () => {
  assert.deepEqual(
    errorsOf({
      by: "rolling_12_months",
      levels: [
        { tier: "silver", name: "A", from: 10, multiplier: 1.255 },
        { tier: "bronze", name: "B", from: 10 },
        { tier: "silver", name: "C", from: 11 },
      ],
    }),
    {
      "tiers.levels[0].multiplier": ["must not have more than two decimals"],
      "tiers.levels[1].tier": ["must be higher than the tiers before it: bronze, silver, gold, platinum"],
      "tiers.levels[1].from": ["must be above that of the tier before it"],
      "tiers.levels[2].tier": ["is there twice: silver"],
    },
  );
});
