import assert from "node:assert/strict";
import { test } from "node:test";
import { campaignsOf } from "./campaigns.ts";
import { readDefinition } from "./read-definition.ts";

const KNOWN = {
  foodGroups: new Set(["fruit", "vegetable", "meat-beef"]),
  foods: new Set(["apple", "carrot", "carrots"]),
};
const VALID = {
  id: "veg-november",
  name: "Vegetable weeks",
  from: "2026-11-01",
  till: "2026-11-30",
  effect: { multiplier: 2 },
};

const errorsOf = (...campaigns: object[]) => {
  const read = readDefinition({ name: "Own", campaigns }, KNOWN);
  return "errors" in read ? read.errors : {};
};
const read = (campaign: object, timeZone = "UTC") => campaignsOf([{ ...VALID, ...campaign }], timeZone)[0]!;

test("a campaign with every member has no error", () => {
  const when = {
    foodGroups: ["vegetable"],
    foods: ["carrot", "Carrots"],
    products: ["4006381333931", "own-1"],
    merchants: ["Rewe"],
    grades: { health: ["A", "B"], climate: ["A"] },
    sources: ["receipt"],
    weekdays: ["sat", "sun"],
  };
  assert.deepEqual(errorsOf({ ...VALID, when, firstUsers: 100, budget: 50_000 }), {});
});

test("every error of every campaign is named at once, by its path", () => {
  assert.deepEqual(
    errorsOf(
      { ...VALID, effect: { multiplyer: 2 } },
      { ...VALID, id: "b", when: { weekdays: ["saturday"], grades: { health: [] }, food: ["x"] }, budget: 0.5 },
      { id: "c", effect: { multiplier: 1, pointsPerItem: 0 } },
    ),
    {
      "campaigns[0].effect.multiplyer": ["is not known; did you mean multiplier?"],
      "campaigns[1].budget": ["must be of type integer", "must be at least 1"],
      "campaigns[1].when.food": ["is not known; did you mean foods?"],
      "campaigns[1].when.grades.health": ["must not be empty"],
      "campaigns[1].when.weekdays[0]": ["must be one of mon, tue, wed, thu, fri, sat, sun"],
      "campaigns[2].effect.multiplier": ["must be more than 1"],
      "campaigns[2].effect.pointsPerItem": ["must be at least 1"],
      "campaigns[2].from": ["is required"],
      "campaigns[2].name": ["is required"],
      "campaigns[2].till": ["is required"],
    },
  );
});

test("what a schema cannot say of a campaign is named, too, with what may have been meant", () => {
  assert.deepEqual(
    errorsOf(
      VALID,
      { ...VALID, from: "2026-11-31", till: "tomorrow" },
      { ...VALID, id: "no spaces", from: "2026-12-01" },
      { ...VALID, id: "c", effect: {}, when: { foodGroups: ["fruit", "vegetables"], foods: ["CARROT", "carrrot"] } },
      { ...VALID, id: "d", effect: { multiplier: 1.255 } },
      { ...VALID, id: "e", effect: { pointsPerItem: 1, pointsPerRecord: 1 } },
    ),
    {
      "campaigns[1].id": ["is the id of campaigns[0]: each has its own"],
      "campaigns[1].from": ["must be a day, as 2026-11-01, or a moment with its zone, as 2026-11-01T12:00:00Z"],
      "campaigns[1].till": ["must be a day, as 2026-11-01, or a moment with its zone, as 2026-11-01T12:00:00Z"],
      "campaigns[2].id": ["must be letters, digits, dots, hyphens and underscores"],
      "campaigns[2].till": ["must not be before from"],
      "campaigns[3].effect": ["must have exactly one of multiplier, pointsPerItem and pointsPerRecord"],
      "campaigns[3].when.foodGroups[1]": ["is no group of the catalogue; did you mean vegetable?"],
      "campaigns[3].when.foods[1]": ["is no id or name of a food of the catalogue; did you mean carrot?"],
      "campaigns[4].effect.multiplier": ["must not have more than two decimals"],
      "campaigns[5].effect": ["must have exactly one of multiplier, pointsPerItem and pointsPerRecord"],
    },
  );
});

test("a definition is bounded, and a full one with nothing but unknown foods is checked at once", () => {
  const foods = Array.from({ length: 200 }, (_, i) => `unknown food ${i}`);
  const full = Array.from({ length: 50 }, (_, i) => ({ ...VALID, id: `c${i}`, when: { foods } }));
  assert.equal(Object.keys(errorsOf(...full)).length, 50 * 200);
  assert.deepEqual(errorsOf(...full, VALID), { campaigns: ["must not have more than 50 entries"] });
  assert.deepEqual(errorsOf({ ...VALID, when: { foods: [...foods, "carrot"] } }), {
    "campaigns[0].when.foods": ["must not have more than 200 entries"],
  });
});

test("days of a campaign are those of the time zone, its last one included; moments are as they are", () => {
  const times = ({ fromMs, untilMs }: ReturnType<typeof read>) =>
    [fromMs, untilMs].map((ms) => new Date(ms).toISOString());
  assert.deepEqual(times(read({ till: "2026-11-01" }, "Europe/Berlin")), [
    "2026-10-31T23:00:00.000Z",
    "2026-11-01T23:00:00.000Z",
  ]);
  // A day of 25 hours.
  assert.deepEqual(times(read({ from: "2026-10-25", till: "2026-10-25" }, "Europe/Berlin")), [
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
  ]);
  assert.deepEqual(times(read({ from: "2026-11-01T18:00:00+01:00", till: "2026-11-01T20:00:00Z" }, "Asia/Tokyo")), [
    "2026-11-01T17:00:00.000Z",
    "2026-11-01T20:00:00.000Z",
  ]);
});

test("names are compared in one form: GTINs with 14 digits, merchants without accents, foods by id or name", () => {
  const { when, effect } = read({
    when: {
      foods: [" Carrots "],
      products: ["4006381333931", " own-1 "],
      merchants: ["Café Nero"],
      grades: { climate: ["A", "E"] },
      weekdays: ["mon", "sun"],
    },
    effect: { multiplier: 1.15 },
  });
  assert.deepEqual(
    [when.foods, when.products, when.merchants, when.climate, when.weekdays, when.health].map((set) => set && [...set]),
    [["carrots"], ["04006381333931", "own-1"], ["cafe nero"], [1, 5], [1, 7], null],
  );
  assert.deepEqual(effect, { kind: "multiplier", amount: 115 });
});
