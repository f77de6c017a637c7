import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Lexicon } from "./lexicon.ts";
import { isAddingWord, printedWordsOf } from "./words.ts";
import type { PrintedWord } from "./words.ts";

/** Tills print 16 to 24 signs of a name: a name of at least this length that ends in letters may be cut there. */
const FULL_WIDTH = 14;

/** A name that starts with the first letter of a word, cut by a full stop (`T.CHERRY`). */
const INITIAL = /^\p{L}\.\p{L}{2}/u;

/**
 * Splits a till's name into its words. A first letter before a full stop is read like one before a stroke (`T/CHERRY`)
 * where a name of the catalogue has such a pair: cherry tomatoes were cherries.
 */
function withInitial(name: string, lexicon: Pick<Lexicon, "readInitial">): readonly PrintedWord[] {
  const printed = printedWordsOf(name);
  const [initial, next, ...rest] = printed;
  if (!initial || !next || !INITIAL.test(name) || isAddingWord(initial.word)) return printed;
  const parts = lexicon.readInitial(initial.word, next.word);
  return parts.length < 2 ? printed : [{ ...next, word: `${initial.word}/${next.word}` }, ...rest];
}

/** Splits a till's name into its words. The last one of a full line is cut where it is unknown as it is. */
export function wordsOnTill(
  name: string,
  { words }: Pick<Catalogue, "words">,
  lexicon: Pick<Lexicon, "readExactly" | "readInitial">,
): readonly PrintedWord[] {
  const printed = withInitial(name, lexicon);
  const last = printed.at(-1);
  if (!last || name.length < FULL_WIDTH || !/\p{L}$/u.test(name)) return printed;
  if (words.has(last.word) || lexicon.readExactly(last.word).length > 0) return printed;
  return [...printed.slice(0, -1), { ...last, isCut: true }];
}
