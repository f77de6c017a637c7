import { isEligible, LANGUAGES } from "../catalogue/catalogue.ts";
import type { Language } from "../catalogue/catalogue.ts";
import type { QueryWord } from "./name-index.ts";
import type { TokenizedNames } from "./names.ts";
import { EATEN_SIMILARITY, NON_FOOD_PART_SIMILARITY, NON_FOOD_SIMILARITY } from "./tuning.ts";
import type { Reading } from "./vocabulary.ts";
import { isHeadFirst } from "./words.ts";

/**
 * The evidence in a name that the thing is no food. `word`: a word that only things nobody eats have in their names
 * (`dog`,
 * `floor`), so that the rest is probably a flavour. `head`: such a word where its language says what the thing is
 * (`pizza cutter`, `moule à gâteau`), so that it surely is no food.
 */
export type NonFood = "none" | "word" | "head";

// The uses of a word in the catalogue: in a food, in a thing nobody eats, and as such a thing's first or last head.
// Each language has its own four bits.
const FOOD = 1;
const THING = 2;
const FIRST_HEAD = 4;
const LAST_HEAD = 8;
const BITS = 4;

/** Returns a use in one language. */
function useIn(language: Language, use: number): number {
  return use << (BITS * LANGUAGES.indexOf(language));
}

/** Returns a use in any language. */
function useInAny(use: number): number {
  return LANGUAGES.reduce((uses, language) => uses | useIn(language, use), 0);
}

/** Returns the uses of each term in the catalogue's own names. `readings` are those of its `terms` terms' words. */
export function usesOfTerms(
  tokenized: TokenizedNames,
  readings: readonly (readonly Reading[])[],
  terms: number,
): Uint32Array {
  const usesOfWord = readUses(tokenized);
  const usesOfTerm = new Uint32Array(terms);
  readings.forEach((terms, word) => {
    for (const { term } of terms) usesOfTerm[term]! |= usesOfWord[word]!;
  });
  return usesOfTerm;
}

/** By use. */
const ANY: readonly number[] = Array.from({ length: LAST_HEAD + 1 }, (_, use) => useInAny(use));

/** Looks for words of things in a name, whose language may be known. */
export type NonFoodCheck = (words: readonly QueryWord[], language: Language | null) => NonFood;

/** Creates a check for non-food words. It keeps the last result: two steps of a lookup ask about the same words. */
export function createNonFoodCheck(usesOfTerm: Uint32Array): NonFoodCheck {
  const has = (word: QueryWord, uses: number, least: number) =>
    word.readings.some(({ term, similarity }) => similarity >= least && (usesOfTerm[term]! & uses) !== 0);
  const isOfThing = (word: QueryWord, use: number, least: number, language: Language | null) => {
    if (word.emphasis !== "full" || !has(word, ANY[use]!, least)) return false;
    if (!has(word, ANY[FOOD]!, EATEN_SIMILARITY)) return true;
    // `CHAT SAUMON` is no salmon, though English has `langues de chat`.
    return (
      language !== null && has(word, useIn(language, use), least) && !has(word, useIn(language, FOOD), EATEN_SIMILARITY)
    );
  };
  const read = (words: readonly QueryWord[], language: Language | null): NonFood => {
    const first = words.find(({ emphasis }) => emphasis === "full");
    const last = words.findLast(({ emphasis, isAddition }) => emphasis === "full" && !isAddition);
    if (first && isOfThing(first, FIRST_HEAD, NON_FOOD_PART_SIMILARITY, language)) return "head";
    if (last && isOfThing(last, LAST_HEAD, NON_FOOD_PART_SIMILARITY, language)) return "head";
    return words.some((word) => isOfThing(word, THING, NON_FOOD_SIMILARITY, language)) ? "word" : "none";
  };
  let asked: readonly QueryWord[] | undefined;
  let result: NonFood = "none";
  return (words, language) => {
    if (words !== asked) [asked, result] = [words, read(words, language)];
    return result;
  };
}

function readUses({ names, vocabulary, words, starts, heads }: TokenizedNames): Uint32Array {
  const uses = new Uint32Array(vocabulary.length);
  names.forEach(({ food, language }, name) => {
    const isConsumed = isEligible(food) || food.kind === "alcohol" || food.kind === "infant_formula";
    const use = useIn(language, isConsumed ? FOOD : THING);
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) uses[words[at]!]! |= use;
    const head = heads[name]!;
    if (head >= 0 && !isConsumed) uses[head]! |= useIn(language, isHeadFirst(language) ? FIRST_HEAD : LAST_HEAD);
  });
  return uses;
}
