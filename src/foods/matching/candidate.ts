import type { Food } from "../catalogue/catalogue.ts";
import { ACCEPTED_CONFIDENCE } from "./tuning.ts";

/** A food that a name may mean. */
export interface Candidate {
  readonly food: Food;
  /** The name of the food that matched. */
  readonly matchedName: string;
  /** The chance that it is right, 0 to 1: of the candidates with 0.9 about nine in ten are. */
  readonly confidence: number;
  /** Confident enough to rate: `confidence` is at least `ACCEPTED_CONFIDENCE`. */
  readonly accepted: boolean;
}

/** Returns a candidate that matched by the food's own name. */
export function candidateFor(food: Food, confidence: number): Candidate {
  return { food, matchedName: food.name, confidence, accepted: confidence >= ACCEPTED_CONFIDENCE };
}

/** Puts a candidate before others. None of those is more likely right than the first is wrong. */
export function putFirst(first: Candidate, others: readonly Candidate[]): Candidate[] {
  return [
    first,
    ...others
      .filter(({ food }) => food !== first.food)
      .map((other) => candidateFor(other.food, Math.min(other.confidence, 1 - first.confidence))),
  ];
}

/** Limits the confidence of candidates. Keeps `accepted`. */
export function capped(candidates: readonly Candidate[], confidenceMax: number): Candidate[] {
  return candidates.map((each) => ({ ...each, confidence: Math.min(each.confidence, confidenceMax) }));
}

/** Accepts none of the candidates. */
export function unaccepted(candidates: readonly Candidate[]): Candidate[] {
  return capped(candidates, ACCEPTED_CONFIDENCE - 0.001).map((each) => ({ ...each, accepted: false }));
}
