import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { descendants, environment, serviceOf } from "../test/support/processes.ts";
import type { ProcessSettings, ServiceProcess } from "../test/support/processes.ts";
import { canReadCpu, cpuMsOfTree } from "./cpu.ts";
import type { Figure } from "./figures.ts";
import { median } from "./figures.ts";
import { memoryOfTree } from "./memory.ts";
import type { Progress } from "./progress.ts";
import { photo, readReceipts } from "./receipts.ts";
import type { Subject } from "./subject.ts";

const ROOT = join(import.meta.dirname, "..");
const STARTS = 7;
const POLL_MS = 3;
const REST_MS = 10_000;
const MIB = 1_024 * 1_024;
/** First number of photos that no other measurement uses. */
const FIRST_PHOTO = 500;

/** A start, from its command to the first 200 of /health/ready. */
interface Start {
  readonly ms: number;
  /** Of all processes, to the same moment. */
  readonly cpuMs: number;
}

/** Measures warm starts (data, compiled code and kept files are there), then memory at rest, then the first receipt. */
export async function measureStart(subject: Subject, { progress }: { progress: Progress }): Promise<Figure[]> {
  progress("start: filling the caches");
  await readReceipts(subject, [await photo(FIRST_PHOTO)], 1);
  await restart(subject);
  const starts: Start[] = [];
  for (let n = 1; n <= STARTS; n++) {
    progress(`start: ${n} of ${STARTS}`);
    starts.push((await restart(subject)).start);
  }
  const { service } = await restart(subject);
  const [early, late] = [await memoryAfter(REST_MS, service, progress), await memoryAfter(REST_MS, service, progress)];
  progress("start: the first receipt");
  const [receiptMs] = await readReceipts(subject, [await photo(FIRST_PHOTO + 1)], 1);
  return [
    {
      name: "a warm start, npm start to ready",
      value: median(starts.map(({ ms }) => ms)),
      unit: "ms",
      aim: { below: 1_000 },
      note: `median of ${STARTS}; slowest ${Math.max(...starts.map(({ ms }) => ms)).toFixed(0)} ms`,
    },
    {
      name: "processor time of it, all processes",
      value: canReadCpu ? median(starts.map(({ cpuMs }) => cpuMs)) : null,
      unit: "ms",
    },
    {
      name: "memory at rest, Node (RSS)",
      value: early?.nodeMib ?? null,
      unit: "MiB",
      note: `${REST_MS / 1_000} s after the start; ${late?.nodeMib.toFixed(0)} MiB as long after that`,
    },
    {
      name: "memory at rest, all processes (PSS)",
      value: early?.allMib ?? null,
      unit: "MiB",
      aim: { below: 250 },
      note:
        "without the shared buffers of PostgreSQL; no OCR process has started; " +
        `${late?.allMib.toFixed(0)} MiB when idle connections are closed`,
    },
    { name: "the first receipt after a start", value: receiptMs! / 1_000, unit: "s", aim: { below: 2 } },
  ];
}

async function restart(subject: Subject): Promise<{ service: ServiceProcess; start: Start }> {
  let start: Start = { ms: 0, cpuMs: 0 };
  const service = await subject.restart(async (settings) => {
    const startedMs = performance.now();
    const started = await startAsPeople(settings);
    start = { ms: performance.now() - startedMs, cpuMs: cpuMsOfTree(started.child.pid!) };
    return started;
  });
  return { service, start };
}

/** Starts the service by the command of `npm start`, and waits until it is ready. */
async function startAsPeople(settings: ProcessSettings): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [join(ROOT, "bin/run.mjs"), "src/main.ts", settings.role ?? "start"], {
    cwd: ROOT,
    env: environment(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
  return await serviceOf(child, settings, POLL_MS);
}

/** Lets the service rest, and reads the memory of its Node process and of all processes. */
async function memoryAfter(
  ms: number,
  service: ServiceProcess,
  progress: Progress,
): Promise<{ nodeMib: number; allMib: number } | null> {
  progress(`start: ${ms / 1_000} s of rest`);
  await sleep(ms);
  const [node, all] = [memoryOfTree(nodeOf(service))?.own, memoryOfTree(service.child.pid!)?.all];
  return node && all ? { nodeMib: node.rss / MIB, allMib: (all.pss - all.shared) / MIB } : null;
}

/** The process of the service: bin/run.mjs, or the one that it has started. */
function nodeOf({ child }: ServiceProcess): number {
  return descendants(child.pid!)[0] ?? child.pid!;
}
