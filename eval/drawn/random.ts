import { randomness } from "../../src/receipts/samples/seeded-noise.ts";

/** Chance by a seed: the same seed draws the same receipt. */
export interface Random {
  /** From `low` to `high`, both possible. */
  int: (low: number, high: number) => number;
  within: (low: number, high: number) => number;
  chance: (probability: number) => boolean;
  pick: <T>(choices: readonly T[]) => T;
  /** So many different ones, in random order. */
  some: <T>(choices: readonly T[], count: number) => T[];
  digits: (count: number) => string;
}

/** Random by a seed. */
export function randomBy(seed: number): Random {
  const next = randomness(seed * 7919 + 17);
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const pick = <T>(choices: readonly T[]): T => choices[int(0, choices.length - 1)]!;
  return {
    int,
    pick,
    within: (low, high) => low + next() * (high - low),
    chance: (probability) => next() < probability,
    some: (choices, count) => {
      const left = [...choices];
      return Array.from({ length: Math.min(count, left.length) }, () => left.splice(int(0, left.length - 1), 1)[0]!);
    },
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(""),
  };
}
