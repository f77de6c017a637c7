import assert from "node:assert/strict";
import { test } from "node:test";
import { readDefinition } from "./read-definition.ts";

const KNOWN = { foodGroups: new Set(["fruit", "vegetable", "meat-beef"]), foods: new Set(["carrot", "carrots"]) };

const errorsOf = (value: unknown) => {
  const read = readDefinition(value, KNOWN);
  return "errors" in read ? read.errors : {};
};

test("a definition with a name alone has no error", () => {
  assert.deepEqual(readDefinition({ name: "Plain" }, KNOWN), { name: "Plain" });
});

test("errors of bonuses are named by their path", () => {
  const week = { id: "week", every: "day", length: 7, points: 30 };
  const bonuses = {
    streaks: [week, { ...week, sources: ["meal", "meal"] }, { ...week, id: "Big Week" }],
    referral: { points: 0, newUserPoints: 0 },
  };
  assert.deepEqual(errorsOf({ name: "Own", bonuses }), {
    "bonuses.streaks[1].id": ["is the id of another streak"],
    "bonuses.streaks[1].sources": ["must not repeat a source"],
    "bonuses.streaks[2].id": ["must be small letters, digits and hyphens"],
    "bonuses.referral": ["must give points to one of the two"],
  });
  const wrong = {
    welcome: { points: 0, on: "birthday" },
    streaks: [{ ...week, length: 1, evry: "day" }, { id: "x" }],
    referral: { points: 1.5, newUserPoints: 5, perUserMax: 0 },
  };
  assert.deepEqual(errorsOf({ name: "Own", bonuses: wrong }), {
    "bonuses.welcome.points": ["must be at least 1"],
    "bonuses.welcome.on": ["must be one of enrolment, first_points"],
    "bonuses.streaks[0].length": ["must be at least 2"],
    "bonuses.streaks[0].evry": ["is not known; did you mean every?"],
    "bonuses.streaks[1].every": ["is required"],
    "bonuses.streaks[1].length": ["is required"],
    "bonuses.streaks[1].points": ["is required"],
    "bonuses.referral.points": ["must be of type integer"],
    "bonuses.referral.perUserMax": ["must be at least 1"],
  });
});

test("every error is named at once, by its path", () => {
  assert.deepEqual(
    errorsOf({
      timeZone: 7,
      points: {
        receipt: { multiplier: -1, helth: { A: 5 } },
        meal: { health: { A: 5.5, F: 1 } },
        rounding: "sideways",
      },
      limits: { day: { points: -1 } },
      minimumSpend: { GBP: 0 },
    }),
    {
      name: ["is required"],
      timeZone: ["must be of type string"],
      "points.receipt.helth": ["is not known; did you mean health?"],
      "points.receipt.multiplier": ["must be at least 0"],
      "points.meal.health.A": ["must be of type integer"],
      "points.meal.health.F": ["is not known; did you mean A?"],
      "points.rounding": ["must be one of down, nearest, up"],
      "limits.day.points": ["must be at least 0"],
      "minimumSpend.GBP": ["must be at least 0.01"],
    },
  );
});

test("what a schema cannot say is named, too, with what may have been meant", () => {
  assert.deepEqual(
    errorsOf({
      name: "Wrong",
      timeZone: "Europe/Londen",
      points: { food: { multiplier: 1.255 } },
      minimumSpend: { gbp: 5, EUR: 5 },
      eligible: {
        foodGroups: { only: ["fruit", "vegetables"] },
        merchants: { only: ["A"], except: ["B"] },
        countries: {},
      },
    }),
    {
      timeZone: ["is no IANA time zone; did you mean Europe/London?"],
      "points.food.multiplier": ["must not have more than two decimals"],
      "minimumSpend.gbp": ["is no currency: three capital letters"],
      "eligible.foodGroups.only[1]": ["is no group of the catalogue; did you mean vegetable?"],
      "eligible.merchants": ["must have either only or except"],
      "eligible.countries": ["must have either only or except"],
    },
  );
});

test("a time zone has any of its names, and is no offset", () => {
  for (const timeZone of ["UTC", "Europe/London", "Asia/Kolkata", "Asia/Calcutta", "Europe/Kyiv"]) {
    assert.deepEqual(errorsOf({ name: "Zone", timeZone }), {}, timeZone);
  }
  for (const timeZone of ["", "+01:00", "-0530", "Europe"]) {
    assert.notDeepEqual(errorsOf({ name: "Zone", timeZone }), {}, timeZone);
  }
});

test("what is no object, or too long, is refused", () => {
  for (const value of [null, 7, "{}", [], { name: "x".repeat(101) }, { name: " " }]) {
    assert.notDeepEqual(errorsOf(value), {}, JSON.stringify(value));
  }
});
