import assert from "node:assert/strict";
import { test } from "node:test";
import { goodsLanguageOf } from "./goods-language.ts";

test("goods are named in the language of the country, where it has one that names of foods are known in", () => {
  const expected = { IT: "it", AT: "de", MX: "es", US: "en", CH: null, BE: null, MY: null, SE: null, XX: null };
  for (const [country, language] of Object.entries(expected)) assert.equal(goodsLanguageOf(country), language, country);
  assert.equal(goodsLanguageOf(null), null);
});
