import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { LANGUAGES } from "../catalogue/catalogue.ts";
import { readCatalogue } from "../catalogue/store.ts";
import { createBeginnings } from "./beginnings.ts";
import { createMatchData } from "./match-data.ts";
import { createVocabulary } from "./vocabulary.ts";
import { hasStem, stem } from "./words.ts";

test("a word that begins like a known one but for three letters may be known", () => {
  const beginnings = createBeginnings();
  beginnings.add("leaf");
  for (const word of ["leaf", "leaves", "lea", "le"]) assert.ok(beginnings.has(word), word);
  for (const word of ["leopard", "x", "spinach"]) assert.ok(!beginnings.has(word), word);
});

test("no word that has a reading is left out, whatever its ending", () => {
  const data = createMatchData(readCatalogue()).weighted.vocabulary;
  const { readExactly } = createVocabulary(data);
  const known = data.tables.flatMap(({ words }) => [...words.keys()]);
  const endings = ["", "s", "es", "en", "er", "n", "e", "i", "a", "o", "x", "ces", "ies", "chi", "ghe", "ees", "ves"];
  fc.assert(
    fc.property(fc.constantFrom(...known), fc.nat(3), fc.constantFrom(...endings), (word, off, ending) => {
      const asked = word.slice(0, Math.max(1, word.length - off)) + ending;
      const expected = data.tables.some(
        ({ language, words, stems }) => words.has(asked) || stems.has(stem(asked, language, hasStem(asked))),
      );
      assert.equal(readExactly(asked).length > 0, expected, asked);
    }),
    { numRuns: 5_000 },
  );
  assert.ok(LANGUAGES.length === data.tables.length && readExactly("donuts").length > 0);
});
