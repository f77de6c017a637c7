import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { bytes } from "./against/against.ts";
import { accepting, intakes } from "./against/load.ts";
import type { Measurement } from "./against/measurement.ts";
import { medians } from "./against/rounds.ts";
import type { Sample } from "./against/rounds.ts";
import { loadAverage } from "./cpu.ts";
import { columns, rounded } from "./figures.ts";
import type { Progress } from "./progress.ts";
import { isFailure, judge } from "./record.ts";
import type { BenchRecord, Judged, Machine, RecordedRatio } from "./record.ts";
import { startSubject } from "./subject.ts";

const RECORD = join(import.meta.dirname, "record.json");
const GIB = 1024 ** 3;

/** A fifth of what others have: the code is half compiled, as it was for the record. More would take minutes. */
const WARM_UP_FOODS = 10_000;

/** In two minutes, on a machine that others use as well. */
const MEASUREMENTS: Record<string, Measurement> = {
  serve: accepting("serve", { rounds: 3, roundMs: 1_200, warmUpFoods: WARM_UP_FOODS }),
  accept: accepting("start", { rounds: 3, roundMs: 1_000, warmUpFoods: WARM_UP_FOODS }),
  intakes: intakes({ rounds: 3, foods: 1_200, warmUpFoods: WARM_UP_FOODS }),
  bytes: bytes({ foods: 1_000, receipts: 8 }),
};
/** Figures that depend little on the machine; all others are left out. */
const BETTER: Record<string, RecordedRatio["better"]> = {
  "accepted against the ceiling, npm run serve": "higher",
  "accepted against the ceiling, npm start": "higher",
  "processor time of accepting a food, in requests to the ceiling": "lower",
  "processor time of an intake, in requests to the ceiling": "lower",
  "a food in the database, with indexes": "lower",
  "a food once its events' time is over": "lower",
  "a 13-line receipt in the database, with indexes": "lower",
  "a 13-line receipt once its events' time is over": "lower",
};

/** Takes the ratios of this tree in two minutes. Ctrl-C ends the services. */
export async function quickly(
  progress: Progress,
  signal: AbortSignal,
): Promise<{ now: BenchRecord; loads: readonly number[] }> {
  const loads = [loadAverage()];
  const ratios: RecordedRatio[] = [];
  for (const [name, measurement] of Object.entries(MEASUREMENTS)) {
    for (const sample of await takeAlone(name, measurement, progress, signal)) {
      const better = BETTER[sample.name];
      if (better !== undefined) ratios.push({ ...sample, value: Number(sample.value.toPrecision(3)), better });
    }
    loads.push(loadAverage());
  }
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" });
  const loadAverageMax = Number(Math.max(...loads).toFixed(1));
  const at = new Date().toISOString();
  return { now: { at, commit: commit.trim(), machine: machine(), loadAverageMax, ratios }, loads };
}

async function takeAlone(
  name: string,
  measurement: Measurement,
  progress: Progress,
  signal: AbortSignal,
): Promise<Sample[]> {
  signal.throwIfAborted();
  progress(`${name}: starting the service`);
  const starting = startSubject(measurement.role);
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= starting.then((subject) => subject.close()).catch(() => {}));
  const onAbort = (): void => void close();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const rounds = await measurement.begin(await starting, progress);
    try {
      const taken: Sample[][] = [];
      for (let n = 0; n <= measurement.rounds; n++) {
        signal.throwIfAborted();
        progress(`${name}: round ${n} of ${measurement.rounds}`);
        const samples = await rounds.round(n);
        if (n > 0 || measurement.rounds === 0) taken.push(samples);
      }
      return medians(taken);
    } finally {
      await rounds.close();
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
    await close();
  }
}

function machine(): Machine {
  return {
    processor: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / GIB),
    system: `${type()} ${release().split(/[.-]/).slice(0, 2).join(".")}`,
    node: process.version,
  };
}

export function readRecord(): BenchRecord | null {
  return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, "utf8")) as BenchRecord) : null;
}

export function writeRecord(record: BenchRecord): void {
  writeFileSync(RECORD, `${JSON.stringify(record, null, 2)}\n`);
}

/** Compares with the record. `isGood`: nothing became worse. */
export function verdictOn(record: BenchRecord, now: BenchRecord): { text: string; isGood: boolean } {
  const judged = judge(record.ratios, now.ratios);
  const cell = (value: number | null, unit: string): string =>
    value === null ? "" : `${rounded(value)} ${unit}`.trim();
  const rows = judged.map(({ name, unit, now: measured, recorded, verdict }: Judged) => [
    name,
    cell(measured, unit),
    cell(recorded, unit),
    measured === null || recorded === null ? "" : (measured / recorded).toFixed(2),
    verdict,
  ]);
  const head = ["ratio", "now", `record (${record.commit})`, "of it", ""];
  return { text: columns([head, ...rows]), isGood: !judged.some(isFailure) };
}
