import { findAnimals } from "./animals.ts";
import type { AnimalsNamed } from "./animals.ts";
import { LANGUAGES } from "../catalogue/catalogue.ts";
import type { Catalogue, Food, Language } from "../catalogue/catalogue.ts";
import { tokenizeNames } from "./names.ts";
import type { TokenizedNames } from "./names.ts";
import { usesOfTerms } from "./non-food.ts";
import { splitQueryPhrases } from "./query.ts";
import type { QueryPhrases } from "./query.ts";
import type { ExactFood } from "./rank.ts";
import { findProcesses } from "./unprocessed-check.ts";
import type { Processes } from "./unprocessed-check.ts";
import { createVocabulary } from "./vocabulary.ts";
import { weighNames } from "./weighted-names.ts";
import type { WeightedNames } from "./weighted-names.ts";

/**
 * What a matcher knows of its catalogue's names. It is plain values, so that it can be kept in a file with the
 * catalogue: creating it takes 0.4 s of processor time, reading it 0.05 s.
 */
export interface MatchData {
  /** Words that say little. */
  readonly noise: ReadonlySet<string>;
  readonly phrases: QueryPhrases;
  /** The names are in the order of the catalogue's foods, and of each food's names. */
  readonly weighted: WeightedNames;
  readonly usesOfTerm: Uint32Array;
  readonly processes: Processes;
  readonly animals: AnimalsNamed;
  /** The food of each name, by its content words. */
  readonly exact: ReadonlyMap<string, ExactFood>;
  /** The same for names that mean another food in one language, or mean it more surely (`latte`). */
  readonly exactIn: Readonly<Record<Language, ReadonlyMap<string, ExactFood>>>;
}

/** Creates the data of a catalogue. Deterministic. */
export function createMatchData(catalogue: Catalogue): MatchData {
  const noise = new Set([...keysWith(catalogue.words, ""), ...keysWith(catalogue.brands, null)]);
  const tokenized = tokenizeNames(catalogue.foods);
  const weighted = weighNames(tokenized, (word) => noise.has(word));
  const vocabulary = createVocabulary(weighted.vocabulary);
  const readings = tokenized.vocabulary.map(vocabulary.readExactly);
  return {
    noise,
    phrases: splitQueryPhrases(catalogue, tokenized.vocabulary),
    weighted,
    usesOfTerm: usesOfTerms(tokenized, readings, vocabulary.size()),
    processes: findProcesses(tokenized, readings, vocabulary),
    animals: findAnimals(tokenized, readings, vocabulary),
    ...foodsByName(tokenized),
  };
}

/** Returns the words or brands with this meaning. */
function keysWith<Value>(table: ReadonlyMap<string, Value>, value: Value): string[] {
  return [...table.keys()].filter((key) => table.get(key) === value);
}

/**
 * Returns the food of each name, word for word. A name that means one food here and another elsewhere (`chips`) is a
 * rough name of the first one.
 */
function foodsByName({ names, vocabulary, words, starts }: TokenizedNames): Pick<MatchData, "exact" | "exactIn"> {
  const foods = new Map<string, ExactFood>();
  const exactIn: Record<Language, Map<string, ExactFood>> = {
    en: new Map(),
    de: new Map(),
    fr: new Map(),
    es: new Map(),
    it: new Map(),
  };
  for (const rough of [false, true]) {
    // One for all names of a food: there are 28,000 names.
    const entries = new Map<Food, ExactFood>();
    const entryOf = (food: Food): ExactFood => {
      const entry = entries.get(food) ?? { food, isRough: rough };
      entries.set(food, entry);
      return entry;
    };
    names.forEach((foodName, name) => {
      if (foodName.isRough !== rough || starts[name] === starts[name + 1]) return;
      let key = "";
      for (let at = starts[name]!; at < starts[name + 1]!; at += 1) key += `${key && " "}${vocabulary[words[at]!]}`;
      const earlier = foods.get(key);
      if (!earlier) foods.set(key, entryOf(foodName.food));
      else if (rough && earlier.food !== foodName.food) foods.set(key, entryOf(earlier.food));
      const own = exactIn[foodName.language];
      if (own.has(key)) return;
      // Rough only because it means another food elsewhere: here it is sure.
      const isSure = rough && LANGUAGES.some((each) => isSureOfAnother(exactIn[each].get(key), foodName.food));
      own.set(key, isSure ? { food: foodName.food, isRough: false } : entryOf(foodName.food));
    });
  }
  for (const own of Object.values(exactIn))
    for (const [key, { food, isRough }] of own) {
      const common = foods.get(key);
      if (common?.food === food && common.isRough === isRough) own.delete(key);
    }
  return { exact: foods, exactIn };
}

function isSureOfAnother(entry: ExactFood | undefined, food: Food): boolean {
  return entry !== undefined && !entry.isRough && entry.food !== food;
}
