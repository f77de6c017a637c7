import type { Food, FoodName } from "../catalogue/catalogue.ts";
import { isEligible, LANGUAGES } from "../catalogue/catalogue.ts";
import { createLexicon } from "./lexicon.ts";
import type { Lexicon, Reading } from "./lexicon.ts";
import type { Worded } from "./names.ts";
import { isHeadFirst } from "./words.ts";

/** In which names terms stand, and what they weigh in each: those of a term from `starts[term]` to `ends[term]`. */
interface Postings {
  starts: Uint32Array;
  ends: Uint32Array;
  names: Int32Array;
  weights: Float64Array;
}

/** Room for each term as often as it occurs, still empty. */
function createPostings(occurrences: Uint32Array): Postings {
  const starts = new Uint32Array(occurrences.length);
  let total = 0;
  occurrences.forEach((count, term) => {
    starts[term] = total;
    total += count;
  });
  return { starts, ends: starts.slice(), names: new Int32Array(total), weights: new Float64Array(total) };
}

/** How well one name fits a query, all 0..1 but the food. */
export interface NameMatch {
  name: FoodName;
  /** Share of the query's words, by weight, that the name explains. */
  queryShare: number;
  /** Share of the name's words, by weight, that the query holds. */
  nameShare: number;
  /** The name's head stands in the query; the query's in the name; they are the same word. */
  nameHeadFound: boolean;
  queryHeadFound: boolean;
  headsAgree: boolean;
  /** It holds the first word of the query that is known. */
  isAtStart: boolean;
  /** A word that no name holds stands where the name's language has the one that says what the thing is. */
  isHeadUnknown: boolean;
  /** Mean similarity of the words that met: below 1 where spellings were guessed. */
  similarity: number;
}

/** How much a word of a query counts: fully, little (`fresh`, `large`), or as what a brand makes one think of. */
export type Emphasis = "full" | "noise" | "hint";

/** A word of a query: its readings, best first, and how much it counts. */
export interface QueryWord {
  readings: Reading[];
  emphasis: Emphasis;
  /** It stands behind `with` or `in`: what the thing comes with, and not what it is. */
  isAddition?: boolean;
}

/** The names of the catalogue, compared with queries. */
export interface NameIndex {
  lexicon: Lexicon;
  /** The names that share most with the query. */
  compare: (query: readonly QueryWord[]) => NameMatch[];
}

/** A word that says little counts this much of its weight. */
const NOISE_FACTOR = 0.15;
const EMPHASIS: Record<Emphasis, number> = { full: 1, noise: NOISE_FACTOR, hint: 0.5 };
/** A word no name holds is mostly a brand: it counts as a fraction of the mean word's weight. */
const UNKNOWN_FACTOR = 0.22;
const GUESS_EXPONENT = 3;
/**
 * A word that heads no name (`mild`, `smoked`) says how a thing is, and less what it is: 0.8 points more ingredients of the
 * taxonomy right, no list worse; 0.8 and less cost receipt lines.
 */
const NEVER_HEAD_FACTOR = 0.9;
/** Behind `with` a word counts less. */
const ADDITION_FACTOR = 0.7;
/** A name that explains less of the query than this share of what the best one does is not looked at. */
const WORTH_SHARE = 0.35;

/** What of a query a name holds: its first known word, its last one, the name's own head, and that in the place of the query's. */
const FIRST = 1;
const LAST = 2;
const HEAD = 4;
const AGREE = 8;

const NO_TERM = -1;

/** An inverted index over the names of the catalogue, weighted by how few foods hold a word. */
export function createNameIndex(worded: Worded, isNoise: (word: string) => boolean): NameIndex {
  const { names, vocabulary, words, starts } = worded;
  const lexicon = createLexicon();
  const termsOfWords = new Map(
    LANGUAGES.map((language) => [language, new Int32Array(vocabulary.length).fill(NO_TERM)]),
  );
  // The term of each word of `words`, and of each head.
  const terms = new Int32Array(words.length);
  const headOf = new Int32Array(names.length);
  names.forEach(({ language }, name) => {
    const termOf = termsOfWords.get(language)!;
    for (let at = starts[name]!; at < starts[name + 1]!; at += 1) {
      const word = words[at]!;
      if (termOf[word] === NO_TERM) termOf[word] = lexicon.add(vocabulary[word]!, language);
      terms[at] = termOf[word]!;
      if (at > starts[name]!) lexicon.addPair(terms[at - 1]!, vocabulary[word]!);
    }
    headOf[name] = termOf[worded.heads[name]!] ?? NO_TERM;
  });
  lexicon.seal();

  const foods = new Set<Food>();
  const eaten = new Set<number>();
  const occurrences = new Uint32Array(lexicon.size());
  const foodCounts = new Uint32Array(lexicon.size());
  // The names of a food stand together: it has been counted where it was the last.
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
  const headTerms = new Set(headOf);
  const rarity = Float64Array.from(
    foodCounts,
    (count, term) => Math.log(1 + foods.size / Math.max(1, count)) * (headTerms.has(term) ? 1 : NEVER_HEAD_FACTOR),
  );
  const unknownWeight = (UNKNOWN_FACTOR * [...eaten].reduce((sum, term) => sum + rarity[term]!, 0)) / eaten.size;

  const postings = createPostings(occurrences);
  const isNoiseWord = vocabulary.map(isNoise);
  /** Sums of the weights of a name's words. */
  const weightsOfNames = new Float64Array(names.length);
  for (let name = 0; name < names.length; name += 1) {
    const start = starts[name]!;
    const end = starts[name + 1]!;
    for (let at = start; at < end; at += 1) {
      const term = terms[at]!;
      // A term counts once in a name, where it stands first; little where none of its words says more.
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

  /** A word whose reading was guessed may as well be a brand: between the weight of what it may be and that of an unknown one. */
  const weightOf = ({ readings, emphasis, isAddition = false }: QueryWord): number => {
    let [surest, own] = [0, unknownWeight];
    for (const { term, similarity } of readings) {
      if (similarity > surest) surest = similarity;
      if (rarity[term]! > own) own = rarity[term]!;
    }
    const weight = unknownWeight + (own - unknownWeight) * surest ** GUESS_EXPONENT;
    return weight * EMPHASIS[emphasis] * (isAddition ? ADDITION_FACTOR : 1);
  };

  // Beside the names, where the innermost loop finds it without a step through an object.
  const endOfHead = Uint8Array.from(names, ({ language }) => (isHeadFirst(language) ? FIRST : LAST));
  // Sums of the running query for each name; `stamp` tells which of them are of this query, so that nothing is cleared.
  const stamps = new Uint32Array(names.length);
  const slots = new Int32Array(names.length);
  const nameSums = new Float64Array(names.length);
  const querySums = new Float64Array(names.length);
  const similarities = new Float64Array(names.length);
  const counts = new Uint8Array(names.length);
  const slotBest = new Float64Array(names.length);
  const slotSimilarity = new Float64Array(names.length);
  const found = new Uint8Array(names.length);
  let stamp = 0;

  return {
    lexicon,
    compare: (query) => {
      stamp += 1;
      const touched: number[] = [];
      const weights = query.map(weightOf);
      const known = query.flatMap(({ readings, emphasis }, index) =>
        readings.length > 0 && emphasis !== "noise" ? [index] : [],
      );
      const first = known[0] ?? 0;
      const last = known.findLast((index) => !query[index]!.isAddition) ?? known.at(-1) ?? 0;
      const isUnknown = (word: QueryWord) => word.readings.length === 0 && word.emphasis === "full";
      const leadIsUnknown = query.slice(0, first).some(isUnknown);
      const tailIsUnknown = query.slice(last + 1).some((word) => isUnknown(word) && !word.isAddition);
      for (let slot = 0; slot < query.length; slot += 1) {
        const queryWeight = weights[slot]!;
        const ends = (slot === first ? FIRST : 0) | (slot === last ? LAST : 0);
        for (const { term, similarity } of query[slot]!.readings) {
          const end = postings.ends[term]!;
          for (let at = postings.starts[term]!; at < end; at += 1) {
            const name = postings.names[at]!;
            if (stamps[name] !== stamp) {
              stamps[name] = stamp;
              slots[name] = -1;
              nameSums[name] = 0;
              querySums[name] = 0;
              similarities[name] = 0;
              counts[name] = 0;
              found[name] = 0;
              touched.push(name);
            }
            if (slots[name] !== slot) {
              slots[name] = slot;
              slotBest[name] = 0;
              slotSimilarity[name] = 0;
              counts[name]! += 1;
            }
            // One query word meets one word of a name: of several readings the best counts.
            const gain = similarity - slotSimilarity[name]!;
            if (gain > 0) {
              const explained = postings.weights[at]! * similarity;
              nameSums[name]! += explained - slotBest[name]!;
              querySums[name]! += queryWeight * gain;
              similarities[name]! += gain;
              slotBest[name] = explained;
              slotSimilarity[name] = similarity;
            }
            found[name]! |= ends;
            if (term === headOf[name]) found[name]! |= (ends & endOfHead[name]!) === 0 ? HEAD : HEAD | AGREE;
          }
        }
      }
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const enough = WORTH_SHARE * touched.reduce((best, index) => Math.max(best, querySums[index]!), 0);
      const worth = touched.filter((index) => querySums[index]! >= enough);
      return worth.map((index) => {
        const name = names[index]!;
        return {
          name,
          queryShare: querySums[index]! / total,
          nameShare: Math.min(1, nameSums[index]! / weightsOfNames[index]!),
          nameHeadFound: (found[index]! & HEAD) !== 0,
          queryHeadFound: (found[index]! & endOfHead[index]!) !== 0,
          headsAgree: (found[index]! & AGREE) !== 0,
          isAtStart: (found[index]! & FIRST) !== 0,
          isHeadUnknown: endOfHead[index] === FIRST ? leadIsUnknown : tailIsUnknown,
          similarity: similarities[index]! / counts[index]!,
        };
      });
    },
  };
}
