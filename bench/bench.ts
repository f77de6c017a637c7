// npm run bench -- --help says what it measures.
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { compareWith, comparisonText, measurementsOf } from "./against/against.ts";
import type { Comparison } from "./against/against.ts";
import { measureReports } from "./against/reports.ts";
import { appMoveText, measureAppMove } from "./app-move.ts";
import { consoleText, measureConsole } from "./console.ts";
import { canReadCpu, loadAverage } from "./cpu.ts";
import { table } from "./figures.ts";
import type { Figure } from "./figures.ts";
import { floorsText, measureFloors } from "./floors.ts";
import { GROWTH_PARTS, growthText, measureGrowth } from "./growth/growth.ts";
import { MEASUREMENTS } from "./measurements.ts";
import { showProgress } from "./progress.ts";
import { quickly, readRecord, verdictOn, writeRecord } from "./quick.ts";
import { startSubject } from "./subject.ts";
import { ALONE, usage } from "./usage.ts";

/** Of growth and console. */
const RECORDS = 1_000_000;
const MOVED_RECORDS = 100_000;

const options = readOptions();
if (options.help) {
  console.log(usage());
  process.exit();
}

const progress = showProgress;
const accepting = { rounds: amount("rounds", 5), roundMs: amount("seconds", 4) * 1_000, progress };
// Within a minute a backlog rises and falls by itself: see docs/performance.md.
const steadyMs = amount("seconds", 180) * 1_000;

function readOptions() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  try {
    return parseArgs({
      options: {
        help: { ...flag, short: "h" },
        only: text,
        against: text,
        quick: flag,
        write: flag,
        rounds: text,
        seconds: text,
        json: flag,
        records: text,
        folder: text,
        parts: { ...text, default: GROWTH_PARTS.join(",") },
        pages: text,
      },
    }).values;
  } catch (error) {
    return refuse(`${(error as Error).message}\nnpm run bench -- --help says what there is.`);
  }
}

/** The number of an option; `otherwise` where it is not given. */
function amount(name: "rounds" | "seconds" | "records", otherwise: number): number {
  const value = Number(options[name] ?? otherwise);
  return value > 0 && Number.isFinite(value) ? value : refuse(`--${name} is a number above 0.`);
}

function refuse(why: string): never {
  console.error(why);
  process.exit(2);
}

/** The measurements named by --only; exits when there is one that does not exist. */
function chosen<Kind>(all: Readonly<Record<string, Kind>>, without: readonly string[] = []): Record<string, Kind> {
  const names = options.only?.split(",") ?? Object.keys(all).filter((name) => !without.includes(name));
  const unknown = names.filter((name) => !Object.hasOwn(all, name));
  const alone = unknown.filter((name) => Object.hasOwn(ALONE, name));
  if (unknown.length > 0) {
    const how = options.against === undefined ? "" : " against another commit";
    const whole = alone.length > 0 && how === "" ? ` (${alone.join(", ")} by itself: --only ${alone[0]!})` : "";
    refuse(`There is no measurement ${unknown.join(", ")}${how}; there are ${Object.keys(all).join(", ")}${whole}.`);
  }
  // In the order of `all`, not in that of --only.
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)));
}

/** Runs the measurements, each on a new service with an empty folder. */
async function measure(): Promise<{ figures: Figure[]; loads: number[] }> {
  const figures: Figure[] = [];
  const loads = [loadAverage()];
  let isEnding = false;
  const long = Object.keys(MEASUREMENTS).filter((name) => MEASUREMENTS[name]!.isLong);
  for (const [name, { run, role = "start", isDatabaseApart = false }] of Object.entries(chosen(MEASUREMENTS, long))) {
    if (isEnding) continue;
    progress(`${name}: starting the service`);
    const starting = startSubject(role, { isDatabaseApart });
    // No process may stay behind, not even one that is only starting.
    const end = (): void => {
      isEnding = true;
      void starting.then((subject) => subject.close()).finally(() => process.exit(130));
    };
    process.once("SIGINT", end).once("SIGTERM", end);
    try {
      figures.push(...(await run(await starting, { ...accepting, steadyMs })));
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
    refuse(`There is no part ${unknown.join(", ")} of growth; there are ${GROWTH_PARTS.join(", ")}.`);
  }
  const of = { records: amount("records", RECORDS), parts, folder: options.folder };
  const loads = [loadAverage()];
  const found = await untilSignal((signal) => measureGrowth(of, progress, signal));
  loads.push(loadAverage());
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), ...found }));
  else report(growthText(found), loads);
  if (found.failed.length > 0) process.exitCode = 1;
}

async function consolePages(): Promise<void> {
  const { folder, pages: only } = options;
  const wanted = { records: amount("records", RECORDS), rounds: amount("rounds", 40), folder, only };
  const loads = [loadAverage()];
  const found = await untilSignal((signal) => measureConsole(wanted, progress, signal));
  loads.push(loadAverage());
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), ...found }));
  else report(consoleText(found), loads);
}

async function appMove(): Promise<void> {
  const loads = [loadAverage()];
  const records = amount("records", MOVED_RECORDS);
  const found = await untilSignal((signal) => measureAppMove(records, progress, signal));
  loads.push(loadAverage());
  if (options.json)
    console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages: toTenths(loads), ...found }));
  else report(appMoveText(found), loads);
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
    refuse("Half of the record is processor time, which is read from /proc: this system lacks it.");
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
  const roundMs = amount("seconds", 3) * 1_000;
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
else if (options.only === "app-move") await appMove();
else if (options.only === "floors") await floors();
else if (options.only === "reports")
  compared(await untilSignal((signal) => measureReports(accepting.rounds, progress, signal)));
else await all();
