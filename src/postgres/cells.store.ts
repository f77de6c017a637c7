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
}

const SCHEMAS = `
  SELECT nspname::text AS schema,
         (SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)::float8 FROM pg_class
          WHERE relnamespace = pg_namespace.oid AND relkind = 'r') AS bytes
  FROM pg_namespace
  WHERE has_schema_privilege(oid, 'USAGE')
    AND (SELECT count(*) FROM pg_class
         WHERE relnamespace = pg_namespace.oid AND relname IN ('migrations', 'applications', 'users', 'records')
           AND relkind IN ('r', 'p') AND has_table_privilege(pg_class.oid, 'SELECT')) = 4
  ORDER BY nspname`;

/** Lists the cells of a database that its user may read, by name. */
export async function listCells(database: Database): Promise<Cell[]> {
  const { rows } = await database.pool.query<{ schema: string; bytes: number }>(SCHEMAS);
  const cells: Cell[] = [];
  for (const { schema, bytes } of rows) {
    const tableOf = (table: string) => `"${schema.replaceAll('"', '""')}".${table}`;
    const found = await database.pool.query<Omit<Cell, "schema" | "bytes">>(
      `SELECT (SELECT coalesce(max(name), '') FROM ${tableOf("migrations")}) AS migration,
              (SELECT count(*)::float8 FROM ${tableOf("applications")}) AS applications,
              (SELECT count(*)::float8 FROM ${tableOf("users")}) AS users`,
    );
    cells.push({ schema, bytes, ...found.rows[0]! });
  }
  return cells;
}
