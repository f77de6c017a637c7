import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { OcrFailure } from "./failure.ts";
import type { OcrPage } from "./page.ts";
import type { OcrReply, OcrRequest } from "./child.ts";
import type { StepCpuMs } from "./read-page.ts";

/** An image to read: a file, or its bytes (JPEG or PNG). */
export type OcrImage = { path: string } | { bytes: Uint8Array };

/**
 * A page with its cost in the process that read it: time, processor time (in all and by step), the memory that the
 * process holds after it and the most it ever held.
 */
export interface OcrReading {
  page: OcrPage;
  durationMs: number;
  cpuMs: number;
  stepCpuMs: StepCpuMs;
  rssBytes: number;
  peakRssBytes: number;
}

/** A page, or why it was not read. */
export type Outcome = OcrReading | OcrFailure;

/** Limits of a process, and a listener for its end. */
export interface ReadingProcessOptions {
  /** The program that the process runs. */
  readonly program: URL;
  readonly timeoutMs: number;
  readonly memoryLimitBytes: number;
  /**
   * Called when the process can read no more images: it ended, hung, or used too much memory. The caller then kills it.
   */
  readonly onLost: (failure: OcrFailure) => void;
}

/** A process that reads one image at a time. */
export interface ReadingProcess {
  readonly pid: number | undefined;
  isIdle(): boolean;
  /** Reads an image. Returns a failure instead of throwing it. */
  read(image: OcrImage): Promise<Outcome>;
  /** Kills the process; an image in progress gets the failure. */
  kill(failure: OcrFailure): void;
  /** Ends the process, by force after a grace period; an image in progress gets the failure. */
  end(failure: OcrFailure): Promise<void>;
}

const MEMORY_CHECK_MS = 250;
const PAGE_BYTES = 4096;
/**
 * A process that keeps more than this share of its limit gets no other image: among a thousand images two in a row were
 * ended in progress that a fresh process reads.
 */
const KEPT_SHARE_MAX = 0.8;
/** A process that has not ended this long after the request to end is killed. */
const END_GRACE_MS = 2_000;

/** Starts a process. Throws the error of `fork`, as when the system has no memory for another process. */
export function startReadingProcess(options: ReadingProcessOptions): ReadingProcess {
  const child = fork(options.program, {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ready = new Promise<void>((resolve) => child.once("message", () => resolve()));
  let settle: ((outcome: Outcome) => void) | null = null;
  let lastId = 0;
  child.on("error", (error) => options.onLost(new OcrFailure("crashed", error.message)));
  child.on("exit", (code, signal) => {
    options.onLost(new OcrFailure("crashed", `the OCR process ended with ${signal ?? `code ${code}`}`));
  });

  const read = (image: OcrImage): Promise<Outcome> =>
    new Promise((resolve) => {
      const id = ++lastId;
      let startedMs = performance.now();
      const stopWatching = watch(child, options);
      const onReply = (reply: OcrReply): void => {
        if (reply.kind === "ready" || reply.id !== id) return;
        settle?.(outcomeOf(reply, performance.now() - startedMs));
        if (reply.rssBytes > KEPT_SHARE_MAX * options.memoryLimitBytes)
          options.onLost(new OcrFailure("crashed", "recycled: near the memory limit"));
      };
      settle = (outcome) => {
        settle = null;
        stopWatching();
        child.off("message", onReply);
        setHold(child, false);
        resolve(outcome);
      };
      setHold(child, true);
      child.on("message", onReply);
      void ready.then(() => {
        startedMs = performance.now();
        // If the process dies meanwhile, its exit is reported.
        if (child.connected) child.send({ id, image } satisfies OcrRequest, () => undefined);
      });
    });

  return {
    pid: child.pid,
    isIdle: () => settle === null,
    read,
    kill: (failure) => {
      child.kill("SIGKILL");
      settle?.(failure);
    },
    end: async (failure) => {
      settle?.(failure);
      setHold(child, true);
      if (child.connected) child.disconnect();
      await ended(child);
    },
  };
}

/** Reports a process that takes too long or too much memory for an image. Returns a function that stops the checks. */
function watch(child: ChildProcess, { timeoutMs, memoryLimitBytes, onLost }: ReadingProcessOptions): () => void {
  const timer = setTimeout(() => {
    onLost(new OcrFailure("timeout", `no result after ${timeoutMs} ms`));
  }, timeoutMs);
  const checkMemory = async (): Promise<void> => {
    if ((await residentBytes(child.pid)) > memoryLimitBytes) onLost(new OcrFailure("crashed", "over the memory limit"));
  };
  const memoryTimer = setInterval(() => void checkMemory(), MEMORY_CHECK_MS);
  return () => {
    clearTimeout(timer);
    clearInterval(memoryTimer);
  };
}

function outcomeOf(reply: Exclude<OcrReply, { kind: "ready" }>, durationMs: number): Outcome {
  if (reply.kind !== "page") return new OcrFailure(reply.kind, reply.reason);
  const { page, cpuMs, stepCpuMs, rssBytes, peakRssBytes } = reply;
  return { page, durationMs, cpuMs, stepCpuMs, rssBytes, peakRssBytes };
}

/** A busy process keeps the event loop alive, an idle one doesn't. */
function setHold(child: ChildProcess, held: boolean): void {
  const method = held ? "ref" : "unref";
  child[method]();
  child.channel?.[method]();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  // A process that could not be started emits `error` instead of `exit`.
  const exit = new Promise<"exited">((resolve) => {
    for (const event of ["exit", "error"]) child.once(event, () => resolve("exited"));
  });
  const grace = new AbortController();
  const outcome = await Promise.race([exit, delay(END_GRACE_MS, "late", { signal: grace.signal })]);
  if (outcome === "exited") return grace.abort();
  child.kill("SIGKILL");
  await exit;
}

/** Returns the memory that a process holds; 0 on systems without /proc. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const statm = await readFile(`/proc/${pid}/statm`, "utf8").catch(() => "0 0");
  return Number(statm.split(" ")[1]) * PAGE_BYTES;
}
