import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import type { Language } from "../catalogue/catalogue.ts";
import { shippedMatcherOf } from "./learned/store.ts";

const matcher = shippedMatcherOf(readCatalogue());
const first = (name: string, language: Language) => matcher.match(name, { source: "receipt", limit: 1, language })[0];

test("what an unknown thing is made with is not the thing", () => {
  const doubted: [string, Language][] = [
    ["POLESANI CON OLIO D'OLIVA", "it"],
    ["RICCETTI AL SESAMO", "it"],
    ["MALICETTE AU PAVOT", "fr"],
    ["ABANICOS AL CACAO", "es"],
  ];
  for (const [name, language] of doubted) assert.ok(!first(name, language)?.accepted, name);
});

test("where the thing is known, or short for one, what it is made with is read with it", () => {
  const foods: [string, Language, string][] = [
    ["CRACKERS CON OLIO D'OLIVA", "it", "crackers"],
    ["TONNO AL NATURALE", "it", "tinned-tuna"],
    ["YAOURT AUX FRUITS", "fr", "fruit-yogurt"],
    ["CHOC. AU LAIT", "fr", "milk-chocolate"],
  ];
  for (const [name, language, id] of foods) {
    assert.equal(first(name, language)?.food.id, id, name);
    assert.ok(first(name, language)?.accepted, name);
  }
});

test("one fruit or nut that is sold by many is less sure, as it may be a taste", () => {
  assert.ok(first("FRAISE", "fr")!.confidence < 0.8);
  assert.ok(first("FRAISES", "fr")!.confidence > 0.8);
});
