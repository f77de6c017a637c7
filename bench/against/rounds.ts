import { median } from "../figures.ts";

/** A figure of one round, or of all of them. */
export interface Sample {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** The figures of one round, of this tree and of the other. */
export interface Pair {
  readonly here: readonly Sample[];
  readonly there: readonly Sample[];
}

export interface Compared {
  readonly name: string;
  readonly unit: string;
  readonly here: number;
  readonly there: number;
  /** Median of the ratios of the rounds, not the ratio of the medians: a busy moment slows both sides of its round. */
  readonly ratio: number;
  /** Least and greatest ratio of a round. */
  readonly spread: readonly [number, number];
}

/** Compares the figures that both sides have. */
export function compare(pairs: readonly Pair[]): Compared[] {
  const first = pairs[0];
  if (!first) return [];
  return first.here.flatMap(({ name, unit }) => {
    const rounds = pairs.flatMap(({ here, there }) => {
      const [a, b] = [valueOf(here, name), valueOf(there, name)];
      // Where processor time cannot be read it is 0 on both sides.
      return a === null || b === null || b === 0 ? [] : [{ here: a, there: b, ratio: a / b }];
    });
    if (rounds.length === 0) return [];
    const ratios = rounds.map(({ ratio }) => ratio);
    const of = (side: "here" | "there"): number => median(rounds.map((round) => round[side]));
    const spread = [Math.min(...ratios), Math.max(...ratios)] as const;
    return [{ name, unit, here: of("here"), there: of("there"), ratio: median(ratios), spread }];
  });
}

/** Medians of the rounds of one side. */
export function medians(rounds: readonly (readonly Sample[])[]): Sample[] {
  return (rounds[0] ?? []).map(({ name, unit }) => {
    const values = rounds.flatMap((round) => valueOf(round, name) ?? []);
    return { name, unit, value: median(values) };
  });
}

function valueOf(samples: readonly Sample[], name: string): number | null {
  const value = samples.find((sample) => sample.name === name)?.value;
  return value === undefined || !Number.isFinite(value) ? null : value;
}
