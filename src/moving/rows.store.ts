// The rows of an application in one cell: their tables, reading and adding them in pages, comparing and removing them.
// SQL is made of names of the catalog and of the rules alone.

import type { Statement } from "../postgres/statement.ts";
import type { Tx } from "../postgres/postgres.ts";
import { bool, neverNull, statement, text, textArray } from "../postgres/statement.ts";
import { rowsOf } from "./rules.ts";
import type { FoundTable, RuledTable } from "./rules.ts";

/** Rows in memory at once: 1,000 of 1 kB are a megabyte. */
const ROWS_A_PAGE = 1_000;
/** Rows that are removed in one tx. Their keys alone are in memory, at most some hundred bytes each. */
const KEYS_A_PAGE = 5_000;

const TABLES = statement(
  "moving.tables",
  { name: text, columns: neverNull(textArray), parents: neverNull(textArray) },
  `SELECT relname::text AS name,
          ARRAY(SELECT attname::text FROM pg_attribute
                WHERE attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
                ORDER BY attnum) AS columns,
          ARRAY(SELECT (SELECT relname::text FROM pg_class AS parent WHERE parent.oid = confrelid) FROM pg_constraint
                WHERE conrelid = pg_class.oid AND contype = 'f' AND confrelid <> conrelid) AS parents
   FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
   WHERE nspname = current_schema() AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
);
const KEY = statement(
  "moving.key",
  {
    columns: neverNull(textArray),
    types: neverNull(textArray),
    collations: neverNull(textArray),
    isPrimary: neverNull(bool),
  },
  `SELECT array_agg(attname::text ORDER BY attnum) AS columns,
          array_agg(format_type(atttypid, NULL) ORDER BY attnum) AS types,
          array_agg(CASE WHEN collname IS NULL OR collname = 'default' THEN '' ELSE ' COLLATE ' || quote_ident(collname) END
                    ORDER BY attnum) AS collations,
          bool_and(indexrelid IS NOT NULL) AS "isPrimary"
   FROM pg_attribute LEFT JOIN pg_collation ON pg_collation.oid = attcollation
     LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
   WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attnotnull
     AND (indexrelid IS NULL OR attnum = ANY (indkey))`,
);
const BY_INDEX: Statement = {
  name: "moving.by-index",
  text: `SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
                set_config('enable_mergejoin', 'off', true)`,
};
const NUMBERED = statement(
  "moving.numbered-columns",
  { table: text, column: text, sequence: text },
  `SELECT relname::text AS table, attname::text AS column,
          pg_get_serial_sequence(quote_ident(relname), attname) AS sequence
   FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace ON pg_namespace.oid = relnamespace
   WHERE nspname = current_schema() AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0
     AND pg_get_serial_sequence(quote_ident(relname), attname) IS NOT NULL`,
);
const SAME_TEXT: Statement = {
  name: "moving.same-text",
  // What is compared as text must be written alike on both sides.
  text: `SELECT set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true),
                set_config('IntervalStyle', 'postgres', true), set_config('extra_float_digits', '1', true),
                set_config('bytea_output', 'hex', true)`,
};

/** The tables of the service's schema. */
export async function findTables(tx: Tx): Promise<FoundTable[]> {
  return tx.query(TABLES);
}

/** Columns whose values come from a sequence. */
export async function numberedColumns(tx: Tx): Promise<{ table: string; column: string; sequence: string }[]> {
  return tx.query(NUMBERED);
}

/** Lets a tx write values as text in the form that `digestOf` compares. */
export async function writeAlike(tx: Tx): Promise<void> {
  await tx.query(SAME_TEXT);
}

/** A statement that is made for a table. */
function made<Row extends object>(what: string, { name }: { readonly name: string }, sql: string): Statement<Row> {
  return { name: `moving.${what}.${name}`, text: sql };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SELECT of the rows of an application with the columns in their order, as they are to be at the target. */
function selectOf(table: RuledTable): string {
  const set = (table.rule.kind === "carried" && table.rule.set) || {};
  const list = table.columns.map((column) => (set[column] ? `${set[column]} AS ${quoted(column)}` : quoted(column)));
  return `SELECT ${list.join(", ")} FROM ${quoted(table.name)} AS carried WHERE ${rowsOf(table)}`;
}

let cursors = 0;

/** Yields the rows of an application as pages of JSON. One tx reads one table at a time. */
export async function* pagesOf(tx: Tx, table: RuledTable, applicationId: string): AsyncGenerator<string[]> {
  const lines = `SELECT to_json(rows)::text AS line FROM (${selectOf(table)}) AS rows`;
  for await (const page of fetched<{ line: string }>(tx, lines, applicationId, ROWS_A_PAGE)) {
    yield page.map(({ line }) => line);
  }
}

/** Yields the rows of a SELECT about the application $1 in pages. */
async function* fetched<Row extends object>(
  tx: Tx,
  select: string,
  applicationId: string,
  rows: number,
): AsyncGenerator<Row[]> {
  const cursor = `moved_${(cursors += 1)}`;
  // Each text is sent unnamed, since the cursor's name is in it.
  const unnamed = (sql: string): Statement<Row> => ({ name: "", text: sql });
  const sql = select.replaceAll("$1", `'${asUuid(applicationId)}'`);
  await tx.query(unnamed(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${sql}`));
  for (;;) {
    const page = await tx.query(unnamed(`FETCH ${rows} FROM ${cursor}`));
    if (page.length === 0) break;
    yield page;
  }
  await tx.query(unnamed(`CLOSE ${cursor}`));
}

/** DECLARE takes no parameters. */
function asUuid(id: string): string {
  if (!/^[0-9a-f-]{36}$/.test(id)) throw new TypeError("not an id");
  return id;
}

/** Adds rows of `pagesOf`. Those that are there already are left out where `mayExist`. */
export async function addRows(
  tx: Tx,
  table: RuledTable,
  lines: readonly string[],
  { mayExist }: { mayExist: boolean },
): Promise<void> {
  const list = table.columns.map(quoted).join(", ");
  const sql = `INSERT INTO ${quoted(table.name)} (${list})
               SELECT ${list} FROM json_populate_recordset(NULL::${quoted(table.name)}, $1::json)`;
  await tx.query(made(mayExist ? "add-new" : "add", table, mayExist ? `${sql} ON CONFLICT DO NOTHING` : sql), [
    `[${lines.join(",")}]`,
  ]);
}

/** The number of rows, and a sum of digests of each: equal for equal rows in any order. */
export interface Digest {
  readonly rows: number;
  readonly sum: string;
}

/** Digests the rows of an application. */
export async function digestOf(tx: Tx, table: RuledTable, applicationId: string): Promise<Digest> {
  const each = `('x' || left(encode(sha256(convert_to(rows::text, 'UTF8')), 'hex'), 16))::bit(64)::bigint`;
  const sql = `SELECT count(*)::float8 AS rows, coalesce(sum(${each}::numeric), 0)::text AS sum
               FROM (${selectOf(table)}) AS rows`;
  return (await tx.query(made<Digest>("digest", table, sql), [applicationId]))[0]!;
}

/** Removes the rows of an application. Returns their number. */
export async function removeRows(tx: Tx, table: RuledTable, applicationId: string): Promise<number> {
  const sql = `WITH gone AS (DELETE FROM ${quoted(table.name)} AS carried WHERE ${rowsOf(table)} RETURNING 1)
               SELECT count(*)::float8 AS rows FROM gone`;
  return (await tx.query(made<{ rows: number }>("remove", table, sql), [applicationId]))[0]!.rows;
}

/** What identifies a row of a table: the columns of its primary key; without one, all that are never null. */
export interface Key {
  readonly columns: readonly string[];
  readonly types: readonly string[];
  /** Behind each column's value: `COLLATE …`, or nothing. */
  readonly collations: readonly string[];
  readonly isPrimary: boolean;
}

export async function keyOf(tx: Tx, { name }: RuledTable): Promise<Key> {
  return (await tx.query(KEY, [quoted(name)]))[0]!;
}

/** Rows by their keys: for each column of the key its values, as text. */
export type KeyPage = readonly (readonly string[])[];

/** Yields the keys of the rows of an application, some thousand at once, as they were at the beginning of the tx. */
export async function* keysOf(tx: Tx, table: RuledTable, key: Key, applicationId: string): AsyncGenerator<KeyPage> {
  const list = key.columns.map((column, i) => `${quoted(column)}::text AS key_${i}`).join(", ");
  const keys = `SELECT ${list} FROM ${quoted(table.name)} AS carried WHERE ${rowsOf(table)}`;
  for await (const page of fetched<Record<string, string>>(tx, keys, applicationId, KEYS_A_PAGE)) {
    yield key.columns.map((_, i) => page.map((row) => row[`key_${i}`]!));
  }
}

/** Removes the rows of an application that have these keys. Without a primary key several may have the same one. */
export async function removeKeys(
  tx: Tx,
  table: RuledTable,
  key: Key,
  page: KeyPage,
  applicationId: string,
): Promise<number> {
  // Of a table that is not much larger than the page it would be cheaper to read the whole, but only for one page.
  if (key.isPrimary) await tx.query(BY_INDEX);
  const text = removalOf(table, key);
  const unnamed: Statement<{ rows: number }> = { name: "", text };
  return (await tx.query(unnamed, [applicationId, ...page]))[0]!.rows;
}

/** SQL that removes rows by their keys: `$1` is the application, from `$2` on there are the values of each column. */
export function removalOf(table: RuledTable, { columns, types, collations }: Key): string {
  const values = types.map((type, i) => `$${i + 2}::${type}[]`).join(", ");
  const names = columns.map((_, i) => `key_${i}`).join(", ");
  const isSame = columns.map((column, i) => `carried.${quoted(column)} = page.key_${i}${collations[i]}`).join(" AND ");
  return `WITH gone AS (
            DELETE FROM ${quoted(table.name)} AS carried USING unnest(${values}) AS page (${names})
            WHERE ${isSame} AND (${rowsOf(table)}) RETURNING 1)
          SELECT count(*)::float8 AS rows FROM gone`;
}

/** Counts the rows of an application. */
export async function countRowsOf(tx: Tx, table: RuledTable, applicationId: string): Promise<number> {
  const sql = `SELECT count(*)::float8 AS rows FROM ${quoted(table.name)} AS carried WHERE ${rowsOf(table)}`;
  return (await tx.query(made<{ rows: number }>("count", table, sql), [applicationId]))[0]!.rows;
}

/** Lets a sequence go on after the largest number that was added. It may skip numbers, and never goes back. */
export async function advanceSequence(
  tx: Tx,
  { table, column, sequence }: { table: string; column: string; sequence: string },
): Promise<void> {
  const sql = `SELECT setval($1::regclass, greatest((SELECT max(${quoted(column)}) FROM ${quoted(table)}),
                                                    nextval($1::regclass)))`;
  await tx.query(made("advance", { name: table }, sql), [sequence]);
}

/** Keeps the rows of an application in a table from changing, or lets them change again. */
export async function setFrozen(tx: Tx, table: RuledTable, applicationId: string, isFrozen: boolean): Promise<void> {
  const { rule } = table;
  if (rule.kind !== "carried" || rule.isLoose) return;
  const id = asUuid(applicationId);
  // Nobody may wait long behind this for the table.
  await tx.query({ name: "moving.lock-timeout", text: "SET LOCAL lock_timeout = '200ms'" });
  // By WHEN where the row itself shows its application: then those of others call no function.
  const column = rule.by === "itself" ? "id" : table.columns.includes("application_id") ? "application_id" : null;
  for (const [suffix, events, row] of [
    ["", "INSERT OR UPDATE", "NEW"],
    ["_gone", "DELETE", "OLD"],
  ]) {
    const trigger = `moving_${id.replaceAll("-", "")}${suffix}`;
    const when = column === null ? "" : `WHEN (${row}.${column} = '${id}')`;
    const text = isFrozen
      ? `CREATE OR REPLACE TRIGGER ${trigger} BEFORE ${events} ON ${quoted(table.name)} FOR EACH ROW ${when}
         EXECUTE FUNCTION refuse_while_moving('${id}', '${rule.by}', '${rule.isSwept ? "swept" : ""}')`
      : `DROP TRIGGER IF EXISTS ${trigger} ON ${quoted(table.name)}`;
    await tx.query({ name: "", text });
  }
}
