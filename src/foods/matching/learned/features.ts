import type { Language } from "../../catalogue/catalogue.ts";
import { fold } from "../words.ts";

// The features of a name: hashed pieces of its words. A till cuts words, leaves vowels out or joins words; some pieces
// survive each of that: the beginning survives a cut, the consonants survive without vowels, the end names the thing
// in German.

/** A longer name is cut: no till prints more, and the work stays bounded. */
const WORDS_MAX = 9;
const LETTERS_MAX = 18;
/** Room for the features of the longest name. */
export const FEATURES_MAX = WORDS_MAX * 50;

/** Says what a piece is, so that equal letters in different places are different features. */
const KIND = { whole: 1, start: 2, end: 3, consonants: 4, inside: 5, first: 6, last: 7, pair: 8, initial: 9 } as const;
/** Words and beginnings in a language: `latte` is milk where Italian is spoken. */
const KIND_IN: Readonly<Record<Language, { readonly whole: number; readonly start: number }>> = {
  en: { whole: 16, start: 17 },
  de: { whole: 18, start: 19 },
  fr: { whole: 20, start: 21 },
  es: { whole: 22, start: 23 },
  it: { whole: 24, start: 25 },
};

/** The letters of a name's words, without sizes, numbers and accents. */
export function lettersOfWords(name: string): string[] {
  const words: string[] = [];
  for (const word of fold(name).split(/[^a-z0-9%]+/)) {
    // A size (`500g`), a count (`x4`, `6er`) or a number says nothing about what the thing is.
    if (word === "" || /\d/.test(word)) continue;
    // Tills without umlauts print KAESE.
    words.push(word.replaceAll(/([aou])e/g, "$1").slice(0, LETTERS_MAX));
    if (words.length === WORDS_MAX) break;
  }
  return words;
}

/**
 * Writes the features of a name into `into`, and returns how many there are. `language`: what people speak where it was
 * printed; null: not known. Deterministic.
 */
export function featuresOf(name: string, into: Uint32Array, language: Language | null = null): number {
  const words = lettersOfWords(name);
  let count = 0;
  const add = (kind: number, text: string, from: number, to: number) => {
    let hash = (0x811c9dc5 ^ kind) >>> 0;
    hash = Math.imul(hash, 0x01000193);
    for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    hash ^= hash >>> 15;
    hash = Math.imul(hash, 0x2c1b3c6d);
    hash ^= hash >>> 13;
    if (count < into.length) into[count++] = hash;
  };
  words.forEach((word, place) => {
    const { length } = word;
    add(KIND.whole, word, 0, length);
    for (let end = 2; end <= 6; end += 1) if (length >= end) add(KIND.start, word, 0, end);
    if (length > 4) {
      add(KIND.end, word, length - 3, length);
      add(KIND.end, word, length - 4, length);
    }
    if (length > 7) add(KIND.end, word, length - 6, length);
    const consonants = consonantsOf(word);
    for (let end = 2; end <= consonants.length && end <= 6; end += 1) add(KIND.consonants, consonants, 0, end);
    for (let at = 1; at + 4 <= length; at += 1) add(KIND.inside, word, at, at + 4);
    for (let at = 0; at + 5 <= length; at += 1) add(KIND.inside, word, at, at + 5);
    if (language) {
      add(KIND_IN[language].whole, word, 0, length);
      add(KIND_IN[language].start, word, 0, Math.min(4, length));
    }
    if (length === 1) add(KIND.initial, word, 0, 1);
    if (place === 0) add(KIND.first, word, 0, Math.min(4, length));
    if (place === words.length - 1) add(KIND.last, word, 0, Math.min(4, length));
    const next = words[place + 1];
    if (next !== undefined) {
      const pair = `${word.slice(0, 3)} ${next.slice(0, 3)}`;
      add(KIND.pair, pair, 0, pair.length);
    }
  });
  return count;
}

/** The first letter and all consonants after it, doubled ones once: what is left of a word without its vowels. */
export function consonantsOf(word: string): string {
  let consonants = word.charAt(0);
  let last = "";
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    if ("aeiouy".includes(letter)) continue;
    if (letter !== last) consonants += letter;
    last = letter === last ? "" : letter;
  }
  return consonants;
}
