import { median } from "../figures.ts";
import type { Progress } from "../progress.ts";
import type { Side } from "./side.ts";

/** A figure of both sides, or of two places of the large one. */
export interface Beside {
  readonly name: string;
  readonly unit: string;
  readonly small: number;
  readonly large: number;
  /** The most that the ratio may be; null: it is only shown. */
  readonly aim: number | null;
  readonly note?: string;
}

export type Turn = (side: Side, round: number) => Promise<number>;

/** Lets both sides take turns, and returns the values of each. The first round of each warms up. */
export async function takeTurns(
  sides: readonly [Side, Side],
  rounds: number,
  turn: Turn,
  progress: (round: number) => void = () => {},
): Promise<{ small: number[]; large: number[] }> {
  const values: [number[], number[]] = [[], []];
  for (let round = 0; round <= rounds; round++) {
    progress(round);
    for (const place of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const value = await turn(sides[place]!, round);
      if (round > 0) values[place]!.push(value);
    }
  }
  return { small: values[0], large: values[1] };
}

/** Medians of a turn of both sides. */
export async function besideOf(
  sides: readonly [Side, Side],
  { name, unit, rounds, aim = GROWTH_AIM }: { name: string; unit: string; rounds: number; aim?: number | null },
  turn: Turn,
  progress: Progress,
): Promise<Beside> {
  const { small, large } = await takeTurns(sides, rounds, turn, (round) => {
    if (round % 10 === 0) progress(`${name}: ${round} of ${rounds}`);
  });
  return { name, unit, small: median(small), large: median(large), aim };
}

export const GROWTH_AIM = 1.3;
export const PAGE_AIM = 1.2;

/** How long `work` takes, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}
