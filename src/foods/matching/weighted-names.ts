import type { Food } from "../catalogue/catalogue.ts";
import { isEligible, LANGUAGES } from "../catalogue/catalogue.ts";
import type { TokenizedNames } from "./names.ts";
import { NEVER_HEAD_FACTOR, NOISE_FACTOR, UNKNOWN_FACTOR } from "./tuning.ts";
import { createVocabulary, emptyVocabulary } from "./vocabulary.ts";
import type { VocabularyData } from "./vocabulary.ts";

/** The names each term is in, with its weight there: those of a term are at `starts[term]` up to `ends[term]`. */
export interface Postings {
  starts: Uint32Array;
  ends: Uint32Array;
  names: Int32Array;
  weights: Float64Array;
}

/** The names of the catalogue as terms with weights: plain values, which can be kept in a file. */
export interface WeightedNames {
  vocabulary: VocabularyData;
  /** The term of each name's head; `NO_TERM` where it has none. */
  headOf: Int32Array;
  /** The weight of each term: the fewer foods have it, the higher. */
  rarity: Float64Array;
  /** The weight of a word that no name holds. */
  unknownWeight: number;
  postings: Postings;
  /** Sums of the weights of each name's words. */
  weightsOfNames: Float64Array;
}

const NO_TERM = -1;

/** Numbers the terms of all names and weighs them. */
export function weighNames(tokenized: TokenizedNames, isNoise: (word: string) => boolean): WeightedNames {
  const { vocabulary, terms, headOf } = readTerms(tokenized);
  const { foods, eaten, occurrences, foodCounts } = countTerms(tokenized, terms, vocabulary.initials.length);
  const headTerms = new Set(headOf);
  const rarity = Float64Array.from(
    foodCounts,
    (count, term) => Math.log(1 + foods.size / Math.max(1, count)) * (headTerms.has(term) ? 1 : NEVER_HEAD_FACTOR),
  );
  const unknownWeight = (UNKNOWN_FACTOR * [...eaten].reduce((sum, term) => sum + rarity[term]!, 0)) / eaten.size;
  const isNoiseWord = tokenized.vocabulary.map(isNoise);
  const { postings, weightsOfNames } = post(tokenized, { terms, occurrences, rarity, isNoiseWord });
  return { vocabulary, headOf, rarity, unknownWeight, postings, weightsOfNames };
}

/** Returns the term of each word of `words` and of each head. */
function readTerms({ names, vocabulary: texts, words, starts, heads }: TokenizedNames) {
  const vocabulary = emptyVocabulary();
  const { add, addPair } = createVocabulary(vocabulary);
  const termsOfWords = new Map(LANGUAGES.map((language) => [language, new Int32Array(texts.length).fill(NO_TERM)]));
  const terms = new Int32Array(words.length);
  const headOf = new Int32Array(names.length);
  names.forEach(({ language }, name) => {
    const termOf = termsOfWords.get(language)!;
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) {
      const word = words[at]!;
      if (termOf[word] === NO_TERM) termOf[word] = add(texts[word]!, language);
      terms[at] = termOf[word]!;
      if (at > starts[name]!) addPair(terms[at - 1]!, texts[word]!);
    }
    headOf[name] = termOf[heads[name]!] ?? NO_TERM;
  });
  return { vocabulary, terms, headOf };
}

/** Counts the occurrences and the foods of each term, and collects the terms of foods that are rated. */
function countTerms({ names, starts }: TokenizedNames, terms: Int32Array, size: number) {
  const foods = new Set<Food>();
  const eaten = new Set<number>();
  const occurrences = new Uint32Array(size);
  const foodCounts = new Uint32Array(size);
  // The names of a food are next to each other: a term has been counted for a food if that was its last one.
  const lastFoods: Food[] = [];
  names.forEach(({ food }, name) => {
    foods.add(food);
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) {
      const term = terms[at]!;
      if (isEligible(food)) eaten.add(term);
      occurrences[term]! += 1;
      if (lastFoods[term] !== food) foodCounts[term]! += 1;
      lastFoods[term] = food;
    }
  });
  return { foods, eaten, occurrences, foodCounts };
}

/**
 * Fills the postings. A term counts once in a name; little where each of its words is noise, unless it is the whole
 * name.
 */
function post(
  { names, words, starts }: TokenizedNames,
  counted: { terms: Int32Array; occurrences: Uint32Array; rarity: Float64Array; isNoiseWord: readonly boolean[] },
) {
  const { terms, occurrences, rarity, isNoiseWord } = counted;
  const postings = createPostings(occurrences);
  const weightsOfNames = new Float64Array(names.length);
  for (let name = 0; name < names.length; name += 1) {
    const start = starts[name]!;
    const end = starts[name + 1]!;
    for (let at = start; at < end; at += 1) {
      const term = terms[at]!;
      if (terms.indexOf(term, start) < at) continue;
      let isQuiet = end - start > 1;
      for (let other = at; other < end; other += 1) if (terms[other] === term) isQuiet &&= isNoiseWord[words[other]!]!;
      const weight = rarity[term]! * (isQuiet ? NOISE_FACTOR : 1);
      weightsOfNames[name]! += weight;
      const posting = postings.ends[term]!++;
      postings.names[posting] = name;
      postings.weights[posting] = weight;
    }
  }
  return { postings, weightsOfNames };
}

/** Reserves room for each term as often as it occurs. */
function createPostings(occurrences: Uint32Array): Postings {
  const starts = new Uint32Array(occurrences.length);
  let total = 0;
  occurrences.forEach((count, term) => {
    starts[term] = total;
    total += count;
  });
  return { starts, ends: starts.slice(), names: new Int32Array(total), weights: new Float64Array(total) };
}
