// Sends many almost valid requests: npm run test:fuzz -- [--runs 20000] [--seed 42]
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
  },
});
console.log(`runs ${values.runs}, seed ${values.seed}`);
const files = ["test/fuzz.test.ts", "test/fuzz-refused.test.ts"];
const child = spawn(
  process.execPath,
  ["bin/run.mjs", "--test", "--test-global-setup=test/support/setup.ts", ...files],
  {
    env: { ...process.env, FUZZ_RUNS: values.runs, FUZZ_SEED: values.seed },
    stdio: "inherit",
  },
);
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
});
