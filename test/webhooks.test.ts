import assert from "node:assert/strict";
import { test } from "node:test";
import { signingSecret, verify } from "../src/webhooks/sign.ts";
import { claimDue, recordOutcomes } from "../src/webhooks/store.ts";
import { KEY, START, TYPES, openWorld, story, types } from "./support/webhooks-under-test.ts";

test("events arrive once, in order, signed, with the bytes that were stored", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const endpoint = await world.endpoint(application, `${receiver.url}/hook`);
  const events = story(application);
  await world.append(events);
  assert.equal(world.hints(), 1);

  assert.equal(await world.openDelivery().deliverDue(), 3);

  assert.deepEqual(
    receiver.received.map(({ body, headers }) => [headers["webhook-id"], body]),
    events.map(({ id, body }) => [id, body]),
  );
  const secret = signingSecret(KEY, endpoint, 1);
  for (const { headers, body, path } of receiver.received) {
    assert.equal(path, "/hook");
    assert.equal(headers["content-type"], "application/json");
    assert.equal(verify(headers, body, secret, START / 1_000).kind, "verified");
  }
  assert.deepEqual(
    (await world.deliveries()).map(({ state, attempts, lastStatus }) => [state, attempts, lastStatus]),
    Array.from({ length: 3 }, () => ["delivered", 1, 200]),
  );
  assert.equal(await world.openDelivery().deliverDue(), 0);
});

test("an event that is rolled back is never sent, and a second event of one position is refused", async (t) => {
  const world = await openWorld(t);
  const application = await world.application();
  await world.endpoint(application, "http://127.0.0.1:1/");
  const events = story(application);
  await assert.rejects(world.append([...events, ...story(application, TYPES, events[0]!.subject), events[0]!]));
  assert.equal((await world.deliveries()).length, 0);
});

test("events go to every enabled endpoint of their own application with their type", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const [ours, theirs] = [await world.application(), await world.application()];
  await world.endpoint(ours, `${receiver.url}/all`);
  await world.endpoint(ours, `${receiver.url}/completed`, ["intake.completed"]);
  await world.endpoint(theirs, `${receiver.url}/theirs`);
  await world.append(story(ours));
  await world.openDelivery().deliverDue();
  const paths = receiver.received.map(({ path }) => path).sort();
  assert.deepEqual(paths, ["/all", "/all", "/all", "/completed"]);
});

test("without an endpoint, events are stored and no hint is sent", async (t) => {
  const world = await openWorld(t);
  await world.append(story(await world.application()));
  assert.equal(world.hints(), 0);
  assert.equal((await world.deliveries()).length, 0);
});

test("a later event waits for the earlier one's first attempt, not for its success", async (t) => {
  const world = await openWorld(t);
  let responses = 0;
  const receiver = await world.receiver((_, response) => response.writeHead(responses++ === 0 ? 500 : 200).end());
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application));
  const delivery = world.openDelivery();
  await delivery.deliverDue();
  world.clock.ms += 6_000;
  await delivery.deliverDue();
  assert.deepEqual(types(receiver), ["intake.received", "intake.scored", "intake.completed", "intake.received"]);
});

test("a delivery claimed by a killed process is sent again with the same id after its lease; its successors wait", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const events = story(application);
  await world.append(events.slice(0, 1));
  const lost = await claimDue(world.database, [{ endpointId, room: 10 }], new Date(world.clock.ms), 35);
  assert.equal(lost.length, 1);
  await world.append([...events.slice(1), ...story(application, ["intake.failed"])]);

  const delivery = world.openDelivery();
  assert.equal(await delivery.deliverDue(), 1);
  assert.deepEqual(types(receiver), ["intake.failed"], "another subject does not wait");
  world.clock.ms += 36_000;
  assert.equal(await delivery.deliverDue(), 3);
  assert.deepEqual(
    receiver.received.slice(1).map(({ headers }) => headers["webhook-id"]),
    events.map(({ id }) => id),
  );
});

test("an outcome written after the lease changes nothing: the new holder decides", async (t) => {
  const world = await openWorld(t);
  const application = await world.application();
  const endpointId = await world.endpoint(application, "http://127.0.0.1:1/");
  await world.append(story(application, ["intake.received"]));
  const claim = (ms: number) => claimDue(world.database, [{ endpointId, room: 1 }], new Date(ms), 35);
  const [late = assert.fail()] = await claim(START);
  const [current = assert.fail()] = await claim(START + 40_000);
  const dueAt = new Date(START);
  const attempt = { at: dueAt, durationMs: 1, status: 200, responseText: "", error: null, retryAfterSeconds: null };
  const failed = { state: "failed", dueAt, attempt: { ...attempt, status: 500 } } as const;
  await recordOutcomes(world.database, [{ delivery: late, ...failed }], 60);
  assert.equal((await world.deliveries())[0]?.state, "pending");
  assert.equal((await world.endpointNow(endpointId)).failingSince, null, "nor does it count for the endpoint");
  await recordOutcomes(world.database, [{ delivery: current, state: "delivered", dueAt, attempt }], 60);
  assert.equal((await world.deliveries())[0]?.state, "delivered");
});

test("two processes at once deliver everything exactly once and in order", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => setTimeout(() => response.end(), Math.random() * 4));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const stories = Array.from({ length: 150 }, () => story(application));
  const deliverers = [world.openDelivery(), world.openDelivery()];
  // Half of the stories are appended while the deliverers work, event by event.
  await world.append(stories.slice(0, 75).flat());
  const appending = (async () => {
    for (const index of TYPES.keys()) await world.append(stories.slice(75).map((events) => events[index]!));
  })();
  const attempts = await Promise.all(deliverers.map((deliverer) => deliverer.deliverDue()));
  await appending;
  // A deliverer may see nothing due before all events are appended, or while the other holds the rest.
  for (const deliverer of deliverers) attempts.push(await deliverer.deliverDue());

  assert.equal(
    attempts.reduce((sum, each) => sum + each),
    450,
  );
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.equal(new Set(ids).size, 450);
  const arrival = new Map(ids.map((id, index) => [id, index]));
  for (const events of stories) {
    const arrivals = events.map(({ id }) => arrival.get(id)!);
    assert.deepEqual(
      arrivals,
      arrivals.toSorted((a, b) => a - b),
    );
  }
});

test("stopping lets attempts in progress end and releases all others, due at once", async (t) => {
  const world = await openWorld(t);
  const arrived = Promise.withResolvers<void>();
  const receiver = await world.receiver((_, response) => {
    arrived.resolve();
    setTimeout(() => response.end(), 50);
  });
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application));
  const delivery = world.openDelivery();
  delivery.start();
  await arrived.promise;
  await delivery.stop();
  assert.deepEqual(
    (await world.deliveries()).map(({ state, attempts, dueAt }) => [state, attempts, dueAt.getTime()]),
    [
      ["delivered", 1, START],
      ["pending", 0, START],
      ["pending", 0, START],
    ],
  );
  assert.equal(await world.openDelivery().deliverDue(), 2);
});

test("an attempt that outlasts the drain is cut off and is no failure of the endpoint", async (t) => {
  const world = await openWorld(t);
  const arrived = Promise.withResolvers<void>();
  const receiver = await world.receiver(() => arrived.resolve());
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application, ["intake.received"]));
  const delivery = world.openDelivery();
  delivery.start();
  await arrived.promise;
  await delivery.stop(10);
  const [row = assert.fail()] = await world.deliveries();
  assert.deepEqual([row.state, row.attempts, row.dueAt.getTime()], ["pending", 0, START]);
});
