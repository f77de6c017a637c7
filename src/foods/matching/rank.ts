import { isEligible } from "../catalogue/catalogue.ts";
import type { Food } from "../catalogue/catalogue.ts";
import type { Candidate } from "./candidate.ts";
import { confidenceOf, scoreOf } from "./confidence.ts";
import { CARRIERS, DISHES, INGREDIENTS, TASTES } from "./food-groups.ts";
import type { NameIndex, NameMatch, QueryWord } from "./name-index.ts";
import type { NonFood } from "./non-food.ts";
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
}

/** Finds the foods that the words of a query may mean, best first. */
export type Rank = (words: readonly QueryWord[], context: Context) => Candidate[];

/** The knowledge that ranking needs. */
export interface RankDeps {
  index: NameIndex;
  nonFoodIn: (words: readonly QueryWord[]) => NonFood;
  unprocessedFor: (words: readonly QueryWord[]) => ((food: Food) => boolean) | null;
  otherAnimalFor: (words: readonly QueryWord[]) => ((food: Food) => boolean) | null;
  /** The order of foods with equal scores. */
  positionOf: (food: Food) => number;
}

/** Creates the ranking of foods for a query. */
export function createRank({ index, nonFoodIn, unprocessedFor, otherAnimalFor, positionOf }: RankDeps): Rank {
  return (words, context) => {
    const nonFood = nonFoodIn(words);
    const matches = index.compare(words);
    const clues = {
      nonFood,
      isUnprocessed: unprocessedFor(words),
      isOfOther: otherAnimalFor(words),
      ...wholeNamesIn(matches),
    };
    const best = bestNames(matches, clues);
    const isExact = ({ match }: Scored) => match.name.food === context.exact?.food;
    const highest = best.reduce((most, { score }) => Math.max(most, score), 0);
    const ranked = best
      .filter((each) => each.score >= tuning.CANDIDATE_WORTH_SHARE * highest || isExact(each))
      .sort(
        (a, b) =>
          Number(isExact(b)) - Number(isExact(a)) ||
          b.score - a.score ||
          positionOf(a.match.name.food) - positionOf(b.match.name.food),
      );
    const candidates: Candidate[] = [];
    for (const scored of ranked.slice(0, tuning.CANDIDATES_MAX)) {
      // A candidate further down is never more confident, however well its name fits.
      const above = candidates.at(-1)?.confidence ?? 1;
      const isSomethingElse = nonFood === "head" && isEligible(scored.match.name.food);
      const confidenceMax = isSomethingElse ? Math.min(above, tuning.SOMETHING_ELSE_CONFIDENCE_MAX) : above;
      candidates.push(candidateOf(scored, ranked, context, confidenceMax));
    }
    return candidates;
  };
}

interface Scored {
  match: NameMatch;
  score: number;
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

function wholeNamesIn(matches: readonly NameMatch[]): Pick<Clues, "isFlavoured" | "isDish"> {
  let [isFlavoured, isDish] = [false, false];
  for (const match of matches) {
    if (match.nameShare < tuning.WHOLE || match.similarity < tuning.WHOLE) continue;
    isFlavoured ||= match.isAtStart && CARRIERS.has(match.name.food.group);
    isDish ||= match.headsAgree && DISHES.has(match.name.food.group);
  }
  return { isFlavoured, isDish };
}

/** Returns the best name of each food. */
function bestNames(matches: readonly NameMatch[], clues: Clues): Scored[] {
  const best = new Map<Food, Scored>();
  for (const match of matches) {
    const score = scoreWith(match, clues);
    if (score > (best.get(match.name.food)?.score ?? 0)) best.set(match.name.food, { match, score });
  }
  return [...best.values()];
}

/** Returns the score of a match, lowered by each clue that speaks against its food. */
function scoreWith(match: NameMatch, { nonFood, isUnprocessed, isOfOther, isFlavoured, isDish }: Clues): number {
  const { food } = match.name;
  let score = scoreOf(match);
  if (nonFood !== "none" && isEligible(food)) score *= tuning.NON_FOOD_WORD_FACTOR;
  if (isUnprocessed?.(food)) score *= tuning.UNPROCESSED_FACTOR;
  if (isOfOther?.(food)) score *= tuning.OTHER_ANIMAL_FACTOR;
  if (isFlavoured && !match.isAtStart && TASTES.has(food.group)) score *= tuning.FLAVOUR_FACTOR;
  if (isDish && !match.queryHeadFound && INGREDIENTS.has(food.group)) score *= tuning.OF_DISH_FACTOR;
  return score;
}

function candidateOf(
  scored: Scored,
  ranked: readonly Scored[],
  { exact, isTyped }: Context,
  confidenceMax: number,
): Candidate {
  const { match, score } = scored;
  const { food } = match.name;
  const leadOver = (isRival: (other: Food) => boolean) =>
    score - (ranked.find((other) => other !== scored && isRival(other.match.name.food))?.score ?? 0);
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
