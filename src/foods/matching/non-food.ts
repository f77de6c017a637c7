import { isEligible } from "../catalogue/catalogue.ts";
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
const FOOD = 1;
const THING = 2;
const FIRST_HEAD = 4;
const LAST_HEAD = 8;

/** Returns the uses of each term in the catalogue's own names. `readings` are those of its `terms` terms' words. */
export function usesOfTerms(
  tokenized: TokenizedNames,
  readings: readonly (readonly Reading[])[],
  terms: number,
): Uint8Array {
  const usesOfWord = readUses(tokenized);
  const usesOfTerm = new Uint8Array(terms);
  readings.forEach((terms, word) => {
    for (const { term } of terms) usesOfTerm[term]! |= usesOfWord[word]!;
  });
  return usesOfTerm;
}

/** Creates a check for non-food words. It keeps the last result: two steps of a lookup ask about the same words. */
export function createNonFoodCheck(usesOfTerm: Uint8Array): (words: readonly QueryWord[]) => NonFood {
  const has = (word: QueryWord, use: number, least: number) =>
    word.readings.some(({ term, similarity }) => similarity >= least && (usesOfTerm[term]! & use) !== 0);
  const isOfThing = (word: QueryWord, use: number, least: number) =>
    word.emphasis === "full" && has(word, use, least) && !has(word, FOOD, EATEN_SIMILARITY);
  const read = (words: readonly QueryWord[]): NonFood => {
    const first = words.find(({ emphasis }) => emphasis === "full");
    const last = words.findLast(({ emphasis, isAddition }) => emphasis === "full" && !isAddition);
    if (first && isOfThing(first, FIRST_HEAD, NON_FOOD_PART_SIMILARITY)) return "head";
    if (last && isOfThing(last, LAST_HEAD, NON_FOOD_PART_SIMILARITY)) return "head";
    return words.some((word) => isOfThing(word, THING, NON_FOOD_SIMILARITY)) ? "word" : "none";
  };
  let asked: readonly QueryWord[] | undefined;
  let result: NonFood = "none";
  return (words) => {
    if (words !== asked) [asked, result] = [words, read(words)];
    return result;
  };
}

function readUses({ names, vocabulary, words, starts, heads }: TokenizedNames): Uint8Array {
  const uses = new Uint8Array(vocabulary.length);
  names.forEach(({ food, language }, name) => {
    const isConsumed = isEligible(food) || food.kind === "alcohol" || food.kind === "infant_formula";
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) uses[words[at]!]! |= isConsumed ? FOOD : THING;
    const head = heads[name]!;
    if (head >= 0 && !isConsumed) uses[head]! |= isHeadFirst(language) ? FIRST_HEAD : LAST_HEAD;
  });
  return uses;
}
