import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { presentEndpoint } from "../src/webhooks/endpoints/endpoint.ts";
import { changeEndpoint } from "../src/webhooks/endpoints/store.ts";
import { presentEntry } from "../src/webhooks/log/entry.ts";
import { listEntries } from "../src/webhooks/log/store.ts";
import { signingSecret, verify } from "../src/webhooks/sign.ts";
import { ALL, KEY, START, openWorld, story } from "./support/webhooks-under-test.ts";

test("a failed attempt is retried on schedule: same id and body, new time and signature, until the last", async (t) => {
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

test("410 disables the endpoint, which shows it; later events are stored, and sent in order once it is enabled", async (t) => {
  const world = await openWorld(t);
  let isGone = true;
  const receiver = await world.receiver((_, response) => response.writeHead(isGone ? 410 : 200).end());
  const application = await world.application();
  const id = await world.endpoint(application, receiver.url);
  const first = story(application);
  await world.append(first);
  const delivery = world.openDelivery();
  assert.equal(await delivery.deliverDue(), 1);
  const { disabledAt, disabledReason } = presentEndpoint(await world.endpointNow(id), new Date(START));
  assert.deepEqual([disabledAt, disabledReason], [new Date(START).toISOString(), "gone"]);

  await world.append(story(application));
  world.clock.ms += 86_400_000;
  assert.equal(await delivery.deliverDue(), 0);

  isGone = false;
  await changeEndpoint(world.database, id, { isDisabled: false }, new Date(world.clock.ms));
  assert.equal(await delivery.deliverDue(), 6);
  // The first event was attempted before; of different submissions there is no order.
  const later = first.slice(1).map(({ id: eventId }) => eventId);
  assert.deepEqual(
    receiver.received.map(({ headers }) => String(headers["webhook-id"])).filter((eventId) => later.includes(eventId)),
    later,
  );
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 6);
});

test("an endpoint without success for five days is disabled, and one success restarts the count", async (t) => {
  const world = await openWorld(t);
  let status = 500;
  const receiver = await world.receiver((_, response) => response.writeHead(status).end());
  const application = await world.application();
  const id = await world.endpoint(application, receiver.url);
  const sendEvent = async () => {
    await world.append(story(application, ["intake.received"]));
    return world.openDelivery({ scheduleSeconds: [0] }).deliverDue();
  };
  const health = async () => {
    const { failingSince, disabledReason } = await world.endpointNow(id);
    return [failingSince?.getTime() ?? null, disabledReason];
  };
  const DAY_MS = 86_400_000;

  await sendEvent();
  assert.deepEqual(await health(), [START, null]);
  world.clock.ms = START + 4 * DAY_MS;
  status = 200;
  await sendEvent();
  assert.deepEqual(await health(), [null, null]);

  status = 503;
  const failingSince = START + 5 * DAY_MS;
  for (const days of [5, 8, 9.9]) {
    world.clock.ms = START + days * DAY_MS;
    await sendEvent();
    assert.deepEqual(await health(), [failingSince, null], `${days} days`);
  }
  world.clock.ms = START + 10 * DAY_MS;
  await sendEvent();
  assert.deepEqual(await health(), [failingSince, "failing"]);
  assert.equal(await sendEvent(), 0, "nothing more is sent to it");
  await changeEndpoint(world.database, id, { isDisabled: false }, new Date(world.clock.ms));
  assert.deepEqual(await health(), [null, null], "enabling is a fresh start");
});

test("every attempt is logged with its time, duration, status and the first characters of the response, printable", async (t) => {
  const world = await openWorld(t);
  const bodies = ["out\0 of \u001b[31morder\u202e", "x".repeat(2_000), "thanks"];
  const receiver = await world.receiver((_, response) => {
    const body = bodies.shift();
    response.writeHead(body === "thanks" ? 200 : 500).end(body);
  });
  const application = await world.application();
  await world.endpoint(application, receiver.url);
  await world.append(story(application, ["intake.received"]));
  const delivery = world.openDelivery();
  for (const seconds of [0, 6, 301]) {
    world.clock.ms += seconds * 1_000;
    assert.equal(await delivery.deliverDue(), 1);
  }
  const [entry = assert.fail()] = (await listEntries(world.database, application, ALL)).entries;
  const shown = presentEntry(entry);
  assert.deepEqual(
    shown.attempts.map(({ at, status, answer, error }) => [(Date.parse(at) - START) / 1_000, status, answer, error]),
    [
      [0, 500, "out\\u0000 of \\u001b[31morder\\u202e", null],
      [6, 500, "x".repeat(512), null],
      [307, 200, "thanks", null],
    ],
  );
  assert.ok(shown.attempts.every(({ durationMs }) => Number.isInteger(durationMs)));
  assert.deepEqual([shown.state, shown.nextAttemptAt], ["delivered", null]);
});

test("a redirect, a hanging endpoint, a closed port and a private address are failures that the log distinguishes", async (t) => {
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
  await world.openDelivery({ attemptTimeoutMs: 1_000 }).deliverDue();
  const rows = await world.deliveries();
  expected.forEach(([url, status, error], i) => {
    const row = rows[i]!;
    assert.deepEqual([row.state, row.attempts, row.lastStatus], ["pending", 1, status], url);
    if (error === null) assert.equal(row.lastError, null);
    else assert.match(row.lastError, error);
  });
  assert.ok(!receiver.received.some(({ path }) => path === "/elsewhere"));
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
  for (const deadline = Date.now() + 60_000; arrived() < 200 && Date.now() < deadline;) await sleep(10);
  assert.equal(arrived(), 200);
  assert.ok(receiver.received.length - 200 <= 16, "one endpoint has at most 16 attempts at once");
  await delivery.stop(0);
});

test("any number of endpoints that hang delay only one another", async (t) => {
  const world = await openWorld(t);
  const receiver = await world.receiver(({ path }, response) => {
    if (path === "/ok") response.end();
  });
  const application = await world.application();
  const hanging: string[] = [];
  for (let i = 0; i < 19; i++) hanging.push(await world.endpoint(application, `${receiver.url}/hang`));
  await world.append(story(application, ["intake.received"]));
  await world.openDelivery({ attemptTimeoutMs: 200 }).deliverDue();
  for (const id of hanging) assert.notEqual((await world.endpointNow(id)).failingSince, null);

  const other = await world.application();
  await world.endpoint(other, `${receiver.url}/ok`);
  await world.append(Array.from({ length: 100 }, () => story(application, ["intake.received"])).flat());
  await world.append(Array.from({ length: 100 }, () => story(other, ["intake.received"])).flat());
  const delivery = world.openDelivery({ attemptTimeoutMs: 60_000 });
  delivery.start();
  const arrived = () => receiver.received.filter(({ path }) => path === "/ok").length;
  for (const deadline = Date.now() + 60_000; arrived() < 100 && Date.now() < deadline;) await sleep(10);
  assert.equal(arrived(), 100);
  await delivery.stop(0);
});
