// The figures of deliveries: each that ends counts once, on its day, whatever happens to the process or the endpoint.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parseCsv } from "../src/csv/csv.ts";
import { foldAll } from "../src/reports/fold.task.ts";
import { DAY_MS } from "../src/time.ts";
import { claimDue, recordOutcomes } from "../src/webhooks/store.ts";
import { runCommand } from "./support/commands.ts";
import { FOUR, openDirect, started, until } from "./support/direct-delivery.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";
import type { WebhookReceiver } from "./support/webhook-receiver.ts";
import { START, openWorld, story } from "./support/webhooks-under-test.ts";

interface Row {
  readonly from: string;
  readonly firstAttempt: number;
  readonly afterRetries: number;
  readonly replayed: number;
  readonly failed: number;
  readonly medianSeconds: number | null;
  readonly p95Seconds: number | null;
}

const NO_SHOPS: ReadonlySet<string> = new Set();
const never = new AbortController().signal;
/** What the second endpoint responds with, in turn; 200 when there is no more. */
const statuses: number[] = [];
let service: TestService;
let receiver: WebhookReceiver;
before(async () => {
  service = await startService({ env: { WEBHOOK_RETRY_SCHEDULE: "0,1" } });
  service.setClock(Date.parse("2026-11-18T10:00:00Z"));
  receiver = await startWebhookReceiver((_, response) => response.writeHead(statuses.shift() ?? 200).end());
});
after(async () => {
  await service.close();
  await receiver.close();
});

const fold = () => foldAll(service.database, NO_SHOPS, never);

async function read(client: Client, query = ""): Promise<{ rows: Row[]; completeSince: string | null }> {
  return client.get(`/reports/deliveries?timeframe=today${query}`);
}

/** The counts of today, when there are as many as `ended`. */
async function counted(client: Client, ended: number, query = ""): Promise<number[]> {
  for (const deadline = Date.now() + 20_000; ; await sleep(20)) {
    const { firstAttempt, afterRetries, replayed, failed } = (await read(client, query)).rows[0]!;
    const counts = [firstAttempt, afterRetries, replayed, failed];
    if (counts.reduce((a, b) => a + b) === ended || Date.now() > deadline) return counts;
  }
}

/** An event of its own. */
async function gift(client: Client, userId: string): Promise<void> {
  await client.post(`/users/${userId}/adjustments`, { points: 5, reason: "Gift", reference: randomUUID() }, 200);
}

/** An application whose second endpoint responds with `statuses`. */
async function withTwoEndpoints() {
  const client = await service.newClient();
  const userId = await client.enrol();
  const { endpoints } = await client.get<{ endpoints: { id: string }[] }>("/webhooks/endpoints");
  const added = await client.post("/webhooks/endpoints", { url: `${receiver.url}/hook` }, 200);
  const { id } = added as unknown as { id: string };
  return { client, userId, well: endpoints[0]!.id, second: id };
}

test("each delivery counts once, by how it ended: all together, of one endpoint, and of no other application", async () => {
  const { client, userId, well, second } = await withTwoEndpoints();
  statuses.push(200, 500, 200, 500, 500);
  for (const ended of [2, 4, 6]) {
    await gift(client, userId);
    await counted(client, ended);
  }
  assert.deepEqual(await counted(client, 6), [4, 1, 0, 1]);
  assert.deepEqual(await counted(client, 3, `&endpointId=${well}`), [3, 0, 0, 0]);
  assert.deepEqual(await counted(client, 3, `&endpointId=${second}`), [1, 1, 0, 1]);
  const all = await read(client);
  const [row] = all.rows;
  // One came by its second attempt, a second later; how soon the others come depends on the machine.
  assert.ok(row!.p95Seconds! >= 1 && row!.medianSeconds! > 0 && row!.medianSeconds! <= row!.p95Seconds!);
  assert.equal(all.completeSince, null);
  await client.post(`/webhooks/endpoints/${second}/test`, {}, 200);
  await client.post(`/webhooks/endpoints/${well}/test`, {}, 200);
  await client.until((events) => events.some(({ event }) => event === "webhook.test"));
  await sleep(200);
  await fold();
  assert.deepEqual(await read(client), all, "tests do not count, and it is the same once it is added up");
  await fold();
  const csv = await client.call("GET", "/reports/deliveries?timeframe=today&format=csv");
  const written = Object.entries(row!).map(([column, value]) => [column, String(value ?? "")]);
  assert.deepEqual(parseCsv(csv.body), [Object.fromEntries(written)]);

  const other = await service.newClient();
  assert.deepEqual(await counted(other, 0), [0, 0, 0, 0]);
  const theirs = await other.call("GET", `/reports/deliveries?endpointId=${second}`);
  assert.equal(theirs.statusCode, 400);
  assert.match(theirs.body, /is no endpoint of this application/);
  assert.match((await client.call("GET", "/reports/deliveries?endpointId=x")).body, /is no endpoint/);
  assert.match((await client.call("GET", `/reports/users?endpointId=${well}`)).body, /of the report deliveries alone/);
  const shown = ["report", "show", "deliveries", `--client-id=${client.clientId}`, `--endpoint-id=${second}`];
  const [printed] = await runCommand<{ rows: Row[] }>(service.database, [
    ...shown,
    "--timeframe=2026-11-18/2026-11-18",
  ]);
  assert.deepEqual(printed!.rows, (await read(client, `&endpointId=${second}`)).rows);
});

test("what is sent again on request counts apart and has no time; a day that is over does not change", async () => {
  const { client, userId, second } = await withTwoEndpoints();
  statuses.push(500, 500);
  await gift(client, userId);
  await counted(client, 2);
  await gift(client, userId);
  assert.deepEqual(await counted(client, 4), [3, 0, 0, 1]);
  const before = await read(client);
  service.clock.ms += DAY_MS;
  try {
    // Also events from before the endpoint was made: their time would be a day.
    const late = (await client.post("/webhooks/endpoints", { url: `${receiver.url}/late` }, 200)) as unknown as {
      id: string;
    };
    const since = new Date(service.now().getTime() - 2 * DAY_MS).toISOString();
    await client.post(`/webhooks/endpoints/${late.id}/replay`, { since }, 200);
    assert.deepEqual(await counted(client, 2), [0, 0, 2, 0]);
    await client.post(`/webhooks/endpoints/${second}/replay`, { only: "failed" }, 200);
    assert.deepEqual(await counted(client, 3), [0, 0, 3, 0]);
    statuses.push(500, 500);
    const log = await client.get<{ deliveries: { id: string }[] }>(`/webhooks/deliveries?endpointId=${second}`);
    await client.post(`/webhooks/deliveries/${log.deliveries[0]!.id}/retry`, {}, 200);
    assert.deepEqual(await counted(client, 4), [0, 0, 3, 1], "failed again");
    assert.equal((await read(client)).rows[0]!.medianSeconds, null);
  } finally {
    service.clock.ms -= DAY_MS;
  }
  assert.deepEqual(await read(client), before);
});

test("an endpoint that is removed, and a user who is erased, leave the figures of all as they are", async () => {
  const { client, userId, well, second } = await withTwoEndpoints();
  await gift(client, userId);
  await counted(client, 2);
  await fold();
  await gift(client, userId);
  assert.deepEqual(await counted(client, 4), [4, 0, 0, 0]);
  const all = await read(client);
  await client.call("DELETE", `/webhooks/endpoints/${second}`);
  assert.deepEqual(await read(client), all, "before and after what it had is moved");
  await fold();
  assert.deepEqual(await read(client), all);
  assert.equal((await client.call("GET", `/reports/deliveries?endpointId=${second}`)).statusCode, 400);
  const { rows } = await service.database.pool.query<{ figure: string }>(
    "SELECT figure FROM report_days WHERE application_id = $1 AND figure LIKE 'webhook.%'",
    [client.applicationId],
  );
  assert.ok(rows.some(({ figure }) => figure.includes(well)));
  assert.ok(!rows.some(({ figure }) => figure.includes(second)), "no row of endpoints that come and go stays");
  await service.erase(userId);
  assert.deepEqual(await read(client), all);
  await runCommand(service.database, ["report", "rebuild", `--client-id=${client.clientId}`]);
  assert.deepEqual(await read(client), all, "they are not computed again: what they count is gone after 30 days");
});

test("an application from before the figures says on what day the complete ones begin", async () => {
  const client = await service.newClient();
  const gap = [client.applicationId, new Date("2026-11-17T23:30:00Z")];
  await service.database.pool.query("INSERT INTO delivery_figure_gaps VALUES ($1, $2)", gap);
  assert.equal((await read(client)).completeSince, "2026-11-18");
  assert.equal((await client.get<{ completeSince: null }>("/reports/users")).completeSince, null);
});

/** All figures of deliveries, by how they ended, whatever the time. */
const ENDS = {
  name: "test.ends",
  text: `SELECT split_part(substr(name, 46), '.', 1) AS "end", sum(amount::int)::int AS amount FROM (
           SELECT figure AS name, amount::text FROM report_days UNION ALL
           SELECT key, value FROM report_deltas, json_each_text(figures::json)) AS all_figures
         WHERE name LIKE 'webhook.%' GROUP BY 1 ORDER BY 1`,
};
type World = Awaited<ReturnType<typeof openWorld>>;
const ends = async ({ database }: World) => {
  const rows = await database.query<{ end: string; amount: number }>(ENDS);
  return Object.fromEntries(rows.map(({ end, amount }) => [end, amount]));
};

test("a delivery whose process is killed after the attempt, before its outcome is written, counts once", async (t) => {
  const world = await openWorld(t);
  const target = await world.receiver();
  const application = await world.application();
  const endpointId = await world.endpoint(application, target.url);
  await world.append(story(application, ["intake.received"]));
  // Sent by the process that was killed, as far as anyone knows; its outcome comes after its lease.
  const [late] = await claimDue(world.database, [{ endpointId, room: 1 }], new Date(START), 35);
  world.clock.ms += 36_000;
  assert.equal(await world.openDelivery().deliverDue(), 1);
  const attempt = { at: new Date(START), durationMs: 1, status: 200, responseText: "", error: null };
  const outcome = { delivery: late!, state: "delivered" as const, dueAt: new Date(START) };
  await recordOutcomes(world.database, [{ ...outcome, attempt: { ...attempt, retryAfterSeconds: null } }], 60);
  assert.deepEqual(await ends(world), { first: 1 });
});

test("of outcomes without rows only those count that are written: not of erased users, nor those taken over", async (t) => {
  const { world, target, application, endpointId } = await direct(t);
  const events = Array.from({ length: 6 }, () => story(application, ["intake.received"])).flat();
  const delivery = await started(world.openDelivery());
  await world.appendWith({ ...delivery, send: () => {} }, events);
  const leasedUntil = new Date(START + 35_000);
  const common = { endpointId, hasRow: false, isReplayed: false, url: target.url, generation: 1, attempts: 0 };
  const attempt = { at: new Date(START), durationMs: 1, status: 200, responseText: "", error: null };
  const outcomes = events.map(({ id: eventId, userId, subject, position, type, body }) => ({
    delivery: {
      ...common,
      traceparent: null,
      eventId,
      userId,
      subject,
      position,
      type,
      body,
      leasedUntil,
      previousSecretUntil: null,
    },
    state: "delivered" as const,
    dueAt: new Date(START),
    attempt: { ...attempt, retryAfterSeconds: null },
  }));
  const { pool } = world.database;
  await pool.query("DELETE FROM events WHERE id = $1", [events[0]!.id]);
  await recordOutcomes(world.database, outcomes.slice(0, 3), 60);
  assert.deepEqual(await ends(world), { first: 2 });
  // Again, as after a COMMIT that got no response.
  await recordOutcomes(world.database, outcomes, 60);
  assert.deepEqual(await ends(world), { first: 5 });
  await recordOutcomes(world.database, outcomes, 60);
  assert.deepEqual(await ends(world), { first: 5 });
});

test("the figures are the deliveries, also with two processes at once while they are added up", async (t) => {
  const { world, target, application } = await direct(t);
  const deliveries = [await started(world.openDelivery()), await started(world.openDelivery())];
  let isOver = false;
  const folding = (async () => {
    for (; !isOver; await sleep(5)) await foldAll(world.database, NO_SHOPS, never);
  })();
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => world.appendWith(deliveries[i % 2]!, story(application, FOUR))),
  );
  await until(() => target.received.length >= 240);
  for (const delivery of deliveries) await delivery.stop();
  isOver = true;
  await folding;
  assert.equal((await world.deliveries()).filter(({ state }) => state === "delivered").length, 240);
  assert.deepEqual(await ends(world), { first: 240 });
  const { rows } = await world.database.pool.query("SELECT FROM report_deltas");
  assert.ok(rows.length < 240, "outcomes that are written together are counted together");
});

async function direct(t: Parameters<typeof openDirect>[0]) {
  const { world, receiver: target, application, endpointId, delivery } = await openDirect(t);
  await delivery.stop();
  return { world, target, application, endpointId };
}
