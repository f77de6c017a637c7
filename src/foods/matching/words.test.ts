import assert from "node:assert/strict";
import { test } from "node:test";
import { createLexicon } from "./lexicon.ts";
import { createVocabulary, emptyVocabulary } from "./vocabulary.ts";
import { similarityOf } from "./similarity.ts";
import { contentWords, stem, wordsOf } from "./words.ts";

test("a name is split into words without accents, elisions, signs and product codes", () => {
  assert.deepEqual(wordsOf("Crème brûlée d'Isigny"), ["creme", "brulee", "isigny"]);
  assert.deepEqual(wordsOf("KI.SCHOKOL. 1,5%"), ["ki", "schokol", "1.5%"]);
  assert.deepEqual(contentWords("Chickpeas in the water 400 9X12B"), ["chickpeas", "water"]);
  assert.deepEqual(contentWords("Thé vert"), ["thee", "vert"]);
});

test("the forms of a word have one stem in their language", () => {
  const forms = {
    en: [
      ["tomato", "tomatoes"],
      ["berry", "berries"],
      ["peach", "peaches"],
      ["loaf", "loaves"],
      ["radish", "radishes"],
    ],
    de: [
      ["tomate", "tomaten"],
      ["kirsche", "kirschen"],
      ["linse", "linsen"],
      ["brot", "brote"],
    ],
    fr: [
      ["gateau", "gateaux"],
      ["tomate", "tomates"],
      ["crevette", "crevettes"],
    ],
    es: [
      ["manzana", "manzanas"],
      ["limon", "limones"],
      ["nuez", "nueces"],
      ["tomate", "tomates"],
    ],
    it: [
      ["mela", "mele"],
      ["fungo", "funghi"],
      ["arancia", "arance"],
      ["finocchio", "finocchi"],
      ["limone", "limoni"],
      ["uovo", "uova"],
    ],
  } as const;
  for (const [language, pairs] of Object.entries(forms)) {
    for (const [one, many] of pairs) assert.equal(stem(one, language as "en"), stem(many, language as "en"), many);
  }
});

test("Italian words that differ only in their last vowels have different stems", () => {
  for (const [one, other] of [
    ["pesce", "pesche"],
    ["polpo", "polpa"],
    ["panni", "panna"],
    ["grana", "grano"],
  ] as const)
    assert.notEqual(stem(one, "it"), stem(other, "it"), one);
  assert.notEqual(stem("mela", "it"), stem("mel", "it"), "nor does a word cut short become one");
});

test("an abbreviation is more similar the more of the word's consonants it has", () => {
  assert.ok(similarityOf("chckn", "chicken") > similarityOf("chk", "chicken"));
  assert.ok(similarityOf("strawb", "strawberry") > 0.8);
  assert.ok(similarityOf("tomatoe", "tomato") > 0.8);
  assert.equal(similarityOf("coke", "milk"), 0);
  assert.ok(similarityOf("coke", "cookies") < 0.7);
});

test("a compound reads as its parts, an abbreviation only where abbreviations are used", () => {
  const data = emptyVocabulary();
  const { add } = createVocabulary(data);
  const strawberry = add("erdbeere", "de");
  const yogurt = add("joghurt", "de");
  const chicken = add("chicken", "en");
  const lexicon = createLexicon(data);
  const termsOf = (word: string, isAbbreviated: boolean) =>
    lexicon.read(word, isAbbreviated).map((part) => part.map(({ term }) => term));
  assert.deepEqual(termsOf("erdbeerjoghurt", false), [[strawberry], [yogurt]]);
  assert.deepEqual(termsOf("chckn", true), [[chicken]]);
  assert.deepEqual(termsOf("chkn", true), [[chicken]]);
  assert.deepEqual(termsOf("chkn", false), []);
});

test("a compound whose last part a full stop cuts is read as both parts, with or without umlauts", () => {
  const data = emptyVocabulary();
  const { add } = createVocabulary(data);
  const pumpkin = add("kurbis", "de");
  const soup = add("suppe", "de");
  const bread = add("kurbiskernbrot", "de");
  const lexicon = createLexicon(data);
  const termsOf = (word: string) => lexicon.read(word, true, true).map((part) => part.map(({ term }) => term));
  assert.deepEqual(termsOf("kuerbissup"), [[pumpkin], [soup]]);
  assert.deepEqual(termsOf("kuerbiskernbr"), [[bread]]);
  assert.deepEqual(lexicon.read("xyzsup", true, true), []);
});
