import { randomness } from "../../src/receipts/samples/seeded-noise.ts";

/** How bad a damage is: as people send without a thought, visibly bad, as bad as can be read by eye. */
export type Strength = 1 | 2 | 3;

type Range = readonly [low: number, high: number];

/** Chance by the seed, within a strength. */
export interface Chance {
  readonly seed: number;
  readonly strength: Strength;
  readonly random: () => number;
  readonly within: (low: number, high: number) => number;
  /** Of three ranges that of the strength. */
  readonly of: (...ranges: readonly [Range, Range, Range]) => number;
  readonly sign: 1 | -1;
  /** The shorter side in pixels, and about the height of a row of print. */
  readonly shorter: number;
  readonly printPx: number;
}

/** Chance for a picture of a size. */
export function chanceBy(
  seed: number,
  strength: Strength,
  { width, height }: { width: number; height: number },
): Chance {
  const random = randomness(seed);
  const sign = random() < 0.5 ? -1 : 1;
  const within = (low: number, high: number): number => low + random() * (high - low);
  const shorter = Math.min(width, height);
  return {
    seed,
    strength,
    random,
    within,
    of: (...ranges) => within(...ranges[strength - 1]!),
    sign,
    shorter,
    printPx: shorter / 32,
  };
}
