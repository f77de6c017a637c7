import { carbonRatingOf } from "../../rating/carbon.ts";
import { isEligible } from "../../catalogue/catalogue.ts";
import type { Catalogue, Food } from "../../catalogue/catalogue.ts";
import type { Candidate } from "../candidate.ts";
import { isOfAnimals } from "../plant-based.ts";
import { ACCEPTED_CONFIDENCE, READ_CONFIDENCE_MAX } from "../tuning.ts";
import * as tuning from "./tuning.ts";
import { NOTHING } from "./model.ts";
import type { Guess } from "./model.ts";

/** What single words of a name say: that it is nothing to eat; that it is made of plants in an animal's place. */
export interface Says {
  /** True for foods of another animal than the name says; null where it says none. */
  readonly isOfOther: ((food: Food) => boolean) | null;
  readonly isThing: boolean;
  readonly isPlantBased: boolean;
  /** A person typed the name, who shortens no words. */
  readonly isTyped: boolean;
}

/** A food that both experts were asked about: the words of the catalogue, and the letters of the name. */
interface Joint {
  readonly food: Food | null;
  readonly matchedName: string;
  /** 0: not rated; else the carbon rating. */
  readonly rating: number;
  weight: number;
}

/**
 * Joins what the catalogue's words say of a name with what its letters say: the product of both probabilities, each
 * raised to a power, as neither is sure of what it has never seen. The rating with the greatest sum wins, and its best
 * food comes first: a name that may be any of three cabbages becomes one of them. `says`: what a word of the
 * name says beside that.
 */
export function combine(
  found: readonly Candidate[],
  guesses: readonly Guess[],
  { byId }: Pick<Catalogue, "byId">,
  says: Says,
): Candidate[] {
  const [first] = found;
  if (guesses.length === 0) return [...found];
  const joints = jointsOf(found, guesses, byId);
  for (const joint of joints) {
    if (says.isThing && joint.rating > 0) joint.weight *= tuning.THING_FACTOR;
    if (says.isPlantBased && joint.food && isOfAnimals(joint.food)) joint.weight *= tuning.ANIMAL_FACTOR;
    if (joint.food && says.isOfOther?.(joint.food)) joint.weight *= tuning.OTHER_ANIMAL_FACTOR;
  }
  const certain = certainRatingOf(guesses, byId);
  if (certain !== 0 && (first?.confidence ?? 0) < tuning.SURE_CONFIDENCE) {
    for (const joint of joints) if (joint.rating !== certain) joint.weight *= tuning.LETTERS_DENY_FACTOR;
  }
  const total = joints.reduce((sum, { weight }) => sum + weight, 0);
  const ofRating = new Float64Array(6);
  for (const { rating, weight } of joints) ofRating[rating]! += weight / total;
  const best = ofRating.indexOf(Math.max(...ofRating));
  const isAlone = best === 0;
  const ranked = joints
    .filter(({ food }) => food !== null)
    .sort((a, b) => Number(b.rating === best) - Number(a.rating === best) || b.weight - a.weight);
  const isRefuted = ranked[0]?.food ? isRefutedBy(says, ranked[0].food) : false;
  const isAgreed = first?.accepted === true && ratingOf(first.food) === best;
  const alone = says.isTyped ? tuning.TYPED_ALONE_CHANCE_MIN : tuning.ALONE_CHANCE_MIN;
  const isContested = !says.isTyped && first && first.confidence < tuning.BELIEVED_MIN && ratingOf(first.food) !== best;
  const unaided = isContested ? tuning.CONTESTED_CHANCE_MIN : first ? tuning.CHANCE_MIN : alone;
  const least = isAgreed ? tuning.AGREED_CHANCE_MIN : unaided;
  // What neither believes may still be the likeliest of all that is unlikely.
  const isBelieved = Math.max(first?.confidence ?? 0, guesses[0]!.chance) >= tuning.BELIEVED_MIN;
  const isLikely = (isAlone ? (ranked[0]?.weight ?? 0) / total : ofRating[best]!) >= least;
  const isSure = isBelieved && isLikely && !isRefuted;
  // Where no word is known, letters alone are no hint unless they are sure: such a name is unknown.
  if (!first && !isSure) return [];
  let above = 1;
  return ranked.slice(0, tuning.JOINTS_MAX).map(({ food, matchedName, weight }, at) => {
    const own = weight / total;
    const chance = at > 0 || isAlone ? own : (own + ofRating[best]!) / 2;
    const isAccepted = at === 0 && isSure;
    const confidence = Math.min(above, confidenceOf(chance, isAccepted));
    above = confidence;
    return { food: food!, matchedName, confidence, accepted: isAccepted };
  });
}

/** The carbon rating that the letters are certain of; 0 where there is none, or they take it for no food. */
function certainRatingOf(guesses: readonly Guess[], byId: Catalogue["byId"]): number {
  const chances = new Float64Array(6);
  for (const { id, chance } of guesses) {
    const food = byId.get(id);
    if (food) chances[ratingOf(food)]! += chance;
  }
  return Math.max(
    0,
    chances.findIndex((chance, rating) => rating > 0 && chance >= tuning.LETTERS_CERTAIN),
  );
}

/** True for a food of another animal than the name says, or of any where it says that the thing is made of plants. */
function isRefutedBy(says: Says, food: Food): boolean {
  return says.isOfOther?.(food) === true || (says.isPlantBased && isOfAnimals(food));
}

function jointsOf(found: readonly Candidate[], guesses: readonly Guess[], byId: Catalogue["byId"]): Joint[] {
  const joints = new Map<string, Joint>();
  const unfound = tuning.CONFIDENCE_FLOOR ** tuning.CONFIDENCE_EXPONENT;
  const chanceOf = new Map(guesses.map(({ id, chance }) => [id, chance]));
  const weigh = (confidence: number, chance: number) =>
    (confidence + tuning.CONFIDENCE_FLOOR) ** tuning.CONFIDENCE_EXPONENT *
    (chance + tuning.CHANCE_FLOOR) ** tuning.CHANCE_EXPONENT;
  for (const { food, matchedName, confidence } of found) {
    const id = food.parent ?? food.id;
    if (joints.has(id)) continue;
    joints.set(id, { food, matchedName, rating: ratingOf(food), weight: weigh(confidence, chanceOf.get(id) ?? 0) });
  }
  for (const { id, chance } of guesses) {
    const food = byId.get(id);
    if (joints.has(id) || !food) continue;
    const weight = unfound * (chance + tuning.CHANCE_FLOOR) ** tuning.CHANCE_EXPONENT;
    joints.set(id, { food, matchedName: food.name, rating: ratingOf(food), weight });
  }
  const unknown = tuning.NOTHING_SHARE * (1 - (found[0]?.confidence ?? 0));
  const weight = weigh(unknown, chanceOf.get(NOTHING) ?? 0);
  joints.set(NOTHING, { food: null, matchedName: "", rating: 0, weight });
  return [...joints.values()];
}

function ratingOf(food: Food): number {
  return isEligible(food) && food.carbon ? carbonRatingOf(food.carbon) : 0;
}

function confidenceOf(chance: number, isAccepted: boolean): number {
  const confidence = isAccepted
    ? Math.max(ACCEPTED_CONFIDENCE, Math.min(READ_CONFIDENCE_MAX, chance))
    : Math.min(chance, ACCEPTED_CONFIDENCE - 0.001);
  return Math.round(1_000 * confidence) / 1_000;
}
