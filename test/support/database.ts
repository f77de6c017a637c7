import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { Client } from "pg";
import type { ClientConfig } from "pg";
import { startEmbedded, urlOf } from "../../src/postgres/embedded/embedded.ts";
import { migrateAll } from "../../src/database.ts";
import { NO_LOG } from "../../src/log.ts";
import { DEFAULT_SCHEMA } from "../../src/postgres/cell.ts";
import { openDatabase } from "../../src/postgres/postgres.ts";
import type { Database, RequestWaits } from "../../src/postgres/postgres.ts";
import { clusterParent } from "./memory.ts";
import { fillNeighbour, watchNeighbour } from "./neighbour.ts";
import type { Neighbour } from "./neighbour.ts";
import { isPoolerNamed, startPooler } from "./pooler.ts";
import type { Pooler } from "./pooler.ts";
import { holdingRows } from "./statements.ts";

/** A server for tests, with a migrated database that others are cloned from. */
export interface TestServer {
  /** Address of the server's own database: for making others. */
  readonly url: string;
  readonly template: string;
  /** The schema of the tables: that of TEST_DATABASE_SCHEMA, so that all tests can be run in another than `public`. */
  readonly schema: string;
  /** Another cell that the template has, and no test may touch: in the schema TEST_NEIGHBOUR_SCHEMA, if that is set. */
  readonly neighbour: Neighbour | null;
  /** Address of a PgBouncer in front of the server, up to the name of a database; with TEST_PGBOUNCER=true. */
  readonly poolerUrl: string | null;
  stop(): Promise<void>;
}

/** A private, migrated database: empty, and removed by `drop` (at the latest with the server). */
export interface TestDatabase {
  readonly database: Database;
  readonly connection: { readonly connectionString: string };
  /** The same as an address, for a connection of the test's own: to the server itself, also behind a PgBouncer. */
  readonly url: string;
  /** The settings of a service in another process. */
  readonly env: Readonly<Record<string, string>>;
  drop(): Promise<void>;
}

/** The pool of a test's database. */
export interface DatabaseOptions {
  readonly connectionsMax?: number;
  readonly statementTimeoutMs?: number;
  readonly requestWaits?: RequestWaits;
  readonly schema?: string;
  /** The test reads the tables of all cells. */
  readonly listsCells?: boolean;
}

/** The variable that setup.ts sets for the processes of the test files. */
export const SERVER_VARIABLE = "TEST_SERVER";

/** A logger without output. */
export const silent = NO_LOG;

/** Starts a server in a temporary folder, or takes the one of TEST_DATABASE_URL, and migrates its template. */
export async function startTestServer(): Promise<TestServer> {
  const schema = process.env["TEST_DATABASE_SCHEMA"] ?? DEFAULT_SCHEMA;
  const external = process.env["TEST_DATABASE_URL"];
  const dataDir = external ? undefined : mkdtempSync(join(clusterParent(), "rewards-test-"));
  const embedded = dataDir ? await startEmbedded({ dataDir, log: silent, isForTests: true }) : undefined;
  const url = external ?? urlOf(embedded!.connection);
  const template = `rewards_template_${randomBytes(4).toString("hex")}`;
  let pooler: Pooler | undefined;
  const stop = async () => {
    // Whatever fails, PostgreSQL ends: nobody else would end it after the tests.
    await using ending = new AsyncDisposableStack();
    if (dataDir) ending.defer(() => rmSync(dataDir, { recursive: true, force: true }));
    ending.defer(() => embedded?.stop());
    if (!embedded) ending.defer(() => execute(url, `DROP DATABASE IF EXISTS ${template} WITH (FORCE)`));
    ending.defer(() => pooler?.stop());
  };
  try {
    await execute(url, `CREATE DATABASE ${template}`);
    const address = { url: withDatabase(url, template) };
    await (await createTestCell(address, schema)).drop();
    const neighbour = await makeNeighbour(address);
    // Its pools leave no connection for another one: the tests of one database at a time have less than that.
    if (process.env["TEST_PGBOUNCER"] === "true")
      pooler = await startPooler(url, { "*": `SET search_path TO ${schema}` });
    return { url, template, schema, neighbour, poolerUrl: pooler?.urlOf("") ?? null, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeNeighbour(address: { url: string }): Promise<Neighbour | null> {
  const schema = process.env["TEST_NEIGHBOUR_SCHEMA"];
  if (schema === undefined) return null;
  const cell = await createTestCell(address, schema);
  try {
    return await fillNeighbour(cell);
  } finally {
    await cell.drop();
  }
}

let server: Promise<TestServer> | undefined;

/** Clones the template. Runs on the server of the global setup; without one, on one of this process's own. */
export async function createTestDatabase(options: DatabaseOptions = {}): Promise<TestDatabase> {
  server ??= findServer();
  const { url: serverUrl, template, schema, neighbour, poolerUrl } = await server;
  const name = `test_${process.pid}_${randomBytes(4).toString("hex")}`;
  // Without fsync the checkpoint that this strategy wants is nothing: 35 to 74 ms a clone instead of 133 to 241 (busy).
  await execute(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  const url = inSchema(withDatabase(serverUrl, name), schema);
  const pooled = poolerUrl === null ? null : poolerUrl + name;
  const database = open(url, { schema, ...options }, pooled);
  const watch = neighbour && (await watchNeighbour(url, neighbour, { mayRead: options.listsCells ?? false }));
  const checkNeighbour = async () => {
    unchecked.delete(checkNeighbour);
    const findings = (await watch?.findings()) ?? [];
    assert.deepEqual(findings, [], `what the neighbour ${neighbour?.schema} noticed`);
  };
  unchecked.add(checkNeighbour);
  return {
    database,
    connection: { connectionString: url },
    url,
    env: {
      DATABASE_URL: pooled ?? url,
      DATABASE_SCHEMA: schema,
      ...(pooled !== null && { DATABASE_SESSION_URL: url, DATABASE_NAMED_STATEMENTS: String(isPoolerNamed()) }),
    },
    drop: async () => {
      await database.close();
      try {
        await checkNeighbour();
      } finally {
        await execute(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
      }
    },
  };
}

/** Of databases that were not dropped. */
const unchecked = new Set<() => Promise<void>>();

/** Removes all tables of a service, but not those of its queues. */
export async function emptyCell({ pool, schema }: Database): Promise<void> {
  await pool.query(`DROP SCHEMA "${schema}" CASCADE; CREATE SCHEMA "${schema}"`);
}

/** Makes another cell in a database: a schema with tables of its own. It is dropped with the database. */
export async function createTestCell(beside: Pick<TestDatabase, "url">, schema: string): Promise<TestDatabase> {
  const url = beside.url.replace(/[?&]options=[^&]*/, "");
  const database = open(url, { schema });
  await migrateAll(database, silent);
  const env = { DATABASE_URL: url, DATABASE_SCHEMA: schema };
  return { database, connection: { connectionString: url }, url, env, drop: () => database.close() };
}

async function findServer(): Promise<TestServer> {
  const given = process.env[SERVER_VARIABLE];
  if (given !== undefined) return { ...(JSON.parse(given) as Omit<TestServer, "stop">), stop: async () => {} };
  return await startTestServer();
}

// A test file without the global setup stops the server that it started, after its own hooks: hooks run in the order of
// their registration, and this one is registered when the file's modules have been evaluated.
queueMicrotask(() =>
  after(async () => {
    for (const check of unchecked) await check();
    await (await server)?.stop();
  }),
);

function open(url: string, options: DatabaseOptions, pooled: string | null = null): Database {
  const reach =
    pooled === null
      ? { connection: { connectionString: url } }
      : { connection: { connectionString: pooled }, session: { connectionString: url }, named: isPoolerNamed() };
  // DROP … WITH (FORCE) ends idle connections: no news in a test.
  return holdingRows(openDatabase({ connectionsMax: 5, ...options, ...reach, onError: () => {} }));
}

/** Every connection by this address has the search path. */
function inSchema(url: string, schema: string): string {
  if (schema === DEFAULT_SCHEMA) return url;
  return `${url}${url.includes("?") ? "&" : "?"}options=${encodeURIComponent(`-c search_path=${schema}`)}`;
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
