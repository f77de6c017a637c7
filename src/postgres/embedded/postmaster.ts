import { spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isErrno } from "../../errno.ts";
import { EmbeddedError } from "./error.ts";
import type { Launcher } from "./launcher.ts";
import { startProgram } from "./program.ts";
import type { Programs } from "./program.ts";
import { SOCKET_PORT } from "./socket.ts";
import type { Log } from "../../log.ts";

/** The state that a server writes to its data folder, from its start to its clean stop. */
export interface Postmaster {
  readonly pid: number;
  /** "starting", "ready", "stopping"; empty at the very beginning. */
  readonly status: string;
}

/** The parameters of a server's start. */
export interface PostmasterSite {
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly programs: Programs;
  readonly launcher: Launcher;
  readonly log: Log;
  /** Instead of SOCKET_PORT. */
  readonly port?: number;
  /** Settings that replace or extend the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
}

const START_RETRY_MS = 15_000; // an unclean end leaves files and processes for a moment
const STOP_FAST_MS = 8_000; // of the 15 s that a service may take to stop
const ORPHAN_FAST_MS = 30_000;
const ORPHAN_IMMEDIATE_MS = 5_000;
const ORPHAN_KILLED_MS = 5_000;
const POLL_MS = 10;

/** A setting that PostgreSQL stores and ignores. It shows in the list of processes whose server this is. */
const DATA_SETTING = "rewards.data";

/** Durability is PostgreSQL's default (fsync, synchronous_commit). Sizes are for a small machine of two cores. */
const SETTINGS = {
  listen_addresses: "",
  dynamic_shared_memory_type: "posix",
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "256MB",
  effective_cache_size: "1GB",
  random_page_cost: "1.1", // today's disks
  max_wal_size: "2GB",
  timezone: "UTC",
  log_timezone: "UTC",
  // The client reports a failed statement; in this log it would only show personal data.
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
 * Starts the server and waits until it accepts connections. Nobody else may start one on the same folder. Throws
 * EmbeddedError with the last lines of its output if it does not start.
 */
export async function startPostmaster(site: PostmasterSite): Promise<ChildProcess> {
  const { clusterDir, socketDir, log } = site;
  const settings = {
    ...SETTINGS,
    ...site.settings,
    port: String(site.port ?? SOCKET_PORT),
    unix_socket_directories: `"${socketDir}"`,
    [DATA_SETTING]: clusterDir,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  for (const since = Date.now(); ; await sleep(100)) {
    const stalePid = readPostmaster(clusterDir)?.pid;
    const { child, lines } = startProgram(site, "postgres", args, { stalePid, log });
    if (await becomesReady(child, clusterDir)) {
      // A process that forgets to stop the server is not kept alive by it.
      child.unref();
      (child.stderr as Socket).unref();
      return child;
    }
    const reason = lines.join("\n");
    // After a kill -9 the processes and files of the last server may need a moment to disappear.
    const mayPass = /lock file .* (already exists|is empty)|pre-existing shared memory block/.test(reason);
    if (!mayPass || Date.now() - since > START_RETRY_MS) {
      throw new EmbeddedError(`PostgreSQL does not start on ${clusterDir}: ${reason || "no output"}`);
    }
  }
}

/** Returns true when the server accepts connections (after recovery, which can take long), false if it ended. */
async function becomesReady(child: ChildProcess, clusterDir: string): Promise<boolean> {
  const ended = new AbortController();
  child.on("close", () => ended.abort()).on("error", () => ended.abort());
  while (!ended.signal.aborted) {
    const postmaster = readPostmaster(clusterDir);
    // A server killed in this moment leaves the file, and its last processes may keep its output open for a while.
    const runs = child.exitCode === null && child.signalCode === null;
    if (runs && postmaster?.pid === child.pid && postmaster?.status === "ready") return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * Stops a server started by `startPostmaster`: cleanly, or if that takes too long with a recovery at the next start.
 */
export async function stopPostmaster(child: ChildProcess, log: Log): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  child.kill("SIGINT"); // fast: rolls back, writes a checkpoint
  const timer = setTimeout(() => {
    log.warn({ waitedMs: STOP_FAST_MS }, "PostgreSQL stops slowly; ending it at once, its next start recovers");
    child.kill("SIGQUIT");
  }, STOP_FAST_MS);
  await once(child, "exit");
  clearTimeout(timer);
}

/**
 * Stops the server that still runs on `clusterDir` without its owner: cleanly if possible, else with crash recovery. It
 * is stopped rather than adopted: its exit would not be noticed, and it may have the settings of another release.
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

/** Returns whether process `pid` is a server on this folder. The id may be another program's by now, or a zombie's. */
export function isPostmaster(pid: number, clusterDir: string): boolean {
  const command = readCommand(pid);
  if (command === undefined || basename(command.program) !== "postgres") return false;
  // Until release 0.2 the folder itself was on the command line.
  return [`${DATA_SETTING}=${clusterDir} `, `-D ${clusterDir} `].some((part) => command.line.includes(part));
}

// /proc/PID/cmdline is readable for everyone, even if a container hides cwd and exe from root; a zombie's is empty.
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
