import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import type { Lexicon } from "./lexicon.ts";
import type { QueryWord } from "./name-index.ts";
import { createPhrases, splitPhrases } from "./phrases.ts";
import type { SplitPhrases } from "./phrases.ts";
import { createWordReader } from "./query-words.ts";
import type { SpeltWord } from "./query-words.ts";
import { WORDS_MAX } from "./tuning.ts";
import { contentWords, isAddingWord, isAfterHead, isContentWord, printedWordsOf } from "./words.ts";

/** A name split into its words, as they may be read, and its brand. */
export interface Query {
  words: QueryWord[];
  /** The name as printed, without brands and noise. Where it equals a name of the catalogue it means that food. */
  plain: string;
  /** The food that the name's brand means by itself; null where there is no brand, or it means no food. */
  brandFood: Food | null;
}

/** Reads names into the words of a query. */
export interface QueryReader {
  read: (name: string, isAbbreviated: boolean) => Query;
  /** Returns the words as they are written, nothing guessed: for a name of the catalogue. */
  literal: (name: string) => QueryWord[];
  /** Returns the words of a brand's food; they count less than those of the name. */
  hintsOf: (food: Food) => QueryWord[];
}

/** The catalogue's brands, and its abbreviations of several words. */
export interface QueryPhrases {
  readonly brands: SplitPhrases<Food | null>;
  readonly abbreviations: SplitPhrases<string>;
}

/** Splits the phrases of the catalogue. */
export function splitQueryPhrases(catalogue: Catalogue): QueryPhrases {
  const abbreviations = [...catalogue.words].filter(([word]) => /[ &]/.test(word));
  return { brands: splitPhrases(catalogue.brands), abbreviations: splitPhrases(abbreviations) };
}

/** Creates a reader that knows the catalogue's abbreviations, brands and words. */
export function createQueryReader(
  catalogue: Catalogue,
  phrases: QueryPhrases,
  lexicon: Lexicon,
  isNoise: (word: string) => boolean,
): QueryReader {
  const brands = createPhrases(phrases.brands);
  const abbreviations = createPhrases(phrases.abbreviations);
  const { readWord, readPrinted } = createWordReader(catalogue, lexicon, isNoise);
  const readPlain = (text: string) => contentWords(text).flatMap((word) => readWord(word, false));

  return {
    read: (name, isAbbreviated) => {
      const printed = printedWordsOf(name);
      const texts = printed.map(({ word }) => word);
      const spelt: SpeltWord[] = [];
      const plain: string[] = [];
      let brandFood: Food | null = null;
      let isAddition = false;
      const add = (words: SpeltWord[]) => spelt.push(...words.map((word) => ({ ...word, isAddition })));
      for (let at = 0; at < printed.length && spelt.length < WORDS_MAX;) {
        const brand = brands.find(texts, at);
        const phrase = abbreviations.find(texts, at);
        if (brand && brand.length >= (phrase?.length ?? 0)) {
          if (!isAdditionAt(texts, at)) brandFood ??= brand.value;
          at += brand.length;
        } else if (phrase) {
          add(readPlain(phrase.value));
          plain.push(...contentWords(phrase.value));
          at += phrase.length;
        } else {
          const here = printed[at]!;
          if (isContentWord(here.word)) {
            add(readPrinted(here, isAbbreviated));
            plain.push(here.word);
          } else if (at > 0 && isAddingWord(here.word)) {
            isAddition = true;
          }
          at += 1;
        }
      }
      return { words: withNeighbours(spelt, lexicon), plain: plain.join(" "), brandFood };
    },
    literal: (name) =>
      contentWords(name)
        .slice(0, WORDS_MAX)
        .flatMap((word) => readWord(word, false)),
    hintsOf: (food) => readPlain(food.name).map((word) => ({ ...word, emphasis: "hint" })),
  };
}

/** True where the word at a place is an addition, which the thing comes or is made with (`camembert au calvados`). */
function isAdditionAt(words: readonly string[], at: number): boolean {
  const before = words[at - 1] === "la" ? words[at - 2] : words[at - 1];
  return at > 1 && before !== undefined && isAfterHead(before);
}

/** Adds the readings of a word joined with its neighbours, since names may write them as one (`ORANGEN SAFT`). */
function withNeighbours(words: readonly SpeltWord[], lexicon: Lexicon): SpeltWord[] {
  const joined = words.map(({ word }, at) => lexicon.readJoined(words[at - 1]?.word ?? "", word));
  return words.map((read, at) => {
    const [before = [], after = []] = [joined[at], joined[at + 1]];
    return before.length + after.length === 0 ? read : { ...read, readings: [...read.readings, ...before, ...after] };
  });
}
