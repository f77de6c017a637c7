import assert from "node:assert/strict";
import { test } from "node:test";
import { readCatalogue } from "../catalogue/store.ts";
import { createLexicon } from "./lexicon.ts";
import { createMatchData } from "./match-data.ts";
import { wordsOnTill } from "./till-words.ts";

const catalogue = readCatalogue();
const lexicon = createLexicon(createMatchData(catalogue).weighted.vocabulary);
const wordsOf = (name: string) => wordsOnTill(name, catalogue, lexicon).map(({ word }) => word);

test("a first letter before a full stop is that of a word before the next one, where a name has both", () => {
  assert.deepEqual(wordsOf("T.CHERRY 500 GR"), ["t/cherry", "500", "gr"]);
  assert.deepEqual(wordsOf("P.POIS CAROT"), ["p/pois", "carot"]);
  assert.deepEqual(wordsOf("Q.LONCHAS"), ["q/lonchas"]);
});

test("a letter that no name has before the word, and one that adds, stay as they are", () => {
  assert.deepEqual(wordsOf("M.Land Vollmilch"), ["m", "land", "vollmilch"]);
  assert.deepEqual(wordsOf("I.TOMATEN"), ["i", "tomaten"]);
  assert.equal(wordsOf("MAC.CHERRY")[0], "mac");
});

test("the last word of a full line is cut where it is unknown", () => {
  const last = (name: string) => wordsOnTill(name, catalogue, lexicon).at(-1);
  assert.equal(last("FEINER BROTAUFSTRI")?.isCut, true);
  assert.equal(last("FEINER AUFSTRICH")?.isCut, false);
});
