import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook } from "rewards-service-sdk";
import { food } from "../bench/submissions.ts";
import { setSecretHash, setSuspended } from "../src/applications/store.ts";
import { UsageError } from "../src/cli/command.ts";
import { runCommand } from "./support/commands.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";

let service: TestService;
let client: Client;
let url: string;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
  url = await service.app.server.listen({ port: 0, host: "127.0.0.1" });
});
after(() => service.close());

interface FeedPage {
  readonly events: readonly { id: string; event: string; subjectId: string; sequence: number; payload: object }[];
  readonly next: string;
}

async function read(query: string, by = client): Promise<FeedPage> {
  const response = await by.call("GET", `/events?${query}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<FeedPage>();
}

const eat = async (by = client) => {
  const response = await by.call("POST", "/track/food", food(await by.enrol(), `food-${Math.random()}`, 0));
  assert.equal(response.statusCode, 202, response.body);
};

/** Reads until `count` events have come; fails after a minute. */
async function readUntil(count: number, from: string, by = client) {
  const events: FeedPage["events"][number][] = [];
  let next = from;
  for (const endsAt = Date.now() + 60_000; events.length < count && Date.now() < endsAt;) {
    const page = await read(`after=${next}&wait=5`, by);
    events.push(...page.events);
    next = page.next;
  }
  return { events, next };
}

const STORY = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];

test("an application polls its own events, each once and in order, and no other application's", async () => {
  const other = await service.newClient({ isSandbox: true });
  await eat();
  await client.until((events) => events.length >= 4);
  const [{ next }, { next: othersNext }] = [await read(""), await read("", other)];
  await Promise.all([eat(), eat(other)]);
  const { events, next: end } = await readUntil(4, next);
  assert.deepEqual(
    events.map(({ event }) => event),
    STORY,
  );
  assert.equal(new Set(events.map(({ subjectId }) => subjectId)).size, 1);
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    [1, 2, 3, 5],
  );
  await client.until((all) => all.length >= 8);
  const sent = client.receiver.received.find(({ headers }) => headers["webhook-id"] === events[2]!.id);
  assert.deepEqual(events[2]!.payload, JSON.parse(sent!.body));
  assert.deepEqual((await read(`after=${end}`)).events, []);
  // A place is no right: with another application's place one reads one's own events.
  const own = await readUntil(4, next, other);
  const ids = new Set(events.map(({ id }) => id));
  assert.ok(own.events.every(({ id }) => !ids.has(id)));
  assert.equal((await readUntil(4, othersNext, other)).events.length, 4);
});

test("wrong parameters of the feed are refused", async () => {
  const { next } = await read("");
  for (const query of [
    "after=x",
    `after=${next}a`,
    "wait=26",
    "wait=-1",
    "since=now",
    `after=${next}&since=2026-01-01T00:00:00Z`,
    "from=1",
  ]) {
    assert.equal((await client.call("GET", `/events?${query}`)).statusCode, 400, query);
  }
});

test("a waiting call holds no connection, more than two of an application are refused, and an event ends it", async () => {
  const clients = await Promise.all(Array.from({ length: 6 }, () => service.newClient({ isSandbox: true })));
  const places = await Promise.all(clients.map((each) => read("", each)));
  const waiting = clients.flatMap((each, i) =>
    [1, 2].map(() => each.call("GET", `/events?after=${places[i]!.next}&wait=20`)),
  );
  await sleep(1_500);
  const third = await clients[0]!.call("GET", `/events?after=${places[0]!.next}&wait=20`);
  assert.deepEqual([third.statusCode, third.headers["retry-after"]], [429, "1"]);
  assert.equal((await clients[0]!.call("GET", `/events?after=${places[0]!.next}`)).statusCode, 200, "without waiting");
  // Twelve calls wait, with a pool of eight connections.
  const { pool } = service.database;
  const free: number[] = [];
  for (let i = 0; i < 40; i++, await sleep(20)) free.push(pool.options.max - (pool.totalCount - pool.idleCount));
  assert.ok(Math.max(...free) >= pool.options.max - 2, String(free));
  await Promise.all(clients.map((each) => eat(each)));
  const ended = await Promise.all(waiting);
  assert.ok(ended.every((response) => response.json<FeedPage>().events.length > 0));
  const again = await clients[0]!.call("GET", `/events?after=${places[0]!.next}&wait=1`);
  assert.equal(again.statusCode, 200, "its places are free again");
});

test("a suspension, or another secret, ends a waiting call long before its time", async () => {
  const [suspended, rotated] = [await service.newClient(), await service.newClient()];
  const places = [await read("", suspended), await read("", rotated)];
  const waiting = [suspended, rotated].map((each, i) => each.call("GET", `/events?after=${places[i]!.next}&wait=20`));
  await sleep(500);
  const [at, secret] = [new Date(), { hash: randomBytes(32), previousUntil: null }];
  await setSuspended(service.database, suspended.clientId, at, at);
  await setSecretHash(service.database, rotated.clientId, secret, at);
  const responses = await Promise.all(waiting);
  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode),
    [403, 401],
  );
});

test("a page is bounded by bytes, and its pages reach every event", async () => {
  const large = await service.newClient();
  const sql = `INSERT INTO events (user_id, subject, position, id, application_id, type, body, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 1, ('0192f0c1-' || lpad(to_hex(n), 4, '0') || '-7001-8000-000000000000')::uuid,
           $1, 'intake.received', '{"text":"' || repeat('x', 300000) || '"}', now() FROM generate_series(1, 25) AS n`;
  await service.database.pool.query(sql, [large.applicationId]);
  let [query, count, bytesMax] = ["since=2024-01-01T00:00:00Z", 0, 0];
  for (;;) {
    const response = await large.call("GET", `/events?${query}`);
    const { events, next } = response.json<FeedPage>();
    if (events.length === 0) break;
    count += events.length;
    bytesMax = Math.max(bytesMax, response.body.length);
    query = `after=${next}`;
  }
  assert.equal(count, 25);
  assert.ok(bytesMax < 1_400_000, String(bytesMax));
});

test("listen works by credentials and an address alone, forwards with signatures, and refuses wrong credentials", async (context) => {
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(202).end());
  context.after(() => receiver.close());
  const main = join(import.meta.dirname, "..");
  const env = {
    PATH: process.env["PATH"],
    // A database that is not there.
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    REWARDS_CLIENT_ID: client.clientId,
    REWARDS_CLIENT_SECRET: client.clientSecret,
  };
  const args = [
    "bin/run.mjs",
    "src/cli.ts",
    "listen",
    `--url=${url}`,
    `--forward-to=${receiver.url}/`,
    "--count=4",
    "--json",
  ];
  const listener = spawn(process.execPath, args, { cwd: main, env });
  context.after(() => listener.kill());
  let output = "";
  let errors = "";
  listener.stdout.on("data", (chunk) => (output += String(chunk)));
  listener.stderr.on("data", (chunk) => (errors += String(chunk)));
  const exit = once(listener, "exit");
  for (const endsAt = Date.now() + 60_000; !output.includes("webhookSecret"); await sleep(20)) {
    assert.ok(Date.now() < endsAt && listener.exitCode === null, errors);
  }
  await eat();
  assert.deepEqual(await exit, [0, null], errors);
  const [started, ...events] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    events.map(({ type }) => type),
    STORY,
  );
  const secret = String(started!["webhookSecret"]);
  const verified = await Promise.all(
    receiver.received.map(({ headers, body }) => verifyWebhook(headers, body, secret)),
  );
  assert.deepEqual(
    verified.map(({ type, sequence }) => [type, sequence]),
    STORY.map((type, i) => [type, [1, 2, 3, 5][i]]),
  );
  assert.ok(!output.includes(client.clientSecret) && !errors.includes(client.clientSecret));

  const wrong = { REWARDS_URL: url, REWARDS_CLIENT_ID: client.clientId, REWARDS_CLIENT_SECRET: "wrong" };
  await assert.rejects(runCommand(service.database, ["listen"], { env: wrong }), { status: 401 });
  await assert.rejects(runCommand(service.database, ["listen"]), UsageError);
});

test("a service that stops ends its waiting calls at once", async () => {
  const stopping = await startService({ isWorking: false });
  const waiter = await stopping.newClient();
  const address = await stopping.app.server.listen({ port: 0, host: "127.0.0.1" });
  const get = (query: string) => fetch(`${address}/events?api-version=1.0&${query}`, { headers: waiter.headers });
  const { next } = (await (await get("")).json()) as FeedPage;
  const arrived = once(stopping.app.server.server, "request");
  const waiting = get(`after=${next}&wait=25`);
  await arrived;
  await sleep(300);
  const startedAt = performance.now();
  const stopped = stopping.close();
  assert.deepEqual(((await (await waiting).json()) as FeedPage).events, []);
  assert.ok(performance.now() - startedAt < 10_000);
  await stopped;
});
