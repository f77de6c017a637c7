import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import type { CallCounts } from "./counts.ts";
import { lockShares, readPeers, removeProcess, sweepProcesses, writeSaid } from "./store.ts";

/** While calls are counted and there are other processes. */
const EXCHANGE_MS = 1_000;
/** Otherwise: a process serves for at most this time before all others know of it. */
const IDLE_MS = 10_000;
/** A process that has said nothing for this time has ended. */
const FORGOTTEN_MS = 3 * IDLE_MS;
const SWEPT_MS = 3_600_000;
/** A stop waits no longer for the database. */
const STOP_MS = 1_000;

export interface Exchange {
  /** Says that this process serves, and then exchanges counts until `stop`. */
  start(): void;
  stop(): Promise<void>;
}

export interface ExchangeOptions {
  readonly id: string;
  readonly counts: CallCounts;
  readonly database: Database;
  readonly log: Log;
  readonly nowMs: () => number;
}

/**
 * Exchanges the counts of calls with the other processes that serve. One changes its share at a time, so that the
 * shares never add up to more than a limit. Without the database each goes on with the share that it has.
 */
export function createExchange({ id, counts, database, log, nowMs }: ExchangeOptions): Exchange {
  const stopped = new AbortController();
  let running: Promise<void> | null = null;
  /** Null: not known yet. A process that is killed each time, and alone, leaves a row each time. */
  let peerCount: number | null = null;
  let isFailing = false;

  const exchange = async (): Promise<void> => {
    const now = nowMs();
    const said = await database.tx(async (tx) => {
      await lockShares(tx);
      const peers = await readPeers(tx, id, new Date(now - FORGOTTEN_MS));
      const next = counts.exchange(peers);
      await writeSaid(tx, id, next, new Date(now));
      if (peers.length !== peerCount) await sweepProcesses(tx, new Date(now - SWEPT_MS));
      peerCount = peers.length;
      return next;
    });
    counts.settle(said);
  };

  const run = async (): Promise<void> => {
    let last = -Infinity;
    while (!stopped.signal.aborted) {
      const isDue = performance.now() - last >= IDLE_MS || (peerCount !== 0 && counts.isCounting());
      if (isDue) {
        last = performance.now();
        try {
          await exchange();
          isFailing = false;
        } catch (error) {
          if (!isFailing) log.warn({ err: error }, "the counts of calls could not be exchanged");
          isFailing = true;
        }
      }
      await sleep(EXCHANGE_MS, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };

  return {
    start: () => void (running ??= run()),
    stop: async () => {
      stopped.abort();
      if (!running) return;
      const ended = running.then(() => removeProcess(database, id)).catch(() => {});
      await Promise.race([ended, sleep(STOP_MS, undefined, { ref: false })]);
    },
  };
}
