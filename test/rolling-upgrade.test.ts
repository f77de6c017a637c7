import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrate } from "../src/postgres/migrations.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { FIRST_RELEASE } from "../src/postgres/pre-release.ts";
import { createTestDatabase, emptyCell, silent } from "./support/database.ts";

const MIGRATIONS = join(import.meta.dirname, "../migrations");

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isRequired: boolean;
}

let drop: () => Promise<void>;
let first: Column[];
let now: Column[];
let firstKeys: string[];
let keysNow: string[];
before(async () => {
  const test = await createTestDatabase();
  drop = test.drop;
  await emptyCell(test.database);
  await migrate(test.database, MIGRATIONS, silent, (name) => FIRST_RELEASE.includes(name));
  first = await columnsOf(test.database);
  firstKeys = await keysOf(test.database);
  await migrate(test.database, MIGRATIONS, silent);
  now = await columnsOf(test.database);
  keysNow = await keysOf(test.database);
});
after(() => drop());

/**
 * Reads the columns of every table, of a partitioned one without those of its partitions. Required: an INSERT without
 * the column fails.
 */
async function columnsOf(database: Database): Promise<Column[]> {
  const { rows } = await database.pool.query<Column>(
    `SELECT relname AS table, attname AS column, format_type(atttypid, atttypmod) AS type,
            attnotnull AND NOT atthasdef AS "isRequired"
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
       AND attnum > 0 AND NOT attisdropped
     ORDER BY relname, attnum`,
  );
  return rows;
}

/** Reads what an ON CONFLICT may name: the unique keys of every table, with the condition of one that has some. */
async function keysOf(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ key: string }>(
    `SELECT relname || ' ' || regexp_replace(pg_get_indexdef(indexrelid), '^.* USING ', '') AS key
     FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE relnamespace = current_schema()::regnamespace AND indisunique AND indisvalid AND NOT relispartition ORDER BY 1`,
  );
  return rows.map(({ key }) => key);
}

const nameOf = ({ table, column }: Column) => `${table}.${column}`;

test("later migrations keep every column that a process of the first release reads, with its type", () => {
  const types = new Map(now.map((column) => [nameOf(column), column.type]));
  const missing = first.filter((column) => types.get(nameOf(column)) !== column.type).map(nameOf);
  assert.deepEqual(missing, []);
});

test("later migrations require no column that a process of the first release doesn't write", () => {
  const tables = new Set(first.map(({ table }) => table));
  const required = new Set(first.filter(({ isRequired }) => isRequired).map(nameOf));
  const added = now.filter((column) => column.isRequired && tables.has(column.table) && !required.has(nameOf(column)));
  assert.deepEqual(added.map(nameOf), []);
});

test("later migrations keep every unique key that a process of the first release names in an ON CONFLICT", () => {
  assert.ok(firstKeys.includes('deliveries btree (user_id, subject, "position", endpoint_id)'), firstKeys.join("\n"));
  assert.deepEqual(
    firstKeys.filter((key) => !keysNow.includes(key)),
    [],
  );
});
