// npm run bench -- [--only start,idle,webhooks,intakes,receipts,health,reads,moves,bytes,serve,accept] [--rounds N]
// [--seconds N] [--json]; without --only all of these; `--only verify`, `steady` and `processes` only when
// named
// npm run bench -- --against COMMIT [--only idle,intakes,receipts,bytes,serve,accept] [--rounds N] [--seconds N]
// [--json]
// npm run bench -- --quick [--write] [--json]
// npm run bench -- --only growth [--records 10000000] [--folder FOLDER] [--parts reading,lone,foods,others,receipts,
// starts,jobs] [--json]: minutes for each million, and by itself; with a folder the filled databases stay in it
// npm run bench -- --only console [--records 1000000] [--rounds 40] [--folder FOLDER] [--pages TEXT] [--json]: every
// page of the console over a large application, by itself; `--pages`: only those with this in their name or address
// npm run bench -- --only reports [--rounds 9] [--json]: what daily figures cost an intake, by itself
// npm run bench -- --only floors [--rounds 5] [--seconds 3] [--json]: the same work with parts removed, by itself
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { measureAccept, measureAcceptAlone } from "./accept.ts";
import { compareWith, comparisonText, measurementsOf } from "./against/against.ts";
import type { Comparison } from "./against/against.ts";
import { measureReports } from "./against/reports.ts";
import { measureBytes } from "./bytes.ts";
import { consoleText, measureConsole } from "./console.ts";
import { canReadCpu, loadAverage } from "./cpu.ts";
import { table } from "./figures.ts";
import type { Figure } from "./figures.ts";
import { floorsText, measureFloors } from "./floors.ts";
import { GROWTH_PARTS, growthText, measureGrowth } from "./growth/growth.ts";
import { measureHealth } from "./health.ts";
import { measureIdle, measureIntakes } from "./intakes.ts";
import { measureMoves } from "./moves.ts";
import { showProgress } from "./progress.ts";
import { quickly, readRecord, verdictOn, writeRecord } from "./quick.ts";
import { measureProcesses } from "./processes.ts";
import { measureReads } from "./reads.ts";
import { measureReceipts } from "./receipts.ts";
import { measureStart } from "./start.ts";
import { measureSteady } from "./steady.ts";
import { startSubject } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { measureVerification } from "./verification.ts";
import { measureWebhooks } from "./webhooks.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    against: { type: "string" },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    rounds: { type: "string" },
    seconds: { type: "string" },
    json: { type: "boolean", default: false },
    records: { type: "string", default: "1000000" },
    folder: { type: "string" },
    parts: { type: "string", default: GROWTH_PARTS.join(",") },
    pages: { type: "string" },
  },
});

const progress = showProgress;
const accepting = { rounds: Number(options.rounds ?? 5), roundMs: Number(options.seconds ?? 4) * 1_000, progress };
const steadySeconds = Number(options.seconds ?? 60);
/** In this order: measurements that need a quiet service first. */
const MEASUREMENTS: Record<string, (subject: Subject) => Promise<Figure[]>> = {
  start: (subject) => measureStart(subject, { progress }),
  idle: (subject) => measureIdle(subject, { progress }),
  webhooks: (subject) => measureWebhooks(subject, { rounds: 3, progress }),
  intakes: (subject) => measureIntakes(subject, { progress }),
  receipts: (subject) => measureReceipts(subject, { photos: 8, progress }),
  health: (subject) => measureHealth(subject, { runs: 3, progress }),
  reads: (subject) => measureReads(subject, { rounds: 200, progress }),
  moves: (subject) => measureMoves(subject, { progress }),
  bytes: (subject) => measureBytes(subject, { foods: 1_500, receipts: 8, progress }),
  verify: (subject) => measureVerification(subject, { progress }),
  steady: (subject) => measureSteady(subject, { durationMs: steadySeconds * 1_000, progress }),
  processes: (subject) => measureProcesses(subject, { progress }),
  serve: (subject) => measureAcceptAlone(subject, accepting),
  accept: (subject) => measureAccept(subject, accepting),
};
/** The measurements named by --only; exits when there is one that does not exist. */
function chosen<Kind>(all: Readonly<Record<string, Kind>>, without: readonly string[] = []): Record<string, Kind> {
  const names = options.only?.split(",") ?? Object.keys(all).filter((name) => !without.includes(name));
  const unknown = names.filter((name) => !Object.hasOwn(all, name));
  if (unknown.length > 0) {
    const how = options.against === undefined ? "" : " against another commit";
    console.error(`There is no measurement ${unknown.join(", ")}${how}; there are ${Object.keys(all).join(", ")}.`);
    process.exit(2);
  }
  // In the order of `all`, not in that of --only.
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** Runs the measurements, each on a new service with an empty folder. */
async function measure(): Promise<{ figures: Figure[]; loads: number[] }> {
  const figures: Figure[] = [];
  const loads = [loadAverage()];
  let isEnding = false;
  for (const [name, run] of Object.entries(chosen(MEASUREMENTS, ["verify", "steady", "processes"]))) {
    if (isEnding) continue;
    progress(`${name}: starting the service`);
    const starting = startSubject(name === "serve" ? "serve" : "start", {
      isDatabaseApart: ["serve", "reads", "verify", "steady", "processes"].includes(name),
    });
    // No process may stay behind, not even one that is only starting.
    const end = (): void => {
      isEnding = true;
      void starting.then((subject) => subject.close()).finally(() => process.exit(130));
    };
    process.once("SIGINT", end).once("SIGTERM", end);
    try {
      figures.push(...(await run(await starting)));
    } catch (error) {
      // The other measurements still run.
      console.error(`${name} could not be measured:`, error);
      process.exitCode = 1;
    } finally {
      await starting.then((subject) => subject.close()).catch(() => {});
      process.off("SIGINT", end).off("SIGTERM", end);
    }
    loads.push(loadAverage());
  }
  return { figures, loads };
}

/** Runs `work`, which ends what it started when the signal aborts: on Ctrl-C. */
async function untilSignal<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => ending.abort());
  try {
    return await work(ending.signal);
  } catch (error) {
    if (ending.signal.aborted) process.exit(130);
    throw error;
  }
}

async function all(): Promise<void> {
  const { figures, loads } = await measure();
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), figures }));
  else report(table(figures), loads);
}

async function growth(): Promise<void> {
  const parts = options.parts.split(",");
  const unknown = parts.filter((name) => !GROWTH_PARTS.includes(name));
  if (unknown.length > 0) {
    console.error(`There is no part ${unknown.join(", ")} of growth; there are ${GROWTH_PARTS.join(", ")}.`);
    process.exit(2);
  }
  const of = { records: Number(options.records), parts, folder: options.folder };
  const loads = [loadAverage()];
  const found = await untilSignal((signal) => measureGrowth(of, progress, signal));
  loads.push(loadAverage());
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), ...found }));
  else report(growthText(found), loads);
  if (found.failed.length > 0) process.exitCode = 1;
}

async function consolePages(): Promise<void> {
  const { records, rounds = 40, folder, pages: only } = options;
  const wanted = { records: Number(records), rounds: Number(rounds), folder, only };
  const loads = [loadAverage()];
  const found = await untilSignal((signal) => measureConsole(wanted, progress, signal));
  loads.push(loadAverage());
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), ...found }));
  else report(consoleText(found), loads);
}

async function against(commit: string): Promise<void> {
  const bounds = { rounds: accepting.rounds, roundMs: accepting.roundMs };
  const measurements = chosen(measurementsOf(bounds));
  compared(await untilSignal((signal) => compareWith(commit, measurements, progress, signal)));
}

/** Prints a comparison. */
function compared(comparison: Comparison): void {
  const { loads, ...rest } = comparison;
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), ...rest }));
  else report(comparisonText(comparison), loads);
  if (comparison.failed.length > 0) process.exitCode = 1;
}

async function quick(): Promise<void> {
  if (!canReadCpu) {
    console.error("Half of the record is processor time, which is read from /proc: this system lacks it.");
    process.exit(2);
  }
  const { now, loads } = await untilSignal((signal) => quickly(progress, signal));
  if (options.write) writeRecord(now);
  const record = readRecord() ?? now;
  const { text, isGood } = verdictOn(record, now);
  if (options.json) console.log(JSON.stringify({ ...now, isGood }));
  else report(text, loads);
  if (!isGood) {
    console.error("Worse than bench/record.json by a quarter or more. If that is meant: --quick --write.");
    process.exitCode = 1;
  }
}

async function floors(): Promise<void> {
  const roundMs = Number(options.seconds ?? 3) * 1_000;
  const { rounds } = accepting;
  const { loads, ...found } = await untilSignal((signal) =>
    measureFloors({ rounds, roundMs, foods: 2_000, progress, signal }),
  );
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), ...found }));
  else report(floorsText({ ...found, loads }), loads);
}

const toTenths = (loads: readonly number[]): number[] => loads.map((load) => Number(load.toFixed(1)));

function report(text: string, loads: readonly number[]): void {
  progress("");
  console.log(`\n${text}\n`);
  console.log(`${machine.cores} cores (${machine.processor}), Node ${machine.node}, ${new Date().toISOString()}`);
  console.log(
    `${((performance.now() - startedMs) / 1_000).toFixed(0)} s in all. Load average before and after each: ${toTenths(loads).join(", ")}; ` +
      "the bench's own share is about 2, what is above it slowed the figures.",
  );
  if (!canReadCpu) console.log("Processor time is read from /proc, which this system lacks.");
}

const startedMs = performance.now();
const machine = { cores: availableParallelism(), processor: cpus()[0]?.model ?? "unknown", node: process.version };
if (options.against !== undefined) await against(options.against);
else if (options.quick) await quick();
else if (options.only === "growth") await growth();
else if (options.only === "console") await consolePages();
else if (options.only === "floors") await floors();
else if (options.only === "reports")
  compared(await untilSignal((signal) => measureReports(accepting.rounds, progress, signal)));
else await all();
