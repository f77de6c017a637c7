import assert from "node:assert/strict";
import { test } from "node:test";
import { isEligible } from "../catalogue/catalogue.ts";
import { readCatalogue } from "../catalogue/store.ts";
import { matcherOf } from "./match.ts";

const matcher = matcherOf(readCatalogue());
const first = (name: string, language: "fr" | "es" | "en") => matcher.match(name, { source: "receipt", language })[0];

test("a word of things is believed where only other languages have it in foods", () => {
  // English has `langues de chat`.
  const cats = first("CHAT LAPIN", "fr");
  assert.ok(!cats || !cats.accepted || !isEligible(cats.food), cats?.food.id ?? "none");
  assert.equal(first("LANGUES DE CHAT", "fr")?.food.id, "cats-tongue-biscuits");
});
