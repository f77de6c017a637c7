import type { Errors } from "../../problems.ts";
import type { Alias } from "./alias.ts";
import type { Word as PresentedWord } from "../schema.ts";
import { wordsOf } from "../matching/words.ts";

/** A word of an application's lines, such as an abbreviation of its tills, and what is read in its place. */
export interface CustomWord {
  readonly id: string;
  /** As words are compared: lower case, no accents. */
  readonly word: string;
  /** Empty: it says nothing about the food. */
  readonly means: string;
  readonly author: Alias["author"];
  readonly createdAt: Date;
}

/** The word that was sent, or its errors. */
export function customWordOf(
  { word, means }: { word: string; means: string },
  made: Pick<CustomWord, "id" | "author" | "createdAt">,
): { word: CustomWord } | { errors: Errors } {
  const [key, ...more] = wordsOf(word);
  if (key === undefined || more.length > 0 || !/[a-z]/.test(key)) {
    return { errors: { word: ["must be one word with a letter in it; a whole name is taught as an alias"] } };
  }
  return { word: { ...made, word: key, means: means.trim() } };
}

/** A word as the API and the CLI show it. */
export function presentCustomWord({ id, word, means, author, createdAt }: CustomWord): PresentedWord {
  return { id, word, means, author, createdAt: createdAt.toISOString() };
}

/** A word as it stands in a printed name, with the full stop that cuts it short. */
const PRINTED = /[\p{L}\p{M}\p{N}%/'’]+\.?/gu;

/** The words of a name that may be an application's own, as they are compared. */
export function wordsIn(name: string): string[] {
  return (name.match(PRINTED) ?? []).flatMap(keyOf);
}

/** A name with an application's own words replaced by what they mean, and those words in order. */
export function applyWords(
  name: string,
  find: (word: string) => CustomWord | undefined,
): { readAs: string; words: readonly CustomWord[] } {
  const words: CustomWord[] = [];
  const replaced = name.replace(PRINTED, (printed) => {
    const word = keyOf(printed).map(find)[0];
    if (word === undefined) return printed;
    words.push(word);
    return `${word.means} `;
  });
  return { readAs: words.length > 0 ? replaced.replaceAll(/\s+/g, " ").trim() : name, words };
}

/** At most one key: what reads as several words is none. */
function keyOf(printed: string): string[] {
  const words = wordsOf(printed);
  return words.length === 1 ? words : [];
}
