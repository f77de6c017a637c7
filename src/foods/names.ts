import { namesOf } from "./catalogue.ts";
import type { Food, FoodName } from "./catalogue.ts";
import { headWord, isContentWord, wordsOf } from "./words.ts";

/** A name of a food as words. */
export interface WordedName extends FoodName {
  readonly food: Food;
  /** Those that mean something. */
  readonly words: readonly string[];
  /** The one of them that says what the thing is. */
  readonly head: string | null;
}

/** The names of all foods in their order. Taking them apart costs more than what is built of them: once is enough. */
export function readNames(foods: readonly Food[]): WordedName[] {
  return foods.flatMap((food) =>
    namesOf(food).map(({ language, text, isRough }) => {
      const words = wordsOf(text);
      return { food, language, text, isRough, words: words.filter(isContentWord), head: headWord(words, language) };
    }),
  );
}
