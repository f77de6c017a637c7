import assert from "node:assert/strict";
import { test } from "node:test";
import { isEligible, namesOf } from "../../catalogue/catalogue.ts";
import type { Language } from "../../catalogue/catalogue.ts";
import { readCatalogue } from "../../catalogue/store.ts";
import { createMatchData } from "../match-data.ts";
import { createMatcher } from "../match.ts";
import { readNameModel } from "./store.ts";

const catalogue = readCatalogue();
const data = createMatchData(catalogue);
const byWords = createMatcher(catalogue, data);
const matcher = createMatcher(catalogue, data, readNameModel());

test("names of the catalogue and brands mean what they mean without the model", () => {
  const names = catalogue.foods.flatMap((food) => namesOf(food)).filter((_, at) => at % 40 === 0);
  for (const { text } of names) {
    const expected = byWords.match(text, { source: "receipt" });
    if ((expected[0]?.confidence ?? 0) < 0.9) continue;
    assert.deepEqual(matcher.match(text, { source: "receipt" }), expected, text);
  }
  assert.deepEqual(matcher.match("KITKAT", { source: "receipt" }), byWords.match("KITKAT", { source: "receipt" }));
});

test("shorthand that the words leave in doubt is accepted", () => {
  const foods = {
    "EPIN.HACH.SURG 1K": "frozen-spinach",
    "JAGDWURST SCH.": "mortadella",
    "BLUMENKOHL STK": "cauliflower",
    "KOHLRABI STK.": "kohlrabi",
    "PASS.POMOD.700": "passata",
    "YOG.SAB.FRESA": "fruit-yogurt",
  };
  for (const [name, id] of Object.entries(foods)) {
    const [first] = matcher.match(name, { source: "receipt", limit: 1 });
    assert.equal(first?.food.id, id, name);
    assert.ok(first.accepted, name);
  }
});

test("what imitates a food is kept apart from it", () => {
  for (const name of [
    "VIOLIFE CHDDR SHRD",
    "VGN CHDR SLCS",
    "vegan bacon rashers",
    "VEG. SCHNITZEL 2ST",
    "JBN VEG.TRCH",
  ]) {
    const [first] = matcher.match(name, { source: "receipt", limit: 1 });
    assert.ok(
      !first?.accepted || !/^(?:meat-(?!alt)|cheese$)/.test(first.food.group) || first.food.id === "plant-based-cheese",
      name,
    );
  }
});

test("lines of a till, and things that smell of food, are not rated", () => {
  const names =
    "TOTAL TTC;SUMME EUR;CHANGE DUE;SUBTOTAL;MWST 7%;SHOWER GEL COCONUT;GEL DCHE AMANDE;HAND CREAM OLIVE;CHAMPU MANZANA";
  for (const name of names.split(";")) {
    const [first] = matcher.match(name, { source: "receipt", limit: 1 });
    assert.ok(!first?.accepted || !isEligible(first.food), `${name}: ${first?.food.id}`);
  }
});

test("the number of candidates asked for does not change the first one", () => {
  for (const name of ["EPIN.HACH.SURG 1K", "GARB.COC.FCO", "CHKN TKKA", "BUTTERK. 200G"])
    assert.deepEqual(
      matcher.match(name, { source: "receipt", limit: 1 })[0],
      matcher.match(name, { source: "receipt", limit: 10 })[0],
    );
});

test("a brand of things that nobody eats decides, whatever they smell of", () => {
  for (const name of ["NIVEA LIMETTE", "AIRWICK VANILLA", "LENOR APRICOT"]) {
    const [first] = matcher.match(name, { source: "receipt", limit: 1 });
    assert.ok(!first?.accepted || !isEligible(first.food), `${name}: ${first?.food.id}`);
  }
});

test("a name of several languages is read in that of the shop's country", () => {
  const firstOf = (name: string, language: Language | null) =>
    matcher.match(name, { source: "receipt", limit: 1, language })[0]?.food.id;
  assert.equal(firstOf("LATTE", "it"), "milk");
  assert.equal(firstOf("LATTE", "en"), "latte");
  assert.equal(firstOf("PRUNES", "fr"), "plum");
  assert.equal(firstOf("PRUNES", "en"), "prunes");
  assert.equal(firstOf("CHIPS", "de"), "crisps");
  assert.equal(firstOf("CHIPS", "en"), "chips");
});
