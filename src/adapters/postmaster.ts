import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError, isErrno } from "./embedded-program.ts";
import type { Log } from "./log.ts";

/** What a server writes of itself into its data folder, from its start to its clean end. */
export interface Postmaster {
  readonly pid: number;
  /** "starting", "ready", "stopping"; empty when it has only begun. */
  readonly status: string;
}

const FAST_MS = 30_000;
const IMMEDIATE_MS = 5_000;
const KILLED_MS = 5_000;
const POLL_MS = 20;

/** Reads postmaster.pid (lines: pid, data folder, start, port, socket folder, address, shared memory, status). */
export function readPostmaster(clusterDir: string): Postmaster | undefined {
  try {
    const lines = readFileSync(join(clusterDir, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? { pid, status: (lines[7] ?? "").trim() } : undefined;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

/**
 * Ends the server that still runs on `clusterDir`, whose owner is gone. Cleanly if it will, else by crash recovery.
 * Ended rather than adopted: nobody would see it exit, and it would run with the settings of another release.
 */
export async function endPostmaster(clusterDir: string, log: Log): Promise<void> {
  const pid = readPostmaster(clusterDir)?.pid;
  if (pid === undefined || !isPostmaster(pid, clusterDir)) return;
  log.warn({ pid }, "ending the PostgreSQL that a killed process left running");
  for (const [signal, waitMs] of [
    ["SIGINT", FAST_MS],
    ["SIGQUIT", IMMEDIATE_MS],
    ["SIGKILL", KILLED_MS],
  ] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!isErrno(error, "ESRCH")) throw error;
    }
    for (const since = Date.now(); Date.now() - since < waitMs; await sleep(POLL_MS)) {
      if (!isPostmaster(pid, clusterDir)) return;
    }
  }
  throw new EmbeddedError(`The PostgreSQL that was left running on ${clusterDir} (process ${pid}) does not end.`);
}

/** Whether process `pid` is a server on this folder: the number may long be another program's, or a zombie's. */
export function isPostmaster(pid: number, clusterDir: string): boolean {
  const command = readCommand(pid);
  return (
    command !== undefined && basename(command.program) === "postgres" && command.line.includes(`-D ${clusterDir} `)
  );
}

// /proc/PID/cmdline is readable for everyone, also where a container keeps cwd and exe from root; a zombie's is empty.
function readCommand(pid: number): { program: string; line: string } | undefined {
  if (process.platform === "linux") {
    try {
      const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return { program: args[0] ?? "", line: `${args.join(" ")} ` };
    } catch (error) {
      if (isErrno(error, "ENOENT", "ESRCH")) return undefined;
      throw error;
    }
  }
  const ps = spawnSync("/bin/ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  if (ps.status !== 0) return undefined;
  const program = ps.stdout.slice(0, Math.max(0, ps.stdout.indexOf(" -D ")));
  return { program, line: ps.stdout };
}
