import assert from "node:assert/strict";
import { test } from "node:test";
import { changeEndpoint, removeEndpoint } from "../src/webhooks/endpoints/store.ts";
import { entryId, parseEntryId } from "../src/webhooks/log/entry.ts";
import type { EntryKey } from "../src/webhooks/log/entry.ts";
import type { LogPage } from "../src/webhooks/log/store.ts";
import { findEntry, listEntries, retryEntry } from "../src/webhooks/log/store.ts";
import { removeOldEvents } from "../src/webhooks/parts/parts.task.ts";
import { replayFailed, replaySince } from "../src/webhooks/replays/redelivery.store.ts";
import { leaseMsFor } from "../src/webhooks/retry.ts";
import { claimDue } from "../src/webhooks/store.ts";
import { silent } from "./support/database.ts";
import { ALL, START, TYPES, newId, openWorld, story, types } from "./support/webhooks-under-test.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const LEASE_MS = leaseMsFor(15_000);
const never = new AbortController().signal;

test("a delivered event is replayed on request, with its id and body and a new schedule of attempts", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const [event = assert.fail()] = story(application, ["intake.completed"]);
  await world.append([event]);
  const delivery = world.openDelivery();
  await delivery.deliverDue();

  world.clock.ms += HOUR_MS;
  const key = { eventId: event.id, endpointId };
  await retryEntry(world.database, application, key, new Date(world.clock.ms));
  assert.equal(await delivery.deliverDue(), 1);
  const [first, second] = receiver.received;
  assert.deepEqual(
    [second?.body, second?.headers["webhook-id"]],
    [first?.body, first?.headers["webhook-id"]],
    "one id, one body",
  );
  assert.equal((await findEntry(world.database, application, key))?.earlierAttempts.length, 1);
});

test("a replay since a time sends every event of the endpoint's choice from then on, also those from before its registration", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const stories = [story(application), story(application)];
  await world.append(stories.flat());
  const id = await world.endpoint(application, receiver.url, ["intake.received", "intake.completed"]);
  const endpoint = await world.endpointNow(id);
  const delivery = world.openDelivery();
  assert.equal(await delivery.deliverDue(), 0);

  world.clock.ms += HOUR_MS;
  const now = new Date(world.clock.ms);
  const replay = (sinceMs: number) =>
    replaySince(world.database, endpoint, { since: new Date(sinceMs), now, leaseMs: LEASE_MS });
  assert.deepEqual(await replay(START + 1), { replayed: 0, nextSince: null });
  for (let times = 1; times <= 2; times++) {
    const { replayed } = await replay(START);
    assert.equal(replayed, 4);
    assert.equal(await delivery.deliverDue(), 4);
  }
  for (const events of stories) {
    const came = receiver.received.filter(({ body }) => body.includes(events[0]!.subject));
    assert.deepEqual(
      came.map(({ body }) => (JSON.parse(body) as { event: string }).event),
      ["intake.received", "intake.completed", "intake.received", "intake.completed"],
      "each time in order",
    );
  }
});

test("a replay of failures takes the failed deliveries and those waiting for a retry, and no others", async (t) => {
  const world = await openWorld(t);
  let status = 500;
  const receiver = await world.receiver((_, response) => response.writeHead(status).end());
  const application = await world.application();
  const id = await world.endpoint(application, receiver.url);
  const sendEvent = async (scheduleSeconds: number[]) => {
    const [event = assert.fail()] = story(application, ["intake.completed"]);
    await world.append([event]);
    await world.openDelivery({ scheduleSeconds }).deliverDue();
    return event.id;
  };
  const failedId = await sendEvent([0]);
  const waitingId = await sendEvent([0, DAY_MS / 1_000]);
  status = 200;
  await sendEvent([0]);

  world.clock.ms += HOUR_MS;
  const endpoint = await world.endpointNow(id);
  const again = () =>
    replayFailed(world.database, endpoint, { since: new Date(0), now: new Date(world.clock.ms), leaseMs: LEASE_MS });
  assert.deepEqual(await again(), { replayed: 2, nextSince: null });
  assert.deepEqual((await again()).replayed, 0, "what is due already is not asked for twice");
  receiver.received.length = 0;
  await world.openDelivery().deliverDue();
  const ids = receiver.received.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual([ids.length, new Set(ids)], [2, new Set([failedId, waitingId])]);
});

test("a replay skips deliveries in progress, however long an attempt may take", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => response.writeHead(500).end());
  const application = await world.application();
  const id = await world.endpoint(application, receiver.url);
  await world.append(story(application, ["intake.completed"]));
  await world.openDelivery().deliverDue();
  world.clock.ms += 60_000;
  const now = new Date(world.clock.ms);
  const leaseMs = leaseMsFor(300_000);
  assert.equal((await claimDue(world.database, [{ endpointId: id, room: 1 }], now, leaseMs / 1_000)).length, 1);
  for (const replay of [replaySince, replayFailed]) {
    const asked = { since: new Date(START), now: new Date(now.getTime() + 1), leaseMs };
    assert.equal((await replay(world.database, await world.endpointNow(id), asked)).replayed, 0);
  }
});

test("a replayed delivery that fails again goes through the whole schedule again", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => response.writeHead(500).end());
  const application = await world.application();
  const endpointId = await world.endpoint(application, receiver.url);
  const [event = assert.fail()] = story(application, ["intake.completed"]);
  await world.append([event]);
  const delivery = world.openDelivery();
  const key = { eventId: event.id, endpointId };
  for (let round = 1; round <= 2; round++) {
    for (const seconds of [0, 6, 301]) {
      world.clock.ms += seconds * 1_000;
      assert.equal(await delivery.deliverDue(), 1, `round ${round}`);
    }
    const entry = (await findEntry(world.database, application, key))!;
    assert.deepEqual([entry.state, entry.earlierAttempts.length + 1], ["failed", round * 3]);
    await retryEntry(world.database, application, key, new Date(world.clock.ms));
  }
});

test("events that happen while an endpoint is disabled are stored, and sent in order when it is enabled", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const id = await world.endpoint(application, receiver.url);
  const at = new Date(START);
  await changeEndpoint(world.database, id, { isDisabled: true }, at);
  await world.append(story(application));
  const delivery = world.openDelivery();
  assert.equal(await delivery.deliverDue(), 0);
  await changeEndpoint(world.database, id, { isDisabled: false }, at);
  await delivery.deliverDue();
  assert.deepEqual(types(receiver), TYPES);
});

test("events and their log are deleted after their retention, and no newer ones: pending deliveries of a dead endpoint are bounded", async (t) => {
  const world = await openWorld(t);
  const application = await world.application();
  const id = await world.endpoint(application, "http://127.0.0.1:1/");
  await changeEndpoint(world.database, id, { isDisabled: true }, new Date(START));
  await world.append([...story(application), ...story(application)]);
  const count = async () => (await listEntries(world.database, application, ALL)).entries.length;
  const deps = { database: world.database, log: silent, retentionMs: 0 };
  const removeOld = (ms: number) => removeOldEvents(deps, new Date(ms), never);
  await removeOld(START);
  assert.equal(await count(), 6);
  await removeOld(START + 1);
  assert.equal(await count(), 0);
  assert.equal((await world.deliveries()).length, 0);
});

test("removing an endpoint drops its pending deliveries and its log", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver();
  const application = await world.application();
  const id = await world.endpoint(application, receiver.url);
  await world.append(story(application));
  await world.openDelivery().deliverDue();
  await world.append(story(application));
  await removeEndpoint(world.database, id);
  assert.equal(await world.openDelivery().deliverDue(), 0);
  assert.deepEqual((await listEntries(world.database, application, ALL)).entries, []);
  assert.deepEqual(
    (await world.deliveries()).map(({ state }) => state),
    ["delivered", "delivered", "delivered"],
  );
});

test("the log is read in pages, newest first, and by state and endpoint", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver(({ path }, response) =>
    response.writeHead(path === "/fails" ? 500 : 200).end(),
  );
  const [application, other] = [await world.application(), await world.application()];
  const well = await world.endpoint(application, `${receiver.url}/well`);
  const fails = await world.endpoint(application, `${receiver.url}/fails`, ["intake.completed"]);
  await world.endpoint(other, receiver.url);
  await world.append([...story(application), ...story(application), ...story(other)]);
  await world.openDelivery({ scheduleSeconds: [0] }).deliverDue();

  const pages: string[] = [];
  for (let before: EntryKey | null = null; ;) {
    const page: LogPage = await listEntries(world.database, application, { ...ALL, before, pageSize: 3 });
    pages.push(...page.entries.map(entryId));
    if (page.next === null) break;
    before = parseEntryId(entryId(page.next));
  }
  assert.equal(pages.length, 8);
  assert.deepEqual(pages, pages.toSorted().toReversed());
  const only = async (query: Partial<typeof ALL> | object) =>
    (await listEntries(world.database, application, { ...ALL, ...query })).entries;
  assert.equal((await only({ endpointId: well })).length, 6);
  assert.deepEqual(
    (await only({ state: "failed" })).map(({ endpointId, event }) => [endpointId, event]),
    [
      [fails, "intake.completed"],
      [fails, "intake.completed"],
    ],
  );
  assert.equal((await only({ state: "pending" })).length, 0);
  assert.equal((await only({ state: "delivered" })).length, 6);
  assert.equal(await findEntry(world.database, other, parseEntryId(pages[0]!)!), null, "only to whom it belongs");
  assert.equal(parseEntryId(newId()), null);
});
