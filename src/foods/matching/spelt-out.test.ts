import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import { matcherOf } from "./match.ts";
import { speltOut } from "./spelt-out.ts";

const known = new Set(["rotkappchen", "capri", "blue", "caprisun"]);
const isKnown = (word: string) => known.has(word);

test("words that a till ran together are taken apart at their capitals", () => {
  assert.equal(speltOut("Meg.FeineSüssrahm", null, isKnown), "Meg.Feine Süssrahm");
  assert.equal(speltOut("HaferflockenFeinbl.", "de", isKnown), "Haferflocken Feinbl.");
  assert.equal(speltOut("McCain CapriSun BiFi", null, isKnown), "McCain CapriSun BiFi");
});

test("two vowels are an umlaut where that makes a known word", () => {
  assert.equal(speltOut("ROTKAEPPCHEN SEKT", "de", isKnown), "rotkappchen SEKT");
  assert.equal(speltOut("BLUE MUELLER", "de", isKnown), "BLUE MUELLER");
  assert.equal(speltOut("ROTKAEPPCHEN", "fr", isKnown), "ROTKAEPPCHEN");
});

test("digits that a photo was misread for are letters where that makes a known word", () => {
  const known = new Set(["yaourt", "miele", "salami", "latte", "omega"]);
  const spelt = (name: string) => speltOut(name, "it", (word) => known.has(word));
  assert.equal(spelt("YA0URT BI0"), "yaourt BI0");
  assert.equal(spelt("M1ELE 5ALAMI"), "miele salami");
  assert.equal(spelt("1ATTE"), "latte");
  assert.equal(spelt("OMEGA3 7UP B12 1664 FARINA 00 5KG"), "OMEGA3 7UP B12 1664 FARINA 00 5KG");
});

test("C/ is con in Spanish and Italian", () => {
  assert.equal(speltOut("ATUN C/TOMATE", "es", isKnown), "ATUN con TOMATE");
  assert.equal(speltOut("CRACKERS C/ROSMARINO", "it", isKnown), "CRACKERS con ROSMARINO");
  assert.equal(speltOut("C/CREAM SOUP", "en", isKnown), "C/CREAM SOUP");
  const { match } = matcherOf(readCatalogue());
  assert.equal(match("PHILADELPHIA C/YOGURT", { source: "receipt", language: "it" })[0]?.food.id, "cream-cheese");
});

test("half-and-half in figures is written out", () => {
  assert.equal(speltOut("ORG 1/2 & 1/2 PT", "en", isKnown), "ORG half and half PT");
  assert.equal(speltOut("1/2&1/2", null, isKnown), "half and half");
  assert.equal(speltOut("PAN 1/2 SAL", "es", isKnown), "PAN 1/2 SAL");
});

test("what narrow tills leave of names is still found", () => {
  const { match } = matcherOf(readCatalogue());
  const found = (name: string) => match(name, { source: "receipt", language: "de" })[0]?.food.id;
  // The size runs into the word, and the last word ends where the line does.
  assert.equal(found("Butterwaffeln6x40g"), "waffles");
  assert.equal(found("Bio-Wacholderschinke"), "cured-ham");
  assert.equal(found("SCHW. BRATEN"), "roast-pork-joint");
  // Sold by the litre, a fruit is its juice; in a tin it is the fruit.
  assert.equal(found("HD ANANAS 1L"), "pineapple-juice");
  assert.notEqual(found("ANANAS 850ML"), "pineapple-juice");
  assert.equal(found("PAULANER WB AF"), "alcohol-free-beer");
  // A short form of the language before a brand of another.
  assert.equal(found("VK BROT"), "wholemeal-bread");
});

test("a long word whose first letter was misread is found", () => {
  const { match } = matcherOf(readCatalogue());
  const found = (name: string) => match(name, { source: "receipt", language: "en" })[0]?.food.id;
  assert.equal(found("FOTATOES"), "potatoes");
  assert.equal(found("RORRIDGE OATS"), "porridge-oats");
});

test("what little is left of a word does not win against a brand", () => {
  const { match } = matcherOf(readCatalogue());
  const found = (name: string) => match(name, { source: "receipt", language: "de" })[0]?.food.id;
  assert.equal(found("LINDT LINDOR PIST."), "chocolates");
  assert.equal(found("MILKA KARAMELL"), "milk-chocolate");
});
