import { DatabaseError, Pool } from "pg";
import type { ClientBase, PoolClient, PoolConfig } from "pg";
import { createShares } from "../shares.ts";
import { ElementError } from "./binary-array.ts";
import { DEFAULT_SCHEMA } from "./cell.ts";
import { connectionOf, outliveErrors, preparing } from "./connection.ts";
import { Rollback } from "./rollback.ts";
import type { Statement } from "./statement.ts";

/** The database as stores see it: a connection inside a tx, or the pool for a single statement. */
export interface Tx {
  /** Runs one statement and returns its rows, typed by the columns it declares (statement.ts). */
  query<Row extends object>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Calls `work` once the tx is committed; on the pool, whose statements are committed when they return, at once.
   * `ifUnknown` is called in its place when the COMMIT got no response: then the tx may be committed or not. What they
   * throw is reported, and is no error of the tx.
   */
  afterCommit(work: () => void, ifUnknown?: () => void): void;
  /** The same object for all txs of one pool: what a process remembers of its database belongs to it. */
  readonly origin: object;
}

/** The service's database. */
export interface Database extends Tx {
  /**
   * Runs `work` in one tx (READ COMMITTED). Rolls back when it throws, or when it returns `rollback(result)`.
   * A deadlock or serialisation failure runs it again, so `work` may do nothing but SQL through `tx`.
   */
  tx<Result>(work: (tx: Tx) => Promise<Result | Rollback<Result>>): Promise<Result>;
  /**
   * The same for a request of an application that changes something and may wait for locks. An application has a share
   * of the connections for that, and each lock is awaited for a bounded time: a row that is held delays no other
   * application. Throws an error that means unavailable.
   */
  requestTx<Result>(applicationId: string, work: (tx: Tx) => Promise<Result | Rollback<Result>>): Promise<Result>;
  /** Runs `work` in a read-only tx whose statements all see the database as it was at the first of them. No locks. */
  snapshot<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** The pool, for libraries that bring their own SQL. */
  readonly pool: Pool;
  /** The schema that has the tables: a service's cell (cell.ts). */
  readonly schema: string;
  /** How a connection that listens for notices, or migrates, reaches the server: beside a pooler of txs. */
  readonly session: PoolConfig;
  /** Whether there is such a pooler. */
  readonly isPooled: boolean;
  /** Whether statements are sent with their names, for the server to keep their plans. */
  readonly isNamed: boolean;
  close(): Promise<void>;
}

const TX_ATTEMPTS_MAX = 5;
const DEADLOCK_DETECTED = "40P01";
const SERIALIZATION_FAILURE = "40001";
const LOCK_NOT_AVAILABLE = "55P03";
const TOO_MANY_CONNECTIONS = "53300";
const CONNECTION_WAIT_MS = 5_000;

/** The longest waits of `requestTx`, in milliseconds. */
export interface RequestWaits {
  /** For a lock. Who holds a row of balances or rewards does so for milliseconds. Longer than deadlock_timeout, 1 s. */
  readonly lockMs: number;
  /**
   * For a share of the connections. Longer: who waits for it has no connection, and a burst of one application is
   * carried out in its order.
   */
  readonly shareMs: number;
}

const REQUEST_WAITS: RequestWaits = { lockMs: 1_500, shareMs: 10_000 };

/** Returns the SQLSTATE of a PostgreSQL error; undefined for any other error. */
function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/**
 * Returns whether an error is a data exception or a violated constraint: the error of one row, which a retry repeats.
 */
export function isRowError(error: unknown): boolean {
  return error instanceof ElementError || /^2[23]/.test(sqlState(error) ?? "");
}

/** Returns whether a statement gave up waiting for a lock: lock_timeout is over. */
export function isLockTimeout(error: unknown): boolean {
  return sqlState(error) === LOCK_NOT_AVAILABLE;
}

/** How a database is reached. */
export interface DatabaseOptions {
  readonly connection: PoolConfig;
  /** How to reach the server beside a pooler of txs (PgBouncer) that `connection` leads to; without one the same. */
  readonly session?: PoolConfig;
  /** The schema of the tables; `public` without it. Behind a pooler its connections must have it already. */
  readonly schema?: string;
  readonly connectionsMax: number;
  readonly named?: boolean;
  /** A statement that takes longer is cancelled by the server; 0, the default: none is. Waiting for locks counts. */
  readonly statementTimeoutMs?: number;
  /** Other waits than the default ones, for tests. */
  readonly requestWaits?: RequestWaits;
  readonly onError: (error: Error) => void;
}

/**
 * Opens a pool on a PostgreSQL of version 15 or later.
 * `named: false` sends every statement unnamed, as PgBouncer before 1.21 requires.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const { named = true, requestWaits = REQUEST_WAITS, schema = DEFAULT_SCHEMA } = options;
  const { onConnect, onBegin } = preparing(schema, options);
  const pool = new Pool({
    max: options.connectionsMax,
    connectionTimeoutMillis: CONNECTION_WAIT_MS,
    application_name: "rewards-service",
    ...options.connection,
    // The pool waits for the promise, which its type does not have.
    onConnect: (client: ClientBase) => onConnect(client) as unknown as undefined,
  });
  // An idle connection that the server closes (restart, failover) is reported only: the next query opens another one.
  // After `close` it is not even reported: pool.end() resolves before the connections have ended, and the bundled
  // server may end earlier.
  let closing: Promise<void> | null = null;
  pool.on("connect", outliveErrors);
  pool.on("error", (error) => {
    if (!closing) options.onError(error);
  });

  const run = createRun(named);
  const shares = createShares({ ...sharesOf(options.connectionsMax), waitMsMax: requestWaits.shareMs });
  const begin = `BEGIN${onBegin}`;
  const beginRequest = `${begin}; SET LOCAL lock_timeout = ${requestWaits.lockMs}`;
  const beginSnapshot = `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${onBegin}`;
  const session = { pool, run, onError: options.onError };
  const query: Database["query"] =
    onBegin === ""
      ? (statement, values) => run(pool, statement, values)
      : (statement, values) => runTx(session, (tx) => tx.query(statement, values), begin);

  return {
    pool,
    schema,
    session: options.session ?? connectionOf({ pool }),
    isPooled: options.session !== undefined,
    isNamed: named,
    query,
    afterCommit: (work) => callAll([work], options.onError),
    origin: pool,
    tx: (work) => repeated(() => runTx(session, work, begin)),
    requestTx: async (applicationId, work) => {
      const free = await shares.take(applicationId);
      if (!free) {
        throw Object.assign(new Error("no place for a tx of the application in time"), { code: TOO_MANY_CONNECTIONS });
      }
      try {
        return await repeated(() => runTx(session, work, beginRequest));
      } finally {
        free();
      }
    },
    snapshot: (work) => runTx(session, work, beginSnapshot),
    close: () => (closing ??= pool.end()),
  };
}

/**
 * The connections for requests that may wait for locks: half of them, so that reads and background work go on, and of
 * one application a quarter, so that another one's go on beside two whose rows are held.
 */
function sharesOf(connectionsMax: number): { max: number; perHolder: number } {
  return { max: Math.max(1, Math.floor(connectionsMax / 2)), perHolder: Math.ceil(connectionsMax / 4) };
}

/** Runs a tx again after a deadlock or a serialisation failure. */
async function repeated<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const state = sqlState(error);
      const isTransient = state === DEADLOCK_DETECTED || state === SERIALIZATION_FAILURE;
      if (!isTransient || attempt >= TX_ATTEMPTS_MAX) throw error;
    }
  }
}

/** Opens another pool on the server of `database`. Its connections are not those of requests. */
export function openBeside(
  database: Database,
  options: Omit<DatabaseOptions, "connection" | "session" | "schema" | "named">,
): Database {
  return openDatabase({ ...inSameCell(database), ...options });
}

/** The same schema of the same server, for another pool. */
function inSameCell(database: Database): Pick<DatabaseOptions, "connection" | "session" | "schema" | "named"> {
  const { schema, isPooled, isNamed, session } = database;
  return { connection: connectionOf(database), schema, named: isNamed, ...(isPooled && { session }) };
}

type RunStatement = <Row extends object>(
  client: Pool | PoolClient,
  statement: Statement<Row>,
  values?: readonly unknown[],
) => Promise<Row[]>;

/** `isNamed`: statements are sent with their names. */
function createRun(isNamed: boolean): RunStatement {
  return async (client, statement, values = []) => {
    const config = { text: statement.text, values: [...values], ...(isNamed && { name: statement.name }) };
    return (await client.query(config)).rows;
  };
}

/** Calls each of them. One that throws is reported, and hinders neither the others nor the caller. */
function callAll(calls: readonly (() => void)[], onError: (error: Error) => void): void {
  for (const call of calls) {
    try {
      call();
    } catch (error) {
      onError(error as Error);
    }
  }
}

/** Runs `work` once, in a tx on a connection of its own. */
async function runTx<Result>(
  { pool, run, onError }: { pool: Pool; run: RunStatement; onError: (error: Error) => void },
  work: (tx: Tx) => Promise<Result | Rollback<Result>>,
  begin: string,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection that dies during a tx also rejects its query; without a listener the error would end the process.
  const onClientError = (error: Error) => {
    broken = error;
  };
  client.on("error", onClientError);
  const undo = () =>
    client.query("ROLLBACK").catch((rollbackError: Error) => {
      broken = rollbackError;
    });
  const committed: (() => void)[] = [];
  const unknown: (() => void)[] = [];
  try {
    await client.query(begin);
    const result = await work({
      query: (statement, values) => run(client, statement, values),
      afterCommit: (next, ifUnknown) => {
        committed.push(next);
        if (ifUnknown) unknown.push(ifUnknown);
      },
      origin: pool,
    });
    if (result instanceof Rollback) {
      await undo();
      return result.result;
    }
    const { command } = await client.query("COMMIT").catch((error: unknown) => {
      callAll(unknown, onError);
      throw error;
    });
    // If a statement failed and `work` continued, PostgreSQL rolls back on COMMIT without an error.
    if (command !== "COMMIT") throw new Error("a tx in which a statement failed was to be committed");
    callAll(committed, onError);
    return result;
  } catch (error) {
    await undo();
    throw error;
  } finally {
    client.off("error", onClientError);
    client.release(broken);
  }
}
