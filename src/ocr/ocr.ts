import os from "node:os";
import { createIdleTimers } from "../idle-timers.ts";
import type { Log } from "../log.ts";
import { OcrFailure } from "./failure.ts";
import type { OcrPage } from "./page.ts";
import { startReadingProcess } from "./reading-process.ts";
import type { OcrImage, OcrReading, Outcome, ReadingProcess } from "./reading-process.ts";

export { OcrFailure } from "./failure.ts";
export type { OcrImage, OcrReading } from "./reading-process.ts";

/** Limits of the pool; all have defaults. */
export interface OcrOptions {
  /** Number of processes at most, by default one for each core. Each reads one image at a time. */
  processes?: number;
  /** Timeout of one image, from when a process takes it; default 60 s (the slowest development receipt takes 5 s). */
  timeoutMs?: number;
  /**
   * Memory limit of one process. Above it the process is ended during the image if the system reports memory (Linux);
   * near it the process is replaced after the image. Default 660 MiB; images of 48 megapixels took 542 MB.
   */
  memoryLimitMb?: number;
  /** Logs each replaced process with the reason. */
  log?: Log;
  /** Called for each replaced process. */
  onReplaced?: () => void;
  /** The program of each process; default `child.ts`. */
  program?: URL;
  /** A process without an image for this time is ended; default 5 minutes. */
  idleMsMax?: number;
  /** Folder that keeps the optimised models for the next process; by default each process makes its own. */
  modelsFolder?: string;
}

/** A pool of processes that read images. */
export interface Ocr {
  /** Reads one image; waits while all processes are busy. Throws OcrFailure. */
  read: (image: OcrImage) => Promise<OcrPage>;
  /** Like `read`, with the cost of the page. */
  readMeasured: (image: OcrImage) => Promise<OcrReading>;
  /** Ends all processes; images waiting or in progress are rejected as closed. */
  close: () => Promise<void>;
}

interface Job {
  readonly image: OcrImage;
  readonly settle: (outcome: Outcome) => void;
}

const PROGRAM = new URL("./child.ts", import.meta.url);
const TIMEOUT_MS = 60_000;
const MEMORY_LIMIT_MB = 660;
/** A process holds 300 MB, and takes 0.3 s of processor time to start: that is little for a receipt after a pause. */
const IDLE_MS_MAX = 5 * 60_000;

const CLOSED = new OcrFailure("closed", "the pool is closed");

/** Creates the pool; no process starts before the first image, and idle ones end. */
export function createOcr(options: OcrOptions = {}): Ocr {
  const { processes: processesMax = os.availableParallelism(), program = PROGRAM, modelsFolder } = options;
  const { timeoutMs = TIMEOUT_MS, memoryLimitMb = MEMORY_LIMIT_MB, idleMsMax = IDLE_MS_MAX } = options;
  const processes = new Set<ReadingProcess>();
  const idleTimers = createIdleTimers(processes, idleMsMax, (process) => process.end(CLOSED));
  const waiting: Job[] = [];
  let closed = false;

  const dispatch = (): void => {
    while (waiting.length > 0) {
      const idle = [...processes].find((process) => process.isIdle());
      if (!idle && processes.size >= processesMax) return;
      const job = waiting.shift()!;
      try {
        void run(idle ?? start(), job);
      } catch (error) {
        job.settle(new OcrFailure("crashed", error instanceof Error ? error.message : String(error)));
      }
    }
  };

  const start = (): ReadingProcess => {
    const memoryLimitBytes = memoryLimitMb * 1024 * 1024;
    const started: ReadingProcess = startReadingProcess({
      program,
      modelsFolder,
      timeoutMs,
      memoryLimitBytes,
      onLost: (failure) => remove(started, failure),
    });
    processes.add(started);
    return started;
  };

  const run = async (process: ReadingProcess, { image, settle }: Job): Promise<void> => {
    idleTimers.stop(process);
    settle(await process.read(image));
    idleTimers.start(process);
    dispatch();
  };

  /** Removes a process from the pool; its image, if any, gets the failure. */
  const remove = (lost: ReadingProcess, failure: OcrFailure): void => {
    if (!processes.delete(lost)) return;
    idleTimers.stop(lost);
    lost.kill(failure);
    if (!closed) reportReplaced(lost, failure, options);
    dispatch();
  };

  const readMeasured = async (image: OcrImage): Promise<OcrReading> => {
    if (closed) throw CLOSED;
    const outcome = await new Promise<Outcome>((settle) => {
      waiting.push({ image, settle });
      dispatch();
    });
    if (outcome instanceof OcrFailure) throw outcome;
    return outcome;
  };

  const close = async (): Promise<void> => {
    closed = true;
    for (const { settle } of waiting.splice(0)) settle(CLOSED);
    await Promise.all([...[...processes].map((process) => process.end(CLOSED)), idleTimers.ended()]);
  };

  return { read: async (image) => (await readMeasured(image)).page, readMeasured, close };
}

function reportReplaced({ pid }: ReadingProcess, { kind, message: reason }: OcrFailure, options: OcrOptions): void {
  options.log?.warn({ pid, kind, reason }, "ocr process replaced");
  options.onReplaced?.();
}
