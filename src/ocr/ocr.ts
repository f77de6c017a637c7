import os from "node:os";
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
  /** The program of each process; default `child.ts`. */
  program?: URL;
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

/** Creates the pool; no process starts before the first image. */
export function createOcr(options: OcrOptions = {}): Ocr {
  const { log, processes: processesMax = os.availableParallelism(), program = PROGRAM, modelsFolder } = options;
  const { timeoutMs = TIMEOUT_MS, memoryLimitMb = MEMORY_LIMIT_MB } = options;
  const processes = new Set<ReadingProcess>();
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
    settle(await process.read(image));
    dispatch();
  };

  /** Removes a process from the pool; its image, if any, gets the failure. */
  const remove = (lost: ReadingProcess, failure: OcrFailure): void => {
    if (!processes.delete(lost)) return;
    lost.kill(failure);
    if (!closed) log?.warn({ pid: lost.pid, kind: failure.kind, reason: failure.message }, "ocr process replaced");
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
    await Promise.all([...processes].map((process) => process.end(failure)));
  };

  return { read: async (image) => (await readMeasured(image)).page, readMeasured, close };
}
