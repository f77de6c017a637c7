import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createReplays } from "../src/webhooks/replays/replay.task.ts";
import { findEndpoint } from "../src/webhooks/endpoints/store.ts";
import { uuidv7 } from "../src/ids.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const EVENTS = 12_000;

/** A service whose first application has a large log and a disabled endpoint, so that nothing of it is sent. */
async function openWorld(
  t: TestContext,
  isWorking = true,
): Promise<TestService & { client: Client; endpointId: string }> {
  const service = await startService({ isWorking });
  t.after(() => service.close());
  const client = await service.newClient();
  const userId = await client.enrol();
  const { endpoints } = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
  const endpointId = endpoints[0]!.id;
  await client.call("PATCH", `/webhooks/endpoints/${endpointId}`, { disabled: true });
  await addEvents(service, client, userId, EVENTS);
  return { ...service, client, endpointId };
}

async function addEvents({ database }: TestService, client: Client, userId: string, count: number): Promise<void> {
  const text = `INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
    SELECT $1, gen_random_uuid(), 1, ($3 || lpad(to_hex(n), 12, '0'))::uuid, $2, 'intake.received', '{}', now()
    FROM generate_series(1, $4::int) AS n`;
  const prefix = uuidv7(Date.now() - 1_000, new Uint8Array(10)).slice(0, 24);
  await database.query({ name: "test.add-events", text }, [userId, client.applicationId, prefix, count]);
}

interface Shown {
  readonly id: string;
  readonly state: "waiting" | "running" | "finished";
  readonly replayed: number;
  readonly nextSince: null;
}

const SINCE = { since: "2020-01-01T00:00:00Z" };

test("twenty replays of a large log at once go on one after another, and another application goes on meanwhile", async (t) => {
  const world = await openWorld(t);
  const { client, endpointId } = world;
  const other = await world.newClient();
  const otherUser = await other.enrol();
  const replay = () => client.call("POST", `/webhooks/endpoints/${endpointId}/replay`, SINCE);
  const beginMs = performance.now();
  const requests = Promise.all(Array.from({ length: 20 }, replay));
  const slowest: number[] = [];
  for (let i = 0; i < 10; i++) {
    const atMs = performance.now();
    const meal = { transactionId: `m-${i}`, foodName: "Lentils", userId: otherUser };
    assert.ok((await other.call("POST", "/track/food", meal)).statusCode < 500);
    assert.equal((await other.call("GET", `/users/${otherUser}/transactions`)).statusCode < 500, true);
    slowest.push(performance.now() - atMs);
  }
  const responses = await requests;
  t.diagnostic(
    `20 responses after ${Math.round(performance.now() - beginMs)} ms; the other's slowest meal and list: ${Math.round(Math.max(...slowest))} ms`,
  );
  const shown = responses.map((response) => response.json<Shown>());
  assert.deepEqual(new Set(responses.map(({ statusCode }) => statusCode)), new Set([200]));
  assert.ok(shown.every(({ nextSince, replayed }) => nextSince === null && replayed <= 1_000));

  const now = async () => {
    const list = shown.map(async ({ id }) => (await client.call("GET", `/webhooks/replays/${id}`)).json<Shown>());
    return Promise.all(list);
  };
  // At one moment: the twenty responses above are of twenty.
  const running = async () => {
    const text = `SELECT count(*)::int AS n FROM webhook_replays WHERE advanced_at IS NOT NULL AND finished_at IS NULL`;
    return (await world.database.query<{ n: number }>({ name: "test.running-replays", text }))[0]!.n;
  };
  for (const deadline = Date.now() + 120_000; ; await sleep(50)) {
    const progress = await now();
    if (progress.every(({ state }) => state === "finished")) break;
    assert.ok(Date.now() < deadline, "in time");
    assert.ok((await running()) <= 2, "one is worked on; another may have begun");
  }
  const all = await now();
  // A delivery that an earlier one has made due is not counted again.
  assert.equal(
    all.reduce((sum, { replayed }) => sum + replayed, 0),
    EVENTS,
  );
});

test("an application with twenty unfinished replays gets 503 with Retry-After for the next one, and others none", async (t) => {
  const world = await openWorld(t, false);
  const { client, endpointId } = world;
  const replay = () => client.call("POST", `/webhooks/endpoints/${endpointId}/replay`, SINCE);
  for (let i = 0; i < 20; i++) assert.equal((await replay()).statusCode, 200);
  const refused = await replay();
  assert.equal(refused.statusCode, 503);
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  const other = await world.newClient();
  const [endpoint] = (await other.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>().endpoints;
  const response = await other.call("POST", `/webhooks/endpoints/${endpoint!.id}/replay`, SINCE);
  const { id, state } = response.json<Shown>();
  assert.equal(state, "finished");
  assert.equal((await client.call("GET", `/webhooks/replays/${id}`)).statusCode, 404, "only to whom it belongs");
});

test("replays of several applications advance in turn", async (t) => {
  const world = await openWorld(t, false);
  const { client, database, endpointId } = world;
  const other = await world.newClient();
  const [endpoint] = (await other.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>().endpoints;
  await addEvents(world, other, await other.enrol(), 3_000);
  const [first, second] = [
    (await client.call("POST", `/webhooks/endpoints/${endpointId}/replay`, SINCE)).json<Shown>(),
    (await other.call("POST", `/webhooks/endpoints/${endpoint!.id}/replay`, SINCE)).json<Shown>(),
  ];
  assert.deepEqual([first.state, second.state], ["running", "running"]);
  let steps = 0;
  const order: string[] = [];
  const { run } = createReplays({
    background: database,
    jobs: { send: async () => true },
    findEndpoint: (tx, id) => findEndpoint(tx, id, null),
    now: () => new Date(Date.now() + ++steps),
    newId: () => "",
    leaseMs: 1_000,
    hint: async () => {
      for (const { id } of [first, second]) {
        const { state } = (
          await (id === first.id ? client : other).call("GET", `/webhooks/replays/${id}`)
        ).json<Shown>();
        if (state === "finished" && !order.includes(id)) order.push(id);
      }
    },
  });
  await run(new AbortController().signal);
  const done = (await client.call("GET", `/webhooks/replays/${first.id}`)).json<Shown>();
  assert.deepEqual([done.state, done.replayed], ["finished", EVENTS]);
  assert.equal(order[0], second.id, "the small one does not wait for the large one");
});

test("a replay leaves out what an erasure is deleting, waits for none of it, and replays the rest", async (t) => {
  const service = await startService({ isWorking: false });
  t.after(() => service.close());
  const client = await service.newClient();
  const [erased, kept] = [await client.enrol(), await client.enrol()];
  const { endpoints } = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
  const endpointId = endpoints[0]!.id;
  await service.database.pool.query("DELETE FROM events");
  await addEvents(service, client, erased, 300);
  await addEvents(service, client, kept, 200);
  const deliveriesOf = async (userId: string, state: string) => {
    const sql = "SELECT FROM deliveries WHERE user_id = $1 AND state = $2 AND last_attempt_at IS NULL";
    return (await service.database.pool.query(sql, [userId, state])).rowCount;
  };
  const replay = async (body: object) => {
    const response = await client.call("POST", `/webhooks/endpoints/${endpointId}/replay`, body);
    assert.equal(response.statusCode, 200, response.body);
    return response.json<Shown>();
  };
  // Half of both users' events have a delivery that failed: a replay changes these, and adds the others.
  await service.database.pool.query(
    `INSERT INTO deliveries (user_id, subject, position, endpoint_id, state, due_at, attempts, last_attempt_at, finished_at)
     SELECT user_id, subject, position, $1, 'failed', now(), 1, now() - interval '1 minute', now()
     FROM events WHERE right(id::text, 1) < '8'`,
    [endpointId],
  );
  for (const body of [{ ...SINCE, only: "failed" }, SINCE]) {
    const erasing = await service.database.pool.connect();
    try {
      await erasing.query("BEGIN");
      await erasing.query("DELETE FROM events WHERE user_id = $1", [erased]);
      const finished = await replay(body);
      assert.equal(finished.state, "finished");
      assert.ok(finished.replayed > 90 && finished.replayed <= 200, String(finished.replayed));
      await erasing.query(body === SINCE ? "COMMIT" : "ROLLBACK");
    } finally {
      erasing.release();
    }
  }
  assert.equal(await deliveriesOf(erased, "pending"), 0);
  const { rows } = await service.database.pool.query(
    "SELECT FROM deliveries WHERE user_id = $1 AND state = 'pending'",
    [kept],
  );
  assert.equal(rows.length, 200);
});
