import { namesOf } from "../catalogue/catalogue.ts";
import type { Food, FoodName } from "../catalogue/catalogue.ts";
import { canHead, isAfterHead, isContentWord, isHeadFirst, wordsOf } from "./words.ts";

/**
 * The names of all foods, split into words. A word is an index into `vocabulary`: there are 60,000 words, 12,000 of
 * them different, in one array for all names. An array of strings for each name cost every start 80 ms more.
 */
export interface TokenizedNames {
  readonly names: readonly FoodName[];
  readonly vocabulary: readonly string[];
  /** The content words of all names; those of a name are at `starts[name]` up to `starts[name + 1]`. */
  readonly words: readonly number[];
  readonly starts: readonly number[];
  /**
   * The head of each name, the word that says what the thing is: the last one before `in` or `with` in English and
   * German, the first one in the other languages. -1: none.
   */
  readonly heads: readonly number[];
}

/** Ends a name. */
const END = "\n";

/** A word with its role in any name; its index is -1 where it is no content word. */
interface Word {
  readonly index: number;
  readonly canHead: boolean;
  readonly isAfterHead: boolean;
}

/** Splits the names of foods into words, once for everything that is built from them. */
export function tokenizeNames(foods: readonly Food[]): TokenizedNames {
  const names = foods.flatMap(namesOf);
  const vocabulary: string[] = [];
  const words: number[] = [];
  const starts = [0];
  const heads: number[] = [];

  const byText = new Map<string, Word>();
  const wordFor = (text: string): Word => {
    let word = byText.get(text);
    if (!word) {
      const index = isContentWord(text) ? vocabulary.push(text) - 1 : -1;
      byText.set(text, (word = { index, canHead: canHead(text), isAfterHead: isAfterHead(text) }));
    }
    return word;
  };
  // The text between two spaces is read once. Only a percent sign may be separate from its number.
  const byPiece = new Map<string, readonly Word[]>();
  const read = (piece: string): readonly Word[] => {
    let read = byPiece.get(piece);
    if (!read) byPiece.set(piece, (read = wordsOf(piece).map(wordFor)));
    return read;
  };
  const pieces = piecesOf(names);
  let at = 0;
  for (const { language } of names) {
    let head = -1;
    let isBehindHead = false;
    for (let isFirst = true; pieces[at] !== END; at += 1) {
      for (const word of read(pieces[at]!)) {
        isBehindHead ||= !isFirst && word.isAfterHead;
        isFirst = false;
        if (word.index >= 0) words.push(word.index);
        if (word.canHead && !isBehindHead && (head < 0 || !isHeadFirst(language))) head = word.index;
      }
    }
    at += 1;
    starts.push(words.length);
    heads.push(head);
  }
  return { names, vocabulary, words, starts, heads };
}

/**
 * Splits all names at spaces as one text, each ended by a line break: splitting each name took 28 ms, this takes 10.
 */
function piecesOf(names: readonly FoodName[]): string[] {
  return names
    .map(({ text }) => `${text} ${END} `)
    .join("")
    .replaceAll(/(\d) +%/g, "$1%")
    .split(" ");
}
