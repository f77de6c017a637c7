import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createExposition } from "../src/metrics/exposition.task.ts";
import { createScrape } from "../src/metrics/scrape.task.ts";
import { verifyLedgerAndReport } from "../src/metrics/verify-ledger.task.ts";
import { foldAll } from "../src/reports/fold.task.ts";
import { silent } from "./support/database.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

const TOKEN = "metrics-token";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService({ env: { METRICS_TOKEN: TOKEN } });
  client = await service.newClient();
});
after(() => service.close());

async function gauges(): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await service.app.server.inject({ method: "GET", url: "/metrics", headers });
  assert.equal(response.statusCode, 200);
  assert.match(String(response.headers["content-type"]), /^text\/plain; version=0\.0\.4/);
  return seriesIn(response.body);
}

/** The values by name and labels. */
function seriesIn(text: string): Record<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => /^(\w+(?:\{.*\})?) (\S+)$/.exec(line)!).map(([, name, value]) => [name, Number(value)]),
  );
}

test("only a client with the token reads the gauges", async () => {
  const found = await gauges();
  assert.equal(found["rewards_intakes_waiting"], 0);
  assert.equal(found["rewards_deliveries_failed"], 0);
  for (const [name, value] of Object.entries(found)) {
    if (name.startsWith("rewards_")) assert.ok(Number.isFinite(value), name);
  }
  for (const headers of [{}, { authorization: "Bearer other" }, client.headers]) {
    assert.equal((await service.app.server.inject({ method: "GET", url: "/metrics", headers })).statusCode, 404);
  }
});

test("a balance that differs from its records sets the gauge and logs an error; the verification of the next day clears it", async () => {
  const userId = await client.enrol();
  const alarms: object[] = [];
  const log = { ...silent, error: (fields: object) => alarms.push(fields) };
  const verify = () =>
    verifyLedgerAndReport({ database: service.database, log, now: () => new Date(service.clock.ms) });
  await verify();
  assert.equal((await gauges())["rewards_ledger_differences"], 0);
  const shift = (points: number) =>
    service.database.pool.query("UPDATE balances SET lifetime_points = lifetime_points + $2 WHERE user_id = $1", [
      userId,
      points,
    ]);
  await shift(1);
  await verify();
  assert.equal((await gauges())["rewards_ledger_differences"], 1);
  assert.match(JSON.stringify(alarms), new RegExp(`${userId}.*lifetimePoints`));
  await shift(-1);
  service.clock.ms += 86_400_000;
  await verify();
  const found = await gauges();
  assert.equal(found["rewards_ledger_differences"], 0);
  assert.equal(found["rewards_ledger_verified_timestamp_seconds"], Math.trunc(service.clock.ms) / 1_000);
});

test("requests, stages, items, points and webhooks are counted, with patterns and closed lists as labels only", async () => {
  const before = await gauges();
  const userId = await client.enrol("counted@example.org");
  const food = { foodId: "f-1", name: "Greek yogurt", weight: 150, unit: "g", imageUrl: "https://example.org/y.jpg" };
  const body = { userId, merchant: { name: "Larkmeadow" }, nutrition: { energyKcal: 146 }, ...food };
  await client.post("/track/food", { ...body, logId: "metrics-1" }, 202);
  await client.post("/track/food", { ...body, logId: "metrics-2", name: "zzz qqq" }, 202);
  await client.call("GET", "/users/none/summary");
  await service.app.server.inject({ method: "GET", url: "/private/counted@example.org" });
  await client.until(
    (events) => events.filter(({ event }) => /^intake\.(completed|failed)$/.test(event ?? "")).length >= 2,
  );
  await client.post(`/users/${userId}/adjustments`, { points: 7, reference: "a-1", reason: "counted" }, 200);
  await client.post(`/users/${userId}/adjustments`, { points: -3, reference: "a-2", reason: "counted" }, 200);
  // Figures are counted by the process that adds them up, every half minute: the service, or this other one.
  const other = createExposition();
  const { meters } = other;
  await foldAll(service.database, new Set(), new AbortController().signal, { meters, since: "2000-01-01" });
  // The outcome of an attempt is counted after its event has come.
  const sent = 'rewards_webhook_attempt_duration_seconds_count{endpoints="healthy",outcome="2xx"}';
  let found = await gauges();
  for (const endsAt = Date.now() + 20_000; (found[sent] ?? 0) < (before[sent] ?? 0) + 6 && Date.now() < endsAt;)
    found = await gauges();
  const counted = seriesIn(await other.text([]));
  const grown = (name: string) => (found[name] ?? 0) + (counted[name] ?? 0) - (before[name] ?? 0);
  assert.equal(grown('rewards_http_requests_total{method="POST",route="/track/food",status="2xx"}'), 2);
  assert.equal(grown('rewards_http_requests_total{method="GET",route="/users/:id/summary",status="4xx"}'), 1);
  assert.equal(grown('rewards_http_requests_total{method="GET",route="none",status="4xx"}'), 1);
  assert.equal(grown('rewards_http_request_duration_seconds_count{method="POST",route="/track/food"}'), 2);
  assert.ok(grown('rewards_stage_duration_seconds_count{stage="intakes.scored",outcome="ok"}') >= 1);
  assert.equal(grown('rewards_submissions_total{source="food",outcome="credited"}'), 1);
  const ended = [...new Set([...Object.keys(found), ...Object.keys(counted)])]
    .filter((name) => name.startsWith('rewards_submissions_total{source="food"'))
    .reduce((sum, name) => sum + grown(name), 0);
  assert.equal(ended, 2);
  assert.equal(grown('rewards_items_total{source="food",outcome="rated"}'), 1);
  assert.equal(grown('rewards_points_issued_total{cause="adjusted"}'), 7);
  assert.equal(grown('rewards_points_taken_total{cause="adjusted"}'), 3);
  assert.ok(grown("rewards_webhook_lag_seconds_count") >= 6);
  assert.ok(grown(sent) >= 6);
  assert.equal(found["rewards_database_up"], 1);
  assert.equal(found['rewards_queue_waiting{queue="score-intakes"}'], 0);
  assert.equal(found['rewards_database_connections_max{pool="requests"}'], 8);
  const text = Object.keys(found).join("\n");
  for (const name of ["counted", userId, client.applicationId, client.clientId, "127.0.0.1", "Larkmeadow", "yogurt"]) {
    assert.ok(!text.includes(name), name);
  }
});

test("strangers add no series: unknown paths and methods are one each", async () => {
  const seriesOf = async () => Object.keys(await gauges()).filter((name) => name.startsWith("rewards_http_")).length;
  await service.app.server.inject({ method: "GET", url: "/unknown/0" });
  await service.app.server.inject({ method: "POST", url: "/unknown/0" });
  const series = await seriesOf();
  for (let n = 1; n < 50; n++) {
    await service.app.server.inject({ method: n % 2 ? "GET" : "POST", url: `/unknown/${n}?${n}` });
  }
  assert.equal(await seriesOf(), series);
});

test("on a port of their own the metrics need the token too, and nothing else is there", async () => {
  const port = await service.app.metrics!.listen("127.0.0.1", 0);
  const get = async (path: string, token = TOKEN) => {
    const url = `http://127.0.0.1:${port}${path}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, text: await response.text() };
  };
  const { status, text } = await get("/metrics");
  assert.equal(status, 200);
  assert.ok("rewards_receipts_waiting" in seriesIn(text));
  assert.ok(seriesIn(text)["process_resident_memory_bytes"]! > 1e6);
  for (const [path, token] of [
    ["/metrics", "other"],
    ["/metrics?x=1", TOKEN],
    ["/users", TOKEN],
  ] as const) {
    assert.deepEqual(await get(path, token), { status: 404, text: "" });
  }
});

test("while the database is away there is what the process has measured itself, and no old figure", async () => {
  const exposition = createExposition();
  let isAway = false;
  const { database } = service;
  const query: typeof database.query = (...of) => (isAway ? Promise.reject(new Error("away")) : database.query(...of));
  const background = { ...database, query };
  const deps = { exposition, database, background, images: {}, now: () => new Date(), log: silent };
  const scrape = createScrape(deps);
  assert.equal(seriesIn(await scrape())["rewards_database_up"], 1);
  isAway = true;
  const [found, same] = await Promise.all([scrape(), scrape()]);
  assert.equal(found, same, "clients that come at once share a reading");
  assert.equal(seriesIn(found)["rewards_database_up"], 0);
  assert.equal(seriesIn(found)["rewards_receipts_waiting"], undefined);
  assert.equal(seriesIn(found)['rewards_processes_replaced_total{kind="ocr"}'], 0);
});
