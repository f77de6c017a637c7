import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../src/log.ts";
import { createMetrics } from "../src/metrics/module.ts";
import type { Platform } from "../src/module.ts";
import { openJobs } from "../src/queue/jobs.ts";
import type { Jobs, QueueOptions } from "../src/queue/jobs.ts";
import { jobsSchema } from "../src/postgres/cell.ts";
import { openDatabase } from "../src/postgres/postgres.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { createTestDatabase, silent } from "./support/database.ts";

const PATIENT: QueueOptions = { retryLimit: 2, expireInSeconds: 60 };
// Far longer than any test here: a job that runs sooner was woken by a notice.
const NEVER = { concurrency: 1, pollingIntervalSeconds: 300 };

async function openQueues(t: TestContext): Promise<{ database: Database; url: string; jobs: Jobs }> {
  const test = await createTestDatabase();
  const { database, url } = test;
  const jobs = openJobs({ database, isWorker: true, log: silent });
  await jobs.start();
  t.after(async () => {
    await jobs.stop(1_000);
    await test.drop();
  });
  return { database, url, jobs };
}

/** Collects the arguments of handlers, until `count` of them were called. */
function collector(count: number) {
  const seen: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<unknown[]>();
  const add = (item: unknown) => {
    seen.push(item);
    if (seen.length === count) resolve(seen);
  };
  return { seen, add, all: promise };
}

test("a job sent in a tx is handled after the commit, without waiting for a poll", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ greet: PATIENT });
  const { all, add, seen } = collector(1);
  await jobs.work("greet", NEVER, async (data) => add(data));
  await database.tx(async (tx) => {
    assert.equal(await jobs.send(tx, "greet", { name: "Ada" }), true);
    assert.deepEqual(seen, []);
  });
  assert.deepEqual(await all, [{ name: "Ada" }]);
});

test("a job sent in a tx that rolls back is never handled", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ greet: PATIENT });
  const { all, add } = collector(1);
  await jobs.work("greet", NEVER, async (data) => add(data));
  const undone = database.tx(async (tx) => {
    await jobs.send(tx, "greet", { n: 1 });
    throw new Error("undo");
  });
  await assert.rejects(undone, /undo/);
  await database.tx((tx) => jobs.send(tx, "greet", { n: 2 }));
  assert.deepEqual(await all, [{ n: 2 }]);
});

test("a worker takes whole batches, until no job waits", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ many: PATIENT });
  const ns = Array.from({ length: 30 }, (_, n) => n);
  await database.tx(async (tx) => {
    for (const n of ns) await jobs.send(tx, "many", { n });
  });
  const { all, add } = collector(30);
  await jobs.work("many", { ...NEVER, batchSize: 8 }, async (data) => add((data as { n: number }).n));
  assert.deepEqual(
    (await all).map(Number).sort((a, b) => a - b),
    ns,
  );
});

test("a failed job is retried; the others of its batch are not", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ shaky: PATIENT });
  await database.tx(async (tx) => {
    await jobs.send(tx, "shaky", { n: 1 });
    await jobs.send(tx, "shaky", { n: 2 });
  });
  const { all, add } = collector(3);
  await jobs.work("shaky", { ...NEVER, batchSize: 2 }, async (data, _signal, attempt) => {
    const { n } = data as { n: number };
    add(`job ${n}, attempt ${attempt}`);
    if (n === 1 && attempt === 1) throw new Error("once");
  });
  assert.deepEqual((await all).map(String).sort(), ["job 1, attempt 1", "job 1, attempt 2", "job 2, attempt 1"]);
});

test("a job that failed for the last time stores the name of its error, and not its message", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ doomed: { retryLimit: 0, expireInSeconds: 60 } });
  const { all, add } = collector(1);
  await jobs.work("doomed", NEVER, async (data) => {
    add(data);
    throw new TypeError("jane@example.com");
  });
  await database.tx((tx) => jobs.send(tx, "doomed", { n: 1 }));
  await all;
  // The outcome is written after the handler's end.
  let output: unknown = null;
  for (const endsAtMs = performance.now() + 60_000; output === null && performance.now() < endsAtMs; await sleep(10)) {
    const { rows } = await database.pool.query(
      `SELECT output FROM ${jobsSchema(database.schema)}.job WHERE name = 'doomed'`,
    );
    ({ output } = rows[0] as { output: unknown });
  }
  assert.deepEqual(output, { error: "TypeError" });
});

test("of jobs with one singleton key an exclusive queue keeps one", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ brief: { ...PATIENT, policy: "exclusive" } });
  const sent = await database.tx(async (tx) => [
    await jobs.send(tx, "brief", {}, { singletonKey: "a" }),
    await jobs.send(tx, "brief", {}, { singletonKey: "a" }),
    await jobs.send(tx, "brief", {}, { singletonKey: "b" }),
  ]);
  assert.deepEqual(sent, [true, false, true]);
});

test("processes that start together install and declare the same", async (t) => {
  const { database, url } = await openQueues(t);
  await database.pool.query(`DROP SCHEMA ${jobsSchema(database.schema)} CASCADE`);
  const others = Array.from({ length: 3 }, () => {
    const own = openDatabase({
      connection: { connectionString: url },
      schema: database.schema,
      connectionsMax: 2,
      onError: () => {},
    });
    return { database: own, jobs: openJobs({ database: own, isWorker: true, log: silent }) };
  });
  t.after(async () => {
    await Promise.all(others.map(({ jobs }) => jobs.stop(0)));
    await Promise.all(others.map(({ database }) => database.close()));
  });
  await Promise.all(others.map(({ jobs }) => jobs.migrate()));
  await Promise.all(others.map(({ jobs }) => jobs.start()));
  await Promise.all(others.map(({ jobs }) => jobs.declare({ same: PATIENT })));
  const { rows } = await database.pool.query(
    `SELECT name, retry_limit, notify FROM ${jobsSchema(database.schema)}.queue ORDER BY name`,
  );
  assert.deepEqual(rows, [{ name: "same", retry_limit: 2, notify: true }]);
});

test("a later declaration changes a queue, except its policy", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ grown: { retryLimit: 1, expireInSeconds: 60 } });
  await jobs.declare({ grown: { retryLimit: 7, expireInSeconds: 30, heartbeatSeconds: 20 } });
  const { rows } = await database.pool.query(
    `SELECT retry_limit, expire_seconds, heartbeat_seconds FROM ${jobsSchema(database.schema)}.queue`,
  );
  assert.deepEqual(rows, [{ retry_limit: 7, expire_seconds: 30, heartbeat_seconds: 20 }]);
  await assert.rejects(jobs.declare({ grown: { ...PATIENT, policy: "exclusive" } }), /policy standard, not exclusive/);
});

test("at stop a handler gets its grace; one that takes longer is aborted and its job released", async (t) => {
  const { database, jobs } = await openQueues(t);
  await jobs.declare({ slow: PATIENT });
  const { all, add } = collector(2);
  let aborted = false;
  await jobs.work("slow", { ...NEVER, concurrency: 2 }, async (data, signal) => {
    add(data);
    if ((data as { isQuick: boolean }).isQuick) return;
    await once(signal, "abort");
    aborted = true;
  });
  await database.tx(async (tx) => {
    await jobs.send(tx, "slow", { isQuick: true });
    await jobs.send(tx, "slow", { isQuick: false });
  });
  await all;
  const stored = async () => {
    const { rows } = await database.pool.query<{ quick: boolean; state: string }>(
      `SELECT data->'isQuick' AS quick, state FROM ${jobsSchema(database.schema)}.job ORDER BY state`,
    );
    return rows;
  };
  // The end of a job is stored after its handler's, which the grace may not be enough for.
  while (!(await stored()).some(({ state }) => state === "completed")) await sleep(10);
  // Enough for the claim that the other worker may have begun: a later one could take what is released.
  await jobs.stop(500);
  assert.equal(aborted, true);
  assert.deepEqual(await stored(), [
    { quick: false, state: "retry" },
    { quick: true, state: "completed" },
  ]);
});

test("a second stop does not wait again for what did not end in time", async (t) => {
  const { jobs } = await openQueues(t);
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  jobs.everyInProcess(60, "deaf", async () => {
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  await jobs.stop(50);
  const second = await Promise.race([jobs.stop(60_000), sleep(5_000, "still waiting")]);
  end.resolve();
  assert.equal(second, undefined);
});

test("a sweep runs at once, again after each end, and in one process at a time", async (t) => {
  const { database, jobs, url } = await openQueues(t);
  const other = openDatabase({
    connection: { connectionString: url },
    schema: database.schema,
    connectionsMax: 2,
    onError: () => {},
  });
  const otherJobs = openJobs({ database: other, isWorker: false, log: silent });
  const { all, add } = collector(6);
  let running = 0;
  const sweep = async () => {
    running++;
    add(running);
    await database.pool.query("SELECT pg_sleep(0.02)");
    running--;
  };
  jobs.everyInProcess(0.01, "tidy", sweep);
  otherJobs.everyInProcess(0.01, "tidy", sweep);
  assert.deepEqual(await all, [1, 1, 1, 1, 1, 1]);
  await otherJobs.stop(1_000);
  await other.close();
});

test("sweeps that start together leave enough connections for one another", async (t) => {
  const { database, jobs } = await openQueues(t);
  const names = Array.from({ length: database.pool.options.max + 3 }, (_, i) => `tidy ${i}`);
  const { all, add } = collector(names.length);
  for (const name of names) {
    jobs.everyInProcess(300, name, async () => {
      await database.pool.query("SELECT pg_sleep(0.02)");
      add(name);
    });
  }
  assert.deepEqual(new Set(await all), new Set(names));
});

test("a sweep that fails is retried", async (t) => {
  const { jobs } = await openQueues(t);
  const { all, add } = collector(2);
  jobs.everyInProcess(0.01, "tidy", async () => {
    add("attempted");
    throw new Error("no luck");
  });
  assert.equal((await all).length, 2);
});

test("a queued sweep runs in one process at a time, with no tx open; its signal aborts at stop", async (t) => {
  const { database, jobs, url } = await openQueues(t);
  const other = openDatabase({
    connection: { connectionString: url },
    schema: database.schema,
    connectionsMax: 2,
    onError: () => {},
  });
  const otherJobs = openJobs({ database: other, isWorker: true, log: silent });
  await otherJobs.start();
  const { seen, all, add } = collector(1);
  let ended = 0;
  const sweep = async (signal: AbortSignal) => {
    add("began");
    await once(signal, "abort");
    ended++;
  };
  await jobs.everyAsQueuedJob(300, "upkeep", sweep);
  await otherJobs.everyAsQueuedJob(300, "upkeep", sweep);
  await all;
  // The txs that sent the job end at once; one around the sweep would not.
  const openTxs = async () => {
    const { rowCount } = await database.pool.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'",
    );
    return rowCount;
  };
  for (const endsAtMs = performance.now() + 60_000; (await openTxs()) !== 0; await sleep(10)) {
    assert.ok(performance.now() < endsAtMs, "a tx is open while a long sweep runs");
  }
  assert.deepEqual(seen, ["began"]);
  await otherJobs.stop(1_000);
  await jobs.stop(1_000);
  assert.equal(ended, 1);
  await other.close();
});

test("two processes and a restart verify the ledger once a day, the next day again", async (t) => {
  const { database, jobs, url } = await openQueues(t);
  const clock = { ms: Date.UTC(2026, 5, 15, 23) };
  let verified = 0;
  let checks = 0;
  const log = { ...silent, info: (_: unknown, text?: string) => text === "ledger verified" && verified++ } as Log;
  /** The work of a process: each of its jobs ends before the next may be sent. */
  const start = async (own: Database, ownJobs: Jobs) => {
    const counted: Jobs = {
      ...ownJobs,
      everyAsQueuedJob: (seconds, name, handler) =>
        ownJobs.everyAsQueuedJob(seconds, name, async (signal) => {
          await handler(signal);
          checks++;
        }),
    };
    const platform = { config: { metricsToken: null }, background: own, log, now: () => new Date(clock.ms) };
    await createMetrics(platform as unknown as Platform, null, {}).startWork?.(counted);
  };
  const untilChecked = async (wanted: number) => {
    for (const endsAtMs = performance.now() + 60_000; checks < wanted; await sleep(10)) {
      assert.ok(performance.now() < endsAtMs, "the job did not run");
    }
  };
  const open = async () => {
    const own = openDatabase({
      connection: { connectionString: url },
      schema: database.schema,
      connectionsMax: 4,
      onError: () => {},
    });
    const ownJobs = openJobs({ database: own, isWorker: true, log: silent });
    await ownJobs.start();
    return { own, ownJobs, stop: async () => (await ownJobs.stop(1_000), await own.close()) };
  };
  const other = await open();
  await Promise.all([start(database, jobs), start(other.own, other.ownJobs)]);
  await untilChecked(1);
  await other.stop();
  const again = async () => {
    const checked = checks;
    const process = await open();
    await start(process.own, process.ownJobs);
    await untilChecked(checked + 1);
    await process.stop();
  };
  await again();
  assert.equal(verified, 1, "once by two processes and a restart");
  clock.ms += 2 * 3_600_000;
  await again();
  await again();
  assert.equal(verified, 2, "again after midnight");
});

test("after its process is killed, another process runs the sweep", async (t) => {
  const { jobs, url } = await openQueues(t);
  const child = fork(new URL("support/jobs-sweeper.ts", import.meta.url), [url], { stdio: "ignore" });
  t.after(() => child.kill("SIGKILL"));
  await once(child, "message"); // its sweep has begun, and would never end
  child.kill("SIGKILL");
  const { all, add } = collector(1);
  jobs.everyInProcess(0.05, "tidy", async () => add("swept"));
  assert.deepEqual(await all, ["swept"]);
});
