import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { chooseLauncher, EmbeddedError, findPrograms, isErrno, startProgram } from "./embedded-program.ts";
import type { Launcher, Programs } from "./embedded-program.ts";
import type { Log } from "./log.ts";
import { readOwner, tryOwnerLock } from "./owner-lock.ts";
import type { OwnerLock, OwnerRole } from "./owner-lock.ts";
import { endPostmaster, readPostmaster } from "./postmaster.ts";

export { EmbeddedError } from "./embedded-program.ts";

/** How to reach the server: `host` is the folder of its unix socket. It listens on no network. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** The server ended without being asked to. It is started again by itself; `isFinal` says that this did not help. */
export interface EmbeddedExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly isFinal: boolean;
}

export interface EmbeddedServer {
  readonly connection: EmbeddedConnection;
  /** Calls `listener` at each exit nobody asked for. Connections break then, and new ones work when it is back. */
  onExit(listener: (exit: EmbeddedExit) => void): void;
  /** Ends the server cleanly, if it was started here, and gives up `DATA_DIR`. May be called again. */
  stop(): Promise<void>;
}

const MAJOR = "18";
const PORT = 5432; // only part of the socket's name
const CLUSTER_DIR = "postgres";
const UNFINISHED = ".new-"; // after its name, while a cluster is made
const SOCKET_DIR_FILE = "postgres-socket-dir";
const SOCKET_PATH_BYTES_MAX = 103; // sun_path of macOS less its NUL (Linux: 107)
// Advisory lock that commands hold (shared) while they use a server which another command started for its moment.
const GUEST_LOCK = 7_265_001;

const START_TRIES_MS = 15_000; // for what an unclean end leaves behind for a moment
const STOP_FAST_MS = 8_000; // of the 15 s that a service may take to stop
const SERVICE_WAIT_MS = 1_000; // for a killed predecessor to be gone
const COMMAND_WAIT_MS = 60_000; // for a command, or for a service that is still starting
const GUESTS_WAIT_MS = 60_000;
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

/**
 * Starts the bundled PostgreSQL on `dataDir`/postgres (making it at first), for a service.
 * Ends what a killed predecessor left running. Throws EmbeddedError, one clear line, where it cannot: another service
 * owns the folder, the data is of another major version, root may not become another user, …
 */
export async function startEmbedded(options: { dataDir: string; log: Log }): Promise<EmbeddedServer> {
  const dataDir = openDataDir(options.dataDir);
  for (const since = Date.now(); ; await sleep(50)) {
    const lock = tryOwn(dataDir, "service");
    if (lock) return await launch(dataDir, "service", lock, options.log);
    const owner = readOwner(dataDir);
    const isPassing = Date.now() - since < (owner.role === "command" ? COMMAND_WAIT_MS : SERVICE_WAIT_MS);
    if (!isPassing) {
      throw new EmbeddedError(
        `Another process${owner.pid === undefined ? "" : ` (${owner.pid})`} is running on ${dataDir}: stop it, set another DATA_DIR, or give both a DATABASE_URL.`,
      );
    }
  }
}

/**
 * For a command: joins the server that a running service (or another command) has on `dataDir`, else starts one for
 * its own moment. Then `stop` ends it, after the commands that joined meanwhile.
 */
export async function joinEmbedded(options: { dataDir: string; log: Log }): Promise<EmbeddedServer> {
  const dataDir = openDataDir(options.dataDir);
  for (const since = Date.now(); Date.now() - since < COMMAND_WAIT_MS; await sleep(50)) {
    const lock = tryOwn(dataDir, "command");
    if (lock) return await launch(dataDir, "command", lock, options.log);
    const host = findSocketDir(dataDir, lstatSync(join(dataDir, CLUSTER_DIR), { throwIfNoEntry: false })?.uid);
    const guest = host === undefined ? undefined : await tryGuest(connectionOf(host));
    if (guest) return guest;
  }
  throw new EmbeddedError(
    `Process ${readOwner(dataDir).pid ?? "(unknown)"} owns ${dataDir}, but its PostgreSQL does not answer.`,
  );
}

async function tryGuest(connection: EmbeddedConnection): Promise<EmbeddedServer | undefined> {
  const client = new Client({ ...connection, application_name: "guest" });
  // Should the owner go, the guest's own queries say so.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT pg_advisory_lock_shared($1)", [GUEST_LOCK]);
  } catch {
    await client.end().catch(() => {});
    return undefined;
  }
  return { connection, onExit: () => {}, stop: () => client.end() };
}

async function launch(dataDir: string, role: OwnerRole, lock: OwnerLock, log: Log): Promise<EmbeddedServer> {
  let socketDir: string | undefined;
  try {
    const clusterDir = join(dataDir, CLUSTER_DIR);
    const launcher = chooseLauncher(clusterDir);
    socketDir = makeSocketDir(dataDir, launcher);
    const programs = findPrograms(join(socketDir, "lib"));
    await endPostmaster(clusterDir, log);
    if (!existsSync(clusterDir)) await makeCluster(clusterDir, programs, launcher);
    checkVersion(clusterDir);
    return await supervise({ dataDir, clusterDir, socketDir, programs, launcher, role, lock, log });
  } catch (error) {
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true });
    lock.release();
    throw error;
  }
}

interface Site {
  readonly dataDir: string;
  readonly clusterDir: string;
  readonly socketDir: string;
  readonly programs: Programs;
  readonly launcher: Launcher;
  readonly role: OwnerRole;
  readonly lock: OwnerLock;
  readonly log: Log;
}

/** Keeps a server running until it is told to stop. */
async function supervise(site: Site): Promise<EmbeddedServer> {
  const { log } = site;
  const connection = connectionOf(site.socketDir);
  const listeners: ((exit: EmbeddedExit) => void)[] = [];
  const tell = (exit: EmbeddedExit) => listeners.forEach((listener) => listener(exit));
  let stopping: Promise<void> | undefined;
  let starting: Promise<void>;
  let postgres: ChildProcess | undefined;

  const run = async () => {
    const child = await startPostgres(site);
    postgres = child;
    child.once("exit", (code, signal) => {
      postgres = undefined;
      if (stopping) return;
      log.error({ code, signal }, "PostgreSQL ended by itself; starting it again");
      tell({ code, signal, isFinal: false });
      starting = run().catch((error: unknown) => {
        log.error({ err: error }, "PostgreSQL does not start again");
        tell({ code, signal, isFinal: true });
      });
    });
  };
  starting = run();
  await starting;
  log.info({ dataDir: site.dataDir, pid: postgres?.pid }, "PostgreSQL is ready");

  const stop = async () => {
    if (site.role === "command" && postgres) await waitForGuests(connection);
    await starting;
    if (postgres) await stopPostgres(postgres, log);
    rmSync(site.socketDir, { recursive: true, force: true });
    site.lock.release();
  };
  return {
    connection,
    onExit: (listener) => listeners.push(listener),
    stop: () => (stopping ??= stop()),
  };
}

/** Holds back those who would join, once those who did have gone. */
async function waitForGuests(connection: EmbeddedConnection): Promise<void> {
  const client = new Client({ ...connection, statement_timeout: GUESTS_WAIT_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT pg_advisory_lock($1)", [GUEST_LOCK]);
    // The connection stays open, and the lock taken, until the server stops.
  } catch {
    await client.end().catch(() => {});
  }
}

async function startPostgres(site: Site): Promise<ChildProcess> {
  const { clusterDir, socketDir, log } = site;
  const settings = { ...SETTINGS, port: String(PORT), unix_socket_directories: `"${socketDir}"` };
  const args = ["-D", clusterDir, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  for (const since = Date.now(); ; await sleep(100)) {
    const stalePid = readPostmaster(clusterDir)?.pid;
    const child = startProgram(site.programs, site.launcher, "postgres", args, { stalePid });
    const lines = readLines(child, log);
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
    if (postmaster?.pid === child.pid && postmaster?.status === "ready") return true;
    await sleep(POLL_MS);
  }
  return false;
}

async function stopPostgres(child: ChildProcess, log: Log): Promise<void> {
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

/** Makes a cluster under another name first: a folder called `postgres` is always a whole one. */
async function makeCluster(clusterDir: string, programs: Programs, launcher: Launcher): Promise<void> {
  removeUnfinished(clusterDir);
  const newDir = mkdtempSync(`${clusterDir}${UNFINISHED}`);
  if (process.geteuid?.() === 0) chownSync(newDir, launcher.uid, launcher.gid);
  const { user, database } = connectionOf("");
  // The built-in locale needs none of the system's and sorts the same everywhere.
  const locale = ["-E", "UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const access = [`--username=${user}`, "--auth-local=trust", "--auth-host=reject"];
  await runProgram("initdb", ["-D", newDir, ...access, ...locale]);
  await runProgram("postgres", ["--single", "-D", newDir, "template1"], `CREATE DATABASE ${database};\n`);
  renameSync(newDir, clusterDir);
  const parent = openSync(dirname(clusterDir), "r");
  fsyncSync(parent);
  closeSync(parent);

  async function runProgram(program: "initdb" | "postgres", args: string[], stdin?: string): Promise<void> {
    const child = startProgram(programs, launcher, program, args, stdin === undefined ? {} : { stdin });
    const lines = readLines(child);
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new EmbeddedError(`PostgreSQL cannot make ${clusterDir}: ${lines.join("\n")}`);
  }
}

// What a kill in the middle of making a cluster left. Its programs may still be writing there; the next time, then.
function removeUnfinished(clusterDir: string): void {
  const prefix = basename(clusterDir) + UNFINISHED;
  for (const name of readdirSync(dirname(clusterDir)).filter((name) => name.startsWith(prefix))) {
    try {
      rmSync(join(dirname(clusterDir), name), { recursive: true, force: true });
    } catch (error) {
      if (!isErrno(error, "ENOTEMPTY", "EEXIST")) throw error;
    }
  }
}

function checkVersion(clusterDir: string): void {
  const version = readFileSync(join(clusterDir, "PG_VERSION"), "utf8").trim();
  if (version === MAJOR) return;
  throw new EmbeddedError(
    `${clusterDir} was made by PostgreSQL ${version}, and the bundled one is ${MAJOR}: carry it over with pg_dump of that version, or set DATABASE_URL.`,
  );
}

/** The last lines a program wrote to stderr, growing as it writes. */
function readLines(child: ChildProcess, log?: Log): string[] {
  const lines: string[] = [];
  if (!child.stderr) return lines;
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    if (lines.length > 20) lines.shift();
    log?.debug({ postgres: line }, "PostgreSQL says");
  });
  return lines;
}

function openDataDir(dataDir: string): string {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (error) {
    throw new EmbeddedError(`DATA_DIR ${dataDir} cannot be used: ${(error as Error).message}`);
  }
}

function tryOwn(dataDir: string, role: OwnerRole): OwnerLock | undefined {
  try {
    return tryOwnerLock(dataDir, role);
  } catch (error) {
    throw new EmbeddedError(`DATA_DIR ${dataDir} cannot be locked: ${(error as Error).message}`);
  }
}

function connectionOf(host: string): EmbeddedConnection {
  return { host, port: PORT, user: "rewards", database: "rewards" };
}

/**
 * The folder of the socket: of its own, mode 700, for whoever may enter it is let in without a password. It stands in
 * the system's temporary folder, since DATA_DIR may be too deep for a socket; DATA_DIR remembers where.
 */
function makeSocketDir(dataDir: string, launcher: Launcher): string {
  const known = findSocketDir(dataDir, launcher.uid);
  if (known !== undefined) return known;
  const isShort = Buffer.byteLength(join(tmpdir(), "rewards-XXXXXX", `.s.PGSQL.${PORT}`)) <= SOCKET_PATH_BYTES_MAX;
  const socketDir = mkdtempSync(join(isShort ? tmpdir() : "/tmp", "rewards-"));
  if (process.geteuid?.() === 0) chownSync(socketDir, launcher.uid, launcher.gid);
  const file = join(dataDir, SOCKET_DIR_FILE);
  writeFileSync(`${file}.new`, socketDir);
  renameSync(`${file}.new`, file);
  return socketDir;
}

/** The folder that DATA_DIR remembers, if it is (still) the one of that user, and closed to everyone else. */
function findSocketDir(dataDir: string, uid: number | undefined): string | undefined {
  try {
    const socketDir = readFileSync(join(dataDir, SOCKET_DIR_FILE), "utf8");
    const stat = lstatSync(socketDir);
    return stat.isDirectory() && stat.uid === uid && (stat.mode & 0o077) === 0 ? socketDir : undefined;
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}
