import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import type { Language } from "../catalogue/catalogue.ts";
import { matcherOf } from "./match.ts";
import { carbonRatingOf } from "../rating/carbon.ts";

const matcher = matcherOf(readCatalogue());
const first = (name: string, language: Language | null = null) =>
  matcher.match(name, { source: "receipt", limit: 1, language })[0];

test("a food of another animal than the name says is not accepted", () => {
  for (const name of ["blanquette de dinde", "OSSOBUCO TACCHINO", "osso buco pollo"]) {
    const found = first(name);
    const others = ["blanquette-de-veau", "osso-buco", "osso-buco-dish"];
    assert.ok(!found?.accepted || !others.includes(found.food.id), `${name}: ${found?.food.id} ${found?.confidence}`);
  }
});

test("a till's consonants or beginning of a brand are that brand", () => {
  assert.equal(first("BRNSTN")?.food.id, "chutney");
  assert.equal(first("PRNGLS")?.food.id, "crisps");
  // The brewery makes milk as well: a beginning that several foods have says nothing.
  assert.equal(first("WEIHENST. BUTTER")?.food.id, "butter");
});

test("a brand is known with some of its vowels, and at the start without one of its consonants", () => {
  assert.equal(first("PRNGLES ORIG")?.food.id, "crisps");
  assert.equal(first("WKRS RDY SLT", "en")?.food.id, "crisps");
  assert.equal(first("CDBY DAIRY MLK", "en")?.food.id, "milk-chocolate");
  // A word that a food's name may be cut to, and a place where brands are not.
  assert.notEqual(first("CHKN WKRS", "en")?.food.id, "crisps");
  assert.equal(first("BNNS LOOSE", "en")?.food.id, "banana");
});

test("a first letter before a full stop is read with the word behind it", () => {
  assert.equal(first("Q.LONCHAS", "es")?.food.id, "cheese");
  assert.equal(first("P.POIS CAROT", "fr")?.food.id, "peas-and-carrots");
});

test("a cut word is no brand of a thing that nobody eats", () => {
  assert.equal(first("PESCHE NETT.")?.food.kind, "food");
});

test("a part that is left out is not the food", () => {
  assert.equal(first("SANDIA S/PEPITAS", "es")?.food.id, "watermelon");
  assert.equal(first("SARDINAS SIN PIEL", "es")?.food.group, "fish");
});

test("an abbreviation of one language is not read on receipts of another", () => {
  assert.equal(first("ROTI")?.food.group, "bread");
  assert.notEqual(first("ROTI DE PORC", "fr")?.food.group, "bread");
});

test("a cut word that looks like a joining word is read", () => {
  const cheese = first("FROM. RAPE", "fr");
  assert.ok(cheese?.accepted && cheese.food.carbon && carbonRatingOf(cheese.food.carbon) === 4);
});
