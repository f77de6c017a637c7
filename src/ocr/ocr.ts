import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import os from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { OcrPage } from "./page.ts";
import type { Log } from "../log.ts";
import type { StepCpuMs } from "./read-page.ts";
import type { OcrReply, OcrRequest } from "./process.ts";

/** An image to read: a file, or the bytes of one (JPEG or PNG). */
export type OcrImage = { path: string } | { bytes: Uint8Array };

/**
 * One image could not be read; the next one is not affected. `unreadable`: its bytes give no picture, and no other try would
 * read them. `crashed` (also: over memory), `timeout` and `failed` (also: there is no such file) are worth another try.
 * `closed`: the pool was closed before it was read.
 */
export class OcrFailure extends Error {
  override name = "OcrFailure";
  readonly kind: "crashed" | "timeout" | "failed" | "unreadable" | "closed";
  constructor(kind: OcrFailure["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/** How the pool is bounded; all have defaults. */
export interface OcrOptions {
  /** Processes at most, default one for each core. Each reads one image at a time. */
  processes?: number;
  /** For one image, from when a process takes it; default 60 s (the slowest of the development receipts takes 5 s). */
  timeoutMs?: number;
  /** Of one process. Above it: ended in the middle of an image where the system tells (Linux); near it: replaced after the image. Default 660 MiB; images of 48 megapixels took 542 MB. */
  memoryLimitMb?: number;
  /** Told when a process is replaced, and why. */
  log?: Log;
  /** What each process runs; `ocr-process.ts` without. */
  program?: URL;
}

/** A pool of processes that read images. */
export interface Ocr {
  /** Reads one image; waits while all processes are busy. Throws OcrFailure. */
  read: (image: OcrImage) => Promise<OcrPage>;
  /** What read() gives and what it cost. */
  readMeasured: (image: OcrImage) => Promise<OcrReading>;
  /** Ends all processes; images waiting or in hand are rejected as closed. */
  close: () => Promise<void>;
}

/** A page with its cost in the process that read it: by the clock, by the processor (step by step), the memory held after it and the most ever held. */
export interface OcrReading {
  page: OcrPage;
  durationMs: number;
  cpuMs: number;
  stepCpuMs: StepCpuMs;
  rssBytes: number;
  peakRssBytes: number;
}

type Outcome = OcrReading | OcrFailure;
interface Job {
  image: OcrImage;
  settle: (outcome: Outcome) => void;
}
/** `settle` ends the image in hand, null while there is none. */
interface Worker {
  child: ChildProcess;
  ready: Promise<void>;
  settle: ((outcome: Outcome) => void) | null;
}

const PROGRAM = new URL("./process.ts", import.meta.url);
const MEMORY_CHECK_MS = 250;
const PAGE_BYTES = 4096;
/** A process that keeps more of its limit than this takes no other image: after a thousand, two in a row were ended in the middle of one that a fresh process reads. */
const KEPT_SHARE_MAX = 0.8;
/** A process that has not ended this long after it was asked to is killed. */
const END_GRACE_MS = 2_000;

/** Makes the pool; no process starts before the first image. */
export function createOcr(options: OcrOptions = {}): Ocr {
  const processes = options.processes ?? os.availableParallelism();
  const timeoutMs = options.timeoutMs ?? 60_000;
  const memoryLimitBytes = (options.memoryLimitMb ?? 660) * 1024 * 1024;
  const { log, program = PROGRAM } = options;
  const workers = new Set<Worker>();
  const waiting: Job[] = [];
  let closed = false;
  let lastId = 0;

  const dispatch = (): void => {
    while (waiting.length > 0) {
      const idle = [...workers].find((worker) => worker.settle === null);
      if (!idle && workers.size >= processes) return;
      const job = waiting.shift()!;
      try {
        run(idle ?? start(), job);
      } catch (error) {
        // Where the system has no memory for another process, fork throws.
        job.settle(new OcrFailure("crashed", error instanceof Error ? error.message : String(error)));
      }
    }
  };

  const start = (): Worker => {
    const child = fork(program, {
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const ready = new Promise<void>((resolve) => child.once("message", () => resolve()));
    const worker: Worker = { child, ready, settle: null };
    workers.add(worker);
    child.on("error", (error) => retire(worker, new OcrFailure("crashed", error.message)));
    child.on("exit", (code, signal) => {
      retire(worker, new OcrFailure("crashed", `the OCR process ended with ${signal ?? `code ${code}`}`));
    });
    return worker;
  };

  const run = (worker: Worker, { image, settle }: Job): void => {
    const { child } = worker;
    const id = ++lastId;
    let startedMs = performance.now();
    const timer = setTimeout(() => {
      retire(worker, new OcrFailure("timeout", `no result after ${timeoutMs} ms`));
    }, timeoutMs);
    const checkMemory = async (): Promise<void> => {
      if ((await residentBytes(child.pid)) <= memoryLimitBytes) return;
      retire(worker, new OcrFailure("crashed", "over the memory limit"));
    };
    const memoryTimer = setInterval(() => void checkMemory(), MEMORY_CHECK_MS);
    const onReply = (reply: OcrReply): void => {
      if (reply.kind === "ready" || reply.id !== id) return;
      const durationMs = performance.now() - startedMs;
      const { rssBytes } = reply;
      worker.settle?.(
        reply.kind === "page"
          ? { ...costOf(reply), page: reply.page, durationMs }
          : new OcrFailure(reply.kind, reply.reason),
      );
      if (rssBytes > KEPT_SHARE_MAX * memoryLimitBytes)
        retire(worker, new OcrFailure("crashed", "recycled: near the memory limit"));
      dispatch();
    };
    worker.settle = (outcome) => {
      worker.settle = null;
      clearTimeout(timer);
      clearInterval(memoryTimer);
      child.off("message", onReply);
      setHold(child, false);
      settle(outcome);
    };
    setHold(child, true);
    child.on("message", onReply);
    const send = async (): Promise<void> => {
      await worker.ready;
      startedMs = performance.now();
      const request: OcrRequest = { id, image };
      // A process that dies meanwhile is noticed by its exit.
      if (child.connected) child.send(request, () => undefined);
    };
    void send();
  };

  /** Takes a process out of the pool for good; its image, if any, gets the failure. */
  const retire = (worker: Worker, failure: OcrFailure): void => {
    if (!workers.delete(worker)) return;
    worker.child.kill("SIGKILL");
    if (!closed)
      log?.warn({ pid: worker.child.pid, kind: failure.kind, reason: failure.message }, "ocr process replaced");
    worker.settle?.(failure);
    dispatch();
  };

  const readMeasured = async (image: OcrImage): Promise<OcrReading> => {
    if (closed) throw new OcrFailure("closed", "the pool is closed");
    const outcome = await new Promise<Outcome>((settle) => {
      waiting.push({ image, settle });
      dispatch();
    });
    if (outcome instanceof OcrFailure) throw outcome;
    return outcome;
  };

  const close = async (): Promise<void> => {
    closed = true;
    const failure = new OcrFailure("closed", "the pool is closed");
    for (const { settle } of waiting.splice(0)) settle(failure);
    const children = [...workers].map(({ child }) => child);
    for (const { child, settle } of workers) {
      settle?.(failure);
      setHold(child, true);
      if (child.connected) child.disconnect();
    }
    await Promise.all(children.map(ended));
  };

  return { read: async (image) => (await readMeasured(image)).page, readMeasured, close };
}

function costOf({ cpuMs, stepCpuMs, rssBytes, peakRssBytes }: Extract<OcrReply, { kind: "page" }>) {
  return { cpuMs, stepCpuMs, rssBytes, peakRssBytes };
}

/** A process with work in hand keeps the event loop alive, an idle one doesn't. */
function setHold(child: ChildProcess, held: boolean): void {
  const method = held ? "ref" : "unref";
  child[method]();
  child.channel?.[method]();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // One that could not be started tells of an error instead of an exit.
  const exit = new Promise<"exited">((resolve) => {
    for (const event of ["exit", "error"]) child.once(event, () => resolve("exited"));
  });
  const grace = new AbortController();
  const outcome = await Promise.race([exit, delay(END_GRACE_MS, "late", { signal: grace.signal })]);
  if (outcome === "exited") return grace.abort();
  child.kill("SIGKILL");
  await exit;
}

/** Memory a process holds; 0 where the system doesn't tell through /proc. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "0 0");
  return Number(statm.split(" ")[1]) * PAGE_BYTES;
}
