import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { descendants, postmasterPid } from "../../test/support/processes.ts";
import type { Target } from "./target.ts";

/** Cost of a span of time in the service's processes, those of PostgreSQL included in the seconds. */
export interface Cost {
  readonly cpuSeconds: number;
  /** Largest memory of the process that responds, in MB. */
  readonly apiMb: number;
  /** Largest memory of its child processes together, in MB, without PostgreSQL. */
  readonly childrenMb: number;
}

const SAMPLE_MS = 200;
/** Linux reports processor time in hundredths of a second, whatever the kernel's clock. */
const TICKS_PER_SECOND = 100;
const KIB_PER_MB = 1024;

/** Measures the processes of a service from now on, by /proc. Without /proc all figures are 0. */
export function startCosts({ pid, dataDir }: Target): { end: () => Cost } {
  const startTicks = new Map<number, number>();
  const lastTicks = new Map<number, number>();
  let childrenKib = 0;
  // The kernel forgets the peak of the memory so far.
  attempt(() => writeFileSync(`/proc/${pid}/clear_refs`, "5"));
  const sample = (isFirst: boolean) => {
    const postmaster = postmasterPid(dataDir);
    const postgres = new Set(postmaster === null ? [] : [postmaster, ...descendants(postmaster)]);
    const own = [pid, ...descendants(pid)].filter((candidate) => !postgres.has(candidate));
    for (const each of [...own, ...postgres]) {
      const ticks = ticksOf(each);
      // A process that started later began at 0.
      if (isFirst) startTicks.set(each, ticks);
      if (ticks > 0) lastTicks.set(each, ticks);
    }
    const sum = own.slice(1).reduce((kib, each) => kib + kibOf(each, "VmRSS"), 0);
    childrenKib = Math.max(childrenKib, sum);
  };
  sample(true);
  const timer = setInterval(() => sample(false), SAMPLE_MS);
  return {
    end: () => {
      clearInterval(timer);
      sample(false);
      const ticks = [...lastTicks].reduce((sum, [each, last]) => sum + last - (startTicks.get(each) ?? 0), 0);
      return {
        cpuSeconds: ticks / TICKS_PER_SECOND,
        apiMb: Math.round(kibOf(pid, "VmHWM") / KIB_PER_MB),
        childrenMb: Math.round(childrenKib / KIB_PER_MB),
      };
    },
  };
}

/** Number of files in a folder and below. */
export function filesBelow(folder: string): number {
  return (
    attempt(() => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()))
      ?.length ?? 0
  );
}

function ticksOf(pid: number): number {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  if (stat === undefined) return 0;
  // Behind the name, which may have spaces, from the third field on: utime and stime are the 14th and 15th.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}

function kibOf(pid: number, name: "VmHWM" | "VmRSS"): number {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? "";
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    // The process has ended, or there is no /proc.
    return undefined;
  }
}
