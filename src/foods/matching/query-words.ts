import type { Catalogue, Language } from "../catalogue/catalogue.ts";
import type { Lexicon } from "./lexicon.ts";
import type { QueryWord } from "./name-index.ts";
import { LITERAL_FACTOR } from "./tuning.ts";
import { contentWords } from "./words.ts";
import type { PrintedWord } from "./words.ts";

/** A word of a query with its spelling. */
export type SpeltWord = QueryWord & { word: string };

/** Reads single words of a query. */
export interface WordReader {
  /** Reads a word as it is written. A compound becomes several words. */
  readWord: (word: string, isAbbreviated: boolean, isCut?: boolean) => SpeltWord[];
  /** Reads a printed word, which may be one of the catalogue's abbreviations or a slashed pair (`S/ONION`). */
  readPrinted: (printed: PrintedWord, isAbbreviated: boolean, language: Language | null) => SpeltWord[];
  /** True for an abbreviation that the table has for this language alone, and not as noise. */
  isOfLanguage: (word: string, language: Language | null) => boolean;
}

/** Creates a reader of single words. `isNoise` is true for words that say little. */
export function createWordReader(
  { words: abbreviations, wordLanguages, wordsIn }: Catalogue,
  lexicon: Lexicon,
  isNoise: (word: string) => boolean,
): WordReader {
  const readWord: WordReader["readWord"] = (word, isAbbreviated, isCut = false) => {
    const isQuiet = isNoise(word);
    const parts = lexicon.read(word, isAbbreviated && !isQuiet, isCut);
    const emphasis = isQuiet ? "noise" : "full";
    return (parts.length === 0 ? [[]] : parts).map((readings) => ({ readings, emphasis, word }));
  };

  /** Reads `S/ONION` as one word for the letter and one for the rest, as names have them. */
  const readSlashed = (word: string): SpeltWord[] | null => {
    const [initial = "", tail = "", ...more] = word.split("/");
    if (initial.length !== 1 || tail.length < 2 || more.length > 0) return null;
    const full = contentWords(abbreviations.get(tail) ?? "")[0] ?? tail;
    const parts = lexicon.readInitial(initial, full);
    return parts.length === 0 ? null : parts.map((readings) => ({ readings, emphasis: "full", word: full }));
  };

  const readSlashedOrParts = (word: string, isAbbreviated: boolean): SpeltWord[] =>
    readSlashed(word) ??
    word
      .split("/")
      .filter((part) => part.length > 1)
      .flatMap((part) => readWord(part, isAbbreviated));

  /** True for an abbreviation of other languages: `SAL.` is salad in France, and salami in Italy. */
  const isOfAnother = (word: string, language: Language | null) =>
    language !== null && wordLanguages.get(word)?.includes(language) === false;

  const readAbbreviation = (word: string, meaning: string): SpeltWord[] => {
    const expanded = contentWords(meaning).flatMap((part) => readWord(part, false));
    const [only, ...more] = expanded;
    if (!only || more.length > 0 || !lexicon.has(word)) return expanded;
    const literal = (readWord(word, false)[0]?.readings ?? []).map((reading) => ({
      ...reading,
      similarity: reading.similarity * LITERAL_FACTOR,
    }));
    return [{ ...only, readings: [...only.readings, ...literal] }];
  };

  return {
    readWord,
    isOfLanguage: (word, language) =>
      language !== null &&
      Boolean(
        wordsIn.get(language)?.get(word) ?? (wordLanguages.get(word)?.includes(language) && abbreviations.get(word)),
      ),
    readPrinted: ({ word, isCut }, isAbbreviated, language) => {
      const own = language === null ? undefined : wordsIn.get(language)?.get(word);
      if (own === "") return [{ readings: [], emphasis: "noise", word }];
      const meaning = own ?? (isOfAnother(word, language) ? undefined : abbreviations.get(word));
      if (meaning && (isAbbreviated || !lexicon.has(word))) return readAbbreviation(word, meaning);
      if (meaning === undefined && word.includes("/")) return readSlashedOrParts(word, isAbbreviated);
      return readWord(word, isAbbreviated, isCut);
    },
  };
}
