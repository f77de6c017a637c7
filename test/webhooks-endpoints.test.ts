import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ENDPOINTS_MAX } from "../src/webhooks/endpoints/endpoint.ts";
import { verify } from "../src/webhooks/sign.ts";
import { food } from "../bench/submissions.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";
import type { Received, WebhookReceiver } from "./support/webhook-receiver.ts";

const HOUR_MS = 3_600_000;

let service: TestService;
const receivers: WebhookReceiver[] = [];
before(async () => {
  service = await startService();
});
after(async () => {
  await service.close();
  for (const receiver of receivers) await receiver.close();
});

interface Endpoint {
  id: string;
  url: string;
  secret: string;
  disabled: boolean;
  disabledReason: string | null;
  previousSecretValidUntil: string | null;
  events: string[] | null;
}
interface Delivery {
  id: string;
  endpointId: string;
  event: string;
  state: string;
  attempts: { status: number | null; answer: string }[];
}

/** An application, and a receiver of its own beside the one it has. */
async function arrange(settings: object = {}) {
  const client = await service.newClient();
  const receiver = await startWebhookReceiver();
  receivers.push(receiver);
  const answer = await client.call("POST", "/webhooks/endpoints", { url: `${receiver.url}/second`, ...settings });
  assert.equal(answer.statusCode, 200, answer.body);
  return { client, receiver, endpoint: answer.json<Endpoint>() };
}

/** One food that earns: four events. */
async function eat(client: Client): Promise<void> {
  const body = food(await client.enrol(), `food-${Math.random()}`, 0);
  const answer = await client.call("POST", "/track/food", body);
  assert.equal(answer.statusCode, 202, answer.body);
}

/** Waits until there are `count` deliveries; fails after a minute. */
async function arrived(receiver: WebhookReceiver, count: number): Promise<Received[]> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(10)) {
    if (receiver.received.length >= count) return receiver.received;
  }
  return assert.fail(`${receiver.received.length} of ${count} deliveries came`);
}

function eventOf({ body }: Received): string {
  const { event, eventType } = JSON.parse(body) as { event?: string; eventType?: string };
  return event ?? eventType ?? "";
}

function nowSeconds(): number {
  return Date.now() / 1_000;
}

test("an endpoint is shown with its secret once, and that secret verifies its deliveries", async () => {
  const { client, receiver, endpoint } = await arrange({ description: "second" });
  assert.match(endpoint.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const listed = await client.call("GET", "/webhooks/endpoints");
  assert.equal(listed.json<{ count: number }>().count, 2);
  const read = await client.call("GET", `/webhooks/endpoints/${endpoint.id}`);
  assert.equal(read.json<Endpoint>().url, endpoint.url);
  for (const { body } of [listed, read]) assert.ok(!body.includes("whsec_"));
  await eat(client);
  const [first] = await arrived(receiver, 1);
  assert.equal(verify(first!.headers, first!.body, endpoint.secret, nowSeconds()).kind, "verified");
  assert.equal(verify(first!.headers, first!.body, client.webhookSecret, nowSeconds()).kind, "refused");
});

test("each endpoint gets the events it chose, and another choice applies from then on", async () => {
  const { client, receiver, endpoint } = await arrange({ events: ["intake.completed"] });
  await eat(client);
  await client.until((events) => events.length === 4);
  await arrived(receiver, 1);
  assert.deepEqual(receiver.received.map(eventOf), ["intake.completed"]);
  const changed = await client.call("PATCH", `/webhooks/endpoints/${endpoint.id}`, { events: null });
  assert.equal(changed.json<Endpoint>().events, null);
  await eat(client);
  await arrived(receiver, 5);
  assert.equal(receiver.received.length, 5);
});

test("an endpoint registered as disabled gets nothing until it is enabled, and then everything in order", async () => {
  const { client, receiver, endpoint } = await arrange({ disabled: true });
  assert.deepEqual([endpoint.disabled, endpoint.disabledReason], [true, "requested"]);
  await eat(client);
  await client.until((events) => events.length === 4);
  assert.equal(receiver.received.length, 0);
  const enabled = await client.call("PATCH", `/webhooks/endpoints/${endpoint.id}`, { disabled: false });
  assert.deepEqual([enabled.json<Endpoint>().disabled, enabled.json<Endpoint>().disabledReason], [false, null]);
  const came = await arrived(receiver, 4);
  assert.deepEqual(came.map(eventOf), ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"]);
});

test("after a rotation both secrets verify for a day, then only the new one", async () => {
  const { client, receiver, endpoint } = await arrange({ events: ["intake.received"] });
  const rotated = (await client.call("POST", `/webhooks/endpoints/${endpoint.id}/rotate-secret`)).json<Endpoint>();
  assert.notEqual(rotated.secret, endpoint.secret);
  const hoursLeft = (Date.parse(rotated.previousSecretValidUntil!) - Date.now()) / HOUR_MS;
  assert.ok(hoursLeft > 23 && hoursLeft < 25, `${hoursLeft} hours`);
  await eat(client);
  const [during] = await arrived(receiver, 1);
  for (const secret of [endpoint.secret, rotated.secret]) {
    assert.equal(verify(during!.headers, during!.body, secret, nowSeconds()).kind, "verified");
  }
  service.clock.ms += 25 * HOUR_MS;
  try {
    await eat(client);
    const [, later] = await arrived(receiver, 2);
    const inADay = nowSeconds() + 25 * 3_600;
    assert.equal(verify(later!.headers, later!.body, rotated.secret, inADay).kind, "verified");
    assert.equal(verify(later!.headers, later!.body, endpoint.secret, inADay).kind, "refused");
    assert.doesNotMatch(String(later!.headers["webhook-signature"]), / /);
  } finally {
    service.clock.ms -= 25 * HOUR_MS;
  }
});

test("a test event goes to its endpoint only, independent of its choice of events, and is in the log", async () => {
  const { client, receiver, endpoint } = await arrange({ events: ["receipt_failed"] });
  const asked = await client.call("POST", `/webhooks/endpoints/${endpoint.id}/test`);
  assert.equal(asked.statusCode, 200, asked.body);
  const [came] = await arrived(receiver, 1);
  assert.deepEqual([eventOf(came!), came!.path], ["webhook.test", "/second"]);
  assert.equal(verify(came!.headers, came!.body, endpoint.secret, nowSeconds()).kind, "verified");
  const delivery = await until(client, asked.json<Delivery>().id, ({ state }) => state === "delivered");
  assert.deepEqual(
    [delivery.event, delivery.attempts[0]?.status, delivery.attempts[0]?.answer],
    ["webhook.test", 200, "ok"],
  );
  assert.equal(client.receiver.received.length, 0, "the other endpoint gets none");
});

async function until(client: Client, id: string, isThere: (delivery: Delivery) => boolean): Promise<Delivery> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(10)) {
    const delivery = (await client.call("GET", `/webhooks/deliveries/${id}`)).json<Delivery>();
    if (isThere(delivery)) return delivery;
  }
  return assert.fail("the delivery did not reach the expected state");
}

/** Waits until the log has that many deliveries: each is in it when its first attempt has ended. */
async function logged(client: Client, endpointId: string, wanted: number): Promise<void> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline; await sleep(10)) {
    const log = await client.call("GET", `/webhooks/deliveries?endpointId=${endpointId}`);
    if (log.json<{ deliveries: Delivery[] }>().deliveries.length === wanted) return;
  }
  assert.fail("the log has not all deliveries");
}

test("the log shows all deliveries; one delivery, or all since a time, can be sent again", async () => {
  const { client, receiver, endpoint } = await arrange();
  await eat(client);
  await arrived(receiver, 4);
  await logged(client, endpoint.id, 4);
  const log = await client.call("GET", `/webhooks/deliveries?endpointId=${endpoint.id}&pageSize=3`);
  const { deliveries, next } = log.json<{ deliveries: Delivery[]; next: string }>();
  assert.equal(deliveries.length, 3);
  assert.equal(next, deliveries[2]!.id);
  assert.ok(String(log.headers.link).includes(`before=${next}`));
  const rest = await client.call("GET", `/webhooks/deliveries?endpointId=${endpoint.id}&before=${next}`);
  assert.deepEqual([rest.json<{ deliveries: Delivery[] }>().deliveries.length, rest.headers.link], [1, undefined]);

  const again = await client.call("POST", `/webhooks/deliveries/${deliveries[0]!.id}/retry`);
  assert.equal(again.statusCode, 200, again.body);
  await arrived(receiver, 5);
  const since = new Date(Date.now() - HOUR_MS).toISOString();
  const all = await client.call("POST", `/webhooks/endpoints/${endpoint.id}/replay`, { since });
  assert.ok(all.json<{ replayed: number }>().replayed >= 3, all.body);
  const failed = await client.call("POST", `/webhooks/endpoints/${endpoint.id}/replay`, { only: "failed" });
  const { id, ...shown } = failed.json<{ id: string; replayed: number; nextSince: null; state: string }>();
  assert.deepEqual([shown.replayed, shown.nextSince, shown.state], [0, null, "finished"]);
  assert.deepEqual((await client.call("GET", `/webhooks/replays/${id}`)).json(), failed.json());
  assert.equal((await client.call("GET", `/webhooks/replays/${endpoint.id}`)).statusCode, 404);
  await arrived(receiver, 8);
  assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 4);
});

test("a removed endpoint is not found, and gets nothing more", async () => {
  const { client, receiver, endpoint } = await arrange();
  assert.deepEqual((await client.call("DELETE", `/webhooks/endpoints/${endpoint.id}`)).json(), { id: endpoint.id });
  assert.equal((await client.call("DELETE", `/webhooks/endpoints/${endpoint.id}`)).statusCode, 404);
  await eat(client);
  await client.until((events) => events.length === 4);
  assert.equal(receiver.received.length, 0);
});

test("another application's endpoints and deliveries are not found", async () => {
  const { client, endpoint } = await arrange();
  const stranger = await service.newClient();
  const asked = (await client.call("POST", `/webhooks/endpoints/${endpoint.id}/test`)).json<Delivery>();
  const paths: ["GET" | "POST" | "PATCH" | "DELETE", string, object?][] = [
    ["GET", `/webhooks/endpoints/${endpoint.id}`],
    ["PATCH", `/webhooks/endpoints/${endpoint.id}`, { disabled: true }],
    ["DELETE", `/webhooks/endpoints/${endpoint.id}`],
    ["POST", `/webhooks/endpoints/${endpoint.id}/rotate-secret`],
    ["POST", `/webhooks/endpoints/${endpoint.id}/test`],
    ["POST", `/webhooks/endpoints/${endpoint.id}/replay`, { only: "failed" }],
    ["GET", `/webhooks/deliveries/${asked.id}`],
    ["POST", `/webhooks/deliveries/${asked.id}/retry`],
    ["GET", "/webhooks/deliveries/nonsense"],
    ["PATCH", "/webhooks/endpoints/nonsense", {}],
  ];
  for (const [method, path, body] of paths) {
    assert.equal((await stranger.call(method, path, body)).statusCode, 404, `${method} ${path}`);
  }
  const log = await stranger.call("GET", `/webhooks/deliveries?endpointId=${endpoint.id}`);
  assert.deepEqual(log.json<{ deliveries: Delivery[] }>().deliveries, []);
  assert.equal((await client.call("GET", "/webhooks/endpoints")).json<{ endpoints: Endpoint[] }>().endpoints.length, 2);
});

test("errors of a request name its members", async () => {
  const { client, endpoint } = await arrange();
  const errors = async (method: "GET" | "POST" | "PATCH", path: string, body?: object): Promise<string[]> => {
    const answer = await client.call(method, path, body);
    assert.equal(answer.statusCode, 400, `${path} ${JSON.stringify(body)}: ${answer.body}`);
    return Object.keys(answer.json<{ errors: object }>().errors);
  };
  const url = endpoint.url;
  assert.deepEqual(await errors("POST", "/webhooks/endpoints", {}), ["url"]);
  const [unknown] = await errors("POST", "/webhooks/endpoints", { url, events: ["intake.eaten"] });
  assert.equal(unknown, "events[0]");
  assert.deepEqual(await errors("POST", "/webhooks/endpoints", { url, events: [] }), ["events"]);
  assert.deepEqual(await errors("PATCH", `/webhooks/endpoints/${endpoint.id}`, { disabled: "yes" }), ["disabled"]);
  assert.deepEqual(await errors("POST", `/webhooks/endpoints/${endpoint.id}/replay`, {}), ["since"]);
  assert.deepEqual(await errors("POST", `/webhooks/endpoints/${endpoint.id}/replay`, { since: "noon" }), ["since"]);
  assert.deepEqual(await errors("GET", "/webhooks/deliveries?state=lost&before=x&pageSize=-1&endpointId=1"), [
    "endpointId",
    "state",
    "before",
    "pageSize",
  ]);
  const all = { url: "ftp://example.org", events: [], disabled: "yes" };
  assert.deepEqual((await errors("POST", "/webhooks/endpoints", all)).toSorted(), ["disabled", "events", "url"]);
});

test("an application has a bounded number of endpoints", async () => {
  const client = await service.newClient();
  const add = () => client.call("POST", "/webhooks/endpoints", { url: `${client.receiver.url}/more` });
  // More at once than there is room for: the first endpoint came with the client.
  const responses = await Promise.all(Array.from({ length: ENDPOINTS_MAX + 3 }, add));
  const refused = responses.filter(({ statusCode }) => statusCode !== 200);
  assert.equal(responses.length - refused.length, ENDPOINTS_MAX - 1);
  for (const answer of refused) {
    assert.deepEqual([answer.statusCode, Object.keys(answer.json<{ errors: object }>().errors)], [400, ["url"]]);
  }
});

test("a registration sent twice with one Idempotency-Key creates one endpoint", async () => {
  const client = await service.newClient();
  const register = () =>
    service.app.server.inject({
      method: "POST",
      url: "/webhooks/endpoints?api-version=1.0",
      headers: { ...client.headers, "idempotency-key": "register-once" },
      payload: { url: `${client.receiver.url}/once` },
    });
  const [first, second] = [await register(), await register()];
  assert.deepEqual(second.json(), first.json());
  assert.equal((await client.call("GET", "/webhooks/endpoints")).json<{ count: number }>().count, 2);
});
