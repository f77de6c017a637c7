import { abbreviationSimilarity, cutSimilarity, editSimilarity, lettersOf, mayBeSimilar } from "./similarity.ts";
import { similarityOf } from "./similarity.ts";
import * as tuning from "./tuning.ts";
import { createVocabulary } from "./vocabulary.ts";
import type { Reading, Vocabulary, VocabularyData } from "./vocabulary.ts";

/** The terms that one query word may mean. A compound (`Erdbeerjoghurt`) reads as several parts. */
export type WordReadings = Reading[][];

/** Reads the words of queries as words of the catalogue. */
export interface Lexicon extends Pick<Vocabulary, "readExactly" | "has"> {
  /**
   * Returns every reading of a query word: exact, by stem, as misspelling or compound and, on receipts, as
   * abbreviation. Empty: unknown. `isCut`: the word is printed with a full stop.
   */
  read: (word: string, isAbbreviated: boolean, isCut?: boolean) => WordReadings;
  /**
   * Reads `S/ONION` as two words: those before `ONION` that start with the letter, and its own. Or as one word
   * (`W/MELON`).
   */
  readInitial: (initial: string, tail: string) => WordReadings;
  /** Returns the exact readings of two words that a name writes as one (`ORANGEN SAFT`). */
  readJoined: (first: string, second: string) => Reading[];
}

/** Readings are cached, since the same words come again; at most this many in each of four caches. */
const CACHE_MAX = 10_000;

/** What German puts between the words of a compound (`Schweinebraten`, `Rinderfilet`). */
const JOINTS = ["", "e", "er", "n", "en", "s"] as const;

/** The letters that a letter is misread for. */
const MISREAD_FOR: Readonly<Record<string, string>> = {
  b: "ph",
  c: "go",
  d: "o",
  e: "fc",
  f: "ept",
  g: "c",
  h: "bnk",
  i: "lt",
  j: "i",
  k: "hr",
  l: "it",
  m: "n",
  n: "hm",
  o: "cd",
  p: "fbr",
  q: "go",
  r: "pk",
  t: "fil",
  u: "v",
  v: "uy",
  w: "v",
  y: "v",
};

/** Creates a lexicon of the words of a vocabulary. */
export function createLexicon(words: VocabularyData): Lexicon {
  const vocabulary = createVocabulary(words);
  const { readExactly, has } = vocabulary;
  // By `isAbbreviated` and `isCut`: a key made of all three took longer than the search.
  const caches = Array.from({ length: 4 }, () => new Map<string, WordReadings>());
  return {
    readExactly,
    has,
    readJoined: (first, second) => {
      if (first === "" || first.length + second.length < 6) return [];
      for (const joint of JOINTS) {
        const whole = readExactly(first + joint + second);
        if (whole.length > 0) return whole;
      }
      return [];
    },
    read: (word, isAbbreviated, isCut = false) => {
      const cache = caches[(isAbbreviated ? 1 : 0) + (isCut ? 2 : 0)]!;
      const cached = cache.get(word);
      if (cached) return cached;
      const exact = readExactly(word);
      const isWhole = (word.length > tuning.SHORT_WORD_MAX || !isAbbreviated) && !isCut;
      const readings =
        exact.length === 0
          ? readUnknown(vocabulary, word, isAbbreviated, isCut)
          : [isWhole ? exact : withLongerWords(vocabulary, word, exact, isCut)];
      if (cache.size >= CACHE_MAX) cache.clear();
      cache.set(word, readings);
      return readings;
    },
    readInitial: (initial, tail) => {
      const parts = readInitial(vocabulary, initial, tail);
      const whole = parts.length === 0 && !has(tail) ? spelledOut(vocabulary, tail) : null;
      return whole === null ? parts : readInitial(vocabulary, initial, whole);
    },
  };
}

/** Reads a known word that may also be the beginning of a longer one. */
function withLongerWords(vocabulary: Vocabulary, word: string, exact: Reading[], isCut: boolean): Reading[] {
  const isWritten = vocabulary.has(word);
  const whole = isWritten ? exact : weakened(exact, tuning.SHORT_STEM_FACTOR);
  if (!isGuessable(word)) return whole;
  const factor = isCut ? 1 : isWritten ? tuning.SHORT_GUESS_FACTOR : tuning.SHORT_STEM_GUESS_FACTOR;
  const guesses = guess(vocabulary, word, isCut ? cutSimilarity : abbreviationSimilarity);
  return [
    ...whole,
    ...weakened(
      guesses.filter(({ similarity }) => similarity < 1),
      factor,
    ),
  ];
}

function readUnknown(vocabulary: Vocabulary, word: string, isAbbreviated: boolean, isCut: boolean): WordReadings {
  // Tills without umlauts print KAESE.
  const plain = word.replaceAll(/([aou])e/g, "$1");
  const umlaut = vocabulary.readExactly(plain);
  if (umlaut.length > 0) return [weakened(umlaut, tuning.UMLAUT_FACTOR)];
  const read = readAsPrinted(vocabulary, word, isAbbreviated, isCut);
  if (plain === word || !isAbbreviated || read.length > 1) return read;
  const other = readAsPrinted(vocabulary, plain, isAbbreviated, isCut);
  return surestOf(other) > surestOf(read) ? other : read;
}

function surestOf(parts: WordReadings): number {
  return Math.max(0, ...parts.map(([first]) => first?.similarity ?? 0));
}

function readAsPrinted(vocabulary: Vocabulary, word: string, isAbbreviated: boolean, isCut: boolean): WordReadings {
  const cut = isCut && isGuessable(word) ? guess(vocabulary, word, cutSimilarity) : [];
  if (cut.length > 0) return [cut];
  const parts = isCut ? readCutCompound(vocabulary, word) : [];
  if (parts.length > 0) return parts;
  const compound = readCompound(vocabulary, word);
  const guesses = isGuessable(word) ? guess(vocabulary, word, isAbbreviated ? similarityOf : editSimilarity) : [];
  if (isAbbreviated && guesses.length + compound.length === 0) return readMisread(vocabulary, word);
  return compound.length > 1 || guesses.length === 0 ? compound : [guesses];
}

/** Reads a long word whose first letter a photo was misread for (`FOTATOES`): all others are compared by guessing. */
function readMisread({ readExactly }: Vocabulary, word: string): WordReadings {
  if (word.length < tuning.MISREAD_WORD_MIN) return [];
  for (const letter of MISREAD_FOR[word.charAt(0)] ?? "") {
    const readings = readExactly(letter + word.slice(1));
    if (readings.length > 0) return [weakened(readings, tuning.MISREAD_FACTOR)];
  }
  return [];
}

/** Reads a compound whose last part is cut (`KUERBISKERNBR.`): its head is last, so both parts must be known. */
function readCutCompound(vocabulary: Vocabulary, word: string): WordReadings {
  if (!isGuessable(word)) return [];
  for (let at = word.length - tuning.CUT_PART_MIN; at >= tuning.CUT_COMPOUND_FRONT_MIN; at -= 1) {
    const front = readFront(vocabulary, word.slice(0, at));
    if (front.length === 0) continue;
    const tail = guess(vocabulary, word.slice(at), cutSimilarity);
    if (tail.length > 0) return [weakened(front, tuning.COMPOUND_FACTOR), weakened(tail, tuning.COMPOUND_FACTOR)];
  }
  return [];
}

/** Reads the first part of a compound. German joins words with s, n or en, or drops the first one's e. */
function readFront({ readExactly }: Vocabulary, head: string): Reading[] {
  for (const joined of [head, `${head}e`, head.replace(/(?:en|er|s|n|e)$/, "")]) {
    const front = joined.length >= 3 ? readExactly(joined) : [];
    if (front.length > 0) return front;
  }
  return [];
}

/** True for a word long enough to be compared with others. */
function isGuessable(word: string): boolean {
  return word.length >= 3 && /^[a-z]+$/.test(word);
}

/** Returns the terms whose words are most similar to a word, the best first. */
function guess(vocabulary: Vocabulary, word: string, similarityTo: (short: string, word: string) => number): Reading[] {
  const best = new Map<number, number>();
  const letters = lettersOf(word);
  const written = vocabulary.startingWith(word.charAt(0));
  for (let at = 0; at < written.letters.length; at += 1) {
    if (!mayBeSimilar(letters, written.letters[at]!)) continue;
    const candidate = written.words[at]!;
    const similarity = similarityTo(word, candidate.word);
    if (similarity >= tuning.SIMILARITY_MIN && similarity > (best.get(candidate.term) ?? 0))
      best.set(candidate.term, similarity);
  }
  return [...best]
    .map(([term, similarity]) => ({ term, similarity }))
    .sort((a, b) => b.similarity - a.similarity || a.term - b.term)
    .slice(0, tuning.READINGS_MAX);
}

/** Reads a compound as its two parts, or as its end alone where the beginning is unknown. Empty: no compound. */
function readCompound(vocabulary: Vocabulary, word: string): WordReadings {
  if (word.length < 7) return [];
  const { readExactly } = vocabulary;
  for (let at = 3; at <= word.length - 3; at += 1) {
    const tail = readExactly(word.slice(at));
    if (tail.length === 0) continue;
    const front = readFront(vocabulary, word.slice(0, at));
    if (front.length > 0) return [weakened(front, tuning.COMPOUND_FACTOR), weakened(tail, tuning.COMPOUND_FACTOR)];
  }
  for (let at = 3; at <= word.length - 4; at += 1) {
    const tail = readExactly(word.slice(at));
    if (tail.length > 0) return [weakened(tail, tuning.COMPOUND_TAIL_FACTOR)];
  }
  return [];
}

function readInitial(vocabulary: Vocabulary, initial: string, tail: string): WordReadings {
  const counts = vocabulary.termsBefore(tail, initial);
  const most = Math.max(...counts.values());
  // The more names hold the pair, the likelier it is meant.
  const { INITIAL_SIMILARITY, INITIAL_SHARES } = tuning;
  const firsts = [...counts].map(([term, count]) => ({
    term,
    similarity: INITIAL_SIMILARITY * (INITIAL_SHARES.fixed + (INITIAL_SHARES.byCount * count) / most),
  }));
  if (firsts.length > 0) return [firsts, vocabulary.readExactly(tail)];
  const whole = vocabulary
    .startingWith(initial)
    .words.filter(({ word }) => word.endsWith(tail) && word.length > tail.length + 1);
  return whole.length === 0 ? [] : [whole.map(({ term }) => ({ term, similarity: INITIAL_SIMILARITY }))];
}

/** Returns the word that a word is most likely short for (`fngrs`); null where none is likely. */
function spelledOut(vocabulary: Vocabulary, word: string): string | null {
  if (!isGuessable(word)) return null;
  let [best, most]: [string | null, number] = [null, tuning.SPELLED_OUT_SIMILARITY];
  for (const { word: whole } of vocabulary.startingWith(word.charAt(0)).words) {
    const similarity = abbreviationSimilarity(word, whole);
    if (similarity > most) [best, most] = [whole, similarity];
  }
  return best;
}

function weakened(readings: Reading[], by: number): Reading[] {
  return readings.map(({ term, similarity }) => ({ term, similarity: similarity * by }));
}
