import { loadAverage } from "../cpu.ts";
import { columns, rounded } from "../figures.ts";
import type { Progress } from "../progress.ts";
import { samplesOf, weigh } from "../bytes.ts";
import { alternate } from "./alternate.ts";
import { accepting, even, idle, intakes } from "./load.ts";
import type { Measurement } from "./measurement.ts";
import { nothingToClose } from "./measurement.ts";
import { receipts } from "./reading.ts";
import { compare } from "./rounds.ts";
import type { Compared } from "./rounds.ts";
import { checkOut } from "./tree.ts";

/** The sizes do not vary: one round. */
export function bytes(options: { foods: number; receipts: number }): Measurement {
  return {
    role: "start",
    rounds: 0,
    begin: async (subject, progress) => ({
      round: async () => samplesOf(await weigh(subject, { ...options, progress })),
      close: nothingToClose,
    }),
  };
}

/** The measurements that two trees can be compared by. */
export function measurementsOf({ rounds, roundMs }: { rounds: number; roundMs: number }): Record<string, Measurement> {
  return {
    idle: idle({ rounds, foods: 20 }),
    intakes: intakes({ rounds, foods: 2_000 }),
    even: even({ rounds, perSecond: 600, durationMs: 5_000 }),
    receipts: receipts({ rounds, small: 2, phone: 1 }),
    bytes: bytes({ foods: 2_000, receipts: 24 }),
    serve: accepting("serve", { rounds, roundMs }),
    accept: accepting("start", { rounds, roundMs }),
  };
}

/** What was compared, and what the other tree could not do. */
export interface Comparison {
  readonly commit: string;
  readonly compared: Compared[];
  readonly missing: { name: string; reason: string }[];
  /** What this tree could not do either: an error. */
  readonly failed: { name: string; reason: string }[];
  readonly loads: number[];
}

/** Measures this tree and a commit in turns. Ctrl-C ends both and removes what was checked out. */
export async function compareWith(
  commit: string,
  measurements: Readonly<Record<string, Measurement>>,
  progress: Progress,
  signal: AbortSignal,
): Promise<Comparison> {
  const tree = await checkOut(commit, progress, signal);
  try {
    const compared: Compared[] = [];
    const [missing, failed]: [Comparison["missing"], Comparison["failed"]] = [[], []];
    const loads = [loadAverage()];
    for (const [name, measurement] of Object.entries(measurements)) {
      const there = { root: tree.root, label: tree.commit };
      const found = await alternate(name, measurement, { there, progress, signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        // The other measurements still run.
        failed.push({ name, reason: String(error) });
        return { pairs: [], missing: null };
      });
      const ratios = compare(found.pairs);
      compared.push(...ratios);
      // What is known is shown at once: a run takes minutes, and may be ended.
      progress(`${name}: ${ratios.map(briefly).join("; ")}`);
      if (found.missing !== null) missing.push({ name, reason: found.missing });
      loads.push(loadAverage());
    }
    return { commit: tree.commit, compared, missing, failed, loads };
  } finally {
    tree.remove();
  }
}

function briefly({ name, here, there, unit, ratio }: Compared): string {
  return `${name} ${rounded(here)} against ${rounded(there)}${unit && ` ${unit}`} (${ratio.toFixed(2)})`;
}

/** The comparison for people. */
export function comparisonText({ commit, compared, missing, failed }: Comparison): string {
  const measured = (value: number, unit: string): string => `${rounded(value)} ${unit}`.trim();
  const rows = compared.map(({ name, unit, here, there, ratio, spread }) => [
    name,
    measured(here, unit),
    measured(there, unit),
    ratio.toFixed(2),
    spread[0] === spread[1] ? "" : `${spread[0].toFixed(2)} to ${spread[1].toFixed(2)}`,
  ]);
  const left = missing.map(({ name, reason }) => `${name}: ${commit} cannot do it (${reason.split("\n")[0]})`);
  const errors = failed.map(({ name, reason }) => `${name} could not be measured: ${reason}`);
  return [columns([["figure", "this tree", commit, "ratio", "of the rounds"], ...rows]), ...left, ...errors].join("\n");
}
