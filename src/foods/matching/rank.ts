import { isEligible } from "../catalogue/catalogue.ts";
import type { Food, Language } from "../catalogue/catalogue.ts";
import type { Candidate } from "./candidate.ts";
import { confidenceOf, scoreAt, scoreBoundAt } from "./confidence.ts";
import { CARRIERS, DISHES, INGREDIENTS, TASTES } from "./food-groups.ts";
import { HEADS } from "./name-index.ts";
import type { Comparison, NameIndex, NameMatch, QueryWord } from "./name-index.ts";
import type { NonFood, NonFoodCheck } from "./non-food.ts";
import * as tuning from "./tuning.ts";

/** The food of a name that the catalogue has word for word. */
export interface ExactFood {
  food: Food;
  isRough: boolean;
}

/** Facts about a name beside its words. */
export interface Context {
  exact: ExactFood | undefined;
  /** A person typed the name, and no till printed it. */
  isTyped: boolean;
  /** Null: not known. */
  language: Language | null;
}

/** Finds the foods that the words of a query may mean, best first. */
export type Rank = (words: readonly QueryWord[], context: Context) => Candidate[];

/** The knowledge that ranking needs. */
export interface RankDeps {
  index: NameIndex;
  nonFoodIn: NonFoodCheck;
  unprocessedFor: (words: readonly QueryWord[]) => ((food: Food) => boolean) | null;
  otherAnimalFor: (words: readonly QueryWord[]) => ((food: Food) => boolean) | null;
  /** All foods, as the index numbers them; of equal scores the first wins. */
  foods: readonly Food[];
}

/** Creates the ranking of foods for a query. */
export function createRank({ index, foods, nonFoodIn, unprocessedFor, otherAnimalFor }: RankDeps): Rank {
  const best = createBest(foods.length);
  return (words, context) => {
    const nonFood = nonFoodIn(words, context.language);
    const compared = index.compare(words);
    const clues = {
      nonFood,
      isUnprocessed: unprocessedFor(words),
      isOfOther: otherAnimalFor(words),
      ...wholeNamesIn(compared, foods),
    };
    const exact = context.exact?.food;
    findBestNames(best, compared, clues, { foods, exact });
    const ranked: Scored[] = [];
    for (let at = 0; at < best.count; at += 1) {
      const position = best.foods[at]!;
      const score = best.scores[position]!;
      if (score < tuning.CANDIDATE_WORTH_SHARE * best.highest && foods[position] !== exact) continue;
      ranked.push({ food: foods[position]!, place: best.places[position]!, score, position });
    }
    ranked.sort(
      (a, b) => Number(b.food === exact) - Number(a.food === exact) || b.score - a.score || a.position - b.position,
    );
    const candidates: Candidate[] = [];
    for (const scored of ranked.slice(0, tuning.CANDIDATES_MAX)) {
      // A candidate further down is never more confident, however well its name fits.
      const above = candidates.at(-1)?.confidence ?? 1;
      const isSomethingElse = nonFood === "head" && isEligible(scored.food);
      const confidenceMax = isSomethingElse ? Math.min(above, tuning.SOMETHING_ELSE_CONFIDENCE_MAX) : above;
      candidates.push(candidateOf(scored, index.matchAt(scored.place), ranked, context, confidenceMax));
    }
    return candidates;
  };
}

interface Scored {
  readonly food: Food;
  /** Of its best name in the comparison. */
  readonly place: number;
  readonly score: number;
  /** Of the food in the catalogue. */
  readonly position: number;
}

/** Clues of the whole query, beside the fit of single names. */
interface Clues {
  nonFood: NonFood;
  isUnprocessed: ((food: Food) => boolean) | null;
  isOfOther: ((food: Food) => boolean) | null;
  /** The query starts with a whole name of something that comes in flavours. */
  isFlavoured: boolean;
  /** The whole name of a dish is the head of the query. */
  isDish: boolean;
}

function wholeNamesIn(
  { count, foods: positions, nameShares, similarities, heads }: Comparison,
  foods: readonly Food[],
): Pick<Clues, "isFlavoured" | "isDish"> {
  let [isFlavoured, isDish] = [false, false];
  for (let place = 0; place < count; place += 1) {
    if (nameShares[place]! < tuning.WHOLE || similarities[place]! < tuning.WHOLE) continue;
    const { group } = foods[positions[place]!]!;
    isFlavoured ||= (heads[place]! & HEADS.isAtStart) !== 0 && CARRIERS.has(group);
    isDish ||= (heads[place]! & HEADS.headsAgree) !== 0 && DISHES.has(group);
  }
  return { isFlavoured, isDish };
}

/** The best name of each food, by the food's position. Used again by the next query, so that nothing is allocated. */
function createBest(size: number) {
  return {
    /** The query that an entry belongs to. */
    query: 0,
    queryOf: new Uint32Array(size),
    scores: new Float64Array(size),
    /** The place of the best name in the comparison. */
    places: new Int32Array(size),
    /** The foods that have an entry, in the order they were found. */
    foods: new Int32Array(size),
    count: 0,
    highest: 0,
  };
}
type Best = ReturnType<typeof createBest>;

/**
 * Finds the best name of each food. Skips names that cannot be that, and those of foods that cannot be candidates: the
 * clues only lower a score.
 */
function findBestNames(
  best: Best,
  compared: Comparison,
  clues: Clues,
  { foods, exact }: { foods: readonly Food[]; exact: Food | undefined },
): void {
  best.query += 1;
  best.count = 0;
  best.highest = 0;
  for (let place = 0; place < compared.count; place += 1) {
    const position = compared.foods[place]!;
    const isKnown = best.queryOf[position] === best.query;
    const bound = scoreBoundAt(compared, place);
    if (isKnown && bound <= best.scores[position]!) continue;
    const food = foods[position]!;
    if (bound < tuning.CANDIDATE_WORTH_SHARE * best.highest && food !== exact) continue;
    const score = scoreWith(compared, place, food, clues);
    if (score <= (isKnown ? best.scores[position]! : 0)) continue;
    if (!isKnown) best.foods[best.count++] = position;
    best.queryOf[position] = best.query;
    best.scores[position] = score;
    best.places[position] = place;
    if (score > best.highest) best.highest = score;
  }
}

/** Returns the score of a name, lowered by each clue that speaks against its food. */
function scoreWith(compared: Comparison, place: number, food: Food, clues: Clues): number {
  const { nonFood, isUnprocessed, isOfOther, isFlavoured, isDish } = clues;
  const heads = compared.heads[place]!;
  let score = scoreAt(compared, place);
  if (nonFood !== "none" && isEligible(food)) score *= tuning.NON_FOOD_WORD_FACTOR;
  if (isUnprocessed?.(food)) score *= tuning.UNPROCESSED_FACTOR;
  if (isOfOther?.(food)) score *= tuning.OTHER_ANIMAL_FACTOR;
  if (isFlavoured && (heads & HEADS.isAtStart) === 0 && TASTES.has(food.group)) score *= tuning.FLAVOUR_FACTOR;
  if (isDish && (heads & HEADS.queryHeadFound) === 0 && INGREDIENTS.has(food.group)) score *= tuning.OF_DISH_FACTOR;
  return score;
}

function candidateOf(
  scored: Scored,
  match: NameMatch,
  ranked: readonly Scored[],
  { exact, isTyped }: Context,
  confidenceMax: number,
): Candidate {
  const { food, score } = scored;
  const leadOver = (isRival: (other: Food) => boolean) =>
    score - (ranked.find((other) => other !== scored && isRival(other.food))?.score ?? 0);
  const lead = leadOver((other) => familyOf(other) !== familyOf(food));
  const groupLead = leadOver((other) => other.group !== food.group);
  const isExact = food === exact?.food;
  const read = confidenceOf(match, { score, lead, groupLead, isTyped });
  const own = isExact ? tuning.EXACT_CONFIDENCE : Math.min(read, tuning.READ_CONFIDENCE_MAX);
  const isRough = isExact ? exact.isRough : match.name.isRough;
  const fit = isRough ? Math.min(own, tuning.ROUGH_CONFIDENCE) : own;
  const confidence = Math.round(1_000 * Math.min(fit, confidenceMax)) / 1_000;
  return { food, matchedName: match.name.text, confidence, accepted: confidence >= tuning.ACCEPTED_CONFIDENCE };
}

/** Raw and cooked forms of a food are no rivals: with either of them the food is right. */
function familyOf(food: Food): string {
  return food.parent ?? food.id;
}
