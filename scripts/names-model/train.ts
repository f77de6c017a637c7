// Trains the model of names: a linear model with one vector of few numbers for each feature, whose mean over a name's
// features is compared with a vector of each grade's group and of each food (as in fastText).
import { FEATURES_MAX, featuresOf } from "../../src/foods/matching/learned/features.ts";
import { shareOf } from "../../src/foods/matching/learned/model.ts";
import type { Language } from "../../src/foods/catalogue/catalogue.ts";
import type { Random } from "./till-print.ts";

/** A name as printed, and the number of its class. */
export interface Example {
  readonly text: string;
  readonly food: number;
  /** Of the name; null: not known, or left out. */
  readonly language: Language | null;
}

export interface Weights {
  /** A row for each bucket of hashes. */
  readonly features: Float32Array;
  /** A row for each group, a row for each food. */
  readonly groups: Float32Array;
  readonly foods: Float32Array;
}

export interface Training {
  readonly dimensions: number;
  readonly buckets: number;
  readonly steps: number;
  readonly rate: number;
  /** The group of each food. */
  readonly groupOf: readonly number[];
  readonly groupCount: number;
  readonly next: (random: Random) => Example;
  readonly random: Random;
  readonly report: (step: number, loss: number) => void;
}

const REPORT_EACH = 100_000;
/** The share of features that are left out of an example. */
const LEFT_OUT = 0.15;

/** Trains by stochastic gradient descent. Deterministic for the same source of randomness. */
export function train(training: Training): Weights {
  const { dimensions, steps, rate, groupOf, groupCount, random, next } = training;
  const features = new Float32Array(training.buckets * dimensions);
  for (let at = 0; at < features.length; at += 1) features[at] = (random() - 0.5) / dimensions;
  const groups = new Float32Array(groupCount * dimensions);
  const foods = new Float32Array(groupOf.length * dimensions);
  const inGroup = membersOf(groupOf, groupCount);
  const all = Array.from({ length: groupCount }, (_, group) => group);
  const buckets = new Uint32Array(FEATURES_MAX);
  const mean = new Float32Array(dimensions);
  const gradient = new Float32Array(dimensions);
  const scores = new Float32Array(Math.max(groupCount, ...inGroup.map(({ length }) => length)));
  let loss = 0;

  /** One softmax over some rows: updates them, adds to the gradient of the mean, returns the loss. */
  const learn = (rows: Float32Array, members: readonly number[], right: number, step: number): number => {
    let highest = -Infinity;
    for (let at = 0; at < members.length; at += 1) {
      const row = members[at]! * dimensions;
      let sum = 0;
      for (let d = 0; d < dimensions; d += 1) sum += rows[row + d]! * mean[d]!;
      scores[at] = sum;
      if (sum > highest) highest = sum;
    }
    let total = 0;
    for (let at = 0; at < members.length; at += 1) total += scores[at] = Math.exp(scores[at]! - highest);
    let own = 0;
    for (let at = 0; at < members.length; at += 1) {
      const chance = scores[at]! / total;
      const isRight = members[at] === right;
      if (isRight) own = chance;
      const error = step * ((isRight ? 1 : 0) - chance);
      if (Math.abs(error) < 1e-6) continue;
      const row = members[at]! * dimensions;
      for (let d = 0; d < dimensions; d += 1) {
        gradient[d]! += error * rows[row + d]!;
        rows[row + d]! += error * mean[d]!;
      }
    }
    return -Math.log(Math.max(own, 1e-9));
  };

  for (let done = 0; done < steps; done += 1) {
    const { text, food, language } = next(random);
    const count = withoutSome(buckets, featuresOf(text, buckets, language), training);
    if (count === 0) continue;
    mean.fill(0);
    for (let at = 0; at < count; at += 1) {
      const row = buckets[at]! * dimensions;
      for (let d = 0; d < dimensions; d += 1) mean[d]! += features[row + d]!;
    }
    const share = shareOf(count);
    for (let d = 0; d < dimensions; d += 1) mean[d]! *= share;
    gradient.fill(0);
    const step = rate * (1 - done / steps);
    const group = groupOf[food]!;
    loss += learn(groups, all, group, step);
    if (inGroup[group]!.length > 1) loss += learn(foods, inGroup[group]!, food, step);
    for (let at = 0; at < count; at += 1) {
      const row = buckets[at]! * dimensions;
      for (let d = 0; d < dimensions; d += 1) features[row + d]! += share * gradient[d]!;
    }
    if ((done + 1) % REPORT_EACH === 0) {
      training.report(done + 1, loss / REPORT_EACH);
      loss = 0;
    }
  }
  return { features, groups, foods };
}

/** Turns hashes into buckets, and leaves some out at random: no single one decides. Returns how many are left. */
function withoutSome(hashes: Uint32Array, count: number, { buckets, random }: Training): number {
  let kept = 0;
  for (let at = 0; at < count; at += 1) if (random() >= LEFT_OUT) hashes[kept++] = hashes[at]! % buckets;
  return kept;
}

function membersOf(groupOf: readonly number[], groupCount: number): number[][] {
  const members: number[][] = Array.from({ length: groupCount }, () => []);
  groupOf.forEach((group, food) => members[group]!.push(food));
  return members;
}
