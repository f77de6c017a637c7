import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import { rollback } from "../src/postgres/rollback.ts";
import { int4, statement, text } from "../src/postgres/statement.ts";
import type { Delivery } from "../src/webhooks/delivery/deliver.task.ts";
import type { EventType, NewEvent } from "../src/webhooks/event.ts";
import { dropEventsBefore } from "../src/webhooks/log/store.ts";
import { createOutbox } from "../src/webhooks/outbox.task.ts";
import type { WebhookReceiver } from "./support/webhook-receiver.ts";
import { openWorld, START, story, types } from "./support/webhooks-under-test.ts";

const FOUR: readonly EventType[] = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];
const SUSPEND = statement("test.suspend", {}, `UPDATE applications SET suspended_at = now() WHERE id = $1`);
const LEASES = statement("test.leases", { one: int4 }, `SELECT 1 AS one FROM delivery_leases`);
/** The place of the last row: an update would have written another version behind it. */
const LAST_VERSION = statement("test.last-version", { last: text }, `SELECT max(ctid)::text AS last FROM deliveries`);

/** Starts a delivery, and waits until it may store events under its lease. */
async function started(delivery: Delivery): Promise<Delivery> {
  delivery.start();
  await until(() => delivery.lease() !== null);
  return delivery;
}

async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await isDone()); await sleep(5)) {
    assert.ok(Date.now() < deadline, "not within 20 s");
  }
}

/** The events of each subject as they arrived. */
function bySubject(receiver: WebhookReceiver): string[][] {
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { event: string; trackId: string });
  return [...Map.groupBy(bodies, ({ trackId }) => trackId).values()].map((each) => each.map(({ event }) => event));
}

test("a delivery that succeeds at once is written once, and nothing claims it", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  for (let i = 0; i < 5; i++) await world.appendWith(delivery, story(application, FOUR));
  await until(() => receiver.received.length === 20);
  await delivery.stop();
  const rows = await world.deliveries();
  assert.deepEqual(
    [rows.length, rows.every(({ state, attempts }) => state === "delivered" && attempts === 1)],
    [20, true],
  );
  assert.deepEqual(await world.database.query(LAST_VERSION), [{ last: "(0,20)" }]);
  assert.deepEqual(await world.database.query(LEASES), [], "a process that ends leaves no lease");
});

test("events of one subject arrive in order, also when each is stored while the one before is being sent", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => setTimeout(() => response.end(), Math.random() * 20));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  const stories = Array.from({ length: 30 }, () => story(application, FOUR));
  await Promise.all(
    stories.map(async (events) => {
      for (const event of events) await world.appendWith(delivery, [event]);
    }),
  );
  await until(() => receiver.received.length === 120);
  await delivery.stop();
  for (const each of bySubject(receiver)) assert.deepEqual(each, FOUR);
});

test("two processes that store the events of one subject in turn send them in order, each once", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => setTimeout(() => response.end(), Math.random() * 20));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const deliveries = [await started(world.openDelivery()), await started(world.openDelivery())];
  const stories = Array.from({ length: 20 }, () => story(application, FOUR));
  await Promise.all(
    stories.map(async (events) => {
      for (const [i, event] of events.entries()) await world.appendWith(deliveries[i % 2]!, [event]);
    }),
  );
  await until(() => receiver.received.length === 80);
  for (const delivery of deliveries) await delivery.stop();
  for (const each of bySubject(receiver)) assert.deepEqual(each, FOUR);
  assert.ok((await world.deliveries()).every(({ state }) => state === "delivered"));
});

test("what a killed process had stored and not sent is sent by another one after its lease, in order", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const other = await world.receiver();
  await world.endpoint(application, other.url, ["intake.completed"]);
  const killed = await started(world.openDelivery());
  // Killed between the commit and the first attempt.
  const withoutSending = { lease: killed.lease, send: () => {}, wake: () => {} };
  const stories = Array.from({ length: 3 }, () => story(application, FOUR));
  for (const events of stories) await world.appendWith(withoutSending, events);
  // The later events of a subject are stored by a living process: they wait.
  const [first, ...later] = story(application, FOUR);
  await world.appendWith(withoutSending, [first!]);
  const living = await started(world.openDelivery());
  await world.appendWith(living, later);
  await sleep(100);
  assert.deepEqual([types(receiver), types(other)], [[], ["intake.completed"]], "the other waits for nothing earlier");
  assert.equal((await world.deliveries()).filter(({ state }) => state === "pending").length, 3);
  world.clock.ms = START + 36_000;
  const next = await started(world.openDelivery());
  await until(() => receiver.received.length === 16 && other.received.length === 4);
  await living.stop();
  await next.stop();
  for (const each of bySubject(receiver)) assert.deepEqual(each, FOUR);
  assert.ok((await world.deliveries()).every(({ state }) => state === "delivered"));
  await killed.stop();
});

test("a failed first attempt leaves a delivery that is retried by the schedule", async (t) => {
  const world = await openWorld(t);
  let isUp = false;
  const receiver = await world.receiver((_, response) => response.writeHead(isUp ? 200 : 500).end());
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  await world.appendWith(delivery, story(application, ["intake.received"]));
  await until(async () => (await world.deliveries()).length === 1);
  const [row] = await world.deliveries();
  assert.deepEqual([row!.state, row!.attempts, row!.lastStatus], ["pending", 1, 500]);
  assert.notEqual((await world.endpointNow(endpointId)).failingSince, null);
  // To an endpoint whose last attempt failed nothing is sent past the claims.
  await world.appendWith(delivery, story(application, ["intake.received"]));
  isUp = true;
  world.clock.ms = START + 10_000;
  delivery.wake();
  await until(async () => (await world.deliveries()).every(({ state }) => state === "delivered"));
  assert.equal(receiver.received.length >= 3, true);
  await delivery.stop();
});

test("what a suspended application is owed waits in the database", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  await world.database.query(SUSPEND, [application]);
  await world.appendWith(delivery, story(application, FOUR));
  assert.equal((await world.deliveries()).length, 4);
  await delivery.stop();
  assert.equal(receiver.received.length, 0);
});

test("nothing is sent of a tx that is undone, and nothing is kept of events that were deleted meanwhile", async (t) => {
  const world = await openWorld(t);
  const held = Promise.withResolvers<void>();
  const receiver = await world.receiver((_, response) => void held.promise.then(() => response.end()));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: () => "", delivery });
  await world.database.tx(async (tx) => {
    await outbox.append(tx, story(application, FOUR));
    return rollback(undefined);
  });
  await world.appendWith(delivery, story(application, ["intake.received"]));
  await until(() => receiver.received.length > 0);
  assert.deepEqual(types(receiver), ["intake.received"]);
  await dropEventsBefore(world.database, new Date(START + 1), new AbortController().signal);
  held.resolve();
  await delivery.stop();
  assert.deepEqual(await world.deliveries(), []);
});

test("more than a process may hold is stored, claimed later, and sent in order, each once", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => setTimeout(() => response.end(), 2));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const limits = { runningMax: 8, runningPerLaneMax: 4, heldPerLaneMax: 8, heldMax: 200, fullLaneHeld: 32 };
  const delivery = await started(world.openDelivery({ limits }));
  const stories = Array.from({ length: 100 }, () => story(application, FOUR));
  const appendAll = async (of: readonly NewEvent[][]): Promise<void> => {
    for (const events of of) for (const event of events) await world.appendWith(delivery, [event]);
  };
  await Promise.all([0, 1, 2, 3].map((k) => appendAll(stories.slice(k * 25, (k + 1) * 25))));
  await until(() => receiver.received.length >= 400);
  await delivery.stop();
  assert.equal(receiver.received.length, 400);
  for (const each of bySubject(receiver)) assert.deepEqual(each, FOUR);
});

test("what waits in a process that stops is due at once for the others", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver(() => {});
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  await world.appendWith(delivery, story(application, FOUR));
  await until(() => receiver.received.length === 1);
  await delivery.stop(50);
  const rows = await world.deliveries();
  assert.deepEqual(
    rows.map(({ state, attempts, dueAt }) => [state, attempts, dueAt.getTime()]),
    FOUR.map(() => ["pending", 0, START]),
  );
  assert.deepEqual(await world.database.query(LEASES), []);
});
