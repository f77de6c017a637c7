import { editDistance } from "../../edit-distance.ts";
import { CUT_SIMILARITY, EDIT_COST, PREFIX, SKELETON } from "./tuning.ts";

/** Returns the set of a word's letters as bits. */
export function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) letters |= 1 << (word.charCodeAt(at) - 97);
  return letters;
}

/** Returns false where the letters of two words differ too much for any similarity above 0. Saves most comparisons. */
export function mayBeSimilar(letters: number, other: number): boolean {
  // Two edits change at most two letters each way; an abbreviation has no letter that its word lacks.
  const missing = bitCount(letters & ~other);
  return missing === 0 || (missing <= 2 && bitCount(other & ~letters) <= 2);
}

/** Adds the bits in pairs, then in fours, then all: the comparisons of a word with 2,000 others are mostly this. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Returns how likely `short` is an abbreviation or a misspelling of `word`. Both are folded, with the same first
 * letter. 0: not at all.
 */
export function similarityOf(short: string, word: string): number {
  if (short === word) return 1;
  return Math.max(editSimilarity(short, word), abbreviationSimilarity(short, word));
}

/** Returns how likely `short` is an abbreviation of `word`: its beginning or its consonants. */
export function abbreviationSimilarity(short: string, word: string): number {
  if (short.length >= word.length) return short === word ? 1 : 0;
  const isPrefix = word.startsWith(short) && short.length >= 3;
  const prefix = isPrefix ? PREFIX.base + (PREFIX.byShare * short.length) / word.length : 0;
  return Math.max(prefix, skeletonSimilarity(short, word));
}

/** Returns how likely `short` is the beginning of `word`, where a full stop says that it is cut. */
export function cutSimilarity(short: string, word: string): number {
  return word.startsWith(short) ? CUT_SIMILARITY + ((1 - CUT_SIMILARITY) * short.length) / word.length : 0;
}

/** Returns how likely one word is a misspelling of the other: one edit in five letters, two in eight. */
export function editSimilarity(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  const allowed = longest >= 8 ? 2 : longest >= 5 ? 1 : 0;
  if (allowed === 0 || Math.abs(a.length - b.length) > allowed) return 0;
  const edits = editDistance(a, b, allowed);
  return edits > allowed ? 0 : 1 - (EDIT_COST * edits) / longest;
}

const VOWELS = lettersOf("aeiouy");

/** True for a letter from `a` to `z` that is a vowel. */
function isVowel(code: number): boolean {
  return ((VOWELS >>> (code - 97)) & 1) === 1 && code >= 97 && code <= 122;
}

/**
 * Returns how likely `short` is the consonants of `word` (`CHKN` for chicken): its letters in order, the same first
 * one. The more of the word's consonants it has, the higher.
 */
function skeletonSimilarity(short: string, word: string): number {
  if (short.length < 3 || word.length > 4 * short.length) return 0;
  let at = 0;
  let consonants = 0;
  let consonantsSkipped = 0;
  for (let place = 0; place < word.length; place += 1) {
    const code = word.charCodeAt(place);
    const isConsonant = !isVowel(code);
    if (isConsonant) consonants += 1;
    if (at < short.length && code === short.charCodeAt(at)) at += 1;
    else if (isConsonant) consonantsSkipped += 1;
  }
  if (at < short.length) return 0;
  const shortness = SKELETON.perMissingLetter * Math.max(0, 5 - short.length);
  const doubt = shortness + (isVowel(short.charCodeAt(short.length - 1)) ? SKELETON.vowelAtEnd : 0);
  const endsAlike = short.at(-1) === word.at(-1) ? SKELETON.sameEnd : 0;
  return (
    SKELETON.base -
    doubt -
    (SKELETON.consonantsSkipped * consonantsSkipped) / Math.max(1, consonants) -
    SKELETON.perExtraLetter * Math.max(0, word.length - 2 * short.length) +
    endsAlike
  );
}
