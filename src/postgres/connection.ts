import type { ClientBase, Pool, PoolConfig } from "pg";
import { DEFAULT_SCHEMA } from "./cell.ts";

/** The connections have another search path than the service's schema; the message is one line for the operator. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** Longest time between two statements of a tx, in the time limit of a statement. */
const IDLE_FACTOR = 4;

/** How a pool limits the time of its statements and txs, and how it comes to its schema. */
export interface Preparing {
  /** What a new connection does first. */
  readonly onConnect: (client: ClientBase) => Promise<void>;
  /**
   * What follows the BEGIN of each tx; empty: nothing. Otherwise each statement has a tx: nothing else of a pooler's
   * connection is its own.
   */
  readonly onBegin: string;
}

/** Returns what connections or txs do first, so that they have their schema and their limits of time. */
export function preparing(
  schema: string,
  { statementTimeoutMs = 0, session }: { statementTimeoutMs?: number; session?: PoolConfig },
): Preparing {
  // The locks of a process that was suspended, or whose machine was lost, end with its tx.
  const idleMs = IDLE_FACTOR * statementTimeoutMs;
  const limits =
    statementTimeoutMs > 0
      ? [`statement_timeout = ${statementTimeoutMs}`, `idle_in_transaction_session_timeout = ${idleMs}`]
      : [];
  if (session) {
    const onBegin = limits.map((limit) => `; SET LOCAL ${limit}`).join("");
    return { onConnect: (client) => checkSchema(client, schema), onBegin };
  }
  const settings = [
    ...(schema === DEFAULT_SCHEMA ? [] : [`SET search_path = "${schema}"`]),
    ...limits.map((limit) => `SET ${limit}`),
  ];
  const onConnect = async (client: ClientBase) => {
    if (settings.length > 0) await client.query(settings.join("; "));
    // Not set but checked: an address, role or database with another search path means another schema.
    if (schema === DEFAULT_SCHEMA) await checkSchema(client, schema);
  };
  return { onConnect, onBegin: "" };
}

/**
 * A service whose connections have another search path must not start: it would write into another's tables, and its
 * jobs into a schema beside them. It cannot set the path behind a pooler of txs, which gives each tx another connection
 * while a SET reaches only one: there all of them must have it from the pooler or the role.
 */
async function checkSchema(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ path: string; current: string | null }>(
    "SELECT current_setting('search_path') AS path, current_schema() AS current",
  );
  const { path, current } = rows[0]!;
  if (schema === DEFAULT_SCHEMA ? current === schema : path.replaceAll('"', "") === schema) return;
  throw new SchemaError(
    `DATABASE_SCHEMA is ${schema}, and the connections of DATABASE_URL have the search_path ${path}: ` +
      "name the schema that is meant in DATABASE_SCHEMA, or give them its search path (by the role, or connect_query of PgBouncer).",
  );
}

/**
 * An error between two owners of a connection has no listener, and would end the process: a server that is killed can
 * send its last error in the same packet as the end of the connecting. Who owns the connection then fails by its query.
 */
export function outliveErrors(client: ClientBase): void {
  client.on("error", () => {});
}

/** How a pool reaches its server, for another pool. */
export function connectionOf({ pool: { options } }: { pool: Pool }): PoolConfig {
  const { max: _max, onConnect: _onConnect, ...connection } = options;
  // Not enumerable in the options of the pool, so the rest leaves it out.
  return options.password === undefined ? connection : { ...connection, password: options.password };
}
