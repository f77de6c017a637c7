// Runs the integration or unit tests of the named files: npm run test:one -- [OPTION ...] FILE [FILE ...]
// Without a file, Node would run every test that it finds, for minutes.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const args = process.argv.slice(2);
if (!args.some((arg) => !arg.startsWith("-") && arg.endsWith(".ts"))) {
  console.error("Name a test file: npm run test:one -- test/intakes.test.ts");
  process.exit(1);
}
const setup = "--test-global-setup=test/support/setup.ts";
const run = spawnSync(process.execPath, ["--test", setup, ...args], {
  cwd: join(import.meta.dirname, ".."),
  stdio: "inherit",
});
process.exit(run.status ?? 1);
