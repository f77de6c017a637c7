import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createPressure } from "../src/queue/pressure.ts";
import { rollback } from "../src/postgres/rollback.ts";
import { statement, text } from "../src/postgres/statement.ts";
import { deleteEvents } from "../src/users/erasure.store.ts";
import { removeEndpoint } from "../src/webhooks/endpoints/store.ts";
import type { NewEvent } from "../src/webhooks/event.ts";
import { removeOldEvents } from "../src/webhooks/parts/parts.task.ts";
import { createOutbox } from "../src/webhooks/outbox.task.ts";
import { silent } from "./support/database.ts";
import { ENABLE, FOUR, LEASES, bySubject, openDirect, started, until } from "./support/direct-delivery.ts";
import { openWorld, START, story, types } from "./support/webhooks-under-test.ts";

const SUSPEND = statement("test.suspend", {}, `UPDATE applications SET suspended_at = now() WHERE id = $1`);
/** The place of the last row: an update would have written another version behind it. */
const LAST_VERSION = statement("test.last-version", { last: text }, `SELECT max(ctid)::text AS last FROM deliveries`);

test("a delivery that succeeds at once is written once, and nothing claims it", async (t) => {
  const { world, receiver, application, delivery } = await openDirect(t);
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
  const { world, receiver, application, delivery } = await openDirect(t, {
    respond: (_, response) => setTimeout(() => response.end(), Math.random() * 20),
  });
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

test("a failed first attempt leaves a delivery that is retried by the schedule", async (t) => {
  let isUp = false;
  const { world, receiver, application, endpointId, delivery } = await openDirect(t, {
    respond: (_, response) => response.writeHead(isUp ? 200 : 500).end(),
  });
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

test("webhooks give way while requests press in, in their order, and are sent afterwards", async (t) => {
  let elapsedMs = 0;
  const pressure = createPressure(
    () => START,
    () => elapsedMs,
  );
  const { world, receiver, application, delivery } = await openDirect(t, { delivery: { giveWay: pressure.giveWay } });
  const stored = pressure.hold(100);
  elapsedMs += 1_000;
  await world.appendWith(delivery, story(application, FOUR));
  await sleep(100);
  assert.equal(receiver.received.length, 0);
  stored();
  elapsedMs += 1_000;
  await until(() => receiver.received.length === 4);
  assert.deepEqual(bySubject(receiver), [FOUR]);
  await delivery.stop();
});

test("what a suspended application is owed waits in the database", async (t) => {
  const { world, receiver, application, delivery } = await openDirect(t);
  await world.database.query(SUSPEND, [application]);
  await world.appendWith(delivery, story(application, FOUR));
  assert.equal((await world.deliveries()).length, 4);
  await delivery.stop();
  assert.equal(receiver.received.length, 0);
});

test("nothing is sent of a tx that is undone, and nothing is kept of events that were deleted meanwhile", async (t) => {
  const held = Promise.withResolvers<void>();
  const { world, receiver, application, delivery } = await openDirect(t, {
    respond: (_, response) => void held.promise.then(() => response.end()),
  });
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: () => "", delivery });
  await world.database.tx(async (tx) => {
    await outbox.append(tx, story(application, FOUR));
    return rollback(undefined);
  });
  await world.appendWith(delivery, story(application, ["intake.received"]));
  await until(() => receiver.received.length > 0);
  assert.deepEqual(types(receiver), ["intake.received"]);
  const deps = { database: world.database, log: silent, retentionMs: 0 };
  await removeOldEvents(deps, new Date(START + 1), new AbortController().signal);
  held.resolve();
  await delivery.stop();
  assert.deepEqual(await world.deliveries(), []);
});

test("an outcome neither waits for an erasure of its event nor is stored behind it, and the lease goes on", async (t) => {
  const held = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const { world, receiver, application, delivery } = await openDirect(t, {
    respond: (_, response) => void held.promise.then(() => response.end()),
    delivery: { log: { ...silent, error: (details: unknown) => void errors.push(details) } },
  });
  const [erased, kept] = [story(application, ["intake.received"]), story(application, ["intake.received"])];
  await world.appendWith(delivery, [...erased, ...kept]);
  await until(() => receiver.received.length === 2);
  const { id } = delivery.lease()!;
  await world.database.tx(async (tx) => {
    await deleteEvents(tx, erased[0]!.userId);
    held.resolve();
    await until(async () => (await world.deliveries()).length === 1);
  });
  assert.deepEqual([errors, delivery.lease()?.id], [[], id]);
  await delivery.stop();
  assert.deepEqual(
    (await world.deliveries()).map(({ state }) => state),
    ["delivered"],
  );
});

test("more than a process may hold is stored, claimed later, and sent in order, each once", async (t) => {
  const limits = { runningMax: 8, runningPerLaneMax: 4, heldPerLaneMax: 8, heldMax: 200, fullLaneHeld: 32 };
  const { world, receiver, application, delivery } = await openDirect(t, {
    respond: (_, response) => setTimeout(() => response.end(), 2),
    delivery: { limits },
  });
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
  const { world, receiver, application, delivery } = await openDirect(t, { respond: () => {} });
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

test("an endpoint that was gone and is enabled again gets the later events of a subject that waited for it", async (t) => {
  let isGone = true;
  // One at a time: what comes later waits.
  const limits = { runningMax: 1, runningPerLaneMax: 1, heldPerLaneMax: 64, heldMax: 200, fullLaneHeld: 64 };
  const { world, application, delivery } = await openDirect(t, {
    respond: (_, response) => response.writeHead(isGone ? 410 : 200).end(),
    delivery: { limits },
  });
  const stories = Array.from({ length: 5 }, () => story(application, FOUR));
  await world.appendWith(
    delivery,
    stories.flatMap((events) => events.slice(0, 3)),
  );
  await until(async () => (await world.deliveries()).length === 15);
  isGone = false;
  await world.database.query(ENABLE);
  delivery.wake();
  const delivered = async () => (await world.deliveries()).filter(({ state }) => state === "delivered").length;
  world.clock.ms = START + 10_000;
  await until(async () => {
    delivery.wake();
    return (await delivered()) === 15;
  });
  for (const events of stories) await world.appendWith(delivery, events.slice(3));
  await until(async () => (await delivered()) === 20);
  await delivery.stop();
});

test("a later event of a chain does not overtake one whose lease became too short", async (t) => {
  const held = Promise.withResolvers<void>();
  const { world, receiver, application, delivery } = await openDirect(t, {
    respond: (_, response) => void held.promise.then(() => response.end()),
  });
  const events = story(application, FOUR);
  await world.appendWith(delivery, events.slice(0, 2));
  await until(() => receiver.received.length === 1);
  // The lease of the second covers no attempt any more; that of the third does.
  world.clock.ms = START + 12_000;
  await until(async () => {
    const leases = await world.database.query(LEASES);
    return delivery.lease() !== null && leases.length === 1;
  });
  await world.appendWith(delivery, events.slice(2, 3));
  world.clock.ms = START + 25_000;
  held.resolve();
  await until(() => receiver.received.length >= 3);
  await delivery.stop();
  assert.deepEqual(types(receiver).slice(0, 3), FOUR.slice(0, 3));
});

test("an endpoint that is removed while its deliveries are in memory keeps no pending ones, and the lease goes on", async (t) => {
  const held = Promise.withResolvers<void>();
  const { world, receiver, application, endpointId, delivery } = await openDirect(t, {
    respond: (_, response) => void held.promise.then(() => response.writeHead(500).end()),
  });
  await world.appendWith(delivery, story(application, FOUR));
  await until(() => receiver.received.length === 1);
  const { id } = delivery.lease()!;
  await removeEndpoint(world.database, endpointId);
  held.resolve();
  await until(() => receiver.received.length === 4);
  assert.equal(delivery.lease()?.id, id);
  await delivery.stop();
  assert.deepEqual(await world.deliveries(), []);
});
