import { join, resolve } from "node:path";
import type { PoolConfig } from "pg";
import { joinEmbedded, startEmbedded } from "./postgres/embedded/embedded.ts";
import type { EmbeddedServer } from "./postgres/embedded/embedded.ts";
import { openJobs } from "./queue/jobs.ts";
import type { Log } from "./log.ts";
import { appliedMigrations, migrate } from "./postgres/migrations.ts";
import { openDatabase } from "./postgres/postgres.ts";
import type { Database } from "./postgres/postgres.ts";
import { int4, statement } from "./postgres/statement.ts";
import type { Config } from "./config.ts";

const MIGRATIONS = join(import.meta.dirname, "../migrations");

/**
 * Who connects: a service with all its parts, one of several processes of a service, or a command of the operator. Only
 * a command that may create a database creates one if there is none.
 */
export type Connecting = "service" | "process" | "command" | "command that may create";

/**
 * Opens the configured PostgreSQL, or the bundled one: a service starts and owns it, a command joins a running one or
 * starts it for the time of the command. `close` closes the connections, then leaves the bundled server, or stops it if
 * this process started it. Throws EmbeddedError, one line for people.
 */
export async function connect(
  config: Config,
  as: Connecting,
  log: Log,
): Promise<{ database: Database; close: () => Promise<void> }> {
  let embedded: EmbeddedServer | undefined;
  const isCommand = as === "command" || as === "command that may create";
  if (config.database.kind === "embedded") {
    const options = { dataDir: resolve(config.dataDir), log };
    const mayCreate = as !== "command";
    embedded = as === "service" ? await startEmbedded(options) : await joinEmbedded({ ...options, mayCreate });
    embedded.onExit(({ isFinal, ...exit }) => {
      log.error(exit, "the bundled PostgreSQL ended by itself");
      if (isFinal) process.kill(process.pid, "SIGTERM");
    });
  }
  const database = openDatabase({
    ...(embedded ? { connection: { ...embedded.connection } } : toServer(config.database, isCommand)),
    schema: config.databaseSchema,
    connectionsMax: config.databasePoolMax,
    named: config.databaseNamedStatements,
    // The commands of the operator export, erase, verify and restore: they take their time.
    statementTimeoutMs: isCommand ? 0 : config.databaseStatementTimeoutMs,
    onError: (error) => log.warn({ err: error }, "an idle database connection was lost"),
  });
  return {
    database,
    close: async () => {
      await database.close();
      await embedded?.stop();
    },
  };
}

/** A command needs no pooler: it has few connections, for its own time, and txs that take as long as they take. */
function toServer(server: Config["database"], isCommand: boolean): { connection: PoolConfig; session?: PoolConfig } {
  if (server.kind === "embedded") throw new TypeError("the bundled server has no address of its own");
  const { url, sessionUrl } = server;
  const connection = { connectionString: url };
  if (sessionUrl === null) return { connection };
  const session = { connectionString: sessionUrl };
  return isCommand ? { connection: session } : { connection, session };
}

/** Brings the schema of the service and its queues up to date; any number of processes can do so at once. */
export async function migrateAll(database: Database, log: Log): Promise<void> {
  await migrateTables(database, log);
  await openJobs({ database, isWorker: false, log }).migrate();
}

/** Brings the schema of the service up to date, without that of its queues. */
export async function migrateTables(database: Database, log: Log): Promise<void> {
  await inSession(database, (session) => migrate(session, MIGRATIONS, log));
}

/** Applies the given migrations to an empty or partly migrated schema; returns those that this release doesn't have. */
export async function migrateTo(database: Database, names: readonly string[], log: Log): Promise<string[]> {
  await inSession(database, (session) => migrate(session, MIGRATIONS, log, (name) => names.includes(name)));
  const applied = await appliedMigrations(database);
  return names.filter((name) => !applied.includes(name));
}

/** Runs `work` on connections that lead to the server itself, beside a pooler of txs. */
async function inSession(database: Database, work: (session: Database) => Promise<unknown>): Promise<void> {
  if (!database.isPooled) return void (await work(database));
  const { schema, session: connection } = database;
  const session = openDatabase({ connection, schema, connectionsMax: 1, onError: () => {} });
  try {
    await work(session);
  } finally {
    await session.close();
  }
}

const REACH = statement("health.ready", { one: int4 }, "SELECT 1 AS one");

/** Returns whether the database responds. */
export async function isReachable(database: Database): Promise<boolean> {
  try {
    await database.query(REACH);
    return true;
  } catch {
    return false;
  }
}
