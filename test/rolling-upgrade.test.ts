import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrate } from "../src/postgres/migrations.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { createTestDatabase, silent } from "./support/database.ts";

const MIGRATIONS = join(import.meta.dirname, "../migrations");
/** The last migration of the first release, whose processes may run beside those of any later one. */
const FIRST_RELEASE = "0011_receipt_likeness.sql";

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly isRequired: boolean;
}

let drop: () => Promise<void>;
let earlier: Column[];
let now: Column[];
before(async () => {
  const test = await createTestDatabase();
  drop = test.drop;
  await test.database.pool.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  await migrate(test.database, MIGRATIONS, silent, (name) => name <= FIRST_RELEASE);
  earlier = await columnsOf(test.database);
  await migrate(test.database, MIGRATIONS, silent);
  now = await columnsOf(test.database);
});
after(() => drop());

/** Of every table; required: an INSERT that doesn't name it fails. */
async function columnsOf(database: Database): Promise<Column[]> {
  const { rows } = await database.pool.query<Column>(
    `SELECT relname AS table, attname AS column, format_type(atttypid, atttypmod) AS type,
            attnotnull AND NOT atthasdef AS "isRequired"
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
     ORDER BY relname, attnum`,
  );
  return rows;
}

const nameOf = ({ table, column }: Column) => `${table}.${column}`;

test("whatever a process of the first release reads is still there, with its type", () => {
  const types = new Map(now.map((column) => [nameOf(column), column.type]));
  const gone = earlier.filter((column) => types.get(nameOf(column)) !== column.type).map(nameOf);
  assert.deepEqual(gone, []);
});

test("whatever a process of the first release writes is still taken: nothing new is required of it", () => {
  const tables = new Set(earlier.map(({ table }) => table));
  const required = new Set(earlier.filter(({ isRequired }) => isRequired).map(nameOf));
  const demanding = now.filter(
    (column) => column.isRequired && tables.has(column.table) && !required.has(nameOf(column)),
  );
  assert.deepEqual(demanding.map(nameOf), []);
});
