import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { createHttpSender } from "../src/adapters/http-sender.ts";
import { insertApplication } from "../src/applications/store.ts";
import { uuidv7 } from "../src/ids.ts";
import { isAllowedAddress, parseCidrs } from "../src/webhooks/address.ts";
import { newEvent } from "../src/webhooks/event.ts";
import type { EventType, IntakeEvent, NewEvent } from "../src/webhooks/event.ts";
import { signingSecret, verify } from "../src/webhooks/sign.ts";
import { createDelivery, createOutbox } from "../src/webhooks/stages.ts";
import type { DeliveryOptions } from "../src/webhooks/stages.ts";
import { addEndpoint, claimDue, findEndpoints, recordOutcomes } from "../src/webhooks/store.ts";
import { createTestDatabase, silent } from "./database.ts";
import { startWebhookReceiver } from "./webhook-receiver.ts";
import type { Received, WebhookReceiver } from "./webhook-receiver.ts";

const KEY = randomBytes(32);
const SCHEDULE = [0, 5, 300];
const START = Date.parse("2026-05-01T12:00:00.000Z");
const TYPES: EventType[] = ["intake.received", "intake.scored", "intake.completed"];

function newId(): string {
  return uuidv7(Date.now(), randomBytes(10));
}

const allowNets = (() => {
  const list = parseCidrs("127.0.0.0/8");
  return list.kind === "ok" ? list.nets : assert.fail();
})();

/** A service with an empty database, a clock that stands still, and what a test says about deliveries. */
async function openWorld(t: TestContext) {
  const testDatabase = await createTestDatabase();
  const { database } = testDatabase;
  const closers = [() => testDatabase.drop()];
  t.after(async () => {
    // The database goes last: what the others still write finds it there.
    for (const close of closers.reverse()) await close();
  });
  const sender = createHttpSender({
    isAllowedAddress: (address, protocol) => isAllowedAddress(address, protocol, allowNets),
    now: () => new Date(),
  });
  closers.push(() => sender.close());
  const clock = { ms: START };
  let hints = 0;
  const outbox = createOutbox({
    scheduleSeconds: SCHEDULE,
    hint: async () => {
      hints += 1;
    },
  });
  return {
    database,
    clock,
    hints: () => hints,
    openDelivery: (changes: Partial<DeliveryOptions> = {}) =>
      createDelivery({
        database,
        sender,
        now: () => new Date(clock.ms),
        random: () => 0.5,
        log: silent,
        scheduleSeconds: SCHEDULE,
        installationKey: KEY,
        ...changes,
      }),
    receiver: async (answer?: (received: Received, response: ServerResponse) => void): Promise<WebhookReceiver> => {
      const receiver = await startWebhookReceiver(answer);
      closers.push(() => receiver.close());
      return receiver;
    },
    application: async (): Promise<string> => {
      const id = newId();
      const clientId = `app_${randomBytes(8).toString("hex")}`;
      const settings = { name: "test", isSandbox: true, logoUrl: null, redirectUri: null, redirectAllowList: [] };
      await insertApplication(database, { id, clientId, secretHash: randomBytes(32), ...settings }, new Date(clock.ms));
      return id;
    },
    endpoint: async (applicationId: string, url: string, eventTypes: EventType[] | null = null): Promise<string> => {
      const id = newId();
      const createdAt = new Date(clock.ms);
      await addEndpoint(database, { id, applicationId, url, description: "", eventTypes, createdAt });
      return id;
    },
    append: (events: readonly NewEvent[]) => database.tx((tx) => outbox.append(tx, events)),
    deliveries: () =>
      database.query<{ state: string; attempts: number; dueAt: Date; lastStatus: number | null; lastError: string }>({
        name: "test.deliveries",
        text: `SELECT state, attempts, due_at AS "dueAt", last_status AS "lastStatus", last_error AS "lastError"
               FROM deliveries ORDER BY subject, position`,
      }),
  };
}

/** The events of one submission, in order; the types given, by default all of a meal that is credited. */
function story(applicationId: string, types: readonly EventType[] = TYPES, subject = newId()): NewEvent[] {
  const userId = newId();
  return types.map((type) => {
    const event = { event: type, trackId: subject, transactionId: "order-1", userId, source: "meal" } as IntakeEvent;
    return newEvent(newId(), { applicationId, userId, subject }, event, new Date(START));
  });
}

function types(receiver: WebhookReceiver): string[] {
  return receiver.received.map(({ body }) => (JSON.parse(body) as { event: string }).event);
}

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

test("what is rolled back is never sent, and a story told twice is refused", async (t) => {
  const world = await openWorld(t);
  const application = await world.application();
  await world.endpoint(application, "http://127.0.0.1:1/");
  const events = story(application);
  await assert.rejects(world.append([...events, ...story(application, TYPES, events[0]!.subject), events[0]!]));
  assert.equal((await world.deliveries()).length, 0);
});

test("events go to every enabled endpoint of their own application that wants them", async (t) => {
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

test("an application without an endpoint keeps its events and hints at nothing", async (t) => {
  const world = await openWorld(t);
  await world.append(story(await world.application()));
  assert.equal(world.hints(), 0);
  assert.equal((await world.deliveries()).length, 0);
});

test("a failed attempt is made again by the schedule: same id and body, new time and signature, until the last", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => response.writeHead(500).end("no\0pe"));
  const application = await world.application();
  const endpoint = await world.endpoint(application, receiver.url);
  await world.append(story(application, ["intake.received"]));
  const delivery = world.openDelivery();

  for (const waitSeconds of [0, 5, 300]) {
    world.clock.ms += waitSeconds * 1_000 - 1;
    assert.equal(await delivery.deliverDue(), 0, "not before its time");
    // The wait counts from the end of the attempt: some milliseconds of real time.
    world.clock.ms += 2_000;
    assert.equal(await delivery.deliverDue(), 1);
  }

  const [first, second, third] = receiver.received;
  assert.equal(first?.body, second?.body);
  assert.equal(first?.headers["webhook-id"], third?.headers["webhook-id"]);
  assert.notEqual(first?.headers["webhook-signature"], second?.headers["webhook-signature"]);
  const secret = signingSecret(KEY, endpoint, 1);
  assert.equal(verify(third!.headers, third!.body, secret, world.clock.ms / 1_000).kind, "verified");
  const [{ state, attempts, lastStatus } = assert.fail()] = await world.deliveries();
  assert.deepEqual([state, attempts, lastStatus], ["failed", 3, 500]);
  world.clock.ms += 86_400_000;
  assert.equal(await delivery.deliverDue(), 0);
});

test("a later event waits for the earlier one's first attempt, not for its success", async (t) => {
  const world = await openWorld(t);
  let answers = 0;
  const receiver = await world.receiver((_, response) => response.writeHead(answers++ === 0 ? 500 : 200).end());
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application));
  const delivery = world.openDelivery();
  await delivery.deliverDue();
  world.clock.ms += 6_000;
  await delivery.deliverDue();
  assert.deepEqual(types(receiver), ["intake.received", "intake.scored", "intake.completed", "intake.received"]);
});

test("Retry-After is honoured", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => response.writeHead(429, { "retry-after": "60" }).end());
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application, ["intake.received"]));
  const delivery = world.openDelivery();
  await delivery.deliverDue();
  world.clock.ms += 59_000;
  assert.equal(await delivery.deliverDue(), 0);
  world.clock.ms += 3_000;
  assert.equal(await delivery.deliverDue(), 1);
});

test("410 disables the endpoint: nothing more is sent there, and what was pending is kept", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => response.writeHead(410).end());
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application));
  const delivery = world.openDelivery();
  assert.equal(await delivery.deliverDue(), 1);
  const [endpoint] = await findEndpoints(world.database, [application]);
  assert.deepEqual([endpoint?.disabledReason, endpoint?.disabledAt?.getTime()], ["gone", START]);

  await world.append(story(application));
  world.clock.ms += 86_400_000;
  assert.equal(await delivery.deliverDue(), 0);
  assert.deepEqual(
    (await world.deliveries()).map(({ state, attempts }) => [state, attempts]),
    [
      ["pending", 1],
      ["pending", 0],
      ["pending", 0],
    ],
  );
});

test("a redirect, a hanging endpoint, a closed port and a private address are failures, told apart in the log", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver(({ path }, response) => {
    if (path === "/redirect") response.writeHead(302, { location: "/elsewhere" }).end();
  });
  const expected: [string, number | null, RegExp | null][] = [
    [`${receiver.url}/redirect`, 302, null],
    [`${receiver.url}/hang`, null, /^timeout: /],
    ["http://127.0.0.1:1/", null, /^network: ECONNREFUSED/],
    ["http://10.0.0.1/", null, /^refused_address: /],
  ];
  for (const [url] of expected) {
    const application = await world.application();
    await world.endpoint(application, url);
    await world.append(story(application, ["intake.received"]));
  }
  await world.openDelivery({ attemptTimeoutMs: 200 }).deliverDue();
  const rows = await world.deliveries();
  expected.forEach(([url, status, error], i) => {
    const row = rows[i]!;
    assert.deepEqual([row.state, row.attempts, row.lastStatus], ["pending", 1, status], url);
    if (error === null) assert.equal(row.lastError, null);
    else assert.match(row.lastError, error);
  });
  assert.ok(!receiver.received.some(({ path }) => path === "/elsewhere"));
});

test("what a killed process had claimed is sent again with the same id when its lease ends; its successors wait", async (t) => {
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
  assert.deepEqual(types(receiver), ["intake.failed"], "another subject waits for nobody");
  world.clock.ms += 36_000;
  assert.equal(await delivery.deliverDue(), 3);
  assert.deepEqual(
    receiver.received.slice(1).map(({ headers }) => headers["webhook-id"]),
    events.map(({ id }) => id),
  );
});

test("an outcome that comes after the lease changes nothing: the new holder decides", async (t) => {
  const world = await openWorld(t);
  const application = await world.application();
  const endpointId = await world.endpoint(application, "http://127.0.0.1:1/");
  await world.append(story(application, ["intake.received"]));
  const claim = (ms: number) => claimDue(world.database, [{ endpointId, room: 1 }], new Date(ms), 35);
  const [late = assert.fail()] = await claim(START);
  const [current = assert.fail()] = await claim(START + 40_000);
  const attempt = { durationMs: 1, status: 200, answer: "", error: null, retryAfterSeconds: null };
  const dueAt = new Date(START);
  await recordOutcomes(world.database, [{ ...late, state: "delivered", dueAt, attempt: { ...attempt, at: dueAt } }]);
  assert.equal((await world.deliveries())[0]?.state, "pending");
  await recordOutcomes(world.database, [{ ...current, state: "delivered", dueAt, attempt: { ...attempt, at: dueAt } }]);
  assert.equal((await world.deliveries())[0]?.state, "delivered");
});

test("two deliverers at once send everything exactly once and in order", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver((_, response) => setTimeout(() => response.end(), Math.random() * 4));
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  const stories = Array.from({ length: 150 }, () => story(application));
  const deliverers = [world.openDelivery(), world.openDelivery()];
  // Half of the stories are told while the deliverers are at work, event by event.
  await world.append(stories.slice(0, 75).flat());
  const telling = (async () => {
    for (const index of TYPES.keys()) await world.append(stories.slice(75).map((events) => events[index]!));
  })();
  const attempts = await Promise.all(deliverers.map((deliverer) => deliverer.deliverDue()));
  await telling;
  // A deliverer may see nothing due before the telling ends, or while the other holds what is left.
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

test("a hanging endpoint doesn't delay another's deliveries", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver(({ path }, response) => {
    if (path !== "/hang") response.end();
  });
  for (const path of ["/hang", "/ok"]) {
    const application = await world.application();
    await world.endpoint(application, receiver.url + path);
    await world.append(Array.from({ length: 200 }, () => story(application, ["intake.received"])).flat());
  }
  const delivery = world.openDelivery({ attemptTimeoutMs: 60_000 });
  delivery.start();
  const arrived = () => receiver.received.filter(({ path }) => path === "/ok").length;
  for (const deadline = Date.now() + 10_000; arrived() < 200 && Date.now() < deadline;)
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  assert.equal(arrived(), 200);
  assert.ok(receiver.received.length - 200 <= 16, "one endpoint has at most 16 attempts at once");
  await delivery.stop(0);
});

test("stopping lets attempts under way end and hands everything else back, due at once", async (t) => {
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

test("an attempt that outlasts the drain is cut off and not held against the endpoint", async (t) => {
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
