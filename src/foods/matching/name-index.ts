import type { FoodName } from "../catalogue/catalogue.ts";
import { ADDITION_FACTOR, EMPHASIS, GUESS_EXPONENT, NAME_WORTH_SHARE } from "./tuning.ts";
import type { Reading } from "./vocabulary.ts";
import type { WeightedNames } from "./weighted-names.ts";
import { isHeadFirst } from "./words.ts";

/** The fit of one name to a query; numbers are from 0 to 1. */
export interface NameMatch {
  name: FoodName;
  /** Share of the query's words, by weight, that the name explains. */
  queryShare: number;
  /** Share of the name's words, by weight, that the query holds. */
  nameShare: number;
  /** The name's head is in the query; the query's head is in the name; both are the same word. */
  nameHeadFound: boolean;
  queryHeadFound: boolean;
  headsAgree: boolean;
  /** The name holds the first known word of the query. */
  isAtStart: boolean;
  /** An unknown word is where the name's language has its head. */
  isHeadUnknown: boolean;
  /** Mean similarity of the words that matched: below 1 where spellings were guessed. */
  similarity: number;
}

/** The emphasis of a word of a query: full, noise (`fresh`, `large`), or a hint from the food of a brand. */
export type Emphasis = keyof typeof EMPHASIS;

/** A word of a query: its readings, best first, and how much it counts. */
export interface QueryWord {
  readings: Reading[];
  emphasis: Emphasis;
  /** It comes after `with` or `in`: an addition to the thing, and not the thing. */
  isAddition?: boolean;
}

/** The names of the catalogue, compared with queries. */
export interface NameIndex {
  /** Returns the names that share most with the query. */
  compare: (query: readonly QueryWord[]) => NameMatch[];
}

// The words of a query that a name holds: the first known one, the last one, the name's head, and that as the query's
// head.
const FIRST = 1;
const LAST = 2;
const HEAD = 4;
const AGREE = 8;

/** Creates an inverted index over the names of the catalogue, weighted by how few foods hold a word. */
export function createNameIndex(names: readonly FoodName[], weighted: WeightedNames): NameIndex {
  const { headOf, postings, weightsOfNames } = weighted;
  // Separate from the names, where the innermost loop finds it without a step through an object.
  const headPlace = new Uint8Array(names.length);
  for (let name = 0; name < names.length; name += 1)
    headPlace[name] = isHeadFirst(names[name]!.language) ? FIRST : LAST;
  const sums = createSums(names.length);
  let query = 0;

  return {
    compare: (words) => {
      query += 1;
      const touched: number[] = [];
      const weights = words.map((word) => weightOf(word, weighted));
      const { first, last, isStartUnknown, isEndUnknown } = placesOf(words);
      for (const [word, { readings }] of words.entries()) {
        const places = (word === first ? FIRST : 0) | (word === last ? LAST : 0);
        const slot = { query, word, weight: weights[word]!, places };
        for (const reading of readings) addReading(sums, touched, slot, reading, postings, headOf, headPlace);
      }
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const enough = NAME_WORTH_SHARE * touched.reduce((best, name) => Math.max(best, sums.query[name]!), 0);
      return touched
        .filter((name) => sums.query[name]! >= enough)
        .map((name) => {
          const found = sums.found[name]!;
          return {
            name: names[name]!,
            queryShare: sums.query[name]! / total,
            nameShare: Math.min(1, sums.name[name]! / weightsOfNames[name]!),
            nameHeadFound: (found & HEAD) !== 0,
            queryHeadFound: (found & headPlace[name]!) !== 0,
            headsAgree: (found & AGREE) !== 0,
            isAtStart: (found & FIRST) !== 0,
            isHeadUnknown: headPlace[name] === FIRST ? isStartUnknown : isEndUnknown,
            similarity: sums.similarity[name]! / sums.count[name]!,
          };
        });
    },
  };
}

/** Sums of the running query for each name. `queryOf` is the query that they belong to, so that nothing is cleared. */
function createSums(size: number) {
  return {
    queryOf: new Uint32Array(size),
    /** The last word of the query that the name holds, and what it added. */
    wordOf: new Int32Array(size),
    wordWeight: new Float64Array(size),
    wordSimilarity: new Float64Array(size),
    /** Weights of the name's words that the query holds, and of the query's words that the name holds. */
    name: new Float64Array(size),
    query: new Float64Array(size),
    similarity: new Float64Array(size),
    count: new Uint8Array(size),
    found: new Uint8Array(size),
  };
}
type Sums = ReturnType<typeof createSums>;

/** A word of the running query. */
interface Slot {
  readonly query: number;
  readonly word: number;
  readonly weight: number;
  /** `FIRST`, `LAST`, both or neither. */
  readonly places: number;
}

/** Adds one reading of a word to the sums of all names that hold it. The innermost loop of a lookup. */
function addReading(
  sums: Sums,
  touched: number[],
  { query, word, weight, places }: Slot,
  { term, similarity }: Reading,
  postings: WeightedNames["postings"],
  headOf: Int32Array,
  headPlace: Uint8Array,
): void {
  const end = postings.ends[term]!;
  for (let at = postings.starts[term]!; at < end; at += 1) {
    const name = postings.names[at]!;
    if (sums.queryOf[name] !== query) {
      sums.queryOf[name] = query;
      sums.wordOf[name] = -1;
      sums.name[name] = 0;
      sums.query[name] = 0;
      sums.similarity[name] = 0;
      sums.count[name] = 0;
      sums.found[name] = 0;
      touched.push(name);
    }
    if (sums.wordOf[name] !== word) {
      sums.wordOf[name] = word;
      sums.wordWeight[name] = 0;
      sums.wordSimilarity[name] = 0;
      sums.count[name]! += 1;
    }
    // One query word matches one word of a name: of several readings the best counts.
    const gain = similarity - sums.wordSimilarity[name]!;
    if (gain > 0) {
      const explained = postings.weights[at]! * similarity;
      sums.name[name]! += explained - sums.wordWeight[name]!;
      sums.query[name]! += weight * gain;
      sums.similarity[name]! += gain;
      sums.wordWeight[name] = explained;
      sums.wordSimilarity[name] = similarity;
    }
    sums.found[name]! |= places;
    if (term === headOf[name]) sums.found[name]! |= (places & headPlace[name]!) === 0 ? HEAD : HEAD | AGREE;
  }
}

/**
 * Returns the first and the last word of the query that may be its head, and whether an unknown word is before or
 * after them.
 */
function placesOf(query: readonly QueryWord[]) {
  const known = query.flatMap(({ readings, emphasis }, index) =>
    readings.length > 0 && emphasis !== "noise" ? [index] : [],
  );
  const first = known[0] ?? 0;
  const last = known.findLast((index) => !query[index]!.isAddition) ?? known.at(-1) ?? 0;
  const isUnknown = (word: QueryWord) => word.readings.length === 0 && word.emphasis === "full";
  return {
    first,
    last,
    isStartUnknown: query.slice(0, first).some(isUnknown),
    isEndUnknown: query.slice(last + 1).some((word) => isUnknown(word) && !word.isAddition),
  };
}

/** Returns the weight of a query word. A guessed word may be a brand: it weighs between a known and an unknown one. */
function weightOf(
  { readings, emphasis, isAddition = false }: QueryWord,
  { rarity, unknownWeight }: WeightedNames,
): number {
  let [surest, own] = [0, unknownWeight];
  for (const { term, similarity } of readings) {
    if (similarity > surest) surest = similarity;
    if (rarity[term]! > own) own = rarity[term]!;
  }
  const weight = unknownWeight + (own - unknownWeight) * surest ** GUESS_EXPONENT;
  return weight * EMPHASIS[emphasis] * (isAddition ? ADDITION_FACTOR : 1);
}
