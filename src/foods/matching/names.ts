import { namesOf } from "../catalogue/catalogue.ts";
import type { Food, FoodName } from "../catalogue/catalogue.ts";
import { canHead, isAfterHead, isContentWord, isHeadFirst, wordsOf } from "./words.ts";

/**
 * The names of foods in their order, taken apart. Words are places in the vocabulary: 60,000 of which 12,000 are different, in one
 * row for all names. An array of strings for each name cost every start 80 ms more.
 */
export interface Worded {
  readonly names: readonly FoodName[];
  readonly vocabulary: readonly string[];
  /** The words that mean something: those of a name stand from `starts[name]` to `starts[name + 1]`. */
  readonly words: readonly number[];
  readonly starts: readonly number[];
  /** The word of each name that says what the thing is: the last before `in`/`with` in English and German, the first in the others. -1: none. */
  readonly heads: readonly number[];
}

/** Ends a name. */
const END = "\n";

/** A word with what it is in any name; its place is -1 where it means nothing. */
interface Word {
  readonly place: number;
  readonly canHead: boolean;
  readonly isAfterHead: boolean;
}

/** Takes the names of foods apart, once for all that is built of them. */
export function readNames(foods: readonly Food[]): Worded {
  const names = foods.flatMap(namesOf);
  const vocabulary: string[] = [];
  const words: number[] = [];
  const starts = [0];
  const heads: number[] = [];

  const wordOf = new Map<string, Word>();
  const wordFor = (text: string): Word => {
    let word = wordOf.get(text);
    if (!word) {
      const place = isContentWord(text) ? vocabulary.push(text) - 1 : -1;
      wordOf.set(text, (word = { place, canHead: canHead(text), isAfterHead: isAfterHead(text) }));
    }
    return word;
  };
  // What stands between two spaces is read once. Only a percent sign may stand apart from its number.
  const known = new Map<string, readonly Word[]>();
  const read = (piece: string): readonly Word[] => {
    let read = known.get(piece);
    if (!read) known.set(piece, (read = wordsOf(piece).map(wordFor)));
    return read;
  };
  // All names as one text, each ended by a line break: to split each for itself took 28 ms, and takes 10 so.
  const pieces = names
    .map(({ text }) => `${text} ${END} `)
    .join("")
    .replaceAll(/(\d) +%/g, "$1%")
    .split(" ");
  let at = 0;
  for (const { language } of names) {
    let head = -1;
    let isBehindHead = false;
    for (let isFirst = true; pieces[at] !== END; at += 1) {
      for (const word of read(pieces[at]!)) {
        isBehindHead ||= !isFirst && word.isAfterHead;
        isFirst = false;
        if (word.place >= 0) words.push(word.place);
        if (word.canHead && !isBehindHead && (head < 0 || !isHeadFirst(language))) head = word.place;
      }
    }
    at += 1;
    starts.push(words.length);
    heads.push(head);
  }
  return { names, vocabulary, words, starts, heads };
}
