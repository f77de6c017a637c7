import { createServer as createNetServer } from "node:net";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { EmbeddedError } from "./postgres/embedded/embedded.ts";
import { MigrationError } from "./postgres/migrations.ts";
import type { Database } from "./postgres/postgres.ts";
import { createApp } from "./app.ts";
import { isUnavailable } from "./http/unavailable.ts";
import { ConfigError, readEnv, toConfig } from "./config.ts";
import type { Config } from "./config.ts";
import { connect, migrateAll } from "./database.ts";

const ROLES = ["start", "serve", "work", "migrate"] as const;
type Role = (typeof ROLES)[number];

/** Of the 15 seconds a stop may take: the rest is for the bundled PostgreSQL. */
const DRAIN_MS = 6_000;
const STOP_MS_MAX = 14_500;

async function main(role: Role): Promise<void> {
  const config = toConfig(readEnv());
  const log = pino({
    level: config.logLevel,
    timestamp: pino.stdTimeFunctions.isoTime,
    // Of an error what helps to find it, and nothing else that hangs on it: PostgreSQL's hold the whole connection.
    serializers: { err: errorForLog, req: () => undefined },
  });
  if (config.database.kind === "embedded" && (role === "serve" || role === "work")) {
    throw new EmbeddedError(
      `"${role}" is one of several processes and needs a DATABASE_URL that all of them reach; "npm start" runs everything in one.`,
    );
  }
  const stopped = new AbortController();
  // The signal may come twice, or to the whole process group: the first one counts.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stopped.abort());

  const { database, close } = await connect(config, role === "start" ? "service" : "command that may create", log);
  try {
    if (role !== "work") await migrateAll(database, log);
    if (role !== "migrate") await run(role, config, database, log, stopped.signal);
  } finally {
    await close();
  }
}

/** Serves and works until the signal. */
async function run(
  role: Exclude<Role, "migrate">,
  config: Config,
  database: Database,
  log: pino.Logger,
  stopped: AbortSignal,
): Promise<void> {
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  const address = config.host.includes(":") ? `[${config.host}]:${port}` : `${config.host}:${port}`;
  const publicUrl = config.publicUrl ?? `http://${address}`;
  const app = await createApp({ config, publicUrl, database, log, isWorker: role !== "serve" });
  try {
    if (role !== "work") {
      const listenTextResolver = (listening: string) => `the rewards service listens on ${listening}, as ${publicUrl}`;
      await app.server.listen({ host: config.host, port, listenTextResolver }).catch((error: unknown) => {
        throw listenError(error, address);
      });
    }
    if (role !== "serve") {
      await app.startWork();
      log.info("background work has started");
    }
    if (!stopped.aborted) await new Promise((done) => stopped.addEventListener("abort", done));
    log.info("stopping: finishing or handing back what is in hand");
    setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  } finally {
    await app.stop(DRAIN_MS);
  }
  log.info("stopped");
}

/** The service cannot listen at its address; the message is for the operator. */
class ListenError extends Error {}

const LISTEN_REASONS: Record<string, string> = {
  EADDRINUSE: "another process listens there. Stop it, or set another PORT.",
  EADDRNOTAVAIL: "this machine has no such address. Set HOST to one of its own.",
  EACCES: "this user may not use that port. Set PORT to one above 1023.",
};

/** What the operator can do something about becomes a line of its own; anything else stays as it is. */
function listenError(error: unknown, address: string): unknown {
  const reason = LISTEN_REASONS[String((error as { code?: unknown }).code)];
  return reason === undefined ? error : new ListenError(`Cannot listen on ${address}: ${reason}`);
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

/** Without its reason the operator would guess; without the address, since it may hold a password. */
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
  const isForPeople = [ConfigError, EmbeddedError, MigrationError, ListenError].some((kind) => error instanceof kind);
  console.error(isForPeople && error instanceof Error ? error.message : isUnavailable(error) ? UNREACHABLE : error);
  process.exit(1);
}
