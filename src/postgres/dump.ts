import assert from "node:assert/strict";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { PoolClient } from "pg";
import type { Database } from "./postgres.ts";

/** A table of a dump. Its rows stand in `<name>.jsonl.gz`, one JSON object a line, as PostgreSQL writes them. */
export interface DumpedTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
}

/** Told now and then while a table is under way. */
export type Progress = (table: string, rows: number) => void;

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Tables whose rows it refers to. */
  readonly parents: readonly string[];
}

/** A batch of rows in memory: 1,000 events of 1 kB are a megabyte. */
const ROWS_A_BATCH = 1_000;
const TABLES = `
  SELECT pg_class.relname AS name,
         ARRAY(SELECT attname::text FROM pg_attribute
               WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
               ORDER BY attnum) AS columns,
         ARRAY(SELECT confrelid::regclass::text FROM pg_constraint
               WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid) AS parents
  FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
  WHERE nspname = 'public' AND relkind = 'r' ORDER BY relname`;

/**
 * Writes every table of the schema `public` but those of `leftOut` to files in `dir`, as they stand at one moment, while
 * others write on. In JSON, so that any PostgreSQL takes it, of whichever version. Parents come before children.
 */
export async function dumpTables(
  database: Database,
  dir: string,
  leftOut: readonly string[],
  tell: Progress,
): Promise<DumpedTable[]> {
  return withClient(database, async (client) => {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const dumped: DumpedTable[] = [];
    for (const { name, columns } of inOrder(await readTables(client, leftOut))) {
      const rows = await dumpTable(client, { name, columns }, join(dir, `${name}.jsonl.gz`), tell);
      dumped.push({ name, columns, rows });
    }
    await client.query("COMMIT");
    return dumped;
  });
}

/**
 * Puts the rows of a dump in place of whatever the schema's tables hold, all of them or none. Throws when the tables or
 * columns are not those of the dump, or a file has not as many rows as it should.
 */
export async function loadTables(
  database: Database,
  dir: string,
  dumped: readonly DumpedTable[],
  leftOut: readonly string[],
  tell: Progress,
): Promise<void> {
  await withClient(database, async (client) => {
    await client.query("BEGIN");
    const tables = await readTables(client, leftOut);
    const shape = (some: readonly { name: string; columns: readonly string[] }[]) =>
      some.map(({ name, columns }) => `${name} (${columns.toSorted().join(", ")})`).sort();
    assert.deepEqual(shape(dumped), shape(tables), "the back-up has other tables than this schema");
    await client.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join(", ")}`);
    for (const { name } of inOrder(tables)) {
      const table = dumped.find((candidate) => candidate.name === name)!;
      const rows = await loadTable(client, table, join(dir, `${name}.jsonl.gz`), tell);
      assert.equal(rows, table.rows, `rows of ${name} in the back-up`);
    }
    await client.query("COMMIT");
    // What nobody has analysed is planned as if it were empty.
    await client.query("ANALYZE");
  });
}

/** The rows of one table. */
export async function countRows(database: Database, table: string): Promise<number> {
  const { rows } = await database.pool.query<{ count: string }>(`SELECT count(*) FROM ${quoted(table)}`);
  return Number(rows[0]!.count);
}

async function readTables(client: PoolClient, leftOut: readonly string[]): Promise<Table[]> {
  const { rows } = await client.query<Table>(TABLES);
  return rows.filter(({ name }) => !leftOut.includes(name));
}

/** Parents first. */
function inOrder(tables: readonly Table[]): Table[] {
  const ordered: Table[] = [];
  let left = tables;
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name));
    const ready = left.filter(({ parents }) => !parents.some((parent) => names.has(parent)));
    assert.ok(ready.length > 0, `tables refer to each other in a circle: ${[...names].join(", ")}`);
    ordered.push(...ready);
    left = left.filter((table) => !ready.includes(table));
  }
  return ordered;
}

async function dumpTable(
  client: PoolClient,
  { name, columns }: { name: string; columns: readonly string[] },
  path: string,
  tell: Progress,
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
      tell(name, written);
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
  tell: Progress,
): Promise<number> {
  const list = columns.map(quoted).join(", ");
  const insert = `INSERT INTO ${quoted(name)} (${list})
                  SELECT ${list} FROM json_populate_recordset(NULL::${quoted(name)}, $1::json)`;
  let loaded = 0;
  const put = async (rows: readonly string[]) => {
    if (rows.length > 0) await client.query(insert, [`[${rows.join(",")}]`]);
    loaded += rows.length;
    tell(name, loaded);
  };
  await pipeline(createReadStream(path), createGunzip().setEncoding("utf8"), async (texts: AsyncIterable<string>) => {
    let rows: string[] = [];
    let rest = "";
    for await (const text of texts) {
      // Not by readline, to which U+2028 within a row is the end of a line too.
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      rows.push(...lines);
      if (rows.length >= ROWS_A_BATCH) await put(rows.splice(0));
    }
    await put(rows);
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
    // Closing the connection rolls back whatever failed.
    client.release(failure);
  }
}
