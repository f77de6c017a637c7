import { createServer as createNetServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { EmbeddedError } from "./postgres/embedded/embedded.ts";
import { MigrationError } from "./postgres/migrations.ts";
import type { Database } from "./postgres/postgres.ts";
import type { createApp } from "./app.ts";
import { isUnavailable } from "./http/unavailable.ts";
import { logOutput } from "./log-output.ts";
import { ConfigError, readEnv, toConfig } from "./config.ts";
import type { Config } from "./config.ts";
import { connect, migrateAll, migrateTables } from "./database.ts";
import { SchemaError } from "./postgres/connection.ts";
import { StorageMisconfigured } from "./storage-failures.ts";

const ROLES = ["start", "serve", "work", "migrate"] as const;
type Role = (typeof ROLES)[number];

/** Time for requests and jobs in progress after the signal. The rest of the stop is for the bundled PostgreSQL. */
const DRAIN_MS = 6_000;
/** The process ends by force after this time, so that a stop takes less than the 15 seconds that README.md states. */
const STOP_MS_MAX = 14_500;

async function main(role: Role): Promise<void> {
  process.umask(0o077); // images, back-ups and exports are for the user of the service only
  const config = toConfig(readEnv());
  const log = pino(
    {
      level: config.logLevel,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Only these members of an error are logged: those of PostgreSQL have the whole connection.
      serializers: { err: errorForLog, req: () => undefined },
    },
    logOutput(),
  );
  if (config.database.kind === "embedded" && (role === "serve" || role === "work")) {
    throw new EmbeddedError(
      `"${role}" is one of several processes and needs a DATABASE_URL that they all can reach; "npm start" runs everything in one.`,
    );
  }
  const stopped = new AbortController();
  // The signal may come twice, or to the whole process group; only the first one counts.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stopped.abort());

  const connecting = connect(config, role === "start" ? "service" : "process", log);
  const loading = role === "migrate" ? null : loadApp();
  // Both are awaited below, one after the other.
  for (const each of [connecting, loading]) each?.catch(() => {});
  const { database, close } = await connecting;
  try {
    // Before the first connection: on a busy machine loading takes longer than that may wait for its response.
    const create = await loading;
    if (role === "migrate") await migrateAll(database, log);
    // The queues bring their own tables up to date when they start.
    if (role === "start" || role === "serve") await migrateTables(database, log);
    if (role !== "migrate") await run(role, create!, { config, database, log }, stopped.signal);
  } finally {
    await close();
  }
}

/**
 * Loads the larger part of the program, which takes the processor 0.4 s: the bundled PostgreSQL starts meanwhile, on
 * another core.
 */
async function loadApp(): Promise<typeof createApp> {
  await nextTurn(); // after PostgreSQL was started
  return (await import("./app.ts")).createApp;
}

/** Serves requests, runs background work, or both, until the signal. */
async function run(
  role: Exclude<Role, "migrate">,
  create: typeof createApp,
  { config, database, log }: { config: Config; database: Database; log: pino.Logger },
  stopped: AbortSignal,
): Promise<void> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const address = config.host.includes(":") ? `[${config.host}]:${port}` : `${config.host}:${port}`;
  const publicUrl = config.publicUrl ?? `http://${address}`;
  const app = await create({ config, publicUrl, database, log, isWorker: role !== "serve" });
  try {
    if (role !== "work") {
      const listenTextResolver = (listening: string) => `the rewards service listens on ${listening}, as ${publicUrl}`;
      const { host } = config;
      await app.server.listen({ host, port, backlog: BACKLOG, listenTextResolver }).catch((error: unknown) => {
        throw listenError(error, address);
      });
    }
    if (config.metricsPort > 0) {
      const { host, metricsPort } = config;
      await app.metrics!.listen(host, metricsPort).catch((error: unknown) => {
        throw listenError(error, `${host}:${metricsPort}`, "METRICS_PORT");
      });
    }
    if (role !== "serve") {
      await app.startWork();
      log.info("background work has started");
    }
    if (!stopped.aborted) await new Promise((done) => stopped.addEventListener("abort", done));
    log.info("stopping: finishing or returning the work in progress");
    setTimeout(() => {
      log.error({ afterMs: STOP_MS_MAX }, "the stop takes too long: ending at once");
      process.exit(1);
    }, STOP_MS_MAX).unref();
  } finally {
    await app.stop(DRAIN_MS);
  }
  log.info("stopped");
}

/**
 * Connections that the system accepts before the service has. Linux has at most `net.core.somaxconn`, which is 4,096.
 * With Node's 511 a burst of 5,000 lost thousands of connection requests, and anybody's next one was repeated after one
 * or three seconds.
 */
const BACKLOG = 4_096;

/** The service cannot listen at its address. The message is for the operator. */
class ListenError extends Error {}

const LISTEN_REASONS: Record<string, (setting: string) => string> = {
  EADDRINUSE: (setting) => `another process listens there. Stop it, or set another ${setting}.`,
  EADDRNOTAVAIL: () => "this machine has no such address. Set HOST to one of its own.",
  EACCES: (setting) => `this user may not use that port. Set ${setting} to one above 1023.`,
};

/** Returns an error with a message for the operator if the operator can fix it; else the error itself. */
function listenError(error: unknown, address: string, setting = "PORT"): unknown {
  const reason = LISTEN_REASONS[String((error as { code?: unknown }).code)];
  return reason === undefined ? error : new ListenError(`Cannot listen on ${address}: ${reason(setting)}`);
}

function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, code } = error as Error & { code?: unknown };
  return { name, message, code, stack };
}

function freePort(host: string): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createNetServer();
    probe.once("error", fail);
    probe.listen(0, host, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}

/** Has the reason, for the operator, but not the address, which may have a password. */
const UNREACHABLE =
  "PostgreSQL cannot be reached at DATABASE_URL, or ends connections: nothing was started. Check the address, and that it runs.";

const [roleName = "start"] = process.argv.slice(2);
const role = ROLES.find((candidate) => candidate === roleName);
if (!role) {
  console.error(`Usage: main.ts ${ROLES.join(" | ")}`);
  process.exit(2);
}
try {
  await main(role);
  process.exit(0);
} catch (error) {
  const isForPeople = [ConfigError, EmbeddedError, MigrationError, SchemaError, ListenError, StorageMisconfigured].some(
    (kind) => error instanceof kind,
  );
  console.error(isForPeople && error instanceof Error ? error.message : isUnavailable(error) ? UNREACHABLE : error);
  process.exit(1);
}
