import { join } from "node:path";
import { columns, rounded } from "../figures.ts";
import type { Progress } from "../progress.ts";
import { measureJobs } from "./jobs.ts";
import type { Job } from "./jobs.ts";
import { measureFoods, measureLone, measureOthers, measureReceiptsBeside, measureStarts } from "./loads.ts";
import { measureReading } from "./reads.ts";
import { startSide } from "./side.ts";
import type { Side } from "./side.ts";
import type { Grown } from "./fill.ts";
import type { Beside } from "./turns.ts";

/** Few enough for any cache, and enough for a page, and for filters that read 500 receipts or 2,000 events. */
const FEW = 100_000;

export interface Growth {
  readonly small: Grown;
  readonly large: Grown;
  readonly figures: Beside[];
  readonly jobs: Job[];
  readonly failed: { name: string; reason: string }[];
}

/** What is compared, in this order. */
const PARTS: Readonly<Record<string, (sides: readonly [Side, Side], progress: Progress) => Promise<Beside[]>>> = {
  reading: measureReading,
  lone: measureLone,
  foods: measureFoods,
  others: measureOthers,
  receipts: measureReceiptsBeside,
  starts: measureStarts,
};
export const GROWTH_PARTS = [...Object.keys(PARTS), "jobs"];

interface GrowthOptions {
  readonly records: number;
  /** Of GROWTH_PARTS. */
  readonly parts: readonly string[];
  /** A folder that stays with the filled databases, or that an earlier run left. */
  readonly folder?: string | undefined;
}

/**
 * Measures a service with `records` records beside one with few, in turns. `signal` ends both: whatever they wait for
 * then fails.
 */
export async function measureGrowth(
  { records, parts, folder }: GrowthOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<Growth> {
  const sides: Side[] = [];
  const ended: Promise<unknown>[] = [];
  const start = async (label: string, count: number): Promise<Side> => {
    signal.throwIfAborted();
    const keptDir = folder === undefined ? undefined : join(folder, label);
    const side = await startSide({ label, submissions: Math.ceil(count / 10) * 10, keptDir }, progress, signal);
    sides.push(side);
    return side;
  };
  const closeAll = (): void => void ended.push(...sides.splice(0).map((side) => side.close()));
  signal.addEventListener("abort", closeAll, { once: true });
  try {
    const large = await start("large", records);
    const both = [await start("small", FEW), large] as const;
    const figures: Beside[] = [];
    const failed: Growth["failed"] = [];
    const attempt = async (name: string, work: () => Promise<Beside[]>): Promise<void> => {
      try {
        const measured = await work();
        figures.push(...measured);
        // What is known is shown at once: a run takes long, and may be ended.
        for (const { name: of, unit, small, large } of measured) {
          progress(`${of}: ${rounded(small)} and ${rounded(large)} ${unit} (${(large / small).toFixed(2)})`);
        }
      } catch (error) {
        signal.throwIfAborted();
        // The others still run.
        failed.push({ name, reason: String(error) });
        progress(`${name} could not be measured: ${String(error)}`);
      }
    };
    for (const [name, measure] of Object.entries(PARTS)) {
      if (parts.includes(name)) await attempt(name, () => measure(both, progress));
    }
    const jobs = parts.includes("jobs") ? await measureJobs(large, progress) : [];
    return { small: both[0].grown, large: large.grown, figures, jobs, failed };
  } finally {
    closeAll();
    await Promise.allSettled(ended);
  }
}

/** The comparison for people. */
export function growthText({ small, large, figures, jobs, failed }: Growth): string {
  const size = ({ submissions, users, bytes, seconds }: Grown): string =>
    `${submissions.toLocaleString("en")} records of ${users.toLocaleString("en")} users, ${(bytes / 1e9).toFixed(1)} GB, filled in ${seconds.toFixed(0)} s`;
  const rows = figures.map(({ name, unit, small: few, large: many, aim }) => {
    const ratio = many / few;
    const met = aim === null ? "" : `≤ ${aim} ${ratio <= aim ? "met" : "missed"}`;
    return [name, `${rounded(few)} ${unit}`, `${rounded(many)} ${unit}`, ratio.toFixed(2), met];
  });
  const works = jobs.map(({ name, seconds, isWhole, statements, longestMs, longest, locks }) => [
    name,
    `${isWhole ? "" : "more than "}${seconds.toFixed(1)} s`,
    String(statements),
    `${rounded(longestMs)} ms (${longest})`,
    locks.join(", ") || "none",
  ]);
  return [
    `small: ${size(small)}`,
    `large: ${size(large)}`,
    "",
    columns([["figure", "small", "large", "ratio", "aim"], ...rows]),
    "",
    columns([["job, large", "in all", "statements", "the longest", "table locks"], ...works]),
    ...failed.map(({ name, reason }) => `${name} could not be measured: ${reason}`),
  ].join("\n");
}
