import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import type { ConstructorOptions, Db, JobResult, JobWithMetadata, SendOptions } from "pg-boss";
import type { Log } from "../log.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { bool, statement } from "../postgres/statement.ts";
import { createSemaphore } from "./semaphore.ts";

/** How a queue treats its jobs. What is said here replaces what an earlier release said, except `policy`. */
export interface QueueOptions {
  /** Which jobs may stand together: `standard` any; `exclusive` one for each `singletonKey`. Fixed once the queue exists. */
  readonly policy?: "standard" | "exclusive";
  /** Attempts after the first. */
  readonly retryLimit: number;
  /** Wait before the second attempt, doubled (with jitter) for each further one. 0: at once, each time. */
  readonly retryDelaySeconds?: number;
  readonly retryDelayMaxSeconds?: number;
  /** An attempt that takes longer is aborted and counts as failed. */
  readonly expireInSeconds: number;
  /** At least 10. A worker silent for so long has lost its jobs: they are attempted again. */
  readonly heartbeatSeconds?: number;
}

/** What is said of one job. */
export interface SendJobOptions {
  readonly singletonKey?: string;
}

/** How a queue is worked off. */
export interface WorkOptions {
  /** Handlers at once in this process. */
  readonly concurrency: number;
  /** Jobs that one worker fetches, handles side by side and settles together. */
  readonly batchSize?: number;
  /** How late a job may be that nobody gave notice of, as a retry. At least 0.5. */
  readonly pollingIntervalSeconds: number;
}

/** Handles one job; throwing is a failed attempt. `attempt` counts from 1. `signal` aborts when time is up or at stop. */
export type JobHandler = (data: unknown, signal: AbortSignal, attempt: number) => Promise<void>;

/** The queues of the service. A job is a hint that work is waiting: what there is to do stands in the rows. */
export interface Jobs {
  /** Installs or updates the tables of the queues. Any number of processes may do so at once. */
  migrate(): Promise<void>;
  /** Before `declare`, `send` and `work`. Rejects when the tables cannot be reached. */
  start(): Promise<void>;
  declare(queue: string, options: QueueOptions): Promise<void>;
  /** Sends a job with the tx: nobody sees it before the commit. False: `singletonKey` found its like there already. */
  send(tx: Tx, queue: string, data: object, options?: SendJobOptions): Promise<boolean>;
  work(queue: string, options: WorkOptions, handler: JobHandler): Promise<void>;
  /**
   * Runs `handler` now and then `seconds` after each end, in this process; of all processes only one runs it at a time
   * (whose turn it is when another is at it, is left out). A killed process holds up nobody. Holds a connection of
   * `database` meanwhile, so `handler` is to be short; half of them at most are held so.
   */
  every(seconds: number, name: string, handler: (signal: AbortSignal) => Promise<void>): void;
  /**
   * The same for what may take minutes: as a job of the queue `name`, so that no tx is open meanwhile, which would keep
   * VACUUM from what was deleted since and end where a server allows none to be idle. A killed process' run is made again.
   */
  everyAsJob(seconds: number, name: string, handler: (signal: AbortSignal) => Promise<void>): Promise<void>;
  /** Takes no more jobs, waits so long for those in hand, then hands them back and aborts their handlers. */
  stop(graceMs: number): Promise<void>;
}

const SCHEMA = "jobs";
const SWEEP_LOCK_CLASS = 7_265;
const ABORTED_GRACE_MS = 1_000;
const LONG_SWEEP: QueueOptions = {
  policy: "exclusive",
  retryLimit: 2,
  retryDelaySeconds: 60,
  expireInSeconds: 6 * 3_600,
  heartbeatSeconds: 10,
};

const TRY_SWEEP_LOCK = statement(
  "jobs.try-sweep-lock",
  { locked: bool },
  "SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked",
);

/**
 * Queues by pg-boss in the schema `jobs` of `database`. `isWorker`: listens for jobs (one connection) and looks after
 * the queues; a process that only sends needs neither.
 */
export function openJobs(options: { database: Database; isWorker: boolean; log: Log }): Jobs {
  const { database, isWorker, log } = options;
  const boss = openBoss(database, log, {
    // Measured, idle: 2 ms from commit to handler by notice (median of 50), half the polling interval without.
    useListenNotify: isWorker,
    supervise: isWorker,
    // With heartbeats of 10 s a killed worker's job comes back within 25 s.
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 10,
    maintenanceIntervalSeconds: 300,
    max: isWorker ? 4 : 2,
  });
  const workers: { queue: string; id: string }[] = [];
  const sweeps: Promise<void>[] = [];
  // A sweep holds a connection and needs another: at a start, when all are due, they would otherwise have them all and wait for ever.
  const turns = createSemaphore(Math.max(1, Math.floor(database.pool.options.max / 2)));
  const stopping = new AbortController();

  const jobs: Jobs = {
    migrate: async () => {
      const migrating = openBoss(database, log, { supervise: false, max: 1 });
      await migrating.start();
      await migrating.stop({ graceful: false });
    },

    start: async () => {
      await boss.start();
    },

    declare: async (queue, { policy = "standard", ...options }) => {
      const changeable = toBossQueue(options);
      await boss.createQueue(queue, { policy, ...changeable });
      await boss.updateQueue(queue, changeable);
      const stored = (await boss.getQueue(queue))?.policy;
      if (stored !== policy)
        throw new Error(`Queue ${queue} has the policy ${stored}, not ${policy}: give it a new name.`);
    },

    send: async (tx, queue, data, { singletonKey } = {}) => {
      const options: SendOptions = { db: bossOn(tx), ...(singletonKey !== undefined && { singletonKey }) };
      return (await boss.send(queue, data, options)) !== null;
    },

    work: async (queue, { concurrency, batchSize = 1, pollingIntervalSeconds }, handler) => {
      for (let n = 0; n < concurrency; n++) {
        const worker = { queue, id: "" };
        worker.id = await boss.work<unknown, unknown, BossWorkOptions>(
          queue,
          {
            batchSize,
            pollingIntervalSeconds,
            notifyPollingIntervalSeconds: pollingIntervalSeconds,
            includeMetadata: true,
            perJobResults: true,
          },
          async (jobs) => {
            // Fetch again as soon as this is done: a worker would otherwise wait out its interval between two jobs.
            boss.notifyWorker(worker.id);
            return await Promise.all(jobs.map((job) => handle(job, handler, log)));
          },
        );
        workers.push(worker);
      }
    },

    every: (seconds, name, handler) => {
      const sweep = async () => {
        while (!stopping.signal.aborted) {
          try {
            // The lock is the tx's: it goes with the connection of a killed process, and passes through PgBouncer.
            await turns.run(() =>
              database.tx(async (tx) => {
                const [row] = await tx.query(TRY_SWEEP_LOCK, [SWEEP_LOCK_CLASS, name]);
                if (row?.locked && !stopping.signal.aborted) await handler(stopping.signal);
              }),
            );
          } catch (error) {
            if (!stopping.signal.aborted) log.error({ err: error, sweep: name }, "sweep failed");
          }
          await sleep(seconds * 1_000, undefined, { signal: stopping.signal }).catch(() => {});
        }
      };
      sweeps.push(sweep());
    },

    everyAsJob: async (seconds, name, handler) => {
      await jobs.declare(name, LONG_SWEEP);
      // At a stop it isn't waited for: the handler ends at its next step.
      await jobs.work(name, { concurrency: 1, pollingIntervalSeconds: 60 }, (_data, signal) =>
        handler(AbortSignal.any([signal, stopping.signal])),
      );
      jobs.every(seconds, name, async () => {
        await jobs.send(database, name, {}, { singletonKey: name });
      });
    },

    stop: async (graceMs) => {
      stopping.abort();
      const drained = Promise.all([...workers.map(({ queue, id }) => boss.offWork(queue, { id })), ...sweeps]);
      await settledWithin(drained, graceMs);
      await boss.stop({ graceful: false });
      await settledWithin(drained, ABORTED_GRACE_MS);
    },
  };
  return jobs;
}

interface BossWorkOptions {
  batchSize: number;
  pollingIntervalSeconds: number;
  notifyPollingIntervalSeconds: number;
  includeMetadata: true;
  perJobResults: true;
}

function openBoss(database: Database, log: Log, options: ConstructorOptions): PgBoss {
  const { options: connection } = database.pool;
  const boss = new PgBoss({
    ...(connection as ConstructorOptions),
    // The pool keeps its password from being listed among the others.
    ...(connection.password === undefined ? {} : { password: connection.password }),
    schema: SCHEMA,
    schedule: false,
    ...options,
  });
  boss.on("error", (error) => log.error({ err: error }, "queues: error"));
  boss.on("warning", (warning) => log.warn({ warning }, "queues: warning"));
  return boss;
}

/** One attempt, as pg-boss wants to hear of it. */
async function handle(job: JobWithMetadata<unknown>, handler: JobHandler, log: Log): Promise<JobResult> {
  try {
    await handler(job.data, job.signal, job.retryCount + 1);
    return { id: job.id, status: "completed" };
  } catch (error) {
    const attempt = job.retryCount + 1;
    log.warn({ err: error, queue: job.name, jobId: job.id, attempt }, "job failed");
    // The log has it whole; the row needs only its name, and nothing that may hold people's data.
    return { id: job.id, status: "failed", output: { error: error instanceof Error ? error.name : "unknown" } };
  }
}

/** pg-boss' SQL on our tx. Its texts differ by queue only, so each is a named statement. */
function bossOn(tx: Tx): Db {
  return {
    executeSql: async (text, values = []) => {
      const name = `jobs_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
      return { rows: await tx.query<Record<string, unknown>>({ name, text }, values) };
    },
  };
}

function toBossQueue(options: Omit<QueueOptions, "policy">) {
  const { retryLimit, retryDelaySeconds = 0, retryDelayMaxSeconds, expireInSeconds, heartbeatSeconds } = options;
  return {
    notify: true,
    retryLimit,
    retryDelay: retryDelaySeconds,
    retryBackoff: retryDelaySeconds > 0,
    expireInSeconds,
    deleteAfterSeconds: 3_600, // what is done is of no use to anyone, and a small table is a fast one
    ...(retryDelayMaxSeconds === undefined ? {} : { retryDelayMax: retryDelayMaxSeconds }),
    ...(heartbeatSeconds === undefined ? {} : { heartbeatSeconds }),
  };
}

async function settledWithin(work: Promise<unknown>, ms: number): Promise<void> {
  const given = new AbortController();
  await Promise.race([
    work.finally(() => given.abort()),
    sleep(ms, undefined, { signal: given.signal }).catch(() => {}),
  ]);
}
