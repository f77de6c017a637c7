import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import { isTasteOfBrand } from "./brand.ts";
import { candidateFor } from "./candidate.ts";
import { matcherOf } from "./match.ts";

const { byId } = readCatalogue();
const found = (id: string, confidence: number) => [candidateFor(byId.get(id)!, confidence)];
const skyr = { brandFood: byId.get("skyr")!, startsWithBrand: true };

test("letters that know the taste behind a food's brand do not win against it", () => {
  assert.equal(isTasteOfBrand(found("skyr", 0.82), found("blueberry", 0.85), skyr), true);
});

test("what a brand of spirits is mixed with does not win against it", () => {
  const { match } = matcherOf(readCatalogue());
  const kind = (name: string) => match(name, { source: "receipt" })[0]?.food.kind;
  assert.equal(kind("BACARDI & COLA 0,33L"), "alcohol");
  assert.equal(kind("GORDONS GIN TONIC"), "alcohol");
  assert.equal(kind("JACK DANIELS BBQ SAUCE"), "food");
});

test("they win where the brand comes last, was not sure, or where they know no taste", () => {
  assert.equal(
    isTasteOfBrand(found("skyr", 0.82), found("blueberry", 0.85), { ...skyr, startsWithBrand: false }),
    false,
  );
  assert.equal(isTasteOfBrand(found("skyr", 0.6), found("blueberry", 0.85), skyr), false);
  assert.equal(isTasteOfBrand(found("skyr", 0.82), found("eggs", 0.85), skyr), false);
  assert.equal(isTasteOfBrand(found("skyr", 0.82), [], skyr), false);
});
