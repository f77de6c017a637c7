// The lease under which a process stores events that it sends without rows, when the process ends or loses it.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import type { Database } from "../src/postgres/postgres.ts";
import { bool, int4, statement } from "../src/postgres/statement.ts";
import type { DirectDelivery } from "../src/webhooks/delivery/direct.task.ts";
import { takeOverLease } from "../src/webhooks/delivery/lease.store.ts";
import { disableEndpoint } from "../src/webhooks/endpoints/store.ts";
import { claimDue } from "../src/webhooks/store.ts";
import { createOutbox } from "../src/webhooks/outbox.task.ts";
import { ENABLE, FOUR, LEASES, bySubject, openDirect, started, until } from "./support/direct-delivery.ts";
import { openWorld, START, story, types } from "./support/webhooks-under-test.ts";

const END_CONNECTION = statement("test.end", { ended: bool }, `SELECT pg_terminate_backend($1) AS ended`);
const OWN_PID = statement("test.pid", { pid: int4 }, `SELECT pg_backend_pid() AS pid`);

/** A process that is killed between the commit and the first attempt: it stores under its lease, and sends nothing. */
function killedBeforeSending({ lease }: Pick<DirectDelivery, "lease">): DirectDelivery {
  return { lease, send: () => {}, abandon: () => {}, wake: () => {}, catchUp: async () => {} };
}

test("what a killed process had stored and not sent is sent by another one after its lease, in order", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const other = await world.receiver();
  await world.endpoint(application, other.url, ["intake.completed"]);
  const killed = await started(world.openDelivery());
  const withoutSending = killedBeforeSending(killed);
  const stories = Array.from({ length: 3 }, () => story(application, FOUR));
  for (const events of stories) await world.appendWith(withoutSending, events);
  // The later events of a subject are stored by a living process: they wait.
  const [first, ...later] = story(application, FOUR);
  await world.appendWith(withoutSending, [first!]);
  const living = await started(world.openDelivery());
  await world.appendWith(living, later);
  await until(async () => (await world.deliveries()).length === 4);
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

test("later events that wait for those of a killed process do not keep these, and others, from being claimed", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const stories = Array.from({ length: 40 }, () => story(application, FOUR));
  await world.append(stories.map(([first]) => first!));
  // Killed before it sent them: they are due again when their lease ends, after all that comes meanwhile.
  const shares = [{ endpointId, room: 64 }];
  assert.equal((await claimDue(world.database, shares, new Date(START), 35)).length, 40);
  await world.append(stories.flatMap(([, ...later]) => later));
  const delivery = world.openDelivery();
  assert.equal(await delivery.deliverDue(), 0);
  world.clock.ms = START + 35_000;
  assert.equal(await delivery.deliverDue(), 160);
  for (const each of bySubject(receiver)) assert.deepEqual(each, FOUR);
});

test("what waits for events that a killed process had stored keeps nothing else from being claimed", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const killed = await started(world.openDelivery());
  const withoutSending = killedBeforeSending(killed);
  const stories = Array.from({ length: 40 }, () => story(application, FOUR));
  await world.appendWith(
    withoutSending,
    stories.map(([first]) => first!),
  );
  await world.append(stories.flatMap(([, ...later]) => later));
  const delivery = world.openDelivery();
  assert.equal(await delivery.deliverDue(), 0);
  world.clock.ms = START + 1;
  await world.append(story(application, FOUR).map((event) => ({ ...event, createdAt: new Date(world.clock.ms) })));
  // Whoever claims them: the process that stands for the killed one looks for due deliveries too.
  await delivery.deliverDue();
  await until(() => receiver.received.length === 4);
  world.clock.ms = START + 36_000;
  assert.equal(await takeOverLease(world.database, new Date(world.clock.ms)), 40);
  await delivery.deliverDue();
  await until(() => receiver.received.length === 164);
  for (const each of bySubject(receiver)) assert.deepEqual(each, FOUR);
  await killed.stop();
});

test("events of a commit that got no response are sent by the next lease, though their process lives", async (t) => {
  const { world, receiver, application, delivery } = await openDirect(t);
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: () => "", delivery });
  // Committed, but the connection ends before the response: as the client sees it, the COMMIT fails.
  const unanswered: Database["tx"] = async (work) => {
    const unknown: (() => void)[] = [];
    await world.database.tx((tx) =>
      work({
        query: tx.query,
        origin: tx.origin,
        afterCommit: (_, ifUnknown) => void (ifUnknown && unknown.push(ifUnknown)),
      }),
    );
    for (const call of unknown) call();
    throw new Error("Connection terminated unexpectedly");
  };
  await assert.rejects(unanswered((tx) => outbox.append(tx, story(application, FOUR))));
  assert.equal(delivery.lease(), null, "nothing more is stored under a lease that another process takes over");
  await until(() => delivery.lease() !== null);
  const later = story(application, FOUR);
  await world.appendWith(delivery, later);
  await until(() => receiver.received.length === 4);
  world.clock.ms = START + 36_000;
  assert.equal(await takeOverLease(world.database, new Date(world.clock.ms)), 4);
  delivery.wake();
  await until(() => receiver.received.length === 8);
  await delivery.stop();
  for (const each of bySubject(receiver)) assert.deepEqual(each, FOUR);
});

test("a COMMIT without a response is reported to the work of its tx, and errors after a commit are no errors of the tx", async (t) => {
  const world = await openWorld(t);
  const called: string[] = [];
  await world.database.tx(async (tx) => {
    tx.afterCommit(() => {
      throw new Error("of the work after the commit");
    });
    tx.afterCommit(
      () => called.push("committed"),
      () => called.push("unknown"),
    );
  });
  assert.deepEqual(called.splice(0), ["committed"]);
  const ended = world.database.tx(async (tx) => {
    const [{ pid }] = (await tx.query(OWN_PID)) as [{ pid: number }];
    tx.afterCommit(
      () => called.push("committed"),
      () => called.push("unknown"),
    );
    await world.database.query(END_CONNECTION, [pid]);
  });
  await assert.rejects(ended);
  assert.deepEqual(called.splice(0), ["unknown"]);
  world.database.afterCommit(() => {
    throw new Error("of the work after the commit");
  });
});

test("a process that stops leaves its lease while a tx under it is not committed", async (t) => {
  const { world, receiver, application, delivery } = await openDirect(t);
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: () => "", delivery });
  await world.database.tx(async (tx) => {
    // Its process ends with the commit, and sends nothing.
    await outbox.append({ query: tx.query, afterCommit: () => {}, origin: tx.origin }, story(application, FOUR));
    await delivery.stop();
  });
  assert.equal((await world.database.query(LEASES)).length, 1);
  world.clock.ms = START + 36_000;
  const next = await started(world.openDelivery());
  await until(() => receiver.received.length === 4);
  await next.stop();
  assert.deepEqual(types(receiver), FOUR);
});

test("what a tx commits while its process stops is due at once for the others", async (t) => {
  const { world, receiver, application, delivery } = await openDirect(t);
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: () => "", delivery });
  let stopped: Promise<void> | undefined;
  await world.database.tx(async (tx) => {
    await outbox.append(tx, story(application, FOUR));
    stopped = delivery.stop();
    await sleep(100);
  });
  await stopped;
  await until(async () => (await world.deliveries()).length === 4);
  assert.deepEqual(receiver.received, []);
});

test("a process that is suspended for longer than its lease sends nothing twice that it had not begun", async (t) => {
  const world = await openWorld(t);
  const held = Promise.withResolvers<void>();
  let isHeld = true;
  const receiver = await world.receiver((_, response) => {
    if (isHeld) void held.promise.then(() => response.end());
    else response.end();
  });
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  // A clock of its own, which stops while it is suspended.
  const clock = { ms: START };
  const suspended = await started(world.openDelivery({ now: () => new Date(clock.ms) }));
  const stories = Array.from({ length: 3 }, () => story(application, FOUR));
  for (const events of stories) await world.appendWith(suspended, events);
  await until(() => receiver.received.length === 3);
  isHeld = false;
  world.clock.ms = START + 60_000;
  const other = await started(world.openDelivery());
  await until(() => receiver.received.length === 3 + 12);
  clock.ms = START + 60_000;
  assert.equal(suspended.lease(), null);
  held.resolve();
  await suspended.stop();
  await other.stop();
  assert.equal(receiver.received.length, 3 + 12);
  for (const each of bySubject(receiver)) assert.deepEqual([...new Set(each)], FOUR);
  assert.ok((await world.deliveries()).every(({ state }) => state === "delivered"));
});

test("while the clock is set back, deliveries are stored with their events", async (t) => {
  const { world, delivery, application } = await openDirect(t);
  world.clock.ms = START - 3_600_000;
  assert.equal(delivery.lease(), null);
  await world.appendWith(delivery, story(application, FOUR));
  assert.equal((await world.deliveries()).length, 4);
  world.clock.ms = START;
  assert.notEqual(delivery.lease(), null);
  await delivery.stop();
});

test("an endpoint that is disabled while its deliveries are in a killed process gets them when it is enabled", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const killed = await started(world.openDelivery());
  const withoutSending = killedBeforeSending(killed);
  await world.appendWith(withoutSending, story(application, FOUR));
  await disableEndpoint(world.database, endpointId, "gone", new Date(START));
  world.clock.ms = START + 36_000;
  const next = await started(world.openDelivery());
  await until(async () => (await world.deliveries()).length === 4);
  assert.deepEqual(receiver.received, []);
  await world.database.query(ENABLE);
  next.wake();
  await until(() => receiver.received.length === 4);
  await next.stop();
  assert.deepEqual(types(receiver), FOUR);
});
