import { usageOf } from "../../child-process.ts";
import type { ExaminationStep } from "./examination.ts";

/** Limits of a step: of processor time, and of time. Time includes waiting for the processor and the disk. */
export interface StepLimit {
  readonly cpuMs: number;
  readonly ms: number;
}

/** Limits of each step, and of `start`: from the request to the first step. */
export type StepLimits = Readonly<Record<ExaminationStep | "start", StepLimit>>;

/** A limit that was exceeded: of processor time or memory, or of time alone, which may not be due to the upload. */
export type Exceeded = "too_costly" | "late";

/** The limits that apply to an upload. */
export interface UploadLimits {
  readonly memoryLimitBytes: number;
  readonly stepLimits: StepLimits;
}

/** Checks on the process that examines an upload. */
export interface StepWatch {
  /** The step in progress. */
  step(): keyof StepLimits;
  begin(step: ExaminationStep): void;
  stop(): void;
}

const CHECK_MS = 100;

/** Checks a process until `stop`, and calls `onExceeded` at each check that finds it over a limit. */
export function watchSteps(
  pid: number | undefined,
  { memoryLimitBytes, stepLimits }: UploadLimits,
  onExceeded: (exceeded: Exceeded, reason: string) => void,
): StepWatch {
  let current: keyof StepLimits = "start";
  let sinceMs = performance.now();
  /** What the process had used when the step began; null: not known yet. */
  let cpuBeforeMs: number | null = null;
  let isStopped = false;

  const check = async (): Promise<void> => {
    const [checked, usage] = [current, await usageOf(pid)];
    if (isStopped || checked !== current) return;
    const tookMs = performance.now() - sinceMs;
    const limit = stepLimits[current];
    cpuBeforeMs ??= usage && usage.cpuMs;
    // Where the system reports no processor time, all time is taken for it.
    const cpuMs = usage && cpuBeforeMs !== null ? usage.cpuMs - cpuBeforeMs : tookMs;
    if (usage && usage.rssBytes > memoryLimitBytes) onExceeded("too_costly", `over the memory limit in ${current}`);
    else if (cpuMs > limit.cpuMs) onExceeded("too_costly", `over the limit of processor time in ${current}`);
    else if (tookMs > limit.ms) onExceeded("late", `no result of ${current} after ${limit.ms} ms`);
  };
  const checks = setInterval(() => void check(), CHECK_MS);

  return {
    step: () => current,
    begin: (step) => {
      current = step;
      sinceMs = performance.now();
      cpuBeforeMs = null;
    },
    stop: () => {
      isStopped = true;
      clearInterval(checks);
    },
  };
}
