import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { Food } from "../catalogue/catalogue.ts";
import { bareMassMgOf, massMgOf, printedMassMg, readPrintedSize } from "./quantity.ts";
import { readCatalogue } from "../catalogue/store.ts";

const catalogue = readCatalogue();
const food = (id: string): Food => {
  const found = catalogue.byId.get(id);
  assert.ok(found, id);
  return found;
};
const apple = food("apple");
const milk = food("milk");
const eggs = food("eggs");

test("every usual spelling of a unit weighs the same", () => {
  const grams = new Map([
    [250, ["g", "G", "gr", "gram", "grams", "grammes", "Gramm"]],
    [250_000, ["kg", "KG", "kilo", "kilos", "kilograms", "Kilogramm"]],
    [0.25, ["mg", "milligram"]],
    [113_398.092_5, ["lb", "lbs", "pounds", "livres"]],
    [7_087.381, ["oz", "ounces", "Unzen"]],
  ]);
  for (const [expectedG, units] of grams) {
    for (const unit of units) assert.equal(massMgOf(250, unit, apple), Math.round(expectedG * 1_000), unit);
  }
});

test("volumes weigh by the food's density", () => {
  assert.equal(massMgOf(1, "l", milk), 1_030_000);
  assert.equal(massMgOf(250, "ml", milk), 257_500);
  assert.equal(massMgOf(33, "cl", food("beer")), 330_000);
  assert.equal(massMgOf(1, "pint", milk), Math.round(568_261.25 * 1.03));
  assert.equal(massMgOf(8, "fl oz", milk), massMgOf(8, "fl. oz.", milk));
  assert.equal(massMgOf(2, "EL", food("olive-oil")), 27_450);
  assert.equal(massMgOf(1, "c. à c.", food("honey")), 7_000);
  assert.equal(massMgOf(1, "tsp", food("honey")), 7_000);
});

test("pieces, portions and packs weigh what the catalogue says", () => {
  for (const unit of ["piece", "pieces", "pcs", "each", "ea", "Stück", "pièces", "unit"]) {
    assert.equal(massMgOf(2, unit, apple), 300_000, unit);
  }
  assert.equal(massMgOf(1, "dozen", eggs), 12 * 58_000);
  assert.equal(massMgOf(1, "portion", apple), 150_000);
  assert.equal(massMgOf(3, "servings", apple), 450_000);
  assert.equal(massMgOf(1, "pack", milk), 1_136_000);
  assert.equal(massMgOf(1, "piece", food("spinach")), 80_000, "no piece weight: its portion");
});

test("no unit means grams, an unknown one converts to nothing", () => {
  assert.equal(massMgOf(100, null, apple), 100_000);
  for (const unit of ["parsec", "foo", "kcal", ""]) assert.equal(massMgOf(1, unit, apple), null, unit);
});

test("of an unknown thing only mass and volume give a weight", () => {
  assert.equal(bareMassMgOf(2, "kg"), 2_000_000);
  assert.equal(bareMassMgOf(2, "l"), 2_000_000);
  assert.equal(bareMassMgOf(2, "pieces"), null);
  assert.equal(bareMassMgOf(2, "parsec"), null);
});

test("a size printed in a name is read and removed", () => {
  const cases: [string, number, string, string][] = [
    ["ORG SEMI SKM MLK 2PT", 2, "pt", "ORG SEMI SKM MLK"],
    ["PORK CHPS 500G", 500, "g", "PORK CHPS"],
    ["COLA 6X330ML", 1_980, "ml", "COLA"],
    ["STILL WATER 6 x 1,5 L", 9, "l", "STILL WATER"],
    ["Apfelsaft 1,5l", 1.5, "l", "Apfelsaft"],
    ["DCD TOM 14.5OZ", 14.5, "oz", "DCD TOM"],
    ["SHRP CHDR SHRD 8Z", 8, "oz", "SHRP CHDR SHRD"],
    ["PRTZL TWST16Z", 16, "oz", "PRTZL TWST"],
    ["MILK HLF GAL", 0.5, "gal", "MILK"],
    ["MILK 1/2 GAL", 0.5, "gal", "MILK"],
    ["WHITE WINE 75CL", 75, "cl", "WHITE WINE"],
    ["BANANAS 5PK", 5, "piece", "BANANAS"],
    ["FRANKS 8CT", 8, "piece", "FRANKS"],
    ["LG EGGS DZ", 12, "piece", "LG EGGS"],
    ["EGGS 6S", 6, "piece", "EGGS"],
    ["JAFFA CAKES 10'S", 10, "piece", "JAFFA CAKES"],
    ["OEUFS PLEIN AIR X12", 12, "piece", "OEUFS PLEIN AIR"],
    ["JAMBON BLANC 4TR", 4, "piece", "JAMBON BLANC"],
    ["COLA 12 PACK", 12, "piece", "COLA"],
    ["3 x Croissant", 3, "piece", "Croissant"],
    ["UOVA FRESCHE 6PZ", 6, "piece", "UOVA FRESCHE"],
    ["MASCARPONE GR.250", 250, "gr", "MASCARPONE"],
    ["ACQUA FRIZZANTE LT1,5", 1.5, "lt", "ACQUA FRIZZANTE"],
    ["NUTELLA G 450", 450, "g", "NUTELLA"],
    ["FARINA 00 KG1", 1, "kg", "FARINA 00"],
  ];
  for (const [name, amount, unit, rest] of cases) {
    const read = readPrintedSize(name);
    assert.deepEqual([read.size?.amount, read.size?.unit, read.rest], [amount, unit, rest], name);
  }
});

test("a number that runs into a word is taken off it", () => {
  const cases: [string, string][] = [
    ["34NOIX CAJOU", "34 NOIX CAJOU"],
    ["1/4SARDINES HUILE", "1/4 SARDINES HUILE"],
    ["12CROISSANTS", "12 CROISSANTS"],
    ["7UP 2GO", "7UP 2GO"],
    ["1664BLONDE", "1664BLONDE"],
  ];
  for (const [name, rest] of cases) assert.equal(readPrintedSize(name).rest, rest, name);
});

test("numbers that are no size stay in the name", () => {
  for (const name of [
    "BEEF MINCE 5%",
    "FRISCHMILCH 3,5%",
    "GRD BEEF 93/7",
    "7UP",
    "OMEGA 3 BREAD",
    "LEMONS",
    "EGGS L 12",
    "LATTE L 3,5%",
    "ORG 1/2 & 1/2 PT",
  ]) {
    assert.deepEqual(readPrintedSize(name), { size: null, rest: name }, name);
  }
});

test("a bare count weighs only where the food comes in pieces", () => {
  const count = readPrintedSize("XYZ 5PK").size;
  assert.ok(count);
  assert.equal(printedMassMg(count, food("banana")), 600_000);
  assert.equal(printedMassMg(count, food("spinach")), null);
});

test("a pack of several pieces weighs their number times one", () => {
  const weighed = (name: string, id: string) => printedMassMg(readPrintedSize(name).size!, food(id));
  assert.equal(weighed("COLA 4PK", "cola"), 4 * 330_000);
  assert.equal(weighed("BAKED BEANS 4PK", "baked-beans"), 4 * 415_000);
  assert.equal(weighed("YRT NATURE X8", "natural-yogurt"), 8 * 125_000);
  assert.equal(weighed("CRISPS 6PK", "crisps"), 6 * 25_000);
});

test("reading a name never throws, and its rest has no second size", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 80 }), (name) => {
      const { size, rest } = readPrintedSize(name);
      assert.ok(size === null || (Number.isFinite(size.amount) && size.amount >= 0));
      assert.ok(rest.length <= name.length + 1);
    }),
  );
});
