import type { Errors } from "../../problems.ts";
import type { Alias } from "./alias.ts";
import type { Word as PresentedWord } from "../schema.ts";
import { wordsOf } from "../matching/words.ts";

/** A word on an application's receipts, such as an abbreviation of its tills, and its meaning. */
export interface CustomWord {
  readonly id: string;
  /** As it is compared: lower case, no accents. */
  readonly word: string;
  /** The text that replaces it; empty: the word is ignored. */
  readonly means: string;
  readonly author: Alias["author"];
  readonly createdAt: Date;
}

/** Reads a new custom word, or returns its errors. */
export function customWordOf(
  { word, means }: { word: string; means: string },
  entry: Pick<CustomWord, "id" | "author" | "createdAt">,
): { word: CustomWord } | { errors: Errors } {
  const [key, ...more] = wordsOf(word);
  if (key === undefined || more.length > 0 || !/[a-z]/.test(key)) {
    return { errors: { word: ["must be one word with a letter in it; add a whole name as an alias"] } };
  }
  return { word: { ...entry, word: key, means: means.trim() } };
}

/** Returns a word as the API and the CLI show it. */
export function presentCustomWord({ id, word, means, author, createdAt }: CustomWord): PresentedWord {
  return { id, word, means, author, createdAt: createdAt.toISOString() };
}

/** A word of a printed name, with the full stop that cuts it short. */
const PRINTED = /[\p{L}\p{M}\p{N}%/'’]+\.?/gu;

/** Returns the words of a name that may be custom words, as they are compared. */
export function wordsIn(name: string): string[] {
  return (name.match(PRINTED) ?? []).flatMap(keyOf);
}

/**
 * A name with its words replaced is at most about this long; further words stay as printed. A name of 127 one-letter
 * words with meanings of 255 characters each became 32,000 characters, for each of 100 ingredients.
 */
const READ_AS_LENGTH_MAX = 1_000;

/** Replaces the custom words of a name by their meanings. Returns those words too, in order. */
export function applyWords(
  name: string,
  find: (word: string) => CustomWord | undefined,
): { readAs: string; words: readonly CustomWord[] } {
  const words: CustomWord[] = [];
  let length = name.length;
  const replaced = name.replace(PRINTED, (printed) => {
    const word = keyOf(printed).map(find)[0];
    if (word === undefined || length + word.means.length > READ_AS_LENGTH_MAX) return printed;
    length += word.means.length;
    words.push(word);
    return `${word.means} `;
  });
  return { readAs: words.length > 0 ? replaced.replaceAll(/\s+/g, " ").trim() : name, words };
}

/** Returns the key of a printed word; none where it reads as several words. */
function keyOf(printed: string): readonly string[] {
  const words = wordsOf(printed);
  return words.length === 1 ? words : [];
}
