import type { ChildProcess } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { readPassword, secure, SERVICE } from "./access.ts";
import { checkVersion, createCluster } from "./cluster.ts";
import { EmbeddedError } from "./error.ts";
import { chooseLaunchers } from "./launcher.ts";
import { takeOver } from "./ownership.ts";
import { findPrograms, reachable } from "./program.ts";
import { findSocketDir, makeSocketDir, SOCKET_PORT } from "./socket.ts";
import type { Log } from "../../log.ts";
import { readOwner, tryOwnerLock } from "./owner-lock.ts";
import type { OwnerLock, OwnerRole } from "./owner-lock.ts";
import { endPostmaster, startPostmaster, stopPostmaster } from "./postmaster.ts";
import type { PostmasterSite } from "./postmaster.ts";

export { EmbeddedError } from "./error.ts";

/** Connection settings: `host` is the folder of the unix socket. The server listens on no network. */
export interface EmbeddedConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Returns a connection as an address, as for DATABASE_URL. */
export function urlOf({ host, user, password, database }: EmbeddedConnection): string {
  return `postgresql://${user}:${password}@/${database}?host=${encodeURIComponent(host)}`;
}

/** An unexpected exit of the server. It is restarted automatically; `isFinal`: the restart failed. */
export interface EmbeddedExit {
  readonly code: number | null;
  readonly signal: string | null;
  readonly isFinal: boolean;
}

/** A running bundled PostgreSQL, started or joined by this process. */
export interface EmbeddedServer {
  readonly connection: EmbeddedConnection;
  /** Calls `listener` at each unexpected exit. Connections break then; new ones work after the restart. */
  onExit(listener: (exit: EmbeddedExit) => void): void;
  /** Stops the server, if it was started here, and releases `DATA_DIR`. Can be called again. */
  stop(): Promise<void>;
}

const CLUSTER_DIR = "postgres";
// Advisory lock that commands hold (shared) while they use a server started by another command.
const GUEST_LOCK = 7_265_001;

const SERVICE_WAIT_MS = 1_000; // for a killed predecessor to exit
const COMMAND_WAIT_MS = 60_000; // for a command, or for a service that is still starting
const GUESTS_WAIT_MS = 60_000;

/**
 * Starts the bundled PostgreSQL on `dataDir`/postgres for a service; creates the data at the first start. Stops a
 * server that a killed predecessor left running. Throws EmbeddedError, one clear line, for example if another service
 * owns the folder, the data is of another major version, or root cannot become another user. `isForTests`: nothing is
 * synced to disk, and the role may create databases.
 */
export async function startEmbedded(options: {
  dataDir: string;
  log: Log;
  isForTests?: boolean;
}): Promise<EmbeddedServer> {
  const dataDir = openDataDir(options.dataDir);
  for (const since = Date.now(); ; await sleep(50)) {
    const lock = tryOwn(dataDir, "service");
    if (lock) return await launch(dataDir, "service", lock, options);
    const owner = readOwner(dataDir);
    const mayPass = Date.now() - since < (owner.role === "command" ? COMMAND_WAIT_MS : SERVICE_WAIT_MS);
    if (!mayPass) {
      throw new EmbeddedError(
        `Another process${owner.pid === undefined ? "" : ` (${owner.pid})`} is running on ${dataDir}: stop it, set another DATA_DIR, or give both a DATABASE_URL.`,
      );
    }
  }
}

/**
 * Joins the server that a running service (or another command) has on `dataDir`, or starts one for the time of a
 * command. `stop` then ends it, after the commands that joined meanwhile have finished. Creates a missing database only
 * with `mayCreate`: a command with another DATA_DIR than the service's would otherwise succeed on an empty database.
 */
export async function joinEmbedded(options: {
  dataDir: string;
  log: Log;
  mayCreate: boolean;
}): Promise<EmbeddedServer> {
  const { mayCreate } = options;
  const hasDatabase = () => existsSync(join(options.dataDir, CLUSTER_DIR));
  // At the first start of a service its owner file exists before its database.
  if (!mayCreate && !hasDatabase() && readOwner(options.dataDir).pid === undefined) throw noDatabase(options.dataDir);
  const dataDir = openDataDir(options.dataDir);
  for (const since = Date.now(); Date.now() - since < COMMAND_WAIT_MS; await sleep(50)) {
    const lock = tryOwn(dataDir, "command");
    if (lock && !mayCreate && !hasDatabase()) {
      lock.release();
      throw noDatabase(dataDir);
    }
    if (lock) return await launch(dataDir, "command", lock, options);
    const host = findSocketDir(dataDir, statSync(join(dataDir, CLUSTER_DIR), { throwIfNoEntry: false })?.uid);
    const password = readPassword(dataDir);
    const hasBoth = host !== undefined && password !== undefined;
    const guest = hasBoth ? await tryGuest(connectionOf(host, password)) : undefined;
    if (guest) return guest;
  }
  throw new EmbeddedError(
    `Process ${readOwner(dataDir).pid ?? "(unknown)"} owns ${dataDir}, but its PostgreSQL does not respond.`,
  );
}

async function tryGuest(connection: EmbeddedConnection): Promise<EmbeddedServer | undefined> {
  const client = new Client({ ...connection, application_name: "guest" });
  // If the owner exits, the queries of the guest fail.
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

async function launch(
  dataDir: string,
  role: OwnerRole,
  lock: OwnerLock,
  { log, isForTests = false }: { log: Log; isForTests?: boolean },
): Promise<EmbeddedServer> {
  let socketDir: string | undefined;
  try {
    const path = join(dataDir, CLUSTER_DIR);
    const exists = existsSync(path);
    const clusterDir = exists ? realpathSync(path) : path;
    if (exists) checkVersion(clusterDir);
    const launchers = chooseLaunchers(dataDir, clusterDir);
    const launcher = launchers.server;
    if (exists) {
      await endPostmaster(clusterDir, log);
      await takeOver(clusterDir, launcher);
    }
    socketDir = makeSocketDir(dataDir, launcher);
    const programs = reachable(findPrograms(join(socketDir, "lib")), launcher, join(socketDir, "programs"));
    if (!exists) await createCluster(clusterDir, programs, launchers);
    const settings = isForTests ? TEST_SETTINGS : {};
    const site = { dataDir, clusterDir, socketDir, programs, launcher, role, lock, log, settings };
    const password = await secure(site, { mayCreateDatabases: isForTests });
    return await supervise(site, connectionOf(socketDir, password));
  } catch (error) {
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true });
    lock.release();
    throw error;
  }
}

// A test may kill processes, but not the machine. Each cloned database makes a checkpoint, after which whole pages
// would be written again. Four test processes with a service of 28 connections each, and the rest of those that end.
const TEST_SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "300" };

interface Site extends PostmasterSite {
  readonly dataDir: string;
  readonly role: OwnerRole;
  readonly lock: OwnerLock;
}

/** Keeps a server running until `stop` is called. */
async function supervise(site: Site, connection: EmbeddedConnection): Promise<EmbeddedServer> {
  const { log } = site;
  const listeners: ((exit: EmbeddedExit) => void)[] = [];
  const notify = (exit: EmbeddedExit) => listeners.forEach((listener) => listener(exit));
  let stopping: Promise<void> | undefined;
  let starting: Promise<void>;
  let postgres: ChildProcess | undefined;

  const run = async () => {
    const child = await startPostmaster(site);
    postgres = child;
    child.once("exit", (code, signal) => {
      postgres = undefined;
      if (stopping) return;
      log.error({ code, signal }, "PostgreSQL ended by itself; restarting it");
      notify({ code, signal, isFinal: false });
      starting = run().catch((error: unknown) => {
        log.error({ err: error }, "PostgreSQL could not be restarted");
        notify({ code, signal, isFinal: true });
      });
    });
  };
  starting = run();
  await starting;
  log.info({ dataDir: site.dataDir, postgresPid: postgres?.pid }, "PostgreSQL is ready");

  const stop = async () => {
    if (site.role === "command" && postgres) await waitForGuests(connection);
    await starting;
    if (postgres) await stopPostmaster(postgres, log);
    rmSync(site.socketDir, { recursive: true, force: true });
    site.lock.release();
  };
  return {
    connection,
    onExit: (listener) => listeners.push(listener),
    stop: () => (stopping ??= stop()),
  };
}

/** Waits until all guests have finished, and then blocks new ones. */
async function waitForGuests(connection: EmbeddedConnection): Promise<void> {
  const client = new Client({ ...connection, statement_timeout: GUESTS_WAIT_MS });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT pg_advisory_lock($1)", [GUEST_LOCK]);
    // The connection stays open and holds the lock until the server stops.
  } catch {
    await client.end().catch(() => {});
  }
}

function noDatabase(dataDir: string): EmbeddedError {
  return new EmbeddedError(
    `There is no database in ${dataDir}. Set DATA_DIR (or DATABASE_URL) as for the service; if it has never run, start it first: npm start.`,
  );
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

function connectionOf(host: string, password: string): EmbeddedConnection {
  return { host, port: SOCKET_PORT, user: SERVICE, password, database: SERVICE };
}
