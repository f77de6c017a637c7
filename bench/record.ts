import type { Sample } from "./against/rounds.ts";

/** What one machine measured: bench/record.json. */
export interface BenchRecord {
  readonly at: string;
  readonly commit: string;
  readonly machine: Machine;
  /** The highest before and after the measurements. */
  readonly loadAverageMax: number;
  readonly ratios: readonly RecordedRatio[];
}

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
}

/** A ratio that depends little on the machine, and the direction in which it is better. */
export interface RecordedRatio extends Sample {
  readonly better: "higher" | "lower";
}

/** A ratio beside that of the record. Both are null where it was not measured. */
export interface Judged {
  readonly name: string;
  readonly unit: string;
  readonly now: number | null;
  readonly recorded: number | null;
  readonly verdict: "as good" | "better" | "worse" | "missing" | "new";
}

/** A change that counts: a quarter. Rounds on a busy machine differ by less. */
const CHANGE = 0.25;

/** Compares what was measured with the record, in the order of the record. */
export function judge(record: readonly RecordedRatio[], measured: readonly RecordedRatio[]): Judged[] {
  const known = record.map(({ name, unit, value: recorded, better }): Judged => {
    const now = measured.find((ratio) => ratio.name === name)?.value ?? null;
    return { name, unit, now, recorded, verdict: verdictOf(now, recorded, better) };
  });
  const added = measured
    .filter(({ name }) => !record.some((ratio) => ratio.name === name))
    .map(({ name, unit, value }): Judged => ({ name, unit, now: value, recorded: null, verdict: "new" }));
  return [...known, ...added];
}

function verdictOf(now: number | null, recorded: number, better: RecordedRatio["better"]): Judged["verdict"] {
  if (now === null || !Number.isFinite(now)) return "missing";
  if (better === "higher" ? now < recorded * (1 - CHANGE) : now > recorded * (1 + CHANGE)) return "worse";
  if (better === "higher" ? now > recorded * (1 + CHANGE) : now < recorded * (1 - CHANGE)) return "better";
  return "as good";
}

/** True for a ratio that is worse, or that could not be measured any more. */
export const isFailure = ({ verdict }: Judged): boolean => verdict === "worse" || verdict === "missing";
