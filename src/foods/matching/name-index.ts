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

/**
 * The names that share most with a query, each at one place of all arrays: an object for each of some hundred names
 * took longer. The arrays are used again by the next comparison.
 */
export interface Comparison {
  count: number;
  /** The name, as an index, and its food, as a position in the catalogue. */
  readonly names: Int32Array;
  readonly foods: Int32Array;
  readonly queryShares: Float64Array;
  readonly nameShares: Float64Array;
  readonly similarities: Float64Array;
  /** Which heads were found: bits of `HEADS`. */
  readonly heads: Uint8Array;
}

/** The bits of `Comparison.heads`, with the members of a match that they become. */
export const HEADS = { nameHeadFound: 1, queryHeadFound: 2, headsAgree: 4, isAtStart: 8 } as const;

/** The names of the catalogue, compared with queries. */
export interface NameIndex {
  /** Returns the names that share most with the query. */
  compare: (query: readonly QueryWord[]) => Comparison;
  /** Returns a name of the last comparison, by its place. */
  matchAt: (place: number) => NameMatch;
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
  const foodOf = numberFoods(names);
  const sums = createSums(names.length);
  const compared = createComparison(names.length);
  let isUnknown = { start: false, end: false };
  let query = 0;

  return {
    compare: (words) => {
      query += 1;
      sums.touchedCount = 0;
      const weights = words.map((word) => weightOf(word, weighted));
      const { first, last, isStartUnknown, isEndUnknown } = placesOf(words);
      isUnknown = { start: isStartUnknown, end: isEndUnknown };
      for (const [word, { readings }] of words.entries()) {
        const places = (word === first ? FIRST : 0) | (word === last ? LAST : 0);
        const slot = { query, word, weight: weights[word]!, places };
        for (const reading of readings) addReading(sums, slot, reading, postings, headOf, headPlace);
      }
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const { rows, touched, touchedCount } = sums;
      let most = 0;
      for (let at = 0; at < touchedCount; at += 1) most = Math.max(most, rows[touched[at]! * ROW + QUERY_SUM]!);
      const enough = NAME_WORTH_SHARE * most;
      let count = 0;
      for (let at = 0; at < touchedCount; at += 1) {
        const name = touched[at]!;
        const row = name * ROW;
        if (rows[row + QUERY_SUM]! < enough) continue;
        const countAndFound = rows[row + COUNT_AND_FOUND]!;
        compared.names[count] = name;
        compared.foods[count] = foodOf[name]!;
        compared.queryShares[count] = rows[row + QUERY_SUM]! / total;
        compared.nameShares[count] = Math.min(1, rows[row + NAME_SUM]! / weightsOfNames[name]!);
        compared.similarities[count] = rows[row + SIMILARITY_SUM]! / (countAndFound >>> FOUND_BITS);
        compared.heads[count] = headsOf(countAndFound & (ONE - 1), headPlace[name]!);
        count += 1;
      }
      compared.count = count;
      return compared;
    },
    matchAt: (place) => {
      const name = compared.names[place]!;
      const heads = compared.heads[place]!;
      return {
        name: names[name]!,
        queryShare: compared.queryShares[place]!,
        nameShare: compared.nameShares[place]!,
        nameHeadFound: (heads & HEADS.nameHeadFound) !== 0,
        queryHeadFound: (heads & HEADS.queryHeadFound) !== 0,
        headsAgree: (heads & HEADS.headsAgree) !== 0,
        isAtStart: (heads & HEADS.isAtStart) !== 0,
        isHeadUnknown: headPlace[name] === FIRST ? isUnknown.start : isUnknown.end,
        similarity: compared.similarities[place]!,
      };
    },
  };
}

/** Returns the position of each name's food: the names of a food are next to each other. */
function numberFoods(names: readonly FoodName[]): Int32Array {
  const foodOf = new Int32Array(names.length);
  for (let name = 1; name < names.length; name += 1)
    foodOf[name] = foodOf[name - 1]! + (names[name]!.food === names[name - 1]!.food ? 0 : 1);
  return foodOf;
}

function createComparison(size: number): Comparison {
  return {
    count: 0,
    names: new Int32Array(size),
    foods: new Int32Array(size),
    queryShares: new Float64Array(size),
    nameShares: new Float64Array(size),
    similarities: new Float64Array(size),
    heads: new Uint8Array(size),
  };
}

/** Returns the bits of `HEADS` for what was found of a name whose head is at `place`. */
function headsOf(found: number, place: number): number {
  return (
    ((found & HEAD) === 0 ? 0 : HEADS.nameHeadFound) |
    ((found & place) === 0 ? 0 : HEADS.queryHeadFound) |
    ((found & AGREE) === 0 ? 0 : HEADS.headsAgree) |
    ((found & FIRST) === 0 ? 0 : HEADS.isAtStart)
  );
}

// The members of a name's row of sums: one row is one line of the processor's memory. Nine arrays took twice as long.
const ROW = 8;
/** The query that the row belongs to, so that nothing is cleared. */
const QUERY = 0;
/** The last word of the query that the name holds, and what it added. */
const WORD = 1;
const WORD_WEIGHT = 2;
const WORD_SIMILARITY = 3;
/** Weights of the name's words that the query holds, and of the query's words that the name holds. */
const NAME_SUM = 4;
const QUERY_SUM = 5;
const SIMILARITY_SUM = 6;
/** The number of words, times ONE, and bits of what was found. */
const COUNT_AND_FOUND = 7;
const FOUND_BITS = 4;
const ONE = 1 << FOUND_BITS;

/** Sums of the running query for each name. */
function createSums(size: number) {
  return {
    rows: new Float64Array(size * ROW),
    /** The names that the running query shares a word with, in the order they were found. */
    touched: new Int32Array(size),
    touchedCount: 0,
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
  { query, word, weight, places }: Slot,
  { term, similarity }: Reading,
  postings: WeightedNames["postings"],
  headOf: Int32Array,
  headPlace: Uint8Array,
): void {
  const { rows, touched } = sums;
  const end = postings.ends[term]!;
  for (let at = postings.starts[term]!; at < end; at += 1) {
    const name = postings.names[at]!;
    const row = name * ROW;
    if (rows[row + QUERY] !== query) {
      rows[row + QUERY] = query;
      rows[row + WORD] = -1;
      rows[row + NAME_SUM] = 0;
      rows[row + QUERY_SUM] = 0;
      rows[row + SIMILARITY_SUM] = 0;
      rows[row + COUNT_AND_FOUND] = 0;
      touched[sums.touchedCount++] = name;
    }
    let countAndFound = rows[row + COUNT_AND_FOUND]!;
    if (rows[row + WORD] !== word) {
      rows[row + WORD] = word;
      rows[row + WORD_WEIGHT] = 0;
      rows[row + WORD_SIMILARITY] = 0;
      countAndFound += ONE;
    }
    // One query word matches one word of a name: of several readings the best counts.
    const gain = similarity - rows[row + WORD_SIMILARITY]!;
    if (gain > 0) {
      const explained = postings.weights[at]! * similarity;
      rows[row + NAME_SUM]! += explained - rows[row + WORD_WEIGHT]!;
      rows[row + QUERY_SUM]! += weight * gain;
      rows[row + SIMILARITY_SUM]! += gain;
      rows[row + WORD_WEIGHT] = explained;
      rows[row + WORD_SIMILARITY] = similarity;
    }
    countAndFound |= places;
    if (term === headOf[name]) countAndFound |= (places & headPlace[name]!) === 0 ? HEAD : HEAD | AGREE;
    rows[row + COUNT_AND_FOUND] = countAndFound;
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
