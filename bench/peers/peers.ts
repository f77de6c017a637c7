// npm run bench:peers -- --help
import { existsSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { canReadCpu, loadAverage } from "../cpu.ts";
import { table } from "../figures.ts";
import type { Figure } from "../figures.ts";
import { showProgress } from "../progress.ts";
import { compareAccepting, compareEndToEnd } from "./foods.ts";
import { buildPeer } from "./peer-subject.ts";
import { compareReceipts } from "./receipts.ts";

const USAGE = `Compares the service with a typical stack (README.md beside this file): about six minutes.

npm run bench:peers -- [OPTION…]
  --only NAME,…      of accept, end-to-end and receipts
  --rounds N         of foods (4)
  --seconds N        length of a round of accept (3)
  --receipts N|all   photos and scans of the folder (10)
  --folder FOLDER    receipts with labels, as npm run eval:receipts reads them
  --json             for machines`;
const { values: options } = parseArgs({
  options: {
    help: { type: "boolean", default: false, short: "h" },
    only: { type: "string", default: "accept,end-to-end,receipts" },
    rounds: { type: "string", default: "4" },
    seconds: { type: "string", default: "3" },
    receipts: { type: "string", default: "10" },
    folder: { type: "string", default: join(import.meta.dirname, "../../../shared/receipts") },
    json: { type: "boolean", default: false },
  },
});
if (options.help) {
  console.log(USAGE);
  process.exit();
}
const foods = { rounds: Number(options.rounds), roundMs: Number(options.seconds) * 1_000, progress: showProgress };
const receipts = {
  folder: options.folder,
  receiptsMax: options.receipts === "all" ? Number.POSITIVE_INFINITY : Number(options.receipts),
  progress: showProgress,
};
const COMPARISONS: Record<string, () => Promise<Figure[]>> = {
  accept: () => compareAccepting(foods),
  "end-to-end": () => compareEndToEnd(foods),
  receipts: () => compareReceipts(receipts),
};
const wanted = options.only.split(",");
const unknown = wanted.filter((name) => !(name in COMPARISONS));
if (unknown.length > 0) {
  console.error(`There is no comparison ${unknown.join(", ")}; there are ${Object.keys(COMPARISONS).join(", ")}.`);
  process.exit(2);
}
if (!existsSync(join(import.meta.dirname, "node_modules"))) {
  console.error("The peers are not installed: npm ci --prefix bench/peers");
  process.exit(2);
}

const startedMs = performance.now();
const loads = [loadAverage()];
showProgress("compiling the peer");
await buildPeer();
const figures: Figure[] = [];
for (const [name, compare] of Object.entries(COMPARISONS)) {
  if (!wanted.includes(name)) continue;
  figures.push(...(await compare()));
  loads.push(loadAverage());
}
const machine = { cores: availableParallelism(), processor: cpus()[0]?.model ?? "unknown", node: process.version };
const loadAverages = loads.map((load) => Number(load.toFixed(1)));
if (options.json) console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages, figures }));
else {
  showProgress("");
  console.log(`\n${table(figures)}\n`);
  console.log(`${machine.cores} cores (${machine.processor}), Node ${machine.node}, ${new Date().toISOString()}`);
  console.log(
    `${((performance.now() - startedMs) / 1_000).toFixed(0)} s in all. Load average before and after each: ${loadAverages.join(", ")}; ` +
      "the comparison's own share is about 2.",
  );
  if (!canReadCpu) console.log("Processor time is read from /proc, which this system lacks.");
}
