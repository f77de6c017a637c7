import { spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError, isErrno, startProgram } from "./program.ts";
import type { Launcher, Programs } from "./program.ts";
import { SOCKET_PORT } from "./socket.ts";
import type { Log } from "../../log.ts";

/** What a server writes of itself into its data folder, from its start to its clean end. */
export interface Postmaster {
  readonly pid: number;
  /** "starting", "ready", "stopping"; empty when it has only begun. */
  readonly status: string;
}

/** What a server is started with. */
export interface PostmasterSite {
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly programs: Programs;
  readonly launcher: Launcher;
  readonly log: Log;
}

const START_TRIES_MS = 15_000; // for what an unclean end leaves behind for a moment
const STOP_FAST_MS = 8_000; // of the 15 s that a service may take to stop
const ORPHAN_FAST_MS = 30_000;
const ORPHAN_IMMEDIATE_MS = 5_000;
const ORPHAN_KILLED_MS = 5_000;
const POLL_MS = 10;

/** Durability stays as PostgreSQL has it (fsync, synchronous_commit). Sizes are for a small machine of two cores. */
const SETTINGS = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  random_page_cost: "1.1", // today's disks
  max_wal_size: "2GB",
  timezone: "UTC",
  log_timezone: "UTC",
  // A failed statement is its sender's to report; here it would only carry people's data into a log.
  log_min_messages: "log",
  log_min_error_statement: "panic",
  log_error_verbosity: "terse",
  log_checkpoints: "off",
};

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
 * Starts the server and waits until it takes connections. Nobody else may start it on the same folder.
 * Throws EmbeddedError with its last words when it does not come up.
 */
export async function startPostmaster(site: PostmasterSite): Promise<ChildProcess> {
  const { clusterDir, socketDir, log } = site;
  const settings = { ...SETTINGS, port: String(SOCKET_PORT), unix_socket_directories: `"${socketDir}"` };
  const args = ["-D", clusterDir, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  for (const since = Date.now(); ; await sleep(100)) {
    const stalePid = readPostmaster(clusterDir)?.pid;
    const { child, lines } = startProgram(site.programs, site.launcher, "postgres", args, { stalePid, log });
    if (await becomesReady(child, clusterDir)) {
      // Whoever forgets to stop it shall not be kept alive by it.
      child.unref();
      (child.stderr as Socket).unref();
      return child;
    }
    const reason = lines.join("\n");
    // The last server's processes, or its files, may need a moment to go after a kill -9.
    const isPassing = /lock file .* (already exists|is empty)|pre-existing shared memory block/.test(reason);
    if (!isPassing || Date.now() - since > START_TRIES_MS) {
      throw new EmbeddedError(`PostgreSQL does not start on ${clusterDir}: ${reason || "it says nothing"}`);
    }
  }
}

/** True once it takes connections (after recovery, which takes its time), false when it ended instead. */
async function becomesReady(child: ChildProcess, clusterDir: string): Promise<boolean> {
  const ended = new AbortController();
  child.on("close", () => ended.abort()).on("error", () => ended.abort());
  while (!ended.signal.aborted) {
    const postmaster = readPostmaster(clusterDir);
    // Killed in this very moment it leaves the file, and its last processes may keep its output open for a while.
    const runs = child.exitCode === null && child.signalCode === null;
    if (runs && postmaster?.pid === child.pid && postmaster?.status === "ready") return true;
    await sleep(POLL_MS);
  }
  return false;
}

/** Ends a server that `startPostmaster` gave: cleanly, or where that takes too long so that its next start recovers. */
export async function stopPostmaster(child: ChildProcess, log: Log): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill("SIGINT"); // fast: rolls back, writes a checkpoint
  const impatience = setTimeout(() => {
    log.warn({ waitedMs: STOP_FAST_MS }, "PostgreSQL stops slowly; ending it at once, its next start recovers");
    child.kill("SIGQUIT");
  }, STOP_FAST_MS);
  await once(child, "exit");
  clearTimeout(impatience);
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
    ["SIGINT", ORPHAN_FAST_MS],
    ["SIGQUIT", ORPHAN_IMMEDIATE_MS],
    ["SIGKILL", ORPHAN_KILLED_MS],
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
