import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import { shippedMatcherOf } from "./learned/store.ts";
import { doubted, withoutEveryday } from "./lone-words.ts";

const catalogue = readCatalogue();
const matcher = shippedMatcherOf(catalogue);
const first = (name: string) => matcher.match(name, { source: "meal", limit: 1 })[0];

test("an everyday word without a mark is no food of another language", () => {
  for (const name of ["name", "Name", "names", "pure"]) assert.ok(!first(name)?.accepted, name);
  assert.equal(first("ñame")?.food.id, "yam");
  assert.equal(first("puré")?.food.id, "mashed-potato");
  assert.equal(first("pure di patate")?.food.id, "mashed-potato");
  assert.equal(first("rape oil")?.food.id, "rapeseed-oil");
  assert.equal(withoutEveryday("pure apple juice", null, new Set()), "apple juice");
  assert.equal(withoutEveryday("pure di mele", null, new Set(["pure mele"])), "pure di mele");
  assert.equal(withoutEveryday("grapes", null, new Set()), "grapes");
});

test("on a till such a word may be the food", () => {
  const [yam] = matcher.match("NAME", { source: "receipt", limit: 1, language: "en" });
  assert.equal(yam?.food.id, "yam");
});

test("one typed word that is only beside the thing in a name is not accepted", () => {
  for (const name of ["snow", "star", "heavy", "winter", "avion"]) assert.ok(!first(name)?.accepted, name);
  for (const name of ["peas", "Brötchen", "fromage", "basmati", "cheddar"]) assert.ok(first(name)?.accepted, name);
});

test("a word like the thing's own, and more words than one, are not doubted", () => {
  const food = catalogue.byId.get("chives")!;
  const found = [{ food, matchedName: "Chives", confidence: 0.8, accepted: true }];
  assert.ok(doubted(found, "chive")[0]!.accepted);
  assert.ok(doubted(found, "Schnittlauchröllchen, chives")[0]!.accepted);
  assert.ok(!doubted(found, "snow")[0]!.accepted);
});
