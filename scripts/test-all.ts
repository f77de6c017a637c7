// Runs everything: npm test. The checks of `npm run check` run beside the first tests. The files of a group share a
// process (test/groups.ts), every other file has its own.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import type { RunOptions } from "node:test";
import { spec } from "node:test/reporters";
import { GROUPS, LONGEST } from "../test/groups.ts";

const ROOT = join(import.meta.dirname, "..");
/** Thrice the two cores of CI, since most tests wait for timers, a browser, other processes or PostgreSQL. */
const PROCESSES = 6;
/** In MiB. Much of what a test makes is short-lived: with the usual 16 the unit tests take 9 % more CPU. */
const YOUNG_GENERATION = 64;

/** Of one test. The longest takes half a minute, on a machine that is busy with twenty other things some minutes. */
const TEST_MS_MAX = 10 * 60_000;
/** Of all tests: something that keeps a process alive fails the run, and does not use up the time of a CI. */
const RUN_MS_MAX = 30 * 60_000;
/** For the end of PostgreSQL and of the tests' processes after that. */
const END_MS_MAX = 20_000;
/** Number of slow processes that the end names: LONGEST should have them. */
const SLOWEST = 12;

/** The files of a process as they are named on this page: a group, or a file of its own. */
function namedFiles(): Map<string, string> {
  const grouped = new Set(Object.values(GROUPS).flat());
  const all = globSync("test/*.test.ts", { cwd: ROOT }).map((file) => file.slice("test/".length, -".test.ts".length));
  const missing = [...grouped].filter((file) => !all.includes(file));
  if (missing.length > 0) throw new Error(`test/groups.ts names files that do not exist: ${missing.join(", ")}`);
  const files = new Map(Object.keys(GROUPS).map((group) => [group, `test/groups/${group}.test.ts`]));
  for (const file of all.filter((name) => !grouped.has(name)).toSorted()) files.set(file, `test/${file}.test.ts`);
  return files;
}

/** The longest first: one that starts last would run alone on a machine of two cores. */
function inOrder(files: ReadonlyMap<string, string>): string[] {
  const unknown = LONGEST.filter((name) => !files.has(name));
  if (unknown.length > 0)
    throw new Error(`LONGEST in test/groups.ts names no group and no file: ${unknown.join(", ")}`);
  const first = LONGEST.map((name) => files.get(name)!);
  return [...first, ...[...files.values()].filter((file) => !first.includes(file))].map((file) => join(ROOT, file));
}

/** Format, lint, words and types, shown when they have ended. Resolves with whether all is well. */
async function check(): Promise<boolean> {
  const child = spawn("npm", ["run", "--silent", "check"], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(String(chunk)));
  const [code] = (await once(child, "close")) as [number | null];
  console.log(`${output.join("")}${code === 0 ? "✔" : "✖"} npm run check`);
  return code === 0;
}

/** Runs the files, each in a process of its own. Resolves with whether all tests passed. */
async function runFiles(files: readonly string[], signal: AbortSignal): Promise<boolean> {
  let hasPassed = false;
  const seconds = new Map<string, number>();
  const options: RunOptions & { globalSetupPath: string } = {
    cwd: ROOT,
    files: [...files],
    concurrency: PROCESSES,
    execArgv: [`--max-semi-space-size=${YOUNG_GENERATION}`],
    // Missing in the types: https://nodejs.org/api/test.html#runoptions
    globalSetupPath: join(ROOT, "test/support/setup.ts"),
    timeout: TEST_MS_MAX,
    signal,
  };
  const events = run(options);
  events.on("test:summary", ({ file, success, duration_ms: ms }) => {
    if (file === undefined) hasPassed = success;
    else seconds.set(basename(file, ".test.ts"), ms / 1_000);
  });
  await pipeline(events, new spec(), process.stdout, { end: false });
  const slowest = [...seconds].toSorted(([, a], [, b]) => b - a).slice(0, SLOWEST);
  console.log(`ℹ slowest ${slowest.map(([name, s]) => `${name} ${s.toFixed(0)} s`).join(", ")}`);
  return hasPassed && !signal.aborted;
}

const files = inOrder(namedFiles());
const stopping = new AbortController();
const stop = (reason: string) => {
  console.error(`✖ ${reason}`);
  process.exitCode = 1;
  stopping.abort();
  setTimeout(() => process.exit(), END_MS_MAX).unref();
};
setTimeout(() => stop(`The tests did not end in ${RUN_MS_MAX / 60_000} minutes.`), RUN_MS_MAX).unref();
for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop(`Stopped by ${name}.`));
const [isChecked, hasPassed] = await Promise.all([check(), runFiles(files, stopping.signal)]);
if (!isChecked) console.error("✖ npm run check failed: its messages are above");
// Without process.exit, since PostgreSQL is stopped after the last result.
if (!isChecked || !hasPassed) process.exitCode = 1;
