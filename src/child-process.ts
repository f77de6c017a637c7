import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFile } from "node:fs/promises";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

// Processes that decode images from outside. An error of a decoder may run any code, so such a process gets nothing of
// the service: no setting or secret of its environment, no socket, no file.

/** The processor time that a process has used, and the memory that it holds. */
export interface Usage {
  readonly cpuMs: number;
  readonly rssBytes: number;
}

const MIB = 1024 * 1024;
/** Linux counts processor time in hundredths of a second (USER_HZ). */
const TICK_MS = 10;
const PAGE_BYTES = 4096;
/**
 * Node reserves this for itself (615 MB with sharp loaded, 512 of it for code) and holds a tenth of it, so the system's
 * limit is above that of the memory held.
 */
const RESERVED_BYTES = 1024 * MIB;
/** A limit that cannot be set (a lower one is set already) is no reason not to start. */
const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec "$@"';
/** A process that has not ended this long after the request to end is killed. */
const END_GRACE_MS = 2_000;

/**
 * Starts a program of this project in a process with an empty environment, apart from the cache of compiled code. On
 * Linux the system refuses it memory well above `memoryLimitBytes`: a process grows between two checks of its
 * `usageOf`. `environment` is added; `args` are those of the program. Throws the error of `fork`, as when the system
 * has no memory for another process.
 */
export function startApart(
  program: URL,
  memoryLimitBytes: number,
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): ChildProcess {
  const cache = getCompileCacheDir();
  const limitKib = Math.ceil((memoryLimitBytes + RESERVED_BYTES) / 1024);
  const isLimited = process.platform === "linux";
  return fork(program, args, {
    env: { ...environment, ...(cache !== undefined && { NODE_COMPILE_CACHE: dirname(cache) }) },
    execPath: isLimited ? "/bin/sh" : process.execPath,
    execArgv: isLimited ? ["-c", LIMITED, String(limitKib), process.execPath] : [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

/** Returns what a process uses; null if the system doesn't report it, or the process has ended. */
export async function usageOf(pid: number | undefined): Promise<Usage | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => null);
  if (stat === null) return null;
  // The name of the program, in brackets, may have spaces; the third field follows it (proc_pid_stat(5)).
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system, pages] = [fields[11], fields[12], fields[21]].map(Number);
  return { cpuMs: (user! + system!) * TICK_MS, rssBytes: pages! * PAGE_BYTES };
}

/** A busy process keeps the event loop alive, an idle one doesn't. */
export function setHold(child: ChildProcess, held: boolean): void {
  const method = held ? "ref" : "unref";
  child[method]();
  child.channel?.[method]();
}

/** Asks a process to end, and kills it after a grace period. Resolves when it has ended. */
export async function endProcess(child: ChildProcess): Promise<void> {
  setHold(child, true);
  if (child.connected) child.disconnect();
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
