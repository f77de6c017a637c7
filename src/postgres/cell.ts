// A cell is a schema that holds all tables of a service: several services share one PostgreSQL and do not see each
// other. Pure: names and SQL.

/** The schema of a service that is alone in its database. */
export const DEFAULT_SCHEMA = "public";
/** With the suffix of the queues, a name of PostgreSQL has at most 63 characters, one of pg-boss 50. */
const SCHEMA_PATTERN = /^[a-z][a-z0-9_]{0,39}$/;
/** PostgreSQL's own schemas, and the one that the queues of `public` have. */
const TAKEN = /^(pg_|information_schema$|jobs$)/;

/** Returns whether a service may have its tables in a schema of this name. */
export function isSchemaName(name: string): boolean {
  return SCHEMA_PATTERN.test(name) && !TAKEN.test(name) && !name.endsWith("_jobs");
}

/** Returns the schema of the queues, which pg-boss also names its notices and locks after. */
export function jobsSchema(schema: string): string {
  return schema === DEFAULT_SCHEMA ? "jobs" : `${schema}_jobs`;
}

// Advisory locks belong to the database, so their keys have the schema in them. Those of `public` have not, as before
// there were cells: processes of both releases may run at once.

/** SQL of the key of an advisory lock, from SQL of a bigint. */
export function lockKey(key: string): string {
  return `(${key})::bigint # CASE current_schema() WHEN '${DEFAULT_SCHEMA}' THEN 0 ELSE hashtextextended(current_schema(), 0) END`;
}

/** SQL of the second key of an advisory lock, from SQL of a text. */
export function lockNameKey(name: string): string {
  return `hashtext(CASE current_schema() WHEN '${DEFAULT_SCHEMA}' THEN '' ELSE current_schema() || '.' END || ${name})`;
}
