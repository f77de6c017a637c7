import assert from "node:assert/strict";
import { test } from "node:test";
import { lookupKey } from "./lookup.ts";
import type { LookupResult, FoundProduct } from "./lookup.ts";
import { ACCEPTED_CONFIDENCE } from "../matching/tuning.ts";
import { createRater } from "../rating/rate.ts";
import { createResolver } from "./resolve.ts";
import { readCatalogue } from "../catalogue/store.ts";
import { matcherOf } from "../matching/match.ts";

const catalogue = readCatalogue();
const matcher = matcherOf(catalogue);
const resolver = createResolver(catalogue, matcher);
const APPLICATION = "a";
/** No products, aliases or words. */
const NOTHING_FOUND: LookupResult = {
  ownProducts: new Map(),
  gtins: new Map(),
  aliases: new Map(),
  named: new Map(),
  words: new Map(),
};

function product(changes: Partial<FoundProduct> = {}): FoundProduct {
  return {
    code: "p-1",
    gtin: null,
    name: "Xqzzk",
    brand: null,
    category: null,
    reference: null,
    nameKey: "xqzzk",
    packG: null,
    nutrition: null,
    co2eGPerKg: null,
    co2eUncertainty: null,
    source: "test",
    isOwn: false,
    revision: 1,
    ...changes,
  };
}

function item(name: string, foodId = "") {
  return { foodId, name, weight: 100, unit: "g", quantity: 1, nutrition: null };
}

function rate(known: Partial<LookupResult>, name: string, foodId?: string) {
  return resolver.raterFor({ ...NOTHING_FOUND, ...known }, APPLICATION).rate(item(name, foodId), "food");
}

const key = (...parts: string[]) => lookupKey(APPLICATION, ...parts);

test("without products, aliases and words the rating is that of the catalogue alone", () => {
  const rater = createRater(catalogue, matcher);
  for (const name of ["Apple", "rice", "CARRIER BAG", "xqzzk", "red wine"]) {
    for (const foodId of ["", "banana", "nobody's"]) {
      const { basis, ...result } = rate({}, name, foodId);
      assert.ok(basis);
      assert.deepEqual(result, rater.rate(item(name, foodId), "food"));
    }
  }
});

test("the own foodId comes before the GTIN, the GTIN before an alias, the alias before the name", () => {
  const own = product({ name: "own", reference: "food:apple" });
  const byGtin = product({ name: "by gtin", reference: "food:banana" });
  const alias = {
    id: "1",
    name: "4006381333931",
    merchantName: null,
    target: { kind: "food", id: "carrot" },
    author: "api",
    createdAt: new Date(0),
    product: null,
  } as const;
  const gtin = "4006381333931";
  const ownProducts = new Map([[key(gtin), own]]);
  const gtins = new Map([[key("04006381333931"), byGtin]]);
  const aliases = new Map([[key(gtin, ""), alias]]);
  const by = (known: Partial<LookupResult>) => rate(known, gtin, gtin).basis?.match?.by;
  assert.equal(by({ ownProducts, gtins, aliases }), "own_food_id");
  assert.equal(by({ gtins, aliases }), "gtin");
  assert.equal(by({ aliases }), "alias");
});

test("a product whose food is not known with confidence is not rated", () => {
  const ownProducts = new Map([[key("p-1"), product()]]);
  const result = rate({ ownProducts }, "zzkqx", "p-1");
  assert.equal(result.kind, "excluded");
});

test("a product with its own CO2e and nutrition needs no reference food, and its assumed class is flagged", () => {
  const nutrition = { energyKcal: 380, fatG: 8, saturatedFatG: 1, carbsG: 60, sugarG: 5, proteinG: 12, saltG: 0.1 };
  const own = product({ nutrition, co2eGPerKg: 1_250, co2eUncertainty: 1.3 });
  const result = rate({ ownProducts: new Map([[key("p-1"), own]]) }, "zzkqx", "p-1");
  assert.ok(result.kind === "rated");
  assert.deepEqual([result.co2eMg, result.carbonDataSource, result.confidence], [125_000, "test:p-1", 1]);
  assert.ok(result.flags.includes("health_class_nearest"));
});

test("a product's food is found by its category; wine by any name is not rated", () => {
  const wine = product({ category: "red wines" });
  const result = rate({ gtins: new Map([[key("04006381333931"), wine]]) }, "4006381333931");
  assert.ok(result.kind === "excluded");
  assert.equal(result.reason, "alcohol");
});

test("products of one name are more confident the more of them agree on the food", () => {
  const apple = product({ reference: "food:apple" });
  const banana = product({ reference: "food:banana" });
  const named = (...products: FoundProduct[]) => rate({ named: new Map([[key("xqzzk"), products]]) }, "Xqzzk");
  assert.equal(named(apple, apple).basis?.match?.confidence, 0.9);
  assert.equal(named(apple, apple, banana).basis?.match?.confidence, 0.6);
  assert.equal(named(apple, apple, banana, banana, product({ reference: "food:carrot" })).kind, "excluded");
});

test("an alias whose product no longer exists is skipped for the name", () => {
  const gone = {
    id: "1",
    name: "apple",
    merchantName: null,
    target: { kind: "product", id: "p-9" },
    author: "api",
    createdAt: new Date(0),
    product: null,
  } as const;
  assert.equal(rate({ aliases: new Map([[key("apple", ""), gone]]) }, "Apple").basis?.match?.by, "name");
});

test("a product with the figures of another food is not the food of its name: a jam called strawberry", () => {
  const jam = { fatG: 0.2, carbsG: 59, proteinG: 0.4 };
  const berries = { fatG: 0.3, carbsG: 7, proteinG: 0.7 };
  const confidenceOf = (nutrition: FoundProduct["nutrition"]) => {
    const gtins = new Map([[key("04006381333931"), product({ name: "Fraise", gtin: "04006381333931", nutrition })]]);
    return rate({ gtins }, "4006381333931").basis?.match?.confidence ?? 0;
  };
  assert.ok(confidenceOf(berries) >= ACCEPTED_CONFIDENCE);
  assert.ok(confidenceOf(jam) < ACCEPTED_CONFIDENCE);
});
