import type { Language } from "../catalogue/catalogue.ts";
import { createBeginnings } from "./beginnings.ts";
import type { Beginnings } from "./beginnings.ts";
import { LANGUAGES } from "../catalogue/catalogue.ts";
import { lettersOf } from "./similarity.ts";
import { STEM_SIMILARITY } from "./tuning.ts";
import { hasStem, OTHER_SPELLINGS, stem } from "./words.ts";

/** A word of a query read as a term of the catalogue, with a similarity from 0 to 1. */
export interface Reading {
  term: number;
  similarity: number;
}

/** A word as catalogue names write it, folded, with its letters as bits. */
interface WrittenWord {
  word: string;
  letters: number;
  term: number;
}

/** Written words, and their letters once more in one array, which most comparisons read alone. */
interface WrittenWords {
  readonly words: readonly WrittenWord[];
  readonly letters: Int32Array;
}

const NO_WORDS: WrittenWords = { words: [], letters: new Int32Array(0) };

/** The words of the catalogue as numbered terms. All forms of a word in one language are one term. */
export interface Vocabulary {
  /** Returns the term of a word of a catalogue name; adds it where it is new. */
  add: (word: string, language: Language) => number;
  /** Records that a term comes before a word in a catalogue name. */
  addPair: (first: number, second: string) => void;
  /** Returns the terms of a word as it is written, or of another form of it. */
  readExactly: (word: string) => Reading[];
  /** True for a word that some catalogue name holds as it is. */
  has: (word: string) => boolean;
  /** The words of three letters and more that start with a letter. */
  startingWith: (letter: string) => WrittenWords;
  /** The terms before a word in catalogue names that start with a letter, each with the number of those names. */
  termsBefore: (word: string, letter: string) => ReadonlyMap<number, number>;
  size: () => number;
}

/** What a vocabulary knows: plain values, which can be kept in a file. */
export interface VocabularyData {
  readonly tables: readonly {
    readonly language: Language;
    readonly words: Map<string, number>;
    readonly stems: Map<string, number>;
  }[];
  /** The first letter of each term. */
  readonly initials: string[];
  readonly written: Map<string, WrittenWord[]>;
  /** The terms before a word, once for each name. */
  readonly pairs: Map<string, number[]>;
}

/** The beginnings of all words and stems: of `donuts` too, whose stem begins with other letters. */
function beginningsOf(tables: VocabularyData["tables"]): Beginnings {
  const beginnings = createBeginnings();
  for (const word of OTHER_SPELLINGS) beginnings.add(word);
  for (const { words, stems } of tables)
    for (const known of [words, stems]) for (const word of known.keys()) beginnings.add(word);
  return beginnings;
}

/** Returns a vocabulary without words. */
export function emptyVocabulary(): VocabularyData {
  const tables = LANGUAGES.map((language) => ({ language, words: new Map(), stems: new Map() }));
  return { tables, initials: [], written: new Map(), pairs: new Map() };
}

/**
 * Creates a vocabulary on its data, to which it adds. Terms are separate for each language, so that no German ending is
 * taken off an English word.
 */
export function createVocabulary({ tables, initials, written, pairs }: VocabularyData): Vocabulary {
  const lettersByInitial = new Map<string, WrittenWords>();
  let beginnings: Beginnings | undefined;
  return {
    add: (word, language) => {
      const { words, stems } = tables[LANGUAGES.indexOf(language)]!;
      const existing = words.get(word);
      if (existing !== undefined) return existing;
      const key = stem(word, language);
      const term = stems.get(key) ?? initials.push(word.charAt(0)) - 1;
      stems.set(key, term);
      words.set(word, term);
      const list = written.get(word.charAt(0)) ?? [];
      if (word.length >= 3) list.push({ word, letters: lettersOf(word), term });
      written.set(word.charAt(0), list);
      beginnings = undefined;
      return term;
    },
    addPair: (first, second) => {
      const firsts = pairs.get(second);
      if (firsts) firsts.push(first);
      else pairs.set(second, [first]);
    },
    readExactly: (word) => {
      const readings: Reading[] = [];
      beginnings ??= beginningsOf(tables);
      if (!beginnings.has(word)) return readings;
      const isStemmed = hasStem(word);
      for (const { language, words, stems } of tables) {
        const own = words.get(word);
        const term = own ?? stems.get(stem(word, language, isStemmed));
        if (term !== undefined) readings.push({ term, similarity: own === undefined ? STEM_SIMILARITY : 1 });
      }
      return readings;
    },
    has: (word) => {
      for (const { words } of tables) if (words.has(word)) return true;
      return false;
    },
    startingWith: (letter) => {
      const words = written.get(letter);
      if (!words) return NO_WORDS;
      let list = lettersByInitial.get(letter);
      if (list?.letters.length !== words.length) {
        list = { words, letters: Int32Array.from(words, ({ letters }) => letters) };
        lettersByInitial.set(letter, list);
      }
      return list;
    },
    termsBefore: (word, letter) => {
      const counts = new Map<number, number>();
      for (const term of pairs.get(word) ?? [])
        if (initials[term] === letter) counts.set(term, (counts.get(term) ?? 0) + 1);
      return counts;
    },
    size: () => initials.length,
  };
}
