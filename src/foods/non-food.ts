import { isEligible } from "./catalogue.ts";
import type { Lexicon, Reading } from "./lexicon.ts";
import type { QueryWord } from "./name-index.ts";
import type { WordedName } from "./names.ts";
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

/** Tells by the catalogue's own names. */
export function createNonFoodTeller(
  names: readonly WordedName[],
  lexicon: Lexicon,
): (words: readonly QueryWord[]) => NonFood {
  const written = {
    eaten: new Set<string>(),
    others: new Set<string>(),
    first: new Set<string>(),
    last: new Set<string>(),
  };
  for (const { food, language, words, head } of names) {
    const isDrunkOrEaten = isEligible(food) || food.kind === "alcohol" || food.kind === "infant_formula";
    for (const word of words) (isDrunkOrEaten ? written.eaten : written.others).add(word);
    if (head !== null && !isDrunkOrEaten) (isHeadFirst(language) ? written.first : written.last).add(head);
  }
  const termsOf = (words: ReadonlySet<string>) =>
    new Set(
      [...words].flatMap((word) =>
        lexicon
          .read(word, false)
          .flat()
          .map(({ term }) => term),
      ),
    );
  const [eaten, others] = [termsOf(written.eaten), termsOf(written.others)];
  const [firstHeads, lastHeads] = [termsOf(written.first), termsOf(written.last)];
  const has = (readings: readonly Reading[], terms: ReadonlySet<number>, least: number) =>
    readings.some(({ term, similarity }) => similarity >= least && terms.has(term));
  const isOfThing = ({ readings, emphasis }: QueryWord, terms: ReadonlySet<number>, least: number) =>
    emphasis === "full" && has(readings, terms, least) && !has(readings, eaten, EATEN);
  return (words) => {
    const first = words.find(({ emphasis }) => emphasis === "full");
    const last = words.findLast(({ emphasis, isAddition }) => emphasis === "full" && !isAddition);
    if (first && isOfThing(first, firstHeads, SURE_OF_PART)) return "head";
    if (last && isOfThing(last, lastHeads, SURE_OF_PART)) return "head";
    return words.some((word) => isOfThing(word, others, SURE)) ? "word" : "none";
  };
}
