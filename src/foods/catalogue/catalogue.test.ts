import assert from "node:assert/strict";
import { test } from "node:test";
import { isEligible, namesOf } from "./catalogue.ts";
import type { Food } from "./catalogue.ts";
import { parseCatalogue } from "./parse.ts";
import { readCatalogue, readCatalogueFiles } from "./store.ts";
import { contentWords, wordsOf } from "../matching/words.ts";

const catalogue = readCatalogue();
const eligible = catalogue.foods.filter(isEligible);

/** Returns the ids of the foods that a rule does not hold for: an empty list reads well in a failure. */
const failing = (foods: readonly Food[], holds: (food: Food) => boolean) =>
  foods.filter((food) => !holds(food)).map(({ id }) => id);

/**
 * Acids, polyols and the factors of single foods differ from 4, 4, 9 and 2 kcal a gram; beyond this something is
 * wrong.
 */
const ATWATER_TOLERANCE_KCAL = 45;

test("the catalogue has at least fifteen hundred foods, and the other things of receipts", () => {
  assert.ok(eligible.length >= 1_500, `${eligible.length} foods`);
  const kinds = new Set(catalogue.foods.map(({ kind }) => kind));
  for (const kind of [
    "alcohol",
    "tobacco",
    "infant_formula",
    "supplement",
    "bag",
    "deposit",
    "pet_food",
    "non_food",
    "water",
  ]) {
    assert.ok(kinds.has(kind as Food["kind"]), kind);
  }
});

test("ids are kebab-case and say what the food is", () => {
  assert.deepEqual(
    failing(catalogue.foods, ({ id, name }) => /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id) && name.trim() !== ""),
    [],
  );
});

test("every figure has its source", () => {
  const sources = /^(?:agribalyse-3\.1\.1:\d+(?:_\d)?(?:\+\d+)*|su-eatable-life-2021:[A-Z* ]+|clark-2022:[A-Za-z ]+)$/;
  assert.deepEqual(
    failing(eligible, ({ carbon }) => sources.test(carbon?.source ?? "")),
    [],
  );
  const nutritionSources = /^(?:ciqual-2020:\d+(?:\+\d+)*|usda-sr28:\d{5})$/;
  assert.deepEqual(
    failing(eligible, ({ nutrition }) => nutritionSources.test(nutrition?.source ?? "")),
    [],
  );
});

test("CO2e is whole grams for each kg, between water and coffee or lamb", () => {
  assert.deepEqual(
    failing(
      eligible,
      ({ carbon }) => Number.isInteger(carbon?.co2eGPerKg) && carbon!.co2eGPerKg > 10 && carbon!.co2eGPerKg < 60_000,
    ),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ carbon }) => carbon!.uncertaintyK >= 1.3 && carbon!.uncertaintyK <= 5),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ carbon }) => carbon!.reconstitution === null || carbon!.reconstitution > 1),
    [],
  );
});

test("protein, carbohydrates, fat and fibre of 100 g weigh at most 105 g, parts no more than their whole", () => {
  assert.deepEqual(
    failing(eligible, ({ nutrition: n }) => n!.proteinG + n!.carbsG + n!.fatG + n!.fiberG <= 105),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ nutrition: n }) => n!.sugarG <= n!.carbsG + 0.5),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ nutrition: n }) => n!.saturatedFatG <= n!.fatG + 0.1),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ nutrition: n }) => n!.saltG <= 100 && n!.fvlPct >= 0 && n!.fvlPct <= 100),
    [],
  );
});

test("energy is what protein, carbohydrates, fat and fibre make", () => {
  const off = failing(eligible, ({ nutrition: n }) => {
    const kcal = 4 * n!.proteinG + 4 * n!.carbsG + 9 * n!.fatG + 2 * n!.fiberG;
    const difference = Math.abs(kcal - n!.energyKcal);
    return difference <= Math.max(ATWATER_TOLERANCE_KCAL, 0.2 * n!.energyKcal);
  });
  assert.deepEqual(off, []);
});

test("every food of the catalogue has plausible weights for portions, packs and pieces", () => {
  assert.deepEqual(
    failing(eligible, ({ portionG }) => portionG >= 1 && portionG <= 600),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ packG }) => packG >= 1 && packG <= 5_000),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ pieceG }) => pieceG === null || (pieceG >= 1 && pieceG <= 5_000)),
    [],
  );
  assert.deepEqual(
    failing(eligible, ({ densityGPerMl: d }) => d === null || (d >= 0.1 && d <= 1.5)),
    [],
  );
});

test("no name means two foods for sure, and every name can be read", () => {
  const owner = new Map<string, string>();
  const errors: string[] = [];
  for (const food of catalogue.foods) {
    for (const { text, isRough } of namesOf(food)) {
      const key = contentWords(text).join(" ");
      if (key === "") errors.push(`${food.id}: nothing can be read of ${text}`);
      if (isRough) continue;
      const other = owner.get(key);
      if (other !== undefined && other !== food.id) errors.push(`${text}: ${other} and ${food.id}`);
      owner.set(key, food.id);
    }
  }
  assert.deepEqual(errors, []);
});

test("no brand hides a name of the catalogue, and each is written as names are folded", () => {
  const names = new Set(catalogue.foods.flatMap(namesOf).map(({ text }) => wordsOf(text).join(" ")));
  const errors = [...catalogue.brands.keys()].filter((brand) => names.has(brand) || wordsOf(brand).join(" ") !== brand);
  assert.deepEqual(errors, []);
});

test("cooked forms belong to a raw food and name no other raw food's parent", () => {
  for (const [raw, cooked] of catalogue.cookedOf) {
    assert.equal(cooked.state, "cooked", cooked.id);
    assert.notEqual(catalogue.byId.get(raw)?.state, "cooked", raw);
  }
});

test("only foods that are rated have figures; they have a Nutri-Score class", () => {
  assert.deepEqual(
    failing(eligible, ({ kind, nutriScoreClass }) => (kind === "water") === (nutriScoreClass === "water")),
    [],
  );
});

test("a broken file is rejected with every error in one message", () => {
  const header = "id,name,kind,parent,co2e_source,co2e_g_per_kg,state";
  const foods = `${header}\nbread,Bread,food,wheat,agribalyse-3.1.1:1,much,fried\nbread,Bread,toy,,,,\n`;
  assert.throws(
    () => parseCatalogue({ foods, words: "word,meaning\n" }),
    (error: Error) =>
      [
        "co2e_g_per_kg is not a number",
        "state is none of",
        "no such parent: wheat",
        "the id occurs twice",
        "kind is none of",
      ].every((text) => error.message.includes(text)),
  );
});

function versionWith(meaning: string): string {
  return parseCatalogue({ foods: "id\n", words: `word,meaning\nmlk,${meaning}\n` }).version;
}

test("the version changes with the data", () => {
  assert.notEqual(versionWith("milk"), versionWith("malt"));
  assert.match(catalogue.version, /^foods-[0-9a-f]{12}$/);
});

test("an abbreviation may mean another thing, or nothing, in one language", () => {
  const words = "word,meaning,languages\nspk,sparkling,en\nspk,Speck,de\nstk,steak,\nstk,,de\ngew,,de\n";
  const { words: general, wordLanguages, wordsIn } = parseCatalogue({ ...readCatalogueFiles(), words });
  assert.deepEqual(
    [...general],
    [
      ["spk", "sparkling"],
      ["stk", "steak"],
    ],
  );
  assert.deepEqual([...wordLanguages], [["spk", ["en"]]]);
  assert.deepEqual(
    [...(wordsIn.get("de") ?? [])],
    [
      ["spk", "Speck"],
      ["stk", ""],
      ["gew", ""],
    ],
  );
});
