// Runs the tests: npm test; with `long` those of npm run test:long, with `all` both. The files of a group share a
// process (test/groups.ts), every other file has its own.
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { APART, GROUPS, LONG } from "../test/groups.ts";

const ROOT = join(import.meta.dirname, "..");
/** More than the two cores of CI, since some tests wait for timers and child processes. */
const PROCESSES = 4;
/** In MiB. Much of what a test makes is short-lived: with the usual 16 the unit tests take 9 % more CPU. */
const YOUNG_GENERATION = 64;

/** Of one test. The longest takes half a minute, on a machine that is busy with twenty other things some minutes. */
const TEST_MS_MAX = 10 * 60_000;
/** Of all tests: something that keeps a process alive fails the run, and does not use up the time of a CI. */
const RUN_MS_MAX = 30 * 60_000;

const fileOf = (name: string): string => `test/${name}.test.ts`;
// A group may have the name of a file in it.
const groupOf = (name: string): string => fileOf(`groups/${name}`);
const grouped = new Set(Object.values(GROUPS).flat().map(fileOf));
const alone = globSync("test/*.test.ts", { cwd: ROOT }).filter((file) => !grouped.has(file));
const groups = Object.keys(GROUPS).map(groupOf);
const long = LONG.map((name) => (name in GROUPS ? groupOf(name) : fileOf(name)));
const missing = [...grouped, ...long].filter((file) => !existsSync(join(ROOT, file)));
if (missing.length > 0) {
  console.error(`test/groups.ts names files that do not exist: ${missing.join(", ")}`);
  process.exit(1);
}
const elsewhere = [...long, ...APART.map(groupOf)];
const usual = [...groups, ...alone.toSorted()].filter((file) => !elsewhere.includes(file));
const [which = "usual"] = process.argv.slice(2);
const files = { usual, long, all: [...usual, ...long] }[which];
if (!files) {
  console.error(`There are no ${which} tests: say usual, long or all.`);
  process.exit(1);
}
const node = [`--max-semi-space-size=${YOUNG_GENERATION}`, "--test"];
const options = ["--test-global-setup=test/support/setup.ts", `--test-concurrency=${PROCESSES}`];
const limits = [`--test-timeout=${TEST_MS_MAX}`];
const run = spawnSync(process.execPath, [...node, ...options, ...limits, ...files], {
  cwd: ROOT,
  stdio: "inherit",
  timeout: RUN_MS_MAX,
});
if (run.error) console.error(`The tests did not end: ${run.error.message}`);
process.exit(run.status ?? 1);
