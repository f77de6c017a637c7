import type { Catalogue, Food } from "./catalogue.ts";
import { namesOf } from "./catalogue.ts";
import { createLexicon } from "./lexicon.ts";
import type { Lexicon, Reading } from "./lexicon.ts";
import { contentWords, headWord, isHeadFirst } from "./words.ts";

/** One name of one food, ready to be compared. */
export type IndexedName = {
  food: Food;
  text: string;
  isHeadFirst: boolean;
  /** Sum of the weights of its words. */
  weight: number;
  headTerm: number;
};

/** Where a term stands: which name, and what it weighs there. */
type Posting = { name: number; weight: number };

/** How well one name fits a query, all 0..1 but the food. */
export type NameMatch = {
  name: IndexedName;
  /** Share of the query's words, by weight, that the name explains. */
  queryShare: number;
  /** Share of the name's words, by weight, that the query holds. */
  nameShare: number;
  /** The name's head stands in the query; the query's in the name; they are the same word. */
  nameHeadFound: boolean;
  queryHeadFound: boolean;
  headsAgree: boolean;
  /** Mean similarity of the words that met: below 1 where spellings were guessed. */
  similarity: number;
};

/** How much a word of a query counts: fully, little (`fresh`, `large`), or as what a brand makes one think of. */
export type Emphasis = "full" | "noise" | "hint";

/** A word of a query: its readings, best first, and how much it counts. */
export type QueryWord = {
  readings: Reading[];
  emphasis: Emphasis;
  /** It stands behind `with` or `in`: what the thing comes with, and not what it is. */
  isAddition?: boolean;
};

export type NameIndex = {
  lexicon: Lexicon;
  /** The names that share most with the query. */
  compare: (query: readonly QueryWord[]) => NameMatch[];
};

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

/** An inverted index over the names of the catalogue, weighted by how few foods hold a word. */
export function createNameIndex(catalogue: Catalogue, isNoise: (word: string) => boolean): NameIndex {
  const lexicon = createLexicon();
  const read = catalogue.foods.flatMap((food) =>
    namesOf(food).map(({ language, text }) => {
      const words = contentWords(text);
      const head = headWord(text, language);
      return {
        food,
        text,
        isHeadFirst: isHeadFirst(language),
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
  const unknownWeight = (UNKNOWN_FACTOR * rarity.reduce((sum, value) => sum + value, 0)) / Math.max(1, rarity.length);

  const postings: Posting[][] = Array.from({ length: lexicon.size() }, () => []);
  const names: IndexedName[] = read.map(({ food, text, isHeadFirst, words, headTerm }, name) => {
    let weight = 0;
    for (const term of new Set(words.map((word) => word.term))) {
      const quiet = words.length > 1 && words.every((word) => word.term !== term || word.isNoise);
      const own = (rarity[term] ?? 0) * (quiet ? NOISE_FACTOR : 1);
      weight += own;
      postings[term]?.push({ name, weight: own });
    }
    return { food, text, isHeadFirst, weight, headTerm };
  });

  /** A word whose reading was guessed may as well be a brand: between the weight of what it may be and that of an unknown one. */
  const weightOf = ({ readings, emphasis, isAddition = false }: QueryWord): number => {
    const sure = Math.max(0, ...readings.map(({ similarity }) => similarity)) ** GUESS_EXPONENT;
    const own = Math.max(unknownWeight, ...readings.map(({ term }) => rarity[term] ?? 0));
    return (unknownWeight + (own - unknownWeight) * sure) * EMPHASIS[emphasis] * (isAddition ? ADDITION_FACTOR : 1);
  };

  // Beside the names, where the innermost loop finds them without a step through an object.
  const headOf = Int32Array.from(names, ({ headTerm }) => headTerm);
  const headsFirst = Uint8Array.from(names, ({ isHeadFirst }) => (isHeadFirst ? 1 : 0));
  // Sums of the running query for each name; `stamp` tells which of them are of this query, so that nothing is cleared.
  const stamps = new Uint32Array(names.length);
  const slots = new Int32Array(names.length);
  const nameSums = new Float64Array(names.length);
  const querySums = new Float64Array(names.length);
  const similarities = new Float64Array(names.length);
  const counts = new Uint8Array(names.length);
  const slotBest = new Float64Array(names.length);
  const slotSimilarity = new Float64Array(names.length);
  const firstFound = new Uint8Array(names.length);
  const lastFound = new Uint8Array(names.length);
  const heads = new Uint8Array(names.length);
  const headsAgree = new Uint8Array(names.length);
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
      query.forEach(({ readings }, slot) => {
        for (const { term, similarity } of readings) {
          for (const { name, weight } of postings[term] ?? []) {
            if (stamps[name] !== stamp) {
              stamps[name] = stamp;
              slots[name] = -1;
              nameSums[name] = 0;
              querySums[name] = 0;
              similarities[name] = 0;
              counts[name] = 0;
              firstFound[name] = 0;
              lastFound[name] = 0;
              heads[name] = 0;
              headsAgree[name] = 0;
              touched.push(name);
            }
            if (slots[name] !== slot) {
              slots[name] = slot;
              slotBest[name] = 0;
              slotSimilarity[name] = 0;
              counts[name]! += 1;
            }
            // One query word meets one word of a name: of several readings the best counts.
            if (similarity > slotSimilarity[name]!) {
              nameSums[name]! += weight * similarity - slotBest[name]!;
              querySums[name]! += weights[slot]! * (similarity - slotSimilarity[name]!);
              similarities[name]! += similarity - slotSimilarity[name]!;
              slotBest[name] = weight * similarity;
              slotSimilarity[name] = similarity;
            }
            if (slot === first) firstFound[name] = 1;
            if (slot === last) lastFound[name] = 1;
            if (term === headOf[name]) {
              heads[name] = 1;
              if (slot === (headsFirst[name] === 1 ? first : last)) headsAgree[name] = 1;
            }
          }
        }
      });
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const enough = WORTH_SHARE * touched.reduce((best, index) => Math.max(best, querySums[index]!), 0);
      const worth = touched.filter((index) => querySums[index]! >= enough);
      return worth.map((index) => {
        const name = names[index]!;
        return {
          name,
          queryShare: querySums[index]! / total,
          nameShare: Math.min(1, nameSums[index]! / name.weight),
          nameHeadFound: heads[index] === 1,
          queryHeadFound: (name.isHeadFirst ? firstFound[index] : lastFound[index]) === 1,
          headsAgree: headsAgree[index] === 1,
          similarity: similarities[index]! / counts[index]!,
        };
      });
    },
  };
}
