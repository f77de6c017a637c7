import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { jobsSchema, lockKey } from "../../src/postgres/cell.ts";
import { MIGRATION_LOCK } from "../../src/postgres/migrations.ts";
import type { Database, Tx } from "../../src/postgres/postgres.ts";
import type { TestDatabase } from "./database.ts";

// Another cell in the database of a test: with data, due jobs, events to deliver and locks of its own. It must be as if
// the test had never run.

/** An advisory lock as the service takes it: its SQL and values. */
export interface LockTaken {
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface Neighbour {
  readonly schema: string;
  /** Those that a service in it took while it ran. */
  readonly locks: readonly LockTaken[];
}

const MEALS = 5;

/** Runs a service in a migrated cell and leaves what one that was stopped leaves: records, events, and jobs to do. */
export async function fillNeighbour(cell: TestDatabase): Promise<Neighbour> {
  // It imports the whole service, which most test files do not need.
  const [{ startService }, { mealOf }] = await Promise.all([import("./service.ts"), import("./requests.ts")]);
  const { schema } = cell.database;
  const migrating = { text: `SELECT pg_advisory_xact_lock(${lockKey("$1")})`, values: [MIGRATION_LOCK] };
  const locks = new Map<string, LockTaken>([["migrations", migrating]]);
  const database = notingLocks(cell.database, (lock) => locks.set(JSON.stringify(lock), lock));
  const kept = { ...cell, database, drop: async () => {} };
  const eat = async (isWorking: boolean) => {
    const service = await startService({ database: kept, isWorking });
    const client = await service.newClient();
    const userId = await client.enrol();
    for (let i = 0; i < MEALS; i++) await client.post("/track/meals", mealOf(userId, `meal-${i}`), 202);
    if (isWorking) {
      await client.until((events) => events.filter(({ event }) => event === "intake.completed").length === MEALS);
      // The sweeps of a start take turns, and each has a lock.
      for (let count = -1; count < locks.size; await sleep(500)) count = locks.size;
    }
    await service.close();
  };
  await eat(true);
  await eat(false);
  assert.ok(locks.size > 5, `a service took only ${locks.size} locks`);
  return { schema, locks: [...locks.values()] };
}

function notingLocks(database: Database, note: (lock: LockTaken) => void): Database {
  const noted = <T extends Tx>(tx: T): T => ({
    ...tx,
    query: <Row extends object>(statement: Parameters<Tx["query"]>[0], values: readonly unknown[] = []) => {
      if (/pg_(?:try_)?advisory/.test(statement.text)) note({ text: statement.text, values });
      return tx.query(statement, values) as Promise<Row[]>;
    },
  });
  return { ...noted(database), tx: (work) => database.tx((tx) => work(noted(tx))) };
}

/** What an idle neighbour notices of others. */
export interface NeighbourWatch {
  /** Ends all connections to the database and returns what was done to the neighbour; nothing is expected. */
  findings(): Promise<string[]>;
  close(): Promise<void>;
}

/** Reads of a table, writes to it, and work of an operator on it, since the database was cloned. */
const TOUCHED = `
  SELECT format('%I.%I', schemaname, relname) AS name,
         coalesce(seq_scan, 0) + coalesce(idx_scan, 0) AS reads,
         n_tup_ins + n_tup_upd + n_tup_del + vacuum_count + analyze_count AS writes
  FROM pg_stat_all_tables WHERE schemaname = ANY ($1) ORDER BY 1`;
const END_OTHERS = `
  SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`;
/** As pg-boss names it. */
const CHANNEL = "SELECT 'pgboss_' || left(encode(sha224($1::bytea), 'hex'), 24) AS channel";

/**
 * Holds the locks of a neighbour in a database for as long as its test runs, and listens to its notices. Who needs
 * one of these locks waits for ever, and who only asks for one does no work. `mayRead`: the test lists all cells.
 */
export async function watchNeighbour(
  url: string,
  { schema, locks }: Neighbour,
  { mayRead = false } = {},
): Promise<NeighbourWatch> {
  const schemas = [schema, jobsSchema(schema)];
  const notices: string[] = [];
  let isClosed = false;
  let client: Client;
  const open = async (): Promise<Client> => {
    const own = await connected(url);
    // A test may end all connections, and a server that is restarted does.
    own.on("end", () => {
      if (!isClosed)
        void open().then(
          (next) => (client = next),
          () => {},
        );
    });
    own.on("notification", ({ channel, payload = "" }) => notices.push(`${channel} ${payload}`));
    await own.query(`SET search_path = "${schema}"`);
    const { rows } = await own.query<{ channel: string }>(CHANNEL, [jobsSchema(schema)]);
    await own.query(`LISTEN "${rows[0]!.channel}"`);
    for (const { text, values } of locks) await own.query(heldBySession(text), [...values]);
    // A process ends with its last test, also if that does not drop its database; the hooks of its end come after.
    refs(own).unref();
    return own;
  };
  client = await open();
  const close = async () => {
    isClosed = true;
    await client.end().catch(() => {});
  };
  return {
    close,
    findings: async () => {
      refs(client).ref();
      // A notice of a moment ago comes with the next response.
      await client.query("SELECT").catch(() => {});
      await close();
      const own = await connected(url);
      try {
        // What a session has counted is seen by others at its end.
        await own.query(END_OTHERS);
        const { rows } = await own.query<{ name: string; reads: string; writes: string }>(TOUCHED, [schemas]);
        assert.ok(rows.length > 50, `the neighbour ${schema} has ${rows.length} tables`);
        const touched = rows.filter(({ reads, writes }) => Number(writes) > 0 || (Number(reads) > 0 && !mayRead));
        return [
          ...touched.map(({ name, reads, writes }) => `${name}: ${reads} reads, ${writes} writes`),
          ...notices.map((notice) => `a notice on ${notice}`),
        ];
      } finally {
        await own.end();
      }
    },
  };
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, application_name: "neighbour" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Its type does not have them. */
function refs(client: Client): { ref(): void; unref(): void } {
  return client as unknown as { ref(): void; unref(): void };
}

/** The same lock without a tx: one that is open for minutes would keep VACUUM from its work. */
function heldBySession(text: string): string {
  return text.replace(/pg_(?:try_)?advisory_xact_lock/, "pg_advisory_lock");
}
