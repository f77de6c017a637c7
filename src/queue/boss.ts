import { createHash } from "node:crypto";
import { PgBoss } from "pg-boss";
import type { ConstructorOptions, Db, JobResult, JobWithMetadata } from "pg-boss";
import type { Log } from "../log.ts";
import type { Meters } from "../meters.ts";
import { jobsSchema } from "../postgres/cell.ts";
import { outliveErrors } from "../postgres/connection.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import type { JobHandler, QueueOptions, WorkOptions } from "./jobs.ts";

/** Finished jobs are of no use, and a small table is a fast one. */
const DELETE_AFTER_SECONDS = 3_600;

/** An option of the pool, which pg-boss passes on. Its type does not have it. */
const WITH_LISTENER: object = { onConnect: outliveErrors };

/** Creates a pg-boss on the server of `database`, with a pool of its own. */
export function openBoss(database: Database, log: Log, options: ConstructorOptions): PgBoss {
  const boss = new PgBoss({
    ...(database.session as ConstructorOptions),
    ...WITH_LISTENER,
    schema: jobsSchema(database.schema),
    schedule: false,
    ...options,
  });
  boss.on("error", (error) => log.error({ err: error }, "queues: error"));
  boss.on("warning", (warning) => log.warn({ warning }, "queues: warning"));
  return boss;
}

/** Runs the SQL of pg-boss in our tx. Its texts differ by queue only, so each becomes a named statement. */
export function bossOn(tx: Tx): Db {
  return {
    executeSql: async (text, values = []) => {
      const name = `jobs_${createHash("sha256").update(text).digest("hex").slice(0, 16)}`;
      return { rows: await tx.query<Record<string, unknown>>({ name, text }, values) };
    },
  };
}

/**
 * Creates queues that are missing, and updates those with other options. Reads them in one round trip: creating and
 * updating each at every start took a tenth of a second. Throws when one exists with another policy.
 */
export async function declareQueues(boss: PgBoss, queues: Readonly<Record<string, QueueOptions>>): Promise<void> {
  const stored = new Map((await boss.getQueues(Object.keys(queues))).map((queue) => [queue.name, queue]));
  for (const [name, declared] of Object.entries(queues)) {
    const { policy = "standard" } = declared;
    const changeable = toBossQueue(declared);
    let found = stored.get(name) ?? null;
    if (!found) {
      await boss.createQueue(name, { policy, ...changeable });
      // Another process may have created it first, with other options.
      found = await boss.getQueue(name);
    }
    if (found?.policy !== policy)
      throw new Error(`Queue ${name} has the policy ${found?.policy}, not ${policy}: give it a new name.`);
    const options = Object.entries(changeable) as [keyof typeof changeable, unknown][];
    if (options.some(([option, value]) => found[option] !== value)) await boss.updateQueue(name, changeable);
  }
}

function toBossQueue(options: QueueOptions) {
  const { retryLimit, retryDelaySeconds = 0, retryDelayMaxSeconds, expireInSeconds, heartbeatSeconds } = options;
  return {
    notify: true,
    retryLimit,
    retryDelay: retryDelaySeconds,
    retryBackoff: retryDelaySeconds > 0,
    expireInSeconds,
    deleteAfterSeconds: DELETE_AFTER_SECONDS,
    ...(retryDelayMaxSeconds === undefined ? {} : { retryDelayMax: retryDelayMaxSeconds }),
    ...(heartbeatSeconds === undefined ? {} : { heartbeatSeconds }),
  };
}

interface BossWorkOptions {
  batchSize: number;
  pollingIntervalSeconds: number;
  notifyPollingIntervalSeconds: number;
  includeMetadata: true;
  perJobResults: true;
}

/** Starts one worker of a queue. Returns its id. */
export async function startWorker(
  { boss, log, meters }: { boss: PgBoss; log: Log; meters: Meters },
  queue: string,
  { batchSize = 1, pollingIntervalSeconds }: Omit<WorkOptions, "concurrency">,
  handler: JobHandler,
): Promise<string> {
  const options: BossWorkOptions = {
    batchSize,
    pollingIntervalSeconds,
    notifyPollingIntervalSeconds: pollingIntervalSeconds,
    includeMetadata: true,
    perJobResults: true,
  };
  let id = ""; // of no worker until `work` returns: a first batch may be there before
  id = await boss.work<unknown, unknown, BossWorkOptions>(queue, options, async (jobs) => {
    // Fetch again as soon as this batch is done: otherwise a worker waits for its interval between two batches.
    boss.notifyWorker(id);
    return await Promise.all(jobs.map((job) => attempt(job, handler, { log, meters })));
  });
  return id;
}

/** Runs one attempt of a job, and returns its result in the form of pg-boss. */
async function attempt(
  job: JobWithMetadata<unknown>,
  handler: JobHandler,
  { log, meters }: { log: Log; meters: Meters },
): Promise<JobResult> {
  const number = job.retryCount + 1;
  try {
    await handler(job.data, job.signal, number);
    return { id: job.id, status: "completed" };
  } catch (error) {
    meters.count("rewards_jobs_failed_total", { queue: job.name });
    log.warn({ err: error, queue: job.name, jobId: job.id, attempt: number }, "job failed");
    // The log has the whole error. The row gets its name only, since a message may have personal data.
    return { id: job.id, status: "failed", output: { error: error instanceof Error ? error.name : "unknown" } };
  }
}
