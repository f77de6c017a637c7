import type { ChildProcess } from "node:child_process";
import { accessSync, constants, existsSync, lstatSync, mkdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { checkVersion, makeCluster } from "./cluster.ts";
import { chooseLauncher, EmbeddedError, findPrograms } from "./program.ts";
import { findSocketDir, makeSocketDir, SOCKET_PORT } from "./socket.ts";
import type { Log } from "../../log.ts";
import { readOwner, tryOwnerLock } from "./owner-lock.ts";
import type { OwnerLock, OwnerRole } from "./owner-lock.ts";
import { endPostmaster, startPostmaster, stopPostmaster } from "./postmaster.ts";
import type { PostmasterSite } from "./postmaster.ts";

export { EmbeddedError } from "./program.ts";

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

/** A bundled PostgreSQL that runs, or one that was joined. */
export interface EmbeddedServer {
  readonly connection: EmbeddedConnection;
  /** Calls `listener` at each exit nobody asked for. Connections break then, and new ones work when it is back. */
  onExit(listener: (exit: EmbeddedExit) => void): void;
  /** Ends the server cleanly, if it was started here, and gives up `DATA_DIR`. May be called again. */
  stop(): Promise<void>;
}

const CLUSTER_DIR = "postgres";
// Advisory lock that commands hold (shared) while they use a server which another command started for its moment.
const GUEST_LOCK = 7_265_001;

const SERVICE_WAIT_MS = 1_000; // for a killed predecessor to be gone
const COMMAND_WAIT_MS = 60_000; // for a command, or for a service that is still starting
const GUESTS_WAIT_MS = 60_000;

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
 * its own moment. Then `stop` ends it, after the commands that joined meanwhile. Where there is no database it makes one
 * only if it may: a command with another DATA_DIR than the service's would otherwise work, and on nothing.
 */
export async function joinEmbedded(options: {
  dataDir: string;
  log: Log;
  mayCreate: boolean;
}): Promise<EmbeddedServer> {
  const { mayCreate } = options;
  const hasDatabase = () => existsSync(join(options.dataDir, CLUSTER_DIR));
  // Of a service at its first start there is its name before there is a database.
  if (!mayCreate && !hasDatabase() && readOwner(options.dataDir).pid === undefined) throw noDatabase(options.dataDir);
  const dataDir = openDataDir(options.dataDir);
  for (const since = Date.now(); Date.now() - since < COMMAND_WAIT_MS; await sleep(50)) {
    const lock = tryOwn(dataDir, "command");
    if (lock && !mayCreate && !hasDatabase()) {
      lock.release();
      throw noDatabase(dataDir);
    }
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
    if (!existsSync(clusterDir)) await makeCluster(clusterDir, programs, launcher, connectionOf(socketDir));
    checkVersion(clusterDir);
    return await supervise({ dataDir, clusterDir, socketDir, programs, launcher, role, lock, log });
  } catch (error) {
    if (socketDir !== undefined) rmSync(socketDir, { recursive: true, force: true });
    lock.release();
    throw error;
  }
}

interface Site extends PostmasterSite {
  readonly dataDir: string;
  readonly role: OwnerRole;
  readonly lock: OwnerLock;
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
    const child = await startPostmaster(site);
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

function noDatabase(dataDir: string): EmbeddedError {
  return new EmbeddedError(
    `There is no database in ${dataDir}. Set DATA_DIR (or DATABASE_URL) to what the service has; if it has never run, start it first: npm start.`,
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

function connectionOf(host: string): EmbeddedConnection {
  return { host, port: SOCKET_PORT, user: "rewards", database: "rewards" };
}
