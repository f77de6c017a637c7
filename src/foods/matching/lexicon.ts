import type { Language } from "../catalogue/catalogue.ts";
import { LANGUAGES } from "../catalogue/catalogue.ts";
import { editDistance } from "../../edit-distance.ts";
import { stem } from "./words.ts";

/** A word of a query read as a term of the catalogue, 0..1 sure. */
export interface Reading {
  term: number;
  similarity: number;
}

/** The terms that one query word may stand for. A compound (`Erdbeerjoghurt`) reads as several parts. */
export type WordReadings = Reading[][];

/** The words of the catalogue as numbers, and what words of queries may mean. */
export interface Lexicon {
  /** The term of a word of a catalogue name, made when new. */
  add: (word: string, language: Language) => number;
  /** A term and the word that follows it in a catalogue name, for `readInitial`. */
  addPair: (first: number, second: string) => void;
  /** Closes the lexicon: from here on words are only read. */
  seal: () => void;
  /**
   * Every reading of a query word: exact, by stem, as misspelling or compound and, on receipts, as abbreviation; empty = unknown.
   * A word printed with a full stop is cut short.
   */
  read: (word: string, isAbbreviated: boolean, isCut?: boolean) => WordReadings;
  /** The two words that `S/ONION` stands for: the readings of those that start with the letter before it, and its own. Or one word (`W/MELON`). */
  readInitial: (initial: string, tail: string) => WordReadings;
  /** The readings of a word as it is, or of another form of it. */
  readExactly: (word: string) => Reading[];
  /** The exact readings of two words that a name writes as one (`ORANGEN SAFT`). */
  readJoined: (first: string, second: string) => Reading[];
  /** True for a word that some catalogue name holds as it is. */
  knows: (word: string) => boolean;
  size: () => number;
}

/** Readings are kept, since the same words come again; this many at most. */
const MEMORY_MAX = 20_000;
const READINGS_MAX = 5;
/** A skeleton or prefix less sure than this brought more wrong foods than right ones. */
const SIMILARITY_MIN = 0.6;
/** A short word may be whole or cut (`VAN`, `CHAMP`): the guess counts less, and a word known only by its stem (`ENT` of Ente) less too. */
const SHORT_WORD_MAX = 5;
const SHORT_GUESS_FACTOR = 0.72;
const SHORT_STEM_FACTOR = 0.85;
/** What a full stop cuts is surely a beginning. */
const CUT_SIMILARITY = 0.88;
const INITIAL_SIMILARITY = 0.85;
/** A form of a word that no name holds. */
const STEM_SIMILARITY = 0.97;

/** The words of the catalogue, to read other people's spellings by. Terms are kept apart by language, so that a German ending is never taken off an English word. */
export function createLexicon(): Lexicon {
  /** The term of each word as it is written, and that of each stem. */
  const tables = LANGUAGES.map((language) => ({
    language,
    words: new Map<string, number>(),
    stems: new Map<string, number>(),
  }));
  /** The first letter of each term. */
  const initials: string[] = [];
  /** Folded words as written in names, each with the term it belongs to, by first letter. */
  const written = new Map<string, { word: string; letters: number; term: number }[]>();
  const memory = new Map<string, WordReadings>();
  /** The terms before a word, as often as they stand there. */
  const pairs = new Map<string, number[]>();

  const lookUp = (word: string): Reading[] => {
    const found: Reading[] = [];
    for (const { language, words, stems } of tables) {
      const own = words.get(word);
      const term = own ?? stems.get(stem(word, language));
      if (term !== undefined) found.push({ term, similarity: own === undefined ? STEM_SIMILARITY : 1 });
    }
    return found;
  };

  const knows = (word: string) => tables.some(({ words }) => words.has(word));

  const guess = (word: string, similarityTo: (short: string, word: string) => number): Reading[] => {
    const best = new Map<number, number>();
    const letters = lettersOf(word);
    for (const candidate of written.get(word.charAt(0)) ?? []) {
      // Two slips change at most two letters each way; an abbreviation has no letter that its word lacks.
      const missing = bitCount(letters & ~candidate.letters);
      if (missing > 2 || (missing > 0 && bitCount(candidate.letters & ~letters) > 2)) continue;
      const similarity = similarityTo(word, candidate.word);
      if (similarity >= SIMILARITY_MIN && similarity > (best.get(candidate.term) ?? 0))
        best.set(candidate.term, similarity);
    }
    return [...best]
      .map(([term, similarity]) => ({ term, similarity }))
      .sort((a, b) => b.similarity - a.similarity || a.term - b.term)
      .slice(0, READINGS_MAX);
  };

  const compound = (word: string): WordReadings => {
    if (word.length < 7) return [];
    for (let at = 3; at <= word.length - 3; at += 1) {
      const tail = lookUp(word.slice(at));
      if (tail.length === 0) continue;
      const head = word.slice(0, at);
      // German joins words with s, n or en, or drops the first one's e.
      for (const joined of [head, `${head}e`, head.replace(/(?:en|er|s|n|e)$/, "")]) {
        const front = joined.length >= 3 ? lookUp(joined) : [];
        if (front.length > 0) return [weakened(front, 0.95), weakened(tail, 0.95)];
      }
    }
    for (let at = 3; at <= word.length - 4; at += 1) {
      const tail = lookUp(word.slice(at));
      if (tail.length > 0) return [weakened(tail, 0.7)];
    }
    return [];
  };

  /** A known word that may also be the beginning of a longer one. */
  const alsoCut = (word: string, exact: Reading[], isCut: boolean): Reading[] => {
    const isWritten = knows(word);
    const whole = isWritten ? exact : weakened(exact, SHORT_STEM_FACTOR);
    if (word.length < 3 || !/^[a-z]+$/.test(word)) return whole;
    const factor = isCut ? 1 : isWritten ? SHORT_GUESS_FACTOR : 0.9;
    const guesses = guess(word, isCut ? cutSimilarity : abbreviationSimilarity);
    return [
      ...whole,
      ...weakened(
        guesses.filter(({ similarity }) => similarity < 1),
        factor,
      ),
    ];
  };

  const readUnknown = (word: string, isAbbreviated: boolean, isCut: boolean): WordReadings => {
    // Tills without umlauts print KAESE.
    const umlaut = lookUp(word.replaceAll(/([aou])e/g, "$1"));
    if (umlaut.length > 0) return [weakened(umlaut, 0.95)];
    const isWord = word.length >= 3 && /^[a-z]+$/.test(word);
    const cut = isCut && isWord ? guess(word, cutSimilarity) : [];
    if (cut.length > 0) return [cut];
    const parts = compound(word);
    const guesses = isWord ? guess(word, isAbbreviated ? similarityOf : editSimilarity) : [];
    return parts.length > 1 || guesses.length === 0 ? parts : [guesses];
  };

  return {
    addPair: (first, second) => {
      const firsts = pairs.get(second);
      if (firsts) firsts.push(first);
      else pairs.set(second, [first]);
    },
    add: (word, language) => {
      const { words, stems } = tables[LANGUAGES.indexOf(language)]!;
      const known = words.get(word);
      if (known !== undefined) return known;
      const key = stem(word, language);
      const term = stems.get(key) ?? initials.push(word.charAt(0)) - 1;
      stems.set(key, term);
      words.set(word, term);
      const list = written.get(word.charAt(0)) ?? [];
      if (word.length >= 3) list.push({ word, letters: lettersOf(word), term });
      written.set(word.charAt(0), list);
      return term;
    },
    seal: () => memory.clear(),
    readExactly: lookUp,
    readJoined: (first, second) => (first === "" || first.length + second.length < 6 ? [] : lookUp(first + second)),
    read: (word, isAbbreviated, isCut = false) => {
      const key = `${isAbbreviated ? "" : "="}${word}${isCut ? "." : ""}`;
      const known = memory.get(key);
      if (known) return known;
      const exact = lookUp(word);
      const isSure = (word.length > SHORT_WORD_MAX || !isAbbreviated) && !isCut;
      const readings =
        exact.length === 0 ? readUnknown(word, isAbbreviated, isCut) : [isSure ? exact : alsoCut(word, exact, isCut)];
      if (memory.size >= MEMORY_MAX) memory.clear();
      memory.set(key, readings);
      return readings;
    },
    readInitial: (initial, tail) => {
      const found = new Map<number, number>();
      for (const term of pairs.get(tail) ?? [])
        if (initials[term] === initial) found.set(term, (found.get(term) ?? 0) + 1);
      const most = Math.max(...found.values());
      // The more names hold the pair, the likelier it is meant.
      const firsts = [...found].map(([term, count]) => ({
        term,
        similarity: INITIAL_SIMILARITY * (0.8 + (0.2 * count) / most),
      }));
      if (firsts.length > 0) return [firsts, lookUp(tail)];
      const whole = (written.get(initial) ?? []).filter(
        ({ word }) => word.endsWith(tail) && word.length > tail.length + 1,
      );
      return whole.length === 0 ? [] : [whole.map(({ term }) => ({ term, similarity: INITIAL_SIMILARITY }))];
    },
    knows,
    size: () => initials.length,
  };
}

function weakened(readings: Reading[], by: number): Reading[] {
  return readings.map(({ term, similarity }) => ({ term, similarity: similarity * by }));
}

/** The set of a word's letters as bits. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) - 97);
  return letters;
}

function bitCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** How surely `short` is a till's or a thumb's way to write `word`; both folded, with the same first letter. 0 = not at all. */
export function similarityOf(short: string, word: string): number {
  if (short === word) return 1;
  return Math.max(editSimilarity(short, word), abbreviationSimilarity(short, word));
}

/** The same without slips: its beginning or its consonants. */
function abbreviationSimilarity(short: string, word: string): number {
  if (short.length >= word.length) return short === word ? 1 : 0;
  const prefix = word.startsWith(short) && short.length >= 3 ? 0.7 + (0.25 * short.length) / word.length : 0;
  return Math.max(prefix, skeletonSimilarity(short, word));
}

function cutSimilarity(short: string, word: string): number {
  return word.startsWith(short) ? CUT_SIMILARITY + ((1 - CUT_SIMILARITY) * short.length) / word.length : 0;
}

/** One slip in five letters, two in eight: 1 - slips / length. */
function editSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const allowed = longest >= 8 ? 2 : longest >= 5 ? 1 : 0;
  if (allowed === 0 || Math.abs(a.length - b.length) > allowed) return 0;
  const slips = editDistance(a, b, allowed);
  return slips > allowed ? 0 : 1 - (1.2 * slips) / longest;
}

const VOWEL = /[aeiouy]/;
const VOWELS = /[aeiouy]/g;

/** `CHKN` for chicken: the letters in order, the first the same; the surer the more of the word's consonants stand there. */
function skeletonSimilarity(short: string, word: string): number {
  if (short.length < 3 || word.length > 4 * short.length) return 0;
  let at = 0;
  let consonantsSkipped = 0;
  for (const letter of word) {
    if (letter === short[at]) at += 1;
    else if (!VOWEL.test(letter)) consonantsSkipped += 1;
  }
  if (at < short.length) return 0;
  const consonants = word.replaceAll(VOWELS, "").length;
  // Who leaves out letters leaves out vowels: a vowel at the end, or three letters in all, is more often another word.
  const doubt = 0.06 * Math.max(0, 5 - short.length) + (VOWEL.test(short.at(-1) ?? "") ? 0.1 : 0);
  // The last letter skipped is mostly a plural's s; a word that ends like the abbreviation is surer.
  const endsAlike = short.at(-1) === word.at(-1) ? 0.06 : 0;
  return (
    0.9 -
    doubt -
    (0.5 * consonantsSkipped) / Math.max(1, consonants) -
    0.02 * Math.max(0, word.length - 2 * short.length) +
    endsAlike
  );
}
