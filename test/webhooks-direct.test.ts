import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import type { Database } from "../src/postgres/postgres.ts";
import { rollback } from "../src/postgres/rollback.ts";
import { bool, int4, statement, text, timestamptz } from "../src/postgres/statement.ts";
import { takeOverLease } from "../src/webhooks/delivery/lease.store.ts";
import { disableEndpoint, removeEndpoint } from "../src/webhooks/endpoints/store.ts";
import type { Delivery } from "../src/webhooks/delivery/deliver.task.ts";
import type { EventType, NewEvent } from "../src/webhooks/event.ts";
import { deleteEvents } from "../src/users/erasure.store.ts";
import { dropEventsBefore } from "../src/webhooks/log/store.ts";
import { createOutbox } from "../src/webhooks/outbox.task.ts";
import type { WebhookReceiver } from "./support/webhook-receiver.ts";
import { silent } from "./support/database.ts";
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
  const withoutSending = { lease: killed.lease, send: () => {}, abandon: () => {}, wake: () => {} };
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

test("an outcome waits for no erasure of its event, is not stored behind it, and no error", async (t) => {
  const world = await openWorld(t);
  const held = Promise.withResolvers<void>();
  const receiver = await world.receiver((_, response) => void held.promise.then(() => response.end()));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const errors: unknown[] = [];
  const log = { ...silent, error: (details: unknown) => errors.push(details) } as unknown as typeof silent;
  const delivery = await started(world.openDelivery({ log }));
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

const END_CONNECTION = statement("test.end", { ended: bool }, `SELECT pg_terminate_backend($1) AS ended`);
const OWN_PID = statement("test.pid", { pid: int4 }, `SELECT pg_backend_pid() AS pid`);
const ENABLE = statement("test.enable", {}, `UPDATE endpoints SET disabled_at = NULL, disabled_reason = NULL`);
const EXTENDED = statement(
  "test.extended",
  { id: text, until: timestamptz },
  `SELECT id::text AS id, leased_until AS until FROM delivery_leases ORDER BY delivery_leases.id`,
);

test("events of a commit that got no response are sent by the next lease, though their process lives", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: () => "", delivery });
  // Committed, but the connection ends before the response: as the client sees it, the COMMIT fails.
  const unanswered: Database["tx"] = async (work) => {
    const unknown: (() => void)[] = [];
    await world.database.tx((tx) =>
      work({ query: tx.query, afterCommit: (_, ifUnknown) => void (ifUnknown && unknown.push(ifUnknown)) }),
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

test("an endpoint that was gone and is enabled again gets the later events of a subject that waited for it", async (t) => {
  const world = await openWorld(t);
  let isGone = true;
  const receiver = await world.receiver((_, response) => response.writeHead(isGone ? 410 : 200).end());
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  // One at a time: what comes later waits.
  const limits = { runningMax: 1, runningPerLaneMax: 1, heldPerLaneMax: 64, heldMax: 200, fullLaneHeld: 64 };
  const delivery = await started(world.openDelivery({ limits }));
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
  const world = await openWorld(t);
  const held = Promise.withResolvers<void>();
  const receiver = await world.receiver((_, response) => void held.promise.then(() => response.end()));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  const events = story(application, FOUR);
  await world.appendWith(delivery, events.slice(0, 2));
  await until(() => receiver.received.length === 1);
  // The lease of the second covers no attempt any more; that of the third does.
  world.clock.ms = START + 12_000;
  await until(async () => {
    const leases = await world.database.query(EXTENDED);
    return delivery.lease() !== null && leases.length === 1;
  });
  await world.appendWith(delivery, events.slice(2, 3));
  world.clock.ms = START + 25_000;
  held.resolve();
  await until(() => receiver.received.length >= 3);
  await delivery.stop();
  assert.deepEqual(types(receiver).slice(0, 3), FOUR.slice(0, 3));
});

test("a process that stops leaves its lease while a tx under it is not committed", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId: () => "", delivery });
  await world.database.tx(async (tx) => {
    // Its process ends with the commit, and sends nothing.
    await outbox.append({ query: tx.query, afterCommit: () => {} }, story(application, FOUR));
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
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
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
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
  world.clock.ms = START - 3_600_000;
  assert.equal(delivery.lease(), null);
  world.clock.ms = START;
  assert.notEqual(delivery.lease(), null);
  await delivery.stop();
});

test("an endpoint that is removed while its deliveries are in memory keeps no pending ones, and the lease goes on", async (t) => {
  const world = await openWorld(t);
  const held = Promise.withResolvers<void>();
  const receiver = await world.receiver((_, response) => void held.promise.then(() => response.writeHead(500).end()));
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const delivery = await started(world.openDelivery());
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

test("an endpoint that is disabled or changed while its deliveries are in a killed process gets them when it is enabled", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const killed = await started(world.openDelivery());
  const withoutSending = { lease: killed.lease, send: () => {}, abandon: () => {}, wake: () => {} };
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
