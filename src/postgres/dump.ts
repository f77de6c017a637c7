import assert from "node:assert/strict";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { PoolClient } from "pg";
import type { Database } from "./postgres.ts";

/** A table of a dump. Its rows are in `<name>.jsonl.gz`, one JSON object a line, as PostgreSQL writes them. */
export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** Called from time to time with the number of rows of a table that are done. */
export type Progress = (table: string, rows: number) => void;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The tables it has foreign keys to. */
  readonly parents: readonly string[];
  readonly hasTriggers: boolean;
}

/** Rows in memory at once: 1,000 events of 1 kB are a megabyte. */
const ROWS_A_BATCH = 1_000;
const TABLES = `
  SELECT pg_class.relname AS name,
         ARRAY(SELECT attname::text FROM pg_attribute
               WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
               ORDER BY attnum) AS columns,
         ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
               WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid) AS parents,
         EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = pg_class.oid AND NOT tgisinternal) AS "hasTriggers"
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = current_schema() AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`;

/**
 * Writes the tables of the service's schema, except those in `excluded`, to files in `dir`. All rows are from one
 * moment; other clients can write meanwhile. The format is JSON, so that PostgreSQL of any version can read it. Parents
 * come first.
 */
export async function dumpTables(
  database: Database,
  dir: string,
  excluded: readonly string[],
  onProgress: Progress,
): Promise<DumpedTable[]> {
  return withClient(database, async (client) => {
    const tables = await readTables(client, excluded);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    // Before the moment is fixed, by the first query: else rows that are moved as a partition is dropped were missing.
    await client.query(`LOCK TABLE ${tables.map(({ name }) => quoted(name)).join(", ")} IN ACCESS SHARE MODE`);
    const dumped: DumpedTable[] = [];
    for (const { name, columns } of parentsFirst(tables)) {
      const rows = await dumpTable(client, { name, columns }, join(dir, `${name}.jsonl.gz`), onProgress);
      dumped.push({ name, columns, rows });
    }
    await client.query("COMMIT");
    return dumped;
  });
}

/**
 * Replaces the rows of the schema's tables with those of a dump, all of them or none. Throws if the tables or columns
 * are not those of the dump, or if a file has another number of rows.
 */
export async function loadTables(
  database: Database,
  dir: string,
  dumped: readonly DumpedTable[],
  excluded: readonly string[],
  onProgress: Progress,
): Promise<void> {
  await withClient(database, async (client) => {
    await client.query("BEGIN");
    const tables = await readTables(client, excluded);
    const shape = (some: readonly { name: string; columns: readonly string[] }[]) =>
      some.map(({ name, columns }) => `${name} (${columns.toSorted().join(", ")})`).sort();
    assert.deepEqual(shape(dumped), shape(tables), "the back-up has other tables than this schema");
    await client.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join(", ")}`);
    // What triggers have written is in the dump, as rows of other tables: it would be there twice.
    const setTriggers = async (state: "DISABLE" | "ENABLE") => {
      for (const { name } of tables.filter(({ hasTriggers }) => hasTriggers))
        await client.query(`ALTER TABLE ${quoted(name)} ${state} TRIGGER USER`);
    };
    await setTriggers("DISABLE");
    for (const { name } of parentsFirst(tables)) {
      const table = dumped.find((candidate) => candidate.name === name)!;
      const rows = await loadTable(client, table, join(dir, `${name}.jsonl.gz`), onProgress);
      assert.equal(rows, table.rows, `rows of ${name} in the back-up`);
    }
    await setTriggers("ENABLE");
    await client.query("COMMIT");
    // Without statistics the planner takes tables for empty. Only these: the database may have those of other services.
    await client.query(`ANALYZE ${tables.map(({ name }) => quoted(name)).join(", ")}`);
  });
}

/** Returns the number of rows of a table. */
export async function countRows(database: Database, table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(`SELECT count(*) FROM ${quoted(table)}`);
  return Number(rows[0]!.count);
}

async function readTables(client: PoolClient, excluded: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  return rows.filter(({ name }) => !excluded.includes(name));
}

/** Sorts tables so that parents come before children. */
function parentsFirst(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  let rest = tables;
  while (rest.length > 0) {
    const names = new Set(rest.map(({ name }) => name));
    const ready = rest.filter(({ parents }) => !parents.some((parent) => names.has(parent)));
    assert.ok(ready.length > 0, `tables refer to each other in a circle: ${[...names].join(", ")}`);
    ordered.push(...ready);
    rest = rest.filter((table) => !ready.includes(table));
  }
  return ordered;
}

async function dumpTable(
  client: PoolClient,
  { name, columns }: { name: string; columns: readonly string[] },
  path: string,
  onProgress: Progress,
): Promise<number> {
  const list = columns.map(quoted).join(", ");
  await client.query(
    `DECLARE dumped CURSOR FOR SELECT to_json(row)::text AS line FROM (SELECT ${list} FROM ${quoted(name)}) AS row`,
  );
  let written = 0;
  const lines = async function* () {
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`FETCH ${ROWS_A_BATCH} FROM dumped`);
      if (rows.length === 0) return;
      written += rows.length;
      yield rows.map(({ line }) => `${line}\n`).join("");
      onProgress(name, written);
    }
  };
  await pipeline(lines, createGzip(), createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
  await client.query("CLOSE dumped");
  return written;
}

async function loadTable(
  client: PoolClient,
  { name, columns }: DumpedTable,
  path: string,
  onProgress: Progress,
): Promise<number> {
  const list = columns.map(quoted).join(", ");
  const insert = `INSERT INTO ${quoted(name)} (${list})
                  SELECT ${list} FROM json_populate_recordset(NULL::${quoted(name)}, $1::json)`;
  let loaded = 0;
  const insertRows = async (rows: readonly string[]) => {
    if (rows.length > 0) await client.query(insert, [`[${rows.join(",")}]`]);
    loaded += rows.length;
    onProgress(name, loaded);
  };
  await pipeline(createReadStream(path), createGunzip().setEncoding("utf8"), async (texts: AsyncIterable<string>) => {
    let rows: string[] = [];
    let rest = "";
    for await (const text of texts) {
      // Not by readline, which also splits at U+2028 within a row.
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      rows.push(...lines);
      if (rows.length >= ROWS_A_BATCH) await insertRows(rows.splice(0));
    }
    await insertRows(rows);
  });
  return loaded;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

async function withClient<Result>(database: Database, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await database.pool.connect();
  let failure: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    failure = error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    // After a failure the connection is closed, which rolls back the tx.
    client.release(failure);
  }
}
