import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { verifyWebhook } from "rewards-service-sdk";
import { pointsSettings } from "../src/points/settings/store.ts";
import { Refusal, UsageError } from "../src/cli/command.ts";
import { newEvents } from "../src/cli/database-feed.ts";
import { TRIGGERS } from "../src/cli/trigger-kinds.ts";
import { EVENT_TYPES } from "../src/webhooks/event.ts";
import { reviewSettings } from "../src/receipts/holding/store.ts";
import { runCommand } from "./support/commands.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";
import { openWorld, story } from "./support/webhooks-under-test.ts";

interface Triggered {
  readonly userId: string;
  readonly events: readonly { readonly type: string; readonly event: Record<string, unknown> }[];
}

let service: TestService;
let sandbox: Client;
let url: string;
before(async () => {
  service = await startService();
  sandbox = await service.newClient({ isSandbox: true });
  url = await service.app.server.listen({ port: 0, host: "127.0.0.1" });
});
after(() => service.close());

/** Triggers as an application does that has its credentials in the environment. */
async function trigger(outcome: string, { clientId, clientSecret }: Client = sandbox): Promise<Triggered> {
  const env = { REWARDS_URL: url, REWARDS_CLIENT_ID: clientId, REWARDS_CLIENT_SECRET: clientSecret };
  const [triggered] = await runCommand<Triggered>(service.database, ["trigger", outcome], { env });
  return triggered!;
}

/** Waits for what happens in the background; fails after a minute. */
async function until(isTrue: () => boolean): Promise<void> {
  for (const endsAt = Date.now() + 60_000; !isTrue(); await sleep(10))
    assert.ok(Date.now() < endsAt, "it did not come");
}

test("every event can be triggered by its name", () => {
  assert.deepEqual(
    EVENT_TYPES.filter((type) => !TRIGGERS.has(type)),
    [],
  );
});

for (const [outcome, last, errorType] of [
  ["intake.completed", "rewards.awarded", undefined],
  ["food", "rewards.awarded", undefined],
  ["old_meal_log", "intake.failed", "OLD_MEAL_LOG"],
  ["duplicate_meal", "intake.failed", "DUPLICATE_MEAL"],
  ["data_incomplete", "intake.failed", "DATA_INCOMPLETE"],
  ["no_valid_food", "intake.failed", "NO_VALID_FOOD_ITEMS"],
] as const) {
  test(`trigger ${outcome} ends with ${errorType ?? last}`, async () => {
    const { events } = await trigger(outcome);
    const found = events.find(({ type }) => type === last);
    assert.ok(found, JSON.stringify(events.map(({ type }) => type)));
    assert.equal(found.event["errorType"], errorType);
    if (outcome === "intake.completed") {
      assert.deepEqual(
        events.map(({ type }) => type),
        ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"],
      );
    }
  });
}

test("a user is found by the address, and the ledger lists the records", async () => {
  const { userId } = await trigger("food");
  const user = `--user-id=${userId}`;
  interface Listed {
    readonly transactions: readonly { readonly userID: string; readonly totalPoints: number }[];
    readonly count: number;
  }
  const [listed] = await runCommand<Listed>(service.database, ["ledger", "list", user]);
  assert.deepEqual([listed!.count, listed!.transactions[0]!.userID], [1, userId]);

  const robin = await sandbox.enrol("robin@example.org");
  const find = (email: string) =>
    runCommand<{ user: { userID: string } }>(service.database, [
      "user",
      "find",
      `--client-id=${sandbox.clientId}`,
      `--email=${email}`,
    ]);
  assert.equal((await find("Robin@Example.org"))[0]!.user.userID, robin);
  const [empty] = await runCommand<Listed>(service.database, ["ledger", "list", `--user-id=${robin}`]);
  assert.deepEqual(empty, { transactions: [], count: 0 });
  await assert.rejects(find("nobody@example.org"), Refusal);
  await assert.rejects(runCommand(service.database, ["ledger", "list", "--user-id=nobody"]), Refusal);
});

test("trigger sends the sample receipt that an outcome names", async () => {
  const { events } = await trigger("receipt_failed");
  const { event } = events.at(-1)!;
  assert.deepEqual([event["event"], event["errorCode"]], ["receipt_failed", "NOT_AUTHENTIC"]);
});

test("a receipt is held, and points expire, by triggers that change no other setting of the application", async () => {
  const { clientId, applicationId } = sandbox;
  const settings = async () => [
    await reviewSettings(service.database, applicationId),
    await pointsSettings(service.database, applicationId),
  ];
  await runCommand(service.database, ["app", "points", "--client-id", clientId, "--notice-days", "30"]);
  const before = await settings();
  const { events } = await trigger("receipt_held");
  const { type, event } = events.at(-1)!;
  assert.deepEqual([type, event["because"]], ["receipt_held", ["confidence"]]);
  assert.deepEqual(await settings(), before);
  await trigger("points.expiring");
  assert.deepEqual(await settings(), [before[0], { ...before[1], expiryMonths: 12 }]);
});

test("trigger is for sandboxes, needs credentials, and suggests the closest outcome", async () => {
  const live = await service.newClient();
  await assert.rejects(trigger("meal", live), Refusal);
  await assert.rejects(runCommand(service.database, ["trigger", "meal"]), /REWARDS_CLIENT_ID/);
  await assert.rejects(trigger("intake.complete"), /did you mean intake\.completed\?/);
});

test("listen shows the events of its application as they happen, and forwards them with valid signatures", async (context) => {
  const receiver = await startWebhookReceiver((_, response) => response.writeHead(202).end());
  const other = await service.newClient({ isSandbox: true });
  const stopped = new AbortController();
  context.after(async () => {
    stopped.abort();
    await receiver.close();
  });
  const printed: Record<string, unknown>[] = [];
  const listening = runCommand(
    service.database,
    ["listen", `--client-id=${sandbox.clientId}`, `--forward-to=${receiver.url}/hooks`, "--count=4"],
    { stopped: stopped.signal, onPrint: (value) => printed.push(value as Record<string, unknown>) },
  );
  await until(() => printed.length > 0);
  await trigger("meal", other);
  const { userId } = await trigger("meal");
  await listening;

  const [started, ...events] = printed as [{ webhookSecret: string }, ...Record<string, unknown>[]];
  const types = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];
  assert.deepEqual(
    events.map(({ type }) => type),
    types,
  );
  assert.ok(events.every(({ forwarded }) => (forwarded as { status: number }).status === 202));
  const deliveries = await Promise.all(
    receiver.received.map(({ headers, body }) => verifyWebhook(headers, body, started.webhookSecret)),
  );
  assert.deepEqual(
    deliveries.map(({ id, type }) => [id, type]),
    events.map(({ id, type }) => [id, type]),
  );
  assert.equal((deliveries[0]!.event as { userId: string }).userId, userId);
});

test("listen reports a failed forward, shows only the chosen events, and ends when it is stopped", async (context) => {
  const stopped = new AbortController();
  context.after(() => stopped.abort());
  const printed: { forwarded?: { error: string } }[] = [];
  const listening = runCommand(
    service.database,
    ["listen", `--client-id=${sandbox.clientId}`, "--events=intake.completed", "--forward-to=http://127.0.0.1:1/"],
    { stopped: stopped.signal, onPrint: (value) => printed.push(value as (typeof printed)[number]) },
  );
  await until(() => printed.length > 0);
  await trigger("meal");
  await until(() => printed.length > 1);
  stopped.abort();
  await listening;
  assert.equal(printed.length, 2);
  assert.ok(printed[1]!.forwarded!.error);
});

test("new events are found, no matter how many came just before them", async (t) => {
  const { append, application, database } = await openWorld(t);
  const owner = await application();
  await append([...story(owner), ...story(owner), ...story(owner)]);
  const stopped = new AbortController();
  const pageRows = 4;
  const events = await newEvents(database, owner, stopped.signal, pageRows);
  const news = story(owner);
  await append(news);
  const next = async () => (await events.next()).value?.id;
  const found = [await next(), await next(), await next()];
  assert.deepEqual(new Set(found), new Set(news.map(({ id }) => id)));
  stopped.abort();
  assert.equal((await events.next()).done, true);
});

test("listen refuses unknown events, addresses, counts and applications", async () => {
  const listen = (...args: string[]) =>
    runCommand(service.database, ["listen", `--client-id=${sandbox.clientId}`, ...args]);
  await assert.rejects(listen("--events=intake.done"), /there are no events intake\.done/);
  await assert.rejects(listen("--forward-to=ftp://127.0.0.1/"), UsageError);
  await assert.rejects(listen("--count=0"), UsageError);
  await assert.rejects(runCommand(service.database, ["listen", "--client-id=app_none"]), Refusal);
});
