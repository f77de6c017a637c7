import { readFileSync } from "node:fs";
import { descendants } from "../test/support/processes.ts";

const KIB = 1_024;

/** What processes hold, in bytes. */
export interface Memory {
  /** The memory of one process in RAM, what it shares with others included. */
  readonly rss: number;
  /** What is in RAM, shared parts divided by the number of processes that share them. */
  readonly pss: number;
  /** The part of it that is shared memory: the buffers of PostgreSQL. */
  readonly shared: number;
}

/** Reads the memory of a process and of all below it. Null where the system does not report it: other than Linux. */
export function memoryOfTree(pid: number): { own: Memory; all: Memory } | null {
  const own = memoryOf(pid);
  if (!own) return null;
  const all = descendants(pid)
    .map(memoryOf)
    .reduce<Memory>((sum, next) => (next ? added(sum, next) : sum), own);
  return { own, all };
}

function memoryOf(pid: number): Memory | null {
  try {
    const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
    const read = (name: string): number => Number(new RegExp(`^${name}: +(\\d+) kB$`, "m").exec(text)?.[1]) * KIB;
    return { rss: read("Rss"), pss: read("Pss"), shared: read("Pss_Shmem") };
  } catch {
    return null;
  }
}

function added(a: Memory, b: Memory): Memory {
  return { rss: a.rss + b.rss, pss: a.pss + b.pss, shared: a.shared + b.shared };
}
