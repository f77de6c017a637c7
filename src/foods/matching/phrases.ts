import { wordsOf } from "./words.ts";

/** Phrases of one or more words, each with its value. */
export interface Phrases<Value> {
  /** Returns the longest phrase that starts with the word at `from`: its number of words, and its value. */
  find: (words: readonly string[], from: number) => { length: number; value: Value } | null;
}

/** Phrases split into words, by their first one: plain values, which can be kept in a file. */
export type SplitPhrases<Value> = ReadonlyMap<
  string,
  readonly { readonly words: readonly string[]; readonly value: Value }[]
>;

/** Splits phrases, folded like names. Of equal phrases the first counts. */
export function splitPhrases<Value>(entries: Iterable<readonly [string, Value]>): SplitPhrases<Value> {
  const byFirstWord = new Map<string, { words: readonly string[]; value: Value }[]>();
  for (const [text, value] of entries) {
    const words = wordsOf(text);
    const [first] = words;
    if (first === undefined) continue;
    const phrases = byFirstWord.get(first);
    if (phrases) phrases.push({ words, value });
    else byFirstWord.set(first, [{ words, value }]);
  }
  for (const phrases of byFirstWord.values()) phrases.sort((a, b) => b.words.length - a.words.length);
  return byFirstWord;
}

/** Creates a table of phrases. */
export function createPhrases<Value>(byFirstWord: SplitPhrases<Value>): Phrases<Value> {
  return {
    find: (words, from) => {
      const phrases = byFirstWord.get(words[from] ?? "");
      if (!phrases) return null;
      const found = phrases.find((phrase) => phrase.words.every((word, index) => words[from + index] === word));
      return found ? { length: found.words.length, value: found.value } : null;
    },
  };
}
