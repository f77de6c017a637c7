import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { PoolClient } from "pg";
import type { Log } from "../log.ts";
import { DEFAULT_SCHEMA, lockKey } from "./cell.ts";
import type { Database } from "./postgres.ts";
import { PRE_RELEASE_CHECKSUM } from "./pre-release.ts";

/** The schema cannot be migrated; the message is one line for the operator. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly checksum: string;
}

const VERSION_MIN = 15;
const FILE_NAME = /^\d{4}_[a-z0-9_]+\.sql$/;
export const MIGRATION_LOCK = 7_265_002;

/**
 * Brings the schema up to date and returns the names of the migrations it applied. Runs the files `0001_name.sql`,
 * `0002_…` of `dir` in order, each in a tx with the record that it ran, except those already applied. Any number of
 * processes may call this at once: one runs a migration, the others wait and then skip it. `isWanted` selects files.
 * Throws MigrationError: the server is too old, a file failed or was changed after it ran, or the database was made
 * before the first release.
 */
export async function migrate(
  database: Database,
  dir: string,
  log: Log,
  isWanted: (name: string) => boolean = () => true,
): Promise<string[]> {
  const migrations = readMigrations(dir).filter(({ name }) => isWanted(name));
  const client = await database.pool.connect();
  let failure: Error | undefined;
  try {
    await checkVersion(client);
    await createSchema(client, database.schema);
    const recorded = await recordedChecksums(client);
    if (!recorded) await locked(client, () => client.query(CREATE_TABLE));
    const applied: string[] = [];
    for (const migration of migrations) {
      // A record is committed with its migration. Locking for each took a warm start 50 ms.
      if (recorded?.get(migration.name) === migration.checksum) continue;
      if (!(await locked(client, () => applyOnce(client, migration)))) continue;
      log.info({ migration: migration.name }, "migration applied");
      applied.push(migration.name);
    }
    return applied;
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // After a failure the state of the connection is unknown: don't reuse it.
    client.release(failure);
  }
}

/** Returns the names of the applied migrations in order; none for an empty database. */
export async function appliedMigrations(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ has: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS has");
  if (!rows[0]!.has) return [];
  const applied = await database.pool.query<{ name: string }>("SELECT name FROM migrations ORDER BY name");
  return applied.rows.map(({ name }) => name);
}

const CREATE_TABLE = `
  CREATE TABLE IF NOT EXISTS migrations (
    name text PRIMARY KEY,
    checksum text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now())`;

/** Returns the checksums of the applied migrations by name; null before the first. */
async function recordedChecksums(client: PoolClient): Promise<ReadonlyMap<string, string> | null> {
  const { rows } = await client.query<{ has: boolean }>("SELECT to_regclass('migrations') IS NOT NULL AS has");
  if (!rows[0]!.has) return null;
  const recorded = await client.query<{ name: string; checksum: string }>("SELECT name, checksum FROM migrations");
  return new Map(recorded.rows.map(({ name, checksum }) => [name, checksum]));
}

async function applyOnce(client: PoolClient, migration: Migration): Promise<boolean> {
  const { name, sql, checksum } = migration;
  const { rows } = await client.query<{ checksum: string }>("SELECT checksum FROM migrations WHERE name = $1", [name]);
  const recorded = rows[0]?.checksum;
  if (recorded === checksum) return false;
  if (recorded === PRE_RELEASE_CHECKSUM) {
    throw new MigrationError(
      "This database was made by a version before the first release, and cannot be upgraded in place: run `backup create` with the version that made it, then `backup restore` with this one into an empty database.",
    );
  }
  if (recorded !== undefined) {
    throw new MigrationError(
      `Migration ${name} was changed after it had run on this database: restore the file, and write the change as another migration.`,
    );
  }
  try {
    await client.query(sql);
  } catch (error) {
    throw new MigrationError(`Migration ${name} failed and was rolled back: ${(error as Error).message}`, {
      cause: error,
    });
  }
  await client.query("INSERT INTO migrations (name, checksum) VALUES ($1, $2)", [name, checksum]);
  return true;
}

/**
 * Runs `work` in a tx under a lock that all migrating processes take. The lock belongs to the tx: PgBouncer allows
 * that.
 */
async function locked<Result>(client: PoolClient, work: () => Promise<Result>): Promise<Result> {
  await client.query("BEGIN");
  try {
    // Building an index may take minutes, and so may waiting for another process that does.
    await client.query("SET LOCAL statement_timeout = 0");
    await client.query(`SELECT pg_advisory_xact_lock(${lockKey("$1")})`, [MIGRATION_LOCK]);
    const result = await work();
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  }
}

/** Creates the schema of a cell, unless it is there: then no right to create one is needed. */
async function createSchema(client: PoolClient, schema: string): Promise<void> {
  if (schema === DEFAULT_SCHEMA) return;
  const { rowCount } = await client.query("SELECT FROM pg_namespace WHERE nspname = $1", [schema]);
  if (rowCount === 0) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
}

async function checkVersion(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ version: string; number: number }>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int AS number",
  );
  const server = rows[0];
  if (!server || server.number < VERSION_MIN * 10_000) {
    throw new MigrationError(
      `PostgreSQL ${VERSION_MIN} or later is required; this is ${server?.version ?? "unknown"}.`,
    );
  }
}

function readMigrations(dir: string): Migration[] {
  const names = readdirSync(dir)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const seen = new Map<string, string>();
  return names.map((name) => {
    if (!FILE_NAME.test(name)) throw new MigrationError(`${name} in ${dir} is not named like 0001_name.sql.`);
    const number = name.slice(0, 4);
    const other = seen.get(number);
    if (other !== undefined)
      throw new MigrationError(`Two migrations have the number ${number}: ${other} and ${name}.`);
    seen.set(number, name);
    // Git may convert line endings on checkout: not a change.
    const sql = readFileSync(join(dir, name), "utf8").replaceAll("\r\n", "\n");
    return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });
}
