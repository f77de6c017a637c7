import { consonantsOf } from "./learned/features.ts";
import type { SplitPhrases } from "./phrases.ts";
import type { PrintedWord } from "./words.ts";

/** A brand with the words of its name. */
interface Brand<Value> {
  readonly words: string[];
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
      (own.word.length < whole.length && consonantsOf(own.word) === consonantsOf(whole) && hasFewVowels(own.word)));
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

/** True without a vowel inside: `BRNSTN`, `DGRNO`. */
function hasFewVowels(word: string): boolean {
  return !/[aeiou]/.test(word.slice(1, -1));
}
