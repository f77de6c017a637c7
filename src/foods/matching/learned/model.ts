import type { Language } from "../../catalogue/catalogue.ts";
import { FEATURES_MAX, featuresOf } from "./features.ts";

/** A class of the model with its probability: the id of a food without its cooked form, or `NOTHING`. */
export interface Guess {
  readonly id: string;
  readonly chance: number;
}

/** The class of names that are neither a food nor another thing of the catalogue (`SUBTOTAL`). */
export const NOTHING = "";

/** What is beside the weights in the model's files. */
export interface ModelHeader {
  /** SHA-256 of the weights, in hex: they are a part of the catalogue's version. */
  readonly weights: string;
  readonly dimensions: number;
  /** The rows of features: those whose hash has the same remainder share one. */
  readonly buckets: number;
  /** The value of one step of a weight. */
  readonly featureStep: number;
  readonly groupStep: number;
  readonly classStep: number;
  /** The ids of the classes of each group. Those of one group have one carbon rating. */
  readonly groups: readonly (readonly string[])[];
}

/**
 * Returns the most probable classes of a name. Empty for a name without letters. `language`: what people speak where
 * it was printed.
 */
export type NameModel = (name: string, language?: Language | null) => readonly Guess[];

/** Groups below this probability are not looked into. */
const GROUP_CHANCE_MIN = 0.004;
const GUESS_CHANCE_MIN = 0.001;

/** The sum of a name's features counts by the root of their number: a short name is less sure than a long one. */
export function shareOf(count: number): number {
  return 1 / Math.sqrt(8 * count);
}

/** The number of bytes of the weights: a row for each feature, group and class. */
export function weightBytes({
  buckets,
  dimensions,
  groups,
}: Pick<ModelHeader, "buckets" | "dimensions" | "groups">): number {
  return dimensions * (buckets + groups.length + groups.reduce((sum, { length }) => sum + length, 0));
}

/** Creates the model from its files: for each feature a row of weights, then for each group, then for each class. */
export function createNameModel(header: ModelHeader, weights: Int8Array): NameModel {
  const { dimensions, groups, buckets } = header;
  if (weights.length !== weightBytes(header))
    throw new Error("The weights of the model of names do not fit its header");
  const groupRows = buckets * dimensions;
  const classRows = groupRows + groups.length * dimensions;
  const starts = groups.map(() => 0);
  for (let group = 1; group < groups.length; group += 1) starts[group] = starts[group - 1]! + groups[group - 1]!.length;
  const hashes = new Uint32Array(FEATURES_MAX);
  const sums = new Int32Array(dimensions);
  const mean = new Float64Array(dimensions);
  const ofGroup = new Float64Array(groups.length);
  const ofClass = new Float64Array(Math.max(...groups.map(({ length }) => length)));

  /** Writes the softmax over rows of weights into `result`, which is used again by the next name. */
  const chances = (result: Float64Array, first: number, count: number, step: number): void => {
    let highest = -Infinity;
    for (let row = 0, at = first; row < count; row += 1) {
      let sum = 0;
      for (let d = 0; d < dimensions; d += 1, at += 1) sum += weights[at]! * mean[d]!;
      result[row] = sum *= step;
      if (sum > highest) highest = sum;
    }
    let total = 0;
    for (let row = 0; row < count; row += 1) total += result[row] = Math.exp(result[row]! - highest);
    for (let row = 0; row < count; row += 1) result[row]! /= total;
  };

  return (name, language = null) => {
    const count = featuresOf(name, hashes, language);
    if (count === 0) return [];
    sums.fill(0);
    for (let feature = 0; feature < count; feature += 1) {
      const row = (hashes[feature]! % buckets) * dimensions;
      for (let d = 0; d < dimensions; d += 1) sums[d]! += weights[row + d]!;
    }
    const scale = header.featureStep * shareOf(count);
    for (let d = 0; d < dimensions; d += 1) mean[d] = sums[d]! * scale;
    const guesses: Guess[] = [];
    chances(ofGroup, groupRows, groups.length, header.groupStep);
    for (let group = 0; group < groups.length; group += 1) {
      const whole = ofGroup[group]!;
      if (whole < GROUP_CHANCE_MIN) continue;
      const ids = groups[group]!;
      chances(ofClass, classRows + starts[group]! * dimensions, ids.length, header.classStep);
      for (let at = 0; at < ids.length; at += 1) {
        const chance = whole * ofClass[at]!;
        if (chance >= GUESS_CHANCE_MIN) guesses.push({ id: ids[at]!, chance });
      }
    }
    return guesses.sort((a, b) => b.chance - a.chance);
  };
}
