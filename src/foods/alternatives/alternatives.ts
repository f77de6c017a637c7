import type { Catalogue, Food, FoodNutrition } from "../catalogue/catalogue.ts";
import { contentWords } from "../matching/words.ts";
import type { Rating } from "../rating/nutri-score.ts";
import type { RatedFood, RateResult } from "../rating/rate.ts";
import { NO_USE } from "./uses.ts";
import type { UseForm } from "./uses.ts";

/** Both ratings of a food. */
export interface Ratings {
  readonly carbonRating: Rating;
  readonly healthRating: Rating;
}

/** A food that is used for the same as another one, and rates better. */
export interface FoundAlternative {
  readonly rated: RatedFood;
  /** What both are used for. */
  readonly use: string;
  /** Classes that it rates better in, climate and health together. */
  readonly gain: number;
}

/** Returns the alternatives of a food with these ratings, the best first. */
export type AlternativesOf = (foodId: string, ratings: Ratings) => readonly FoundAlternative[];

export const ALTERNATIVES_MAX = 3;
/** Rating C. Foods that rate better in both have no alternatives. */
const FROM_RATING = 3;

/** True for ratings with alternatives: C or worse in one of the two. */
export function mayBeReplaced({ carbonRating, healthRating }: Ratings): boolean {
  return carbonRating >= FROM_RATING || healthRating >= FROM_RATING;
}

/** A food in a use. */
interface Member extends Omit<UseForm, "foods"> {
  readonly food: Food;
}

/** A use of a food, with all foods of that use. */
interface UseOfFood {
  readonly own: Member;
  readonly members: readonly Member[];
}

/**
 * Finds alternatives among the foods of the catalogue: of the same use, better in one rating and worse in none, never
 * raw for cooked, and never with meat or fish where there was none. Those that gain most are first, then the nearest.
 * Deterministic for the same catalogue and uses.
 */
export function createAlternatives(
  catalogue: Catalogue,
  uses: readonly UseForm[],
  rateFood: (food: Food) => RateResult,
): AlternativesOf {
  const usesOfFood = usesByFood(uses);
  const rate = remembered(
    (food: Food) => rateFood(food),
    ({ id }) => id,
  );
  const wordsOf = remembered(
    ({ name }: Food) => new Set(contentWords(name)),
    ({ id }) => id,
  );
  const find = ({ food, carbonRating, healthRating }: Ratings & { food: Food }): FoundAlternative[] => {
    const found = new Map<string, Candidate>();
    for (const { own, members } of usesOfFood.get(food.id) ?? []) {
      for (const member of members) {
        if (member.food === food || member.contains > own.contains) continue;
        if (!isSameState(food, member.food, catalogue)) continue;
        const rated = rate(member.food);
        const gain = rated.kind === "rated" ? gainOf({ carbonRating, healthRating }, rated) : 0;
        if (rated.kind !== "rated" || gain === 0) continue;
        const candidate: Candidate = {
          rated,
          use: own.use,
          gain,
          form: `${own.use}, ${member.form}`,
          isNear: member.form === own.form,
          sharedWords: wordsOf(food).intersection(wordsOf(member.food)).size,
          distance: distanceOf(food.nutrition, member.food.nutrition),
        };
        const known = found.get(member.food.id);
        // Of two uses that both have, the nearer one counts.
        if (!known || inOrder(candidate, known) < 0) found.set(member.food.id, candidate);
      }
    }
    return pick([...found.values()].toSorted(inOrder)).map(({ rated, use, gain }) => ({ rated, use, gain }));
  };
  // At most 25 entries for each food of the catalogue.
  const findOnce = remembered(find, (each) => `${each.food.id} ${each.carbonRating} ${each.healthRating}`);
  return (foodId, { carbonRating, healthRating }) => {
    const food = catalogue.byId.get(foodId);
    const ratings = { carbonRating, healthRating };
    return food && mayBeReplaced(ratings) ? findOnce({ food, ...ratings }) : [];
  };
}

function remembered<Input, Output>(compute: (input: Input) => Output, keyOf: (input: Input) => string) {
  const known = new Map<string, Output>();
  return (input: Input): Output => {
    const key = keyOf(input);
    const output = known.get(key) ?? compute(input);
    known.set(key, output);
    return output;
  };
}

interface Candidate extends FoundAlternative {
  readonly form: string;
  /** It has the same form. */
  readonly isNear: boolean;
  /** Words that both names have. */
  readonly sharedWords: number;
  /** Grams of nutrients that differ in 100 g. */
  readonly distance: number;
}

function usesByFood(uses: readonly UseForm[]): ReadonlyMap<string, UseOfFood[]> {
  const byFood = new Map<string, UseOfFood[]>();
  const real = uses.filter(({ use }) => use !== NO_USE);
  for (const forms of Map.groupBy(real, ({ use }) => use).values()) {
    const members = forms.flatMap(({ foods, ...form }) => foods.map((food) => ({ ...form, food })));
    for (const own of members) byFood.set(own.food.id, [...(byFood.get(own.food.id) ?? []), { own, members }]);
  }
  return byFood;
}

/** Classes that the second rates better in; 0 where it is not better in one, or worse in the other. */
function gainOf(own: Ratings, other: Ratings): number {
  const carbon = own.carbonRating - other.carbonRating;
  const health = own.healthRating - other.healthRating;
  return carbon < 0 || health < 0 ? 0 : carbon + health;
}

/** False where one is raw and the other one cooked. Many are neither: tofu, canned beans. */
function isSameState(one: Food, other: Food, { cookedOf }: Catalogue): boolean {
  const stateOf = (food: Food) => food.state ?? (cookedOf.has(food.id) ? "raw" : null);
  const [a, b] = [stateOf(one), stateOf(other)];
  return a === null || b === null || a === b;
}

const NUTRIENTS = ["proteinG", "carbsG", "sugarG", "fatG"] as const;

function distanceOf(one: FoodNutrition | null, other: FoodNutrition | null): number {
  if (!one || !other) return 0;
  return NUTRIENTS.reduce((sum, nutrient) => sum + Math.abs(one[nutrient] - other[nutrient]), 0);
}

function inOrder(a: Candidate, b: Candidate): number {
  return (
    b.gain - a.gain ||
    Number(b.isNear) - Number(a.isNear) ||
    b.sharedWords - a.sharedWords ||
    a.distance - b.distance ||
    compareTexts(a.rated.food.id, b.rated.food.id) ||
    compareTexts(a.form, b.form)
  );
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The first of each form, then the others: three kinds of lentils are no choice. All of them in their order. */
function pick(sorted: readonly Candidate[]): Candidate[] {
  const first = sorted.filter(({ form }, at) => sorted.findIndex((each) => each.form === form) === at);
  const others = sorted.filter((each) => !first.includes(each));
  return [...first, ...others].slice(0, ALTERNATIVES_MAX).toSorted(inOrder);
}
