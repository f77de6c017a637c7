import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { descendants } from "../test/support/processes.ts";

/** Linux reports processor time in hundredths of a second, for any tick of the kernel. */
const TICK_MS = 10;

/** Whether processor time can be read here (Linux). */
export const canReadCpu = process.platform === "linux";

/** Processor time in ms of a process and all below it, those that ended already included. 0 where there is no /proc. */
export function cpuMsOfTree(pid: number, except: readonly number[] = []): number {
  const left = new Set(except);
  return [pid, ...descendants(pid)].filter((each) => !left.has(each)).reduce((sum, each) => sum + cpuMsOf(each), 0);
}

/** Processor time in ms of those processes below `pid` whose command line matches. They must live on. */
export function cpuMsBelow(pid: number, command: RegExp): number {
  return descendants(pid)
    .filter((each) => command.test(commandOf(each)))
    .reduce((sum, each) => sum + cpuMsOf(each), 0);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function cpuMsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name in brackets: field 3 is the first, so utime, stime, cutime and cstime (14 to 17) start at 11.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * TICK_MS;
  } catch {
    return 0;
  }
}

/** The load of the last minute: how many processes wanted a core, ours among them. */
export function loadAverage(): number {
  return loadavg()[0]!;
}
