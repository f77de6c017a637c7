import type { ClientBase, Pool, PoolConfig } from "pg";
import { DEFAULT_SCHEMA } from "./cell.ts";

/** The connections have another search path than the service's schema; the message is one line for the operator. */
export class SchemaError extends Error {
  override readonly name = "SchemaError";
}

/** Longest time between two statements of a tx, in the time limit of a statement. */
const IDLE_FACTOR = 4;

/** Returns what a new connection does first; null: nothing. */
export function preparing(
  schema: string,
  { statementTimeoutMs = 0, session }: { statementTimeoutMs?: number; session?: PoolConfig },
): ((client: ClientBase) => Promise<void>) | null {
  const isCell = schema !== DEFAULT_SCHEMA;
  // The locks of a process that was suspended, or whose machine was lost, end with its tx.
  const idleMs = IDLE_FACTOR * statementTimeoutMs;
  // By SET, since PgBouncer refuses most parameters at the start of a connection.
  const settings = [
    ...(isCell && !session ? [`SET search_path = "${schema}"`] : []),
    ...(statementTimeoutMs > 0
      ? [`SET statement_timeout = ${statementTimeoutMs}`, `SET idle_in_transaction_session_timeout = ${idleMs}`]
      : []),
  ];
  if (settings.length === 0 && !isCell) return null;
  return async (client) => {
    if (settings.length > 0) await client.query(settings.join("; "));
    if (isCell && session) await checkSchema(client, schema);
  };
}

/**
 * A pooler of txs gives each tx another connection, and a SET reaches only one. So all of them must have the search
 * path from the pooler or the role, and a service without it must not start: it would write into another's tables.
 */
async function checkSchema(client: ClientBase, schema: string): Promise<void> {
  const { rows } = await client.query<{ path: string }>("SELECT current_setting('search_path') AS path");
  if (rows[0]!.path.replaceAll('"', "") === schema) return;
  throw new SchemaError(
    `DATABASE_SCHEMA is ${schema}, and the connections of DATABASE_URL have the search_path ${rows[0]!.path}: let the pooler set it (connect_query), or the role.`,
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
