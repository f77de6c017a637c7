// The daily jobs on the large side: their work grows with the data, so what counts is the longest statement and the
// locks that others would wait for.
import { sweep } from "../../src/idempotency/store.ts";
import { NO_LOG } from "../../src/log.ts";
import { DEFAULT_POINTS_SETTINGS } from "../../src/points/settings/settings.ts";
import { setPointsSettings } from "../../src/points/settings/store.ts";
import { expireAll } from "../../src/points/expiry/expire.task.ts";
import { verifyLedger } from "../../src/points/verification.store.ts";
import { openDatabase } from "../../src/postgres/postgres.ts";
import type { Database, Tx } from "../../src/postgres/postgres.ts";
import { sweepErased } from "../../src/users/erase.task.ts";
import { removeOldEvents } from "../../src/webhooks/parts/parts.task.ts";
import { dueReservations } from "../../src/rewards/redemptions/store.ts";
import { NO_TIERS } from "../../src/points/tiers/keeper.store.ts";
import type { Progress } from "../progress.ts";
import type { Side } from "./side.ts";

const DAY_MS = 86_400_000;
/** What takes longer is ended: its statements are known by then. */
const JOB_MS_MAX = 60_000;
const SAMPLE_MS = 20;
/** Events of the first days of their time are gone by the service's own retention. */
const OLDEST_EVENTS_DAYS = 29;

export interface Job {
  readonly name: string;
  readonly seconds: number;
  /** Whether it ended by itself. */
  readonly isWhole: boolean;
  readonly statements: number;
  readonly longestMs: number;
  readonly longest: string;
  /** Locks on tables that keep others from writing. */
  readonly locks: readonly string[];
}

type Work = (database: Database, signal: AbortSignal) => Promise<unknown>;

function jobsOf(applicationId: string): Readonly<Record<string, Work>> {
  const now = () => new Date();
  const nothing = async (): Promise<never> => {
    throw new Error("nothing expires");
  };
  return {
    "removal of a day of old events": (database, signal) =>
      removeOldEvents({ database, log: NO_LOG, retentionMs: OLDEST_EVENTS_DAYS * DAY_MS }, now(), signal),
    "removal of idempotency keys": (database, signal) => sweep(database, new Date(Date.now() - DAY_MS / 2), signal),
    "expired reservations": (database) => dueReservations(database, new Date(0), now(), 100),
    "erased users": (database, signal) =>
      sweepErased({ database, files: { remove: async () => {} }, erasedReceiptDays: 400, now, log: NO_LOG }, signal),
    "expiry of points, none due": async (database, signal) => {
      await setPointsSettings(database, applicationId, { ...DEFAULT_POINTS_SETTINGS, expiryMonths: 24 }, now());
      try {
        await expireAll({ database, log: NO_LOG, now, newId: () => "", publish: nothing, tiers: NO_TIERS }, signal);
      } finally {
        // A folder that is kept is read again without expiry.
        await setPointsSettings(database, applicationId, DEFAULT_POINTS_SETTINGS, now());
      }
    },
    "verification of a day": (database, signal) => verifyLedger(database, { seventh: 3, signal }),
  };
}

export async function measureJobs({ subject, client, applicationId }: Side, progress: Progress): Promise<Job[]> {
  const found: Job[] = [];
  for (const [name, work] of Object.entries(jobsOf(applicationId))) {
    progress(`jobs: ${name}`);
    const connection = { connectionString: subject.databaseUrl! };
    const database = openDatabase({ connection, connectionsMax: 1, onError: () => {} });
    const longest = { name: "", ms: 0, count: 0 };
    const locks = new Set<string>();
    const { rows } = await database.pool.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
    let isOver = false;
    const sampling = (async () => {
      while (!isOver) {
        for (const lock of await locksOf(client, rows[0]!.pid)) locks.add(lock);
        await new Promise((done) => setTimeout(done, SAMPLE_MS));
      }
    })();
    const signal = AbortSignal.timeout(JOB_MS_MAX);
    const startMs = performance.now();
    try {
      await work(watched(database, longest), signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    } finally {
      isOver = true;
      await sampling;
      await database.close();
    }
    const seconds = (performance.now() - startMs) / 1_000;
    const { ms: longestMs, count: statements } = longest;
    found.push({
      name,
      seconds,
      isWhole: !signal.aborted,
      statements,
      longestMs,
      longest: longest.name,
      locks: [...locks],
    });
  }
  return found;
}

/** The same database, which notes its longest statement. */
function watched(database: Database, longest: { name: string; ms: number; count: number }): Database {
  const watch = <Of extends Tx>(tx: Of): Of => ({
    ...tx,
    query: async (...all: Parameters<Tx["query"]>) => {
      const startMs = performance.now();
      const found = await tx.query(...all);
      const ms = performance.now() - startMs;
      longest.count++;
      if (ms > longest.ms) Object.assign(longest, { ms, name: all[0].name });
      return found;
    },
  });
  return { ...watch(database), tx: (work) => database.tx((tx) => work(watch(tx))) };
}

async function locksOf(client: Side["client"], pid: number): Promise<string[]> {
  const { rows } = await client.query<{ lock: string }>(
    `SELECT DISTINCT mode || ' on ' || relation::regclass AS lock FROM pg_locks
     WHERE pid = $1 AND relation IS NOT NULL AND mode NOT IN ('AccessShareLock', 'RowShareLock', 'RowExclusiveLock')`,
    [pid],
  );
  return rows.map(({ lock }) => lock);
}
