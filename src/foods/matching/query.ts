import type { Catalogue, Food } from "../catalogue/catalogue.ts";
import type { QueryWord } from "./name-index.ts";
import type { Lexicon } from "./lexicon.ts";
import { createPhrases } from "./phrases.ts";
import { contentWords, isAddingWord, isAfterHead, isContentWord, printedWordsOf } from "./words.ts";
import type { PrintedWord } from "./words.ts";

/** A name taken apart: its words as they may be read, and the brand that stands in it. */
export interface Query {
  words: QueryWord[];
  /** What is left without brands and without what says nothing, as printed; equal to a name of the catalogue it means that food. */
  plain: string;
  /** What the name's brand stands for by itself; null where there is none or it says nothing. */
  brandFood: Food | null;
}

/** Reads names into the words of a query. */
export interface QueryReader {
  read: (name: string, isAbbreviated: boolean) => Query;
  /** The words as they stand, nothing guessed: for a name of the catalogue. */
  literal: (name: string) => QueryWord[];
  /** The words of a brand's own food, quieter than what the name says. */
  hintsOf: (food: Food) => QueryWord[];
}

/** A longer name is cut: nobody prints more, and the work stays bounded. */
const WORDS_MAX = 16;

/** A word that is both an abbreviation and a word (`pot`) is more often the abbreviation. */
const LITERAL_FACTOR = 0.9;

/** Takes names apart by the catalogue's abbreviations, brands and own words. */
export function createQueryReader(
  catalogue: Catalogue,
  lexicon: Lexicon,
  isNoise: (word: string) => boolean,
): QueryReader {
  const brands = createPhrases(catalogue.brands);
  const abbreviations = createPhrases([...catalogue.words].filter(([word]) => /[ &]/.test(word)));

  const readWord = (word: string, isAbbreviated: boolean, isCut = false): QueryWord[] => {
    const quiet = isNoise(word);
    const readings = lexicon.read(word, isAbbreviated && !quiet, isCut);
    const emphasis = quiet ? "noise" : "full";
    return readings.length === 0
      ? [{ readings: [], emphasis }]
      : readings.map((part) => ({ readings: part, emphasis }));
  };

  type Spelt = QueryWord & { word: string };
  const spell = (word: string, isAbbreviated: boolean, isCut = false): Spelt[] =>
    readWord(word, isAbbreviated, isCut).map((read) => ({ ...read, word }));

  /** `S/ONION`: one word for the letter and one for the rest, as names hold them. */
  const readSlashed = (word: string): Spelt[] | null => {
    const [initial = "", tail = "", ...more] = word.split("/");
    if (initial.length !== 1 || tail.length < 2 || more.length > 0) return null;
    const full = contentWords(catalogue.words.get(tail) ?? "")[0] ?? tail;
    const found = lexicon.readInitial(initial, full);
    return found.length === 0 ? null : found.map((part) => ({ readings: part, emphasis: "full" as const, word: full }));
  };

  const readAbbreviated = ({ word, isCut }: PrintedWord, isAbbreviated: boolean): Spelt[] => {
    const meaning = catalogue.words.get(word);
    if (!meaning || (!isAbbreviated && lexicon.knows(word))) {
      if (!word.includes("/") || meaning !== undefined) return spell(word, isAbbreviated, isCut);
      return (
        readSlashed(word) ??
        word
          .split("/")
          .filter((part) => part.length > 1)
          .flatMap((part) => spell(part, isAbbreviated))
      );
    }
    const expanded = contentWords(meaning).flatMap((part) => spell(part, false));
    const [only, ...more] = expanded;
    if (!only || more.length > 0 || !lexicon.knows(word)) return expanded;
    const literal = (readWord(word, false)[0]?.readings ?? []).map((read) => ({
      ...read,
      similarity: read.similarity * LITERAL_FACTOR,
    }));
    return [{ ...only, readings: [...only.readings, ...literal] }];
  };

  return {
    read: (name, isAbbreviated) => {
      const printed = printedWordsOf(name);
      const texts = printed.map(({ word }) => word);
      const spelt: Spelt[] = [];
      const plain: string[] = [];
      let brandFood: Food | null = null;
      let isAddition = false;
      for (let at = 0; at < printed.length && spelt.length < WORDS_MAX;) {
        const brand = brands.find(texts, at);
        const phrase = abbreviations.find(texts, at);
        if (brand && brand.length >= (phrase?.length ?? 0)) {
          if (!comesWith(texts, at)) brandFood ??= brand.value;
          at += brand.length;
        } else if (phrase) {
          const words = contentWords(phrase.value);
          spelt.push(...words.flatMap((word) => spell(word, false)).map((read) => ({ ...read, isAddition })));
          plain.push(...words);
          at += phrase.length;
        } else {
          const here = printed[at]!;
          if (isContentWord(here.word)) {
            spelt.push(...readAbbreviated(here, isAbbreviated).map((read) => ({ ...read, isAddition })));
            plain.push(here.word);
          } else if (at > 0 && isAddingWord(here.word)) {
            isAddition = true;
          }
          at += 1;
        }
      }
      return {
        words: withNeighbours(spelt, lexicon),
        plain: plain.join(" "),
        brandFood,
      };
    },
    literal: (name) =>
      contentWords(name)
        .slice(0, WORDS_MAX)
        .flatMap((word) => readWord(word, false)),
    hintsOf: (food) =>
      contentWords(food.name).flatMap((word) =>
        readWord(word, false).map((read) => ({ ...read, emphasis: "hint" as const })),
      ),
  };
}

/** True where what follows is what a thing comes with or is made with (`camembert au calvados`), and not what it is. */
function comesWith(words: readonly string[], at: number): boolean {
  const before = words[at - 1] === "la" ? words[at - 2] : words[at - 1];
  return at > 1 && before !== undefined && isAfterHead(before);
}

/** A word that a name writes together with its neighbour (`ORANGEN SAFT`) may be read so too. */
function withNeighbours<Word extends QueryWord & { word: string }>(words: readonly Word[], lexicon: Lexicon): Word[] {
  const joined = words.map(({ word }, at) => lexicon.readJoined(words[at - 1]?.word ?? "", word));
  return words.map((read, at) => {
    const [before = [], after = []] = [joined[at], joined[at + 1]];
    return before.length + after.length === 0 ? read : { ...read, readings: [...read.readings, ...before, ...after] };
  });
}
