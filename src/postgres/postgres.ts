import { DatabaseError, Pool } from "pg";
import type { PoolClient, PoolConfig } from "pg";
import { Rollback } from "./rollback.ts";
import type { Statement } from "./statement.ts";

/** What a store is handed: a connection inside a tx, or the pool itself for a single statement. */
export interface Tx {
  /** Runs one statement; gives its rows, typed by the columns it declares (statement.ts). */
  query<Row extends object>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

/** The service's database. */
export interface Database extends Tx {
  /**
   * Runs `work` in one tx (READ COMMITTED). Rolls back when it throws, or when it returns `rollback(result)`.
   * A deadlock or serialisation failure runs it again, so `work` may do nothing but SQL through `tx`.
   */
  tx<Result>(work: (tx: Tx) => Promise<Result | Rollback<Result>>): Promise<Result>;
  /** The pool, for libraries that bring their own SQL. */
  readonly pool: Pool;
  close(): Promise<void>;
}

const TX_TRIES_MAX = 5;
const DEADLOCK_DETECTED = "40P01";
const SERIALIZATION_FAILURE = "40001";

/** The SQLSTATE of a PostgreSQL error; undefined for anything else. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** A data exception or a violated constraint: the error of one row, which a second try doesn't mend. */
export function isRowError(error: unknown): boolean {
  return /^2[23]/.test(sqlState(error) ?? "");
}

/**
 * A pool on a PostgreSQL of version 15 or later.
 * `named: false` sends every statement unnamed, as PgBouncer before 1.21 wants it.
 */
export function openDatabase(options: {
  connection: PoolConfig;
  connectionsMax: number;
  named?: boolean;
  onError: (error: Error) => void;
}): Database {
  const { named = true } = options;
  const pool = new Pool({
    max: options.connectionsMax,
    connectionTimeoutMillis: 5_000,
    application_name: "rewards-service",
    ...options.connection,
  });
  // An idle connection that the server ends (restart, failover) is only news: the next query opens another. After the end
  // it is none: pool.end() resolves before the connections have ended, and a bundled server may be faster.
  let isClosed = false;
  pool.on("error", (error) => {
    if (!isClosed) options.onError(error);
  });

  const run = async <Row extends object>(
    client: Pool | PoolClient,
    statement: Statement<Row>,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    const config = { text: statement.text, values: [...values], ...(named ? { name: statement.name } : {}) };
    return (await client.query<Row>(config)).rows;
  };

  const attempt = async <Result>(work: (tx: Tx) => Promise<Result | Rollback<Result>>): Promise<Result> => {
    const client = await pool.connect();
    let broken: Error | undefined;
    // A connection that dies in the middle of a tx also rejects its query; without a listener it would end the process.
    const onClientError = (error: Error) => {
      broken = error;
    };
    client.on("error", onClientError);
    const undo = () =>
      client.query("ROLLBACK").catch((rollbackError: Error) => {
        broken = rollbackError;
      });
    try {
      await client.query("BEGIN");
      const result = await work({ query: (statement, values) => run(client, statement, values) });
      if (result instanceof Rollback) {
        await undo();
        return result.result;
      }
      const { command } = await client.query("COMMIT");
      // What PostgreSQL answers, without an error, where a statement failed and `work` went on all the same.
      if (command !== "COMMIT") throw new Error("a tx in which a statement failed was to be committed");
      return result;
    } catch (error) {
      await undo();
      throw error;
    } finally {
      client.off("error", onClientError);
      client.release(broken);
    }
  };

  return {
    pool,
    query: (statement, values) => run(pool, statement, values),
    tx: async (work) => {
      for (let tries = 1; ; tries++) {
        try {
          return await attempt(work);
        } catch (error) {
          const state = sqlState(error);
          const isPassing = state === DEADLOCK_DETECTED || state === SERIALIZATION_FAILURE;
          if (!isPassing || tries >= TX_TRIES_MAX) throw error;
        }
      }
    },
    close: () => {
      isClosed = true;
      return pool.end();
    },
  };
}
