import { setTimeout as sleep } from "node:timers/promises";
import type { SendOptions } from "pg-boss";
import type { Log } from "../log.ts";
import { NO_METERS } from "../meters.ts";
import type { Meters } from "../meters.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { bossOn, declareQueues, openBoss, startWorker } from "./boss.ts";
import { createSweeps } from "./sweeps.ts";
import type { SweepHandler } from "./sweeps.ts";

/** Options of a queue. They replace those of an earlier release, except `policy`. */
export interface QueueOptions {
  /** Unfinished jobs at once: `standard` any; `exclusive` one for each `singletonKey`. Fixed once the queue exists. */
  readonly policy?: "standard" | "exclusive";
  /** Attempts after the first. */
  readonly retryLimit: number;
  /** Wait before the second attempt, doubled (with jitter) for each further one. 0: every retry starts at once. */
  readonly retryDelaySeconds?: number;
  readonly retryDelayMaxSeconds?: number;
  /** An attempt that takes longer is aborted and counts as failed. */
  readonly expireInSeconds: number;
  /** At least 10. A worker without a heartbeat for this time loses its jobs: they are attempted again. */
  readonly heartbeatSeconds?: number;
}

/** Options of one job. */
export interface SendJobOptions {
  readonly singletonKey?: string;
  /** Jobs of a higher priority come first; 0 without it. */
  readonly priority?: number;
}

/** Options of the workers of a queue. */
export interface WorkOptions {
  /** Workers in this process. */
  readonly concurrency: number;
  /** Jobs that one worker fetches, runs side by side and finishes together. */
  readonly batchSize?: number;
  /** Longest delay of a job that comes without a notice, such as a retry. At least 0.5. */
  readonly pollingIntervalSeconds: number;
}

/** Runs one job; a throw is a failed attempt. `attempt` counts from 1. `signal` aborts at the time limit or at stop. */
export type JobHandler = (data: unknown, signal: AbortSignal, attempt: number) => Promise<void>;

/**
 * The queues of the service. A job is only a hint that there is work; the rows of the domain's tables are the truth.
 */
export interface Jobs {
  /** Installs or updates the tables of the queues. Any number of processes may do so at once. */
  migrate(): Promise<void>;
  /** To be called before `declare`, `send` and `work`. Rejects when the tables cannot be reached. */
  start(): Promise<void>;
  declare(queues: Readonly<Record<string, QueueOptions>>): Promise<void>;
  /**
   * Sends a job with the tx: no worker sees it before the commit. False: a job with `singletonKey` is there already.
   */
  send(tx: Tx, queue: string, data: object, options?: SendJobOptions): Promise<boolean>;
  work(queue: string, options: WorkOptions, handler: JobHandler): Promise<void>;
  /**
   * Runs `handler` in this process: now, and `seconds` after the end of each run. Only one process runs it at a time:
   * if another process is running it, this run is skipped. The run of a killed process ends with its connection. Each
   * run holds a connection of `database`, at most half of them in all, so `handler` must be short.
   */
  everyInProcess(seconds: number, name: string, handler: SweepHandler): void;
  /**
   * Runs `handler` at the same interval as a job of the queue `name`, for work that may take minutes. No tx is open
   * during a run: it would stop VACUUM from removing rows deleted since, and servers may limit its idle time. The job
   * of a killed process is attempted again.
   */
  everyAsQueuedJob(seconds: number, name: string, handler: SweepHandler): Promise<void>;
  /**
   * Takes no more jobs, and gives the running ones `graceMs`. Then releases them to other workers and aborts them. A
   * second call only waits for the end of the first.
   */
  stop(graceMs: number): Promise<void>;
}

/** Time for handlers to end after their signal aborted. */
const ABORTED_GRACE_MS = 1_000;
const QUEUED_SWEEP: QueueOptions = {
  policy: "exclusive",
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireInSeconds: 6 * 3_600,
  heartbeatSeconds: 10,
};

/**
 * Opens the queues, by pg-boss in a schema of their own (`jobs`) of `database`. `isWorker`: listens for jobs (one
 * connection) and maintains the queues; a process that only sends needs neither.
 * `queuedAfterSeconds`: when `everyAsQueuedJob` runs its handlers for the first time; at once without it.
 */
export function openJobs(options: {
  database: Database;
  isWorker: boolean;
  log: Log;
  meters?: Meters;
  queuedAfterSeconds?: number;
}): Jobs {
  const { database, isWorker, log, meters = NO_METERS, queuedAfterSeconds = 0 } = options;
  const boss = openBoss(database, log, {
    // Measured, idle: 2 ms from commit to handler by notice (median of 50), half the polling interval without.
    useListenNotify: isWorker,
    supervise: isWorker,
    // With heartbeats of 10 s, the job of a killed worker is attempted again within 25 s.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 300,
    max: isWorker ? 4 : 2,
  });
  const workers: { queue: string; id: string }[] = [];
  const stopping = new AbortController();
  const sweeps = createSweeps({ database, log, signal: stopping.signal });

  let stopped: Promise<void> | undefined;
  const stop = async (graceMs: number): Promise<void> => {
    stopping.abort();
    const drained = Promise.all([...workers.map(({ queue, id }) => boss.offWork(queue, { id })), sweeps.ended()]);
    await settledWithin(drained, graceMs);
    await boss.stop({ graceful: false });
    await settledWithin(drained, ABORTED_GRACE_MS);
  };

  const jobs: Jobs = {
    migrate: async () => {
      const migrating = openBoss(database, log, { supervise: false, max: 1 });
      await migrating.start();
      await migrating.stop({ graceful: false });
    },
    start: async () => {
      await boss.start();
    },
    declare: (queues) => declareQueues(boss, queues),
    send: async (tx, queue, data, jobOptions = {}) => {
      const sendOptions: SendOptions = { db: bossOn(tx), ...jobOptions };
      return (await boss.send(queue, data, sendOptions)) !== null;
    },
    work: async (queue, { concurrency, ...workOptions }, handler) => {
      for (let n = 0; n < concurrency; n++) {
        workers.push({ queue, id: await startWorker({ boss, log, meters }, queue, workOptions, handler) });
      }
    },
    everyInProcess: (seconds, name, handler) => sweeps.start(seconds, name, handler),
    everyAsQueuedJob: async (seconds, name, handler) => {
      await jobs.declare({ [name]: QUEUED_SWEEP });
      // The handler also ends at stop, without the grace of other jobs.
      await jobs.work(name, { concurrency: 1, pollingIntervalSeconds: 60 }, (_data, signal) =>
        handler(AbortSignal.any([signal, stopping.signal])),
      );
      const send = async () => void (await jobs.send(database, name, {}, { singletonKey: name }));
      sweeps.start(seconds, name, send, queuedAfterSeconds);
    },
    stop: (graceMs) => (stopped ??= stop(graceMs)),
  };
  return jobs;
}

async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const settled = new AbortController();
  await Promise.race([
    work.finally(() => settled.abort()),
    sleep(ms, undefined, { signal: settled.signal }).catch(() => {}),
  ]);
}
