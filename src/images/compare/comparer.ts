import type { ChildProcess } from "node:child_process";
import { endProcess, setHold, startApart, usageOf } from "../../child-process.ts";
import type { Log } from "../../log.ts";
import type { PlaceSimilarity } from "./place-similarity.ts";
import type { ComparisonReply, ComparisonRequest } from "./program.ts";

/**
 * The result of a comparison. `failed`: a picture is not there, or cannot be decoded. `stopped`: it took more than a
 * limit, or its process ended. `closed`: the comparer was closed meanwhile.
 */
export type Comparison =
  | { readonly kind: "compared"; readonly places: readonly (PlaceSimilarity | null)[] }
  | { readonly kind: "failed" | "stopped" | "closed"; readonly reason: string };

/** Compares stored pictures in a process of its own: the service decodes none, and its event loop waits for none. */
export interface PictureComparer {
  /** Compares one pair after another. See `comparePictures`. */
  compare(request: ComparisonRequest): Promise<Comparison>;
  /** Ends the process; comparisons waiting or in progress are closed. */
  close(): Promise<void>;
}

/** Limits of a comparison, and the program; all have defaults. */
export interface ComparerOptions {
  readonly program?: URL;
  readonly cpuMsMax?: number;
  readonly msMax?: number;
  readonly memoryLimitBytes?: number;
  /** A process without a comparison for this time is ended: most receipts have nothing in common with others. */
  readonly idleMsMax?: number;
  /** Logs each process that was stopped, with the reason. */
  readonly log?: Log;
}

interface Process {
  readonly child: ChildProcess;
  settle: ((comparison: Comparison) => void) | null;
  rssBytes: number;
}

const PROGRAM = new URL("./program.ts", import.meta.url);
/** Two pictures of 4,000 × 4,000 pixels and 60 places of the greatest width took 5.2 s. */
const CPU_MS_MAX = 20_000;
/** It also has to wait for the processor; the lease of the receipt is renewed meanwhile. */
const MS_MAX = 60_000;
/** The same pictures: 205 MB. */
const MEMORY_BYTES = 512 * 1024 * 1024;
const IDLE_MS_MAX = 60_000;
const CHECK_MS = 250;
/** For the memory allocator of Linux, as for the decoders of uploads. */
const ENVIRONMENT = { MALLOC_ARENA_MAX: "2" };
const CLOSED: Comparison = { kind: "closed", reason: "the service is being stopped" };

/** Creates the comparer; its process starts with the first comparison. */
export function createPictureComparer(options: ComparerOptions = {}): PictureComparer {
  const { program = PROGRAM, memoryLimitBytes = MEMORY_BYTES, idleMsMax = IDLE_MS_MAX, log } = options;
  let current: Process | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | undefined;
  let isClosed = false;

  const lose = (process: Process, reason: string): void => {
    if (current === process) current = null;
    process.child.kill("SIGKILL");
    if (!process.settle) return;
    if (!isClosed) log?.warn({ pid: process.child.pid, reason }, "comparison of images stopped");
    process.settle(isClosed ? CLOSED : { kind: "stopped", reason });
  };

  const start = (): Process => {
    const process: Process = { child: startApart(program, memoryLimitBytes, ENVIRONMENT), settle: null, rssBytes: 0 };
    process.child.on("message", ({ rssBytes, ...comparison }: ComparisonReply) => {
      process.rssBytes = rssBytes;
      process.settle?.(comparison);
    });
    process.child.on("error", (error) => lose(process, error.message));
    process.child.on("exit", (code, signal) => lose(process, `it ended with ${signal ?? `code ${code}`}`));
    return process;
  };

  const end = async (process: Process | null): Promise<void> => {
    if (process && current === process) current = null;
    if (process) await endProcess(process.child);
  };

  const run = async (request: ComparisonRequest): Promise<Comparison> => {
    if (isClosed) return CLOSED;
    clearTimeout(idle);
    const process = (current ??= start());
    const { child } = process;
    const stopWatching = watch(child, { ...options, memoryLimitBytes }, (reason) => lose(process, reason));
    setHold(child, true);
    const comparison = await new Promise<Comparison>((resolve) => {
      process.settle = resolve;
      // If the process has ended meanwhile, its exit is reported.
      if (child.connected) child.send(request, () => undefined);
    });
    process.settle = null;
    stopWatching();
    setHold(child, false);
    if (process.rssBytes > memoryLimitBytes / 2) await end(process);
    idle = setTimeout(() => void end(current), idleMsMax).unref();
    return comparison;
  };

  return {
    compare: (request) => {
      const comparison = last.then(() => run(request));
      last = comparison.catch(() => undefined);
      return comparison;
    },
    close: async () => {
      isClosed = true;
      clearTimeout(idle);
      current?.settle?.(CLOSED);
      await end(current);
    },
  };
}

/** Reports a process that takes more than a limit for a comparison. Returns a function that stops the checks. */
function watch(
  { pid }: ChildProcess,
  { cpuMsMax = CPU_MS_MAX, msMax = MS_MAX, memoryLimitBytes = MEMORY_BYTES }: ComparerOptions,
  onExceeded: (reason: string) => void,
): () => void {
  let cpuBeforeMs: number | null = null;
  const timer = setTimeout(() => onExceeded(`no result after ${msMax} ms`), msMax);
  const check = async (): Promise<void> => {
    const usage = await usageOf(pid);
    if (!usage) return;
    cpuBeforeMs ??= usage.cpuMs;
    if (usage.rssBytes > memoryLimitBytes) onExceeded("over the memory limit");
    else if (usage.cpuMs - cpuBeforeMs > cpuMsMax) onExceeded("over the limit of processor time");
  };
  const checks = setInterval(() => void check(), CHECK_MS);
  return () => {
    clearTimeout(timer);
    clearInterval(checks);
  };
}
