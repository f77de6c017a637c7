import type { Catalogue, Food } from "./catalogue.ts";
import { isEligible, namesOf } from "./catalogue.ts";
import { createLexicon } from "./lexicon.ts";
import type { Lexicon, Reading } from "./lexicon.ts";
import { contentWords, headWord, isHeadFirst } from "./words.ts";

/** One name of one food, ready to be compared. */
export interface IndexedName {
  food: Food;
  text: string;
  isHeadFirst: boolean;
  /** It means the food only roughly. */
  isRough: boolean;
  /** Sum of the weights of its words. */
  weight: number;
  headTerm: number;
}

/** Where a term stands: in which names, and what it weighs in each. */
type Postings = { names: Int32Array; weights: Float64Array };

/** How well one name fits a query, all 0..1 but the food. */
export interface NameMatch {
  name: IndexedName;
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

/** An inverted index over the names of the catalogue, weighted by how few foods hold a word. */
export function createNameIndex(catalogue: Catalogue, isNoise: (word: string) => boolean): NameIndex {
  const lexicon = createLexicon();
  const read = catalogue.foods.flatMap((food) =>
    namesOf(food).map(({ language, text, isRough }) => {
      const words = contentWords(text);
      const head = headWord(text, language);
      return {
        food,
        text,
        isHeadFirst: isHeadFirst(language),
        isRough,
        words: words.map((word, at) => {
          lexicon.addPair(words[at - 1], word, language);
          return { term: lexicon.add(word, language), isNoise: isNoise(word) };
        }),
        headTerm: head === null ? -1 : lexicon.add(head, language),
      };
    }),
  );
  lexicon.seal();

  const foodsOf = Array.from({ length: lexicon.size() }, () => new Set<string>());
  for (const { food, words } of read) for (const { term } of words) foodsOf[term]?.add(food.id);
  const headTerms = new Set(read.map(({ headTerm }) => headTerm));
  const rarity = foodsOf.map(
    (foods, term) =>
      Math.log(1 + catalogue.foods.length / Math.max(1, foods.size)) * (headTerms.has(term) ? 1 : NEVER_HEAD_FACTOR),
  );
  const eaten = new Set(
    read.filter(({ food }) => isEligible(food)).flatMap(({ words }) => words.map(({ term }) => term)),
  );
  const unknownWeight = (UNKNOWN_FACTOR * [...eaten].reduce((sum, term) => sum + rarity[term]!, 0)) / eaten.size;

  const places = Array.from({ length: lexicon.size() }, (): { name: number; weight: number }[] => []);
  const names: IndexedName[] = read.map(({ food, text, isHeadFirst, isRough, words, headTerm }, name) => {
    let weight = 0;
    for (const term of new Set(words.map((word) => word.term))) {
      const quiet = words.length > 1 && words.every((word) => word.term !== term || word.isNoise);
      const own = (rarity[term] ?? 0) * (quiet ? NOISE_FACTOR : 1);
      weight += own;
      places[term]?.push({ name, weight: own });
    }
    return { food, text, isHeadFirst, isRough, weight, headTerm };
  });
  const postings = places.map((all): Postings => ({
    names: Int32Array.from(all, ({ name }) => name),
    weights: Float64Array.from(all, ({ weight }) => weight),
  }));

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

  // Beside the names, where the innermost loop finds them without a step through an object.
  const headOf = Int32Array.from(names, ({ headTerm }) => headTerm);
  const endOfHead = Uint8Array.from(names, ({ isHeadFirst }) => (isHeadFirst ? FIRST : LAST));
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
          const { names: namesOfTerm, weights: weightsOfTerm } = postings[term]!;
          for (let at = 0; at < namesOfTerm.length; at += 1) {
            const name = namesOfTerm[at]!;
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
              const explained = weightsOfTerm[at]! * similarity;
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
          nameShare: Math.min(1, nameSums[index]! / name.weight),
          nameHeadFound: (found[index]! & HEAD) !== 0,
          queryHeadFound: (found[index]! & endOfHead[index]!) !== 0,
          headsAgree: (found[index]! & AGREE) !== 0,
          isAtStart: (found[index]! & FIRST) !== 0,
          isHeadUnknown: name.isHeadFirst ? leadIsUnknown : tailIsUnknown,
          similarity: similarities[index]! / counts[index]!,
        };
      });
    },
  };
}
