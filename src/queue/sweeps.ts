import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import { lockNameKey } from "../postgres/cell.ts";
import type { Database } from "../postgres/postgres.ts";
import { bool, statement } from "../postgres/statement.ts";
import { createSemaphore } from "./semaphore.ts";

/** A task that runs at intervals. `signal` aborts at stop. */
export type SweepHandler = (signal: AbortSignal) => Promise<void>;

const LOCK_CLASS = 7_265;

const TRY_LOCK = statement(
  "jobs.try-sweep-lock",
  { locked: bool },
  `SELECT pg_try_advisory_xact_lock($1, ${lockNameKey("$2")}) AS locked`,
);

/** Runs tasks at intervals, each in one process at a time. */
export interface Sweeps {
  /** Runs `handler` in `waitSeconds`, and `seconds` after the end of each run. */
  start(seconds: number, name: string, handler: SweepHandler, waitSeconds?: number): void;
  /** Resolves when all have ended, after `signal` aborted. */
  ended(): Promise<unknown>;
}

export function createSweeps({ database, log, signal }: { database: Database; log: Log; signal: AbortSignal }): Sweeps {
  const loops: Promise<void>[] = [];
  // A sweep holds a connection for its lock and needs another. At a start, when all are due, they would otherwise hold
  // all connections and wait for ever.
  const semaphore = createSemaphore(Math.max(1, Math.floor(database.pool.options.max / 2)));

  const runOnce = (name: string, handler: SweepHandler): Promise<void> =>
    semaphore.run(() =>
      // The lock belongs to the tx: it ends with the connection of a killed process, and works through PgBouncer.
      database.tx(async (tx) => {
        const [row] = await tx.query(TRY_LOCK, [LOCK_CLASS, name]);
        if (row?.locked && !signal.aborted) await handler(signal);
      }),
    );

  const pause = (seconds: number) => sleep(seconds * 1_000, undefined, { signal }).catch(() => {});

  const loop = async (seconds: number, name: string, handler: SweepHandler, waitSeconds: number): Promise<void> => {
    if (waitSeconds > 0) await pause(waitSeconds);
    while (!signal.aborted) {
      try {
        await runOnce(name, handler);
      } catch (error) {
        if (!signal.aborted) log.error({ err: error, sweep: name }, "sweep failed");
      }
      await pause(seconds);
    }
  };

  return {
    start(seconds, name, handler, waitSeconds = 0) {
      loops.push(loop(seconds, name, handler, waitSeconds));
    },
    ended: () => Promise.all(loops),
  };
}
