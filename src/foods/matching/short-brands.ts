import { isEligible } from "../catalogue/catalogue.ts";
import type { Food } from "../catalogue/catalogue.ts";
import { consonantsOf } from "./learned/features.ts";
import type { SplitPhrases } from "./phrases.ts";
import type { PrintedWord } from "./words.ts";

/** A brand with the words of its name. */
interface Brand<Value> {
  readonly words: readonly string[];
  readonly value: Value;
}

/**
 * Brands by what tills leave of their first word: its consonants (`BRNSTN`, `BTY CRKR`), or its beginning before a full
 * stop (`PHILAD.`). Plain values, which can be kept in a file.
 */
export interface ShortBrands<Value> {
  readonly byConsonants: ReadonlyMap<string, readonly Brand<Value>[]>;
  readonly byBeginning: ReadonlyMap<string, readonly Brand<Value>[]>;
}

/** Fewer consonants in all are as often those of another word. */
const CONSONANTS_MIN = 4;
const CONSONANTS_OF_SEVERAL_MIN = 5;
const BEGINNING_MIN = 4;
/** A word that kept some of its vowels (`PROGRSO`) is a brand's from this length on. */
const SOME_VOWELS_MIN = 5;
/** A word that lacks a consonant too (`WKRS`), and the brand that it may be. */
const CONTRACTED = { min: 4, brandMin: 6, missingMax: 1 } as const;

/**
 * Finds the short forms of brands. `known`: the words of foods. What may be the consonants or the beginning of one of
 * those is no brand.
 */
export function shortenBrands<Value>(brands: SplitPhrases<Value>, known: Iterable<string>): ShortBrands<Value> {
  const [consonants, beginnings] = [new Set<string>(), new Set<string>()];
  for (const word of known) {
    consonants.add(consonantsOf(word));
    for (let end = BEGINNING_MIN; end <= word.length; end += 1) beginnings.add(word.slice(0, end));
  }
  const byConsonants = new Map<string, Brand<Value>[]>();
  const byBeginning = new Map<string, Brand<Value>[]>();
  const add = (map: Map<string, Brand<Value>[]>, key: string, brand: Brand<Value>) =>
    map.set(key, [...(map.get(key) ?? []), brand]);
  for (const list of brands.values())
    for (const brand of list) {
      const [first = ""] = brand.words;
      const own = brand.words.map(consonantsOf);
      const isOne = own.length === 1;
      const letters = own.join("").length;
      if (letters >= (isOne ? CONSONANTS_MIN : CONSONANTS_OF_SEVERAL_MIN) && !(isOne && consonants.has(own[0]!)))
        add(byConsonants, own[0]!, brand);
      for (let end = BEGINNING_MIN; end < first.length; end += 1)
        if (!beginnings.has(first.slice(0, end))) add(byBeginning, first.slice(0, end), brand);
    }
  return { byConsonants, byBeginning };
}

/**
 * Returns the brand whose short form starts at a word, with its number of words and what it means; null where there is
 * none. `unclear`: the meaning of a brand of several foods.
 */
export function findShortBrand<Value>(
  { byConsonants, byBeginning }: ShortBrands<Value>,
  printed: readonly PrintedWord[],
  at: number,
  unclear: Value,
): { length: number; value: Value } | null {
  const { word, isCut } = printed[at]!;
  if (isCut) {
    return agreed(byBeginning.get(word) ?? [], 1, unclear);
  }
  const isShort = (own: PrintedWord | undefined, whole: string) =>
    own !== undefined &&
    (own.word === whole ||
      (own.word.length < whole.length &&
        consonantsOf(own.word) === consonantsOf(whole) &&
        (hasFewVowels(own.word) || (own.word.length >= SOME_VOWELS_MIN && isInOrder(own.word, whole)))));
  const found = (byConsonants.get(consonantsOf(word)) ?? []).filter((brand) =>
    brand.words.every((whole, place) => isShort(printed[at + place], whole)),
  );
  const longest = found.reduce((most, { words }) => Math.max(most, words.length), 0);
  return agreed(
    found.filter(({ words }) => words.length === longest),
    longest,
    unclear,
  );
}

function agreed<Value>(found: readonly Brand<Value>[], length: number, unclear: Value) {
  const [first] = found;
  if (!first) return null;
  return { length, value: found.every(({ value }) => value === first.value) ? first.value : unclear };
}

/**
 * Finds the whole word of a brand by what a till left of it at the start of a name: no vowels, and not all of its
 * consonants (`WKRS` of Walkers, `CDBY` of Cadbury). Only brands of food with one word; none where those that it may be
 * are of several foods.
 */
export function createContractedBrands(brands: SplitPhrases<Food | null>): (word: string) => string | null {
  let byInitial: Map<string, Brand<Food>[]> | undefined;
  return (word) => {
    if (word.length < CONTRACTED.min || !/^[a-z]+$/.test(word) || !hasFewVowels(word)) return null;
    byInitial ??= foodBrandsByInitial(brands);
    const found = (byInitial.get(word.charAt(0)) ?? []).filter(({ words: [whole = ""] }) => isContracted(word, whole));
    const [first] = found;
    return first && found.every(({ value }) => value === first.value) ? first.words[0]! : null;
  };
}

function foodBrandsByInitial(brands: SplitPhrases<Food | null>): Map<string, Brand<Food>[]> {
  const byInitial = new Map<string, Brand<Food>[]>();
  for (const [first, list] of brands)
    for (const { words, value } of list) {
      if (words.length > 1 || !value || !isEligible(value) || first.length < CONTRACTED.brandMin) continue;
      const others = byInitial.get(first.charAt(0));
      if (others) others.push({ words, value });
      else byInitial.set(first.charAt(0), [{ words, value }]);
    }
  return byInitial;
}

function isContracted(word: string, whole: string): boolean {
  const missing = consonantsOf(whole).length - consonantsOf(word).length;
  return missing <= CONTRACTED.missingMax && word.at(-1) === whole.at(-1) && isInOrder(word, whole);
}

/** True where all letters of a word are in the other one, in their order. */
function isInOrder(word: string, whole: string): boolean {
  let at = 0;
  for (const letter of whole) if (letter === word.charAt(at)) at += 1;
  return at === word.length;
}

/** True without a vowel inside: `BRNSTN`, `DGRNO`. */
function hasFewVowels(word: string): boolean {
  return !/[aeiou]/.test(word.slice(1, -1));
}
