import type { Database } from "./postgres.ts";

/** A schema of a database that holds the tables of a service. */
export interface Cell {
  readonly schema: string;
  /** The last migration. */
  readonly migration: string;
  readonly applications: number;
  readonly users: number;
  /** Tables with their indexes. */
  readonly bytes: number;
  /** Applications that have moved away, or are on their way. */
  readonly moves: readonly CellMove[];
}

/** An application that moves from or to a cell, or has moved away from it. */
export interface CellMove {
  readonly clientId: string;
  readonly name: string;
  readonly state: string;
  readonly address: string;
}

/** That a schema of pg_namespace has the tables of a service. */
const IS_CELL = `has_schema_privilege(oid, 'USAGE')
    AND (SELECT count(*) FROM pg_class
         WHERE relnamespace = pg_namespace.oid AND relname IN ('migrations', 'applications', 'users', 'records')
           AND relkind IN ('r', 'p') AND has_table_privilege(pg_class.oid, 'SELECT')) = 4`;
const SCHEMAS = `
  SELECT nspname::text AS schema,
         (SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::float8 FROM pg_class
          WHERE relnamespace = pg_namespace.oid AND relkind = 'r') AS bytes
  FROM pg_namespace WHERE ${IS_CELL} ORDER BY nspname`;

/** Whether a schema of a database is a cell that its user may read. Nothing of another one is read. */
export async function hasCell({ pool }: Database, schema: string): Promise<boolean> {
  const { rows } = await pool.query(`SELECT 1 FROM pg_namespace WHERE nspname = $1 AND ${IS_CELL}`, [schema]);
  return rows.length > 0;
}

/** Lists the cells of a database that its user may read, by name. */
export async function listCells(database: Database): Promise<Cell[]> {
  const { rows } = await database.pool.query<{ schema: string; bytes: number }>(SCHEMAS);
  const cells: Cell[] = [];
  for (const { schema, bytes } of rows) {
    const tableOf = (table: string) => `"${schema.replaceAll('"', '""')}".${table}`;
    const found = await database.pool.query<Omit<Cell, "schema" | "bytes" | "moves">>(
      `SELECT (SELECT coalesce(max(name), '') FROM ${tableOf("migrations")}) AS migration,
              (SELECT count(*)::float8 FROM ${tableOf("applications")}) AS applications,
              (SELECT count(*)::float8 FROM ${tableOf("users")}) AS users`,
    );
    // A cell of an earlier release has no such table.
    const hasMoves = await database.pool.query<{ has: boolean }>("SELECT to_regclass($1) IS NOT NULL AS has", [
      tableOf("application_moves"),
    ]);
    const moves = hasMoves.rows[0]!.has
      ? await database.pool.query<CellMove>(
          `SELECT client_id AS "clientId", name, state, address FROM ${tableOf("application_moves")}
           JOIN ${tableOf("applications")} ON id = application_id WHERE state <> 'arrived' ORDER BY id`,
        )
      : { rows: [] };
    cells.push({ schema, bytes, ...found.rows[0]!, moves: moves.rows });
  }
  return cells;
}
