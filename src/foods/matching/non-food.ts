import { isEligible } from "../catalogue/catalogue.ts";
import type { Lexicon, Reading } from "./lexicon.ts";
import type { QueryWord } from "./name-index.ts";
import type { Worded } from "./names.ts";
import { isHeadFirst } from "./words.ts";

/**
 * What a name says of being no food: `word` where a word stands in it that only things no one eats have in theirs (`dog`, `floor`), so
 * that the rest is probably its flavour; `head` where such a word stands where its language says what the thing is (`pizza cutter`,
 * `moule à gâteau`), so that it surely is.
 */
export type NonFood = "none" | "word" | "head";

/** A word or its plural; a part of a compound too, where it is a head (`Pizzaschneider`). */
const SURE = 0.97;
const SURE_OF_PART = 0.94;
/** A word that food has in its names, as surely as this, tells nothing. */
const EATEN = 0.9;

/** What a word stands for somewhere in the catalogue: food, things no one eats, and such a thing's first or last word that says what it is. */
const FOOD = 1;
const THING = 2;
const FIRST_HEAD = 4;
const LAST_HEAD = 8;

/** Tells by the catalogue's own names; `readings` are those of the words of its vocabulary. */
export function createNonFoodTeller(
  { names, vocabulary, words, starts, heads }: Worded,
  readings: readonly (readonly Reading[])[],
  lexicon: Pick<Lexicon, "size">,
): (words: readonly QueryWord[]) => NonFood {
  const usesOfWord = new Uint8Array(vocabulary.length);
  names.forEach(({ food, language }, name) => {
    const isDrunkOrEaten = isEligible(food) || food.kind === "alcohol" || food.kind === "infant_formula";
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1)
      usesOfWord[words[at]!]! |= isDrunkOrEaten ? FOOD : THING;
    const head = heads[name]!;
    if (head >= 0 && !isDrunkOrEaten) usesOfWord[head]! |= isHeadFirst(language) ? FIRST_HEAD : LAST_HEAD;
  });
  const usesOfTerm = new Uint8Array(lexicon.size());
  readings.forEach((terms, word) => {
    for (const { term } of terms) usesOfTerm[term]! |= usesOfWord[word]!;
  });
  const has = (word: QueryWord, use: number, least: number) =>
    word.readings.some(({ term, similarity }) => similarity >= least && (usesOfTerm[term]! & use) !== 0);
  const isOfThing = (word: QueryWord, use: number, least: number) =>
    word.emphasis === "full" && has(word, use, least) && !has(word, FOOD, EATEN);
  return (words) => {
    const first = words.find(({ emphasis }) => emphasis === "full");
    const last = words.findLast(({ emphasis, isAddition }) => emphasis === "full" && !isAddition);
    if (first && isOfThing(first, FIRST_HEAD, SURE_OF_PART)) return "head";
    if (last && isOfThing(last, LAST_HEAD, SURE_OF_PART)) return "head";
    return words.some((word) => isOfThing(word, THING, SURE)) ? "word" : "none";
  };
}
