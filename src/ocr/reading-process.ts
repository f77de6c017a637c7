import type { ChildProcess } from "node:child_process";
import { endProcess, setHold, startApart, usageOf } from "../child-process.ts";
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
  /** Keeps the optimised models, see `keptFile`. */
  readonly modelsFolder: string | undefined;
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
/**
 * A process that keeps more than this share of its limit gets no other image: among a thousand images two in a row were
 * ended in progress that a fresh process reads.
 */
const KEPT_SHARE_MAX = 0.8;

/** Starts a process. Throws the error of `fork`, as when the system has no memory for another process. */
export function startReadingProcess(options: ReadingProcessOptions): ReadingProcess {
  const { program, modelsFolder, memoryLimitBytes } = options;
  const child = startApart(program, memoryLimitBytes, {}, modelsFolder === undefined ? [] : [modelsFolder]);
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
      await endProcess(child);
    },
  };
}

/** Reports a process that takes too long or too much memory for an image. Returns a function that stops the checks. */
function watch(child: ChildProcess, { timeoutMs, memoryLimitBytes, onLost }: ReadingProcessOptions): () => void {
  const timer = setTimeout(() => {
    onLost(new OcrFailure("timeout", `no result after ${timeoutMs} ms`));
  }, timeoutMs);
  const checkMemory = async (): Promise<void> => {
    const usage = await usageOf(child.pid);
    if (usage && usage.rssBytes > memoryLimitBytes) onLost(new OcrFailure("crashed", "over the memory limit"));
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
