import assert from "node:assert/strict";
import { test } from "node:test";
import type { Food, Language } from "../catalogue/catalogue.ts";
import { tokenizeNames } from "./names.ts";
import { readCatalogue } from "../catalogue/store.ts";
import { contentWords } from "./words.ts";

const [anyFood] = readCatalogue().foods;

/** A food of these names. */
function foodOf(name: string, synonyms: Partial<Record<Language, string[]>> = {}): Food {
  assert.ok(anyFood);
  return { ...anyFood, name, synonyms: { en: [], de: [], fr: [], es: [], it: [], ...synonyms } };
}

function wordsOfNames(foods: readonly Food[]): string[][] {
  const { names, vocabulary, words, starts } = tokenizeNames(foods);
  return names.map((_, name) => words.slice(starts[name], starts[name + 1]).map((word) => vocabulary[word]!));
}

test("names split together have the same words as each has by itself", () => {
  const { foods } = readCatalogue();
  const { names } = tokenizeNames(foods);
  assert.deepEqual(
    wordsOfNames(foods),
    names.map(({ text }) => contentWords(text)),
  );
  assert.deepEqual(wordsOfNames([foodOf("Milk 1,5 % fat  & cream"), foodOf("50")]), [
    ["milk", "1.5%", "fat", "cream"],
    [],
  ]);
});

test("the head of a name is its last word in English and German, its first in French, Spanish and Italian, before what it comes with", () => {
  const headOf = (text: string, language: Language) => {
    const { vocabulary, heads } = tokenizeNames([foodOf("of 50 %", { [language]: [text] })]);
    return vocabulary[heads[1]!];
  };
  assert.equal(headOf("dark chocolate cake", "en"), "cake");
  assert.equal(headOf("tuna chunks in sunflower oil", "en"), "chunks");
  assert.equal(headOf("gâteau au chocolat", "fr"), "gateau");
  assert.equal(headOf("zumo de naranja", "es"), "zumo");
  assert.equal(headOf("succo d'arancia", "it"), "succo");
  assert.equal(headOf("Makrele in Tomatensauce", "de"), "makrele");
  assert.equal(headOf("a 7", "en"), undefined);
});
