// npm run bench -- [--only start,idle,webhooks,intakes,receipts,health,reads,moves,serve,accept] [--rounds N]
// [--seconds N] [--json]; `--only verify`, which takes minutes, is not among those of a run without --only
import { availableParallelism, cpus } from "node:os";
import { parseArgs } from "node:util";
import { measureAccept, measureAcceptAlone } from "./accept.ts";
import { canReadCpu, loadAverage } from "./cpu.ts";
import { table } from "./figures.ts";
import type { Figure } from "./figures.ts";
import { measureHealth } from "./health.ts";
import { measureIdle, measureIntakes } from "./intakes.ts";
import { measureMoves } from "./moves.ts";
import { showProgress } from "./progress.ts";
import { measureReads } from "./reads.ts";
import { measureReceipts } from "./receipts.ts";
import { measureStart } from "./start.ts";
import { startSubject } from "./subject.ts";
import type { Subject } from "./subject.ts";
import { measureVerification } from "./verification.ts";
import { measureWebhooks } from "./webhooks.ts";

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "start,idle,webhooks,intakes,receipts,health,reads,moves,serve,accept" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "4" },
    json: { type: "boolean", default: false },
  },
});

const progress = showProgress;
const accepting = { rounds: Number(options.rounds), roundMs: Number(options.seconds) * 1_000, progress };
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
  verify: (subject) => measureVerification(subject, { progress }),
  serve: (subject) => measureAcceptAlone(subject, accepting),
  accept: (subject) => measureAccept(subject, accepting),
};
const wanted = options.only.split(",");
const unknown = wanted.filter((name) => !(name in MEASUREMENTS));
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(", ")}; there are ${Object.keys(MEASUREMENTS).join(", ")}.`);
  process.exit(2);
}

/** Runs the measurements, each on a new service with an empty folder. */
async function measure(): Promise<{ figures: Figure[]; loads: number[] }> {
  const figures: Figure[] = [];
  const loads = [loadAverage()];
  let isEnding = false;
  for (const [name, run] of Object.entries(MEASUREMENTS)) {
    if (isEnding || !wanted.includes(name)) continue;
    progress(`${name}: starting the service`);
    const starting = startSubject(name === "serve" ? "serve" : "start", ["serve", "reads", "verify"].includes(name));
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

const startedMs = performance.now();
const { figures, loads } = await measure();
const machine = { cores: availableParallelism(), processor: cpus()[0]?.model ?? "unknown", node: process.version };
const loadAverages = loads.map((load) => Number(load.toFixed(1)));
if (options.json) console.log(JSON.stringify({ at: new Date().toISOString(), machine, loadAverages, figures }));
else {
  progress("");
  console.log(`\n${table(figures)}\n`);
  console.log(`${machine.cores} cores (${machine.processor}), Node ${machine.node}, ${new Date().toISOString()}`);
  console.log(
    `${((performance.now() - startedMs) / 1_000).toFixed(0)} s in all. Load average before and after each: ${loadAverages.join(", ")}; ` +
      "the bench's own share is about 2, what is above it slowed the figures.",
  );
  if (!canReadCpu) console.log("Processor time is read from /proc, which this system lacks.");
}
