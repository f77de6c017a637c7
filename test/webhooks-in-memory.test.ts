// What becomes of deliveries that are in memory only, sent right after the commit, when something about them changes.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { NOTHING, leftoversOf } from "./support/leftovers.ts";
import { startService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";
import type { WebhookReceiver } from "./support/webhook-receiver.ts";

const STORY = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];

/**
 * An application with a meal whose four events are in memory: its endpoint has the first, and responds to none before
 * `open` is called, then to each by this status.
 */
async function inMemory(t: TestContext, status: number) {
  const service = await startService({ env: { WEBHOOK_RETRY_SCHEDULE: "0,1,1" } });
  t.after(() => service.close());
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const receiver = await startWebhookReceiver((_, response) => {
    void opened.then(() => response.writeHead(status).end());
  });
  t.after(() => receiver.close());
  const client = await service.newClient();
  const { endpoints } = (await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: { id: string }[] }>();
  const path = `/webhooks/endpoints/${endpoints[0]!.id}`;
  const change = async (body: object) => assert.equal((await client.call("PATCH", path, body)).statusCode, 200);
  await change({ url: receiver.url });

  const rows = async (sql: string) => (await service.database.pool.query<Record<string, unknown>>(sql)).rows;
  const deliveries = () => rows("SELECT user_id, state, attempts FROM deliveries ORDER BY subject, position");
  const until = async (isDone: () => boolean | Promise<boolean>) => {
    for (const end = Date.now() + 30_000; !(await isDone()); await sleep(10)) {
      assert.ok(Date.now() < end, "not within 30 s");
    }
  };
  const eat = async (userId: string, transactionId: string) => {
    const ingredients = [{ foodId: "my-1", name: "Lentils", weight: 200, unit: "g" }];
    const about = { mealName: "Stew", imageUrl: "https://example.org/stew.jpg", mealType: "dinner" };
    const meal = { userId, transactionId, ...about, loggedAt: new Date(service.clock.ms).toISOString(), ingredients };
    const response = await client.call("POST", "/track/meals", meal);
    assert.equal(response.statusCode, 202, response.body);
  };
  const email = "in-memory@example.org";
  const userId = await client.enrol(email);
  await until(async () => (await rows("SELECT FROM delivery_leases")).length === 1);
  await eat(userId, "meal-1");
  await until(async () => receiver.received.length === 1 && (await rows("SELECT FROM events")).length === 4);
  assert.deepEqual(await deliveries(), [], "they have no rows");
  return { service, client, receiver, path, change, deliveries, until, eat, open, userId, email };
}

function namesOf({ received }: WebhookReceiver): string[] {
  return received.map(({ body }) => {
    const { event, eventType } = JSON.parse(body) as { event?: string; eventType?: string };
    return event ?? eventType!;
  });
}

test("a replay of events in memory sends each of them again, and loses none", async (t) => {
  const { client, receiver, path, deliveries, until, open } = await inMemory(t, 200);
  const replay = await client.call("POST", `${path}/replay`, { since: "2020-01-01T00:00:00Z" });
  assert.equal(replay.json<{ replayed: number }>().replayed, 4, replay.body);
  open();
  await until(() => receiver.received.length === 8);
  await until(async () => (await deliveries()).every(({ state }) => state === "delivered"));
  assert.deepEqual(namesOf(receiver).sort(), [...STORY, ...STORY].sort());
  const bodies = Map.groupBy(receiver.received, ({ headers }) => headers["webhook-id"]);
  assert.deepEqual(
    [...bodies.values()].map((same) => [same.length, new Set(same.map(({ body }) => body)).size]),
    STORY.map(() => [2, 1]),
  );
  const log = await client.call("GET", "/webhooks/deliveries?state=delivered");
  assert.equal(log.json<{ deliveries: unknown[] }>().deliveries.length, 4, log.body);
});

test("an erasure leaves nothing of what is in memory, and no error of it delays others", async (t) => {
  const { service, client, deliveries, until, eat, open, userId, email } = await inMemory(t, 500);
  await service.erase(userId);
  open();
  const other = await client.enrol();
  await eat(other, "meal-2");
  // Outcomes are written in their order.
  await until(async () => (await deliveries()).filter(({ attempts }) => Number(attempts) > 0).length === 4);
  assert.deepEqual(new Set((await deliveries()).map((each) => each["user_id"])), new Set([other]));
  assert.deepEqual(await leftoversOf(service.database, [userId, email, "meal-1"]), NOTHING);
});

test("an endpoint that gets another address gets there what its old one refuses, and all that is new", async (t) => {
  const { client, receiver, change, deliveries, until, eat, open, userId } = await inMemory(t, 500);
  await change({ url: `${client.receiver.url}/hook` });
  open();
  await client.until((events) => events.length === 4);
  await eat(userId, "meal-2");
  await client.until((events) => events.length === 8);
  await until(async () => (await deliveries()).every(({ state }) => state === "delivered"));
  assert.deepEqual(namesOf(receiver), STORY, "what was on its way");
  assert.deepEqual(namesOf(client.receiver).sort(), [...STORY, ...STORY].sort());
});

test("another choice of events is about later events, not about those in memory", async (t) => {
  const { receiver, change, deliveries, until, eat, open, userId } = await inMemory(t, 200);
  await change({ events: ["rewards.awarded"] });
  open();
  await until(() => receiver.received.length === 4);
  await eat(userId, "meal-2");
  await until(() => receiver.received.length === 5);
  await until(async () => (await deliveries()).length === 5);
  assert.deepEqual(namesOf(receiver), [...STORY, "rewards.awarded"]);
});

test("an endpoint that is disabled keeps what fails of its events in memory until it is enabled", async (t) => {
  const { client, receiver, change, deliveries, until, eat, open, userId } = await inMemory(t, 500);
  await change({ disabled: true });
  open();
  await eat(userId, "meal-2");
  await until(async () => (await deliveries()).length === 8);
  assert.deepEqual(namesOf(receiver), STORY, "nothing of the second meal");
  await change({ disabled: false, url: `${client.receiver.url}/hook` });
  await client.until((events) => events.length === 8);
});

test("an endpoint that is removed gets what is in memory at most once, and leaves nothing pending", async (t) => {
  const { client, receiver, path, deliveries, until, eat, open, userId } = await inMemory(t, 500);
  assert.equal((await client.call("DELETE", path)).statusCode, 200);
  const added = await client.call("POST", "/webhooks/endpoints", { url: `${client.receiver.url}/hook` });
  assert.equal(added.statusCode, 200, added.body);
  open();
  await eat(userId, "meal-2");
  await client.until((events) => events.length === 4);
  await until(async () => (await deliveries()).length === 4);
  assert.ok((await deliveries()).every(({ state }) => state === "delivered"));
  assert.deepEqual(namesOf(receiver), STORY);
});
