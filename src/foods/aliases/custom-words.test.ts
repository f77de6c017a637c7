import assert from "node:assert/strict";
import { test } from "node:test";
import { customWordOf, applyWords, wordsIn } from "./custom-words.ts";
import type { CustomWord } from "./custom-words.ts";

const entry = { id: "w", author: "api" as const, createdAt: new Date(0) };
const wordsNamed = (entries: Record<string, string>) => {
  const words = new Map<string, CustomWord>();
  for (const [word, means] of Object.entries(entries)) words.set(word, { ...entry, word, means });
  return (word: string) => words.get(word);
};

test("a custom word is replaced wherever it is a whole word, cut short or not, and the rest is unchanged", () => {
  const find = wordsNamed({ zzm: "semi skimmed milk", ltx: "", "s/k": "sauerkraut" });
  const readAs = (name: string) => applyWords(name, find).readAs;
  assert.equal(readAs("ZZM 2PT"), "semi skimmed milk 2PT");
  assert.equal(readAs("LTX Zzm. 1,5%"), "semi skimmed milk 1,5%");
  assert.equal(readAs("S/K 500G"), "sauerkraut 500G");
  assert.equal(readAs("ZZMS  2PT"), "ZZMS  2PT");
});

test("the result names the words that were replaced", () => {
  const { words } = applyWords("LTX ZZM", wordsNamed({ zzm: "milk", ltx: "" }));
  assert.deepEqual(
    words.map(({ word }) => word),
    ["ltx", "zzm"],
  );
});

test("words inside a meaning are not replaced", () => {
  assert.equal(applyWords("AB", wordsNamed({ ab: "ab cd", cd: "ab" })).readAs, "ab cd");
});

test("the words of a name are returned as they are compared", () => {
  assert.deepEqual(wordsIn("Crème S/K. mlk-2"), ["creme", "s/k", "mlk", "2"]);
});

test("a word is one word with a letter", () => {
  for (const word of ["two words", "123", "...", "a-b"]) {
    assert.deepEqual(Object.keys((customWordOf({ word, means: "milk" }, entry) as { errors: object }).errors), [
      "word",
    ]);
  }
  const one = customWordOf({ word: " Crm. ", means: " cream " }, entry);
  assert.deepEqual("word" in one && [one.word.word, one.word.means], ["crm", "cream"]);
});

test("a name of very many words with long meanings stays short, and its first words are replaced", () => {
  const means = "semi skimmed milk ".repeat(14).trim();
  const { readAs, words } = applyWords("a ".repeat(127), wordsNamed({ a: means }));
  assert.ok(readAs.startsWith(`${means} `) && readAs.length <= 1_000, `${readAs.length} characters`);
  assert.ok(words.length >= 2);
});
