import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { Client } from "pg";
import type { ClientConfig } from "pg";
import { startEmbedded, urlOf } from "../../src/postgres/embedded/embedded.ts";
import { openJobs } from "../../src/queue/jobs.ts";
import type { Log } from "../../src/log.ts";
import { migrate } from "../../src/postgres/migrations.ts";
import { openDatabase } from "../../src/postgres/postgres.ts";
import type { Database, RequestWaits } from "../../src/postgres/postgres.ts";
import { clusterParent } from "./memory.ts";
import { holdingRows } from "./statements.ts";

/** A server for tests, with a migrated database that others are cloned from. */
export interface TestServer {
  /** Address of the server's own database: for making others. */
  readonly url: string;
  readonly template: string;
  stop(): Promise<void>;
}

/** A private, migrated database: empty, and removed by `drop` (at the latest with the server). */
export interface TestDatabase {
  readonly database: Database;
  readonly connection: { readonly connectionString: string };
  /** The same as a DATABASE_URL, for a service in another process. */
  readonly url: string;
  drop(): Promise<void>;
}

/** The pool of a test's database. */
export interface DatabaseOptions {
  readonly connectionsMax?: number;
  readonly statementTimeoutMs?: number;
  readonly requestWaits?: RequestWaits;
}

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

/** The variable that setup.ts sets for the processes of the test files. */
export const SERVER_VARIABLE = "TEST_SERVER";

/** A logger without output. */
export const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Starts a server in a temporary folder, or takes the one of TEST_DATABASE_URL, and migrates its template. */
export async function startTestServer(): Promise<TestServer> {
  const external = process.env["TEST_DATABASE_URL"];
  const dataDir = external ? undefined : mkdtempSync(join(clusterParent(), "rewards-test-"));
  const embedded = dataDir ? await startEmbedded({ dataDir, log: silent, isForTests: true }) : undefined;
  const url = external ?? urlOf(embedded!.connection);
  const template = `rewards_template_${randomBytes(4).toString("hex")}`;
  const stop = async () => {
    if (!embedded) await execute(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`);
    await embedded?.stop();
    if (dataDir) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await execute(url, `CREATE DATABASE ${template}`);
    const database = open(withDatabase(url, template));
    await migrate(database, MIGRATIONS, silent);
    await openJobs({ database, isWorker: false, log: silent }).migrate();
    await database.close();
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, template, stop };
}

let server: Promise<TestServer> | undefined;

/** Clones the template. Runs on the server of the global setup; without one, on one of this process's own. */
export async function createTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  server ??= findServer();
  const { url: serverUrl, template } = await server;
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  // Without fsync the checkpoint that this strategy wants is nothing: 35 to 74 ms a clone instead of 133 to 241 (busy).
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = withDatabase(serverUrl, name);
  const database = open(url, options);
  return {
    database,
    connection: { connectionString: url },
    url,
    drop: async () => {
      await database.close();
      await execute(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function findServer(): Promise<TestServer> {
  const given = process.env[SERVER_VARIABLE];
  if (given !== undefined) return { ...(JSON.parse(given) as { url: string; template: string }), stop: async () => {} };
  return await startTestServer();
}

// A test file without the global setup stops the server that it started, after its own hooks: hooks run in the order of
// their registration, and this one is registered when the file's modules have been evaluated.
queueMicrotask(() => after(async () => (await server)?.stop()));

function open(url: string, options: DatabaseOptions = {}): Database {
  // DROP … WITH (FORCE) ends idle connections: no news in a test.
  return holdingRows(
    openDatabase({ connectionsMax: 5, ...options, connection: { connectionString: url }, onError: () => {} }),
  );
}

function withDatabase(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*\/)[^?]*/, (_, server: string) => server + name);
}

async function execute(url: string, sql: string): Promise<void> {
  const config: ClientConfig = { connectionString: url };
  const client = new Client(config);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
