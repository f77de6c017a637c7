import { readdirSync } from "node:fs";
import { jobsSchema } from "../../src/postgres/cell.ts";
import type { Database } from "../../src/postgres/postgres.ts";

/**
 * Rows by table that mention one of the texts, and the files of a folder. Anonymous rows of the ledger don't count. A
 * table of the queues is named with their schema.
 */
export interface Leftovers {
  readonly rows: Readonly<Record<string, number>>;
  readonly files: readonly string[];
}

export const NOTHING: Leftovers = { rows: {}, files: [] };

/**
 * Searches every table, also those of the queue, for rows that mention one of the texts. An erased user keeps an id
 * without a person: those rows of users and balances, records without content, and what the audit log says of the id
 * are left out.
 */
export async function leftoversOf(
  database: Database,
  texts: readonly string[],
  dir: string | null = null,
): Promise<Leftovers> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT CASE table_schema WHEN $1 THEN '' ELSE quote_ident(table_schema) || '.' END || quote_ident(table_name) AS name
     FROM information_schema.tables
     WHERE table_schema IN ($1, $2) AND table_type = 'BASE TABLE'
       AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I.%I', table_schema, table_name)::regclass)
     ORDER BY 1`,
    [database.schema, jobsSchema(database.schema)],
  );
  const anonymous: Record<string, string> = {
    users: "AND NOT (erased_at IS NOT NULL AND email = '' AND first_name = '' AND last_name = '')",
    records: "AND (num_nonnulls(packed, explained, inputs, evidence) > 0 OR body <> '{}' OR rule_inputs <> '{}')",
    balances: "AND false",
    change_outcomes: "AND false",
    changes: "AND NOT (subject ~ '^[0-9a-f-]{36}$' AND action ~ '^[A-Za-z.-]+$')",
  };
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name} AS t
       WHERE EXISTS (SELECT FROM unnest($1::text[]) AS text WHERE strpos(lower(t::text), lower(text)) > 0)
         ${anonymous[name] ?? ""}`,
      [texts],
    );
    if (rows[0]!.n > 0) found[name] = rows[0]!.n;
  }
  const files = dir === null ? [] : filesIn(dir);
  return { rows: found, files };
}

/** The files below a folder: images, and temporary files. */
export function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
}
