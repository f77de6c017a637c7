import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import type { Log } from "../src/log.ts";
import { openTracing } from "../src/tracing/otlp.ts";
import { isTraceparent, partsOf } from "../src/tracing/tracing.ts";
import { silent } from "./support/database.ts";
import { multipart } from "./support/multipart.ts";
import { startOtlpReceiver } from "./support/otlp-receiver.ts";
import type { OtlpReceiver, ReceivedSpan } from "./support/otlp-receiver.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";

let collector: OtlpReceiver;
let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  collector = await startOtlpReceiver();
  const OTEL_EXPORTER_OTLP_HEADERS = "authorization=Bearer%20collector-token";
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_HEADERS };
  service = await startService({ env: { ...env, WEBHOOK_RETRY_SCHEDULE: "0,0.2,0.2" } });
  client = await service.newClient({ isSandbox: true });
  userId = await client.enrol("traced.person@example.org");
});
after(async () => {
  await service.close();
  await collector.close();
});

const CALLER_SPAN = "00f067aa0ba902b7";
let traces = 0;
/** The header of a caller who has begun a trace. */
function callerTrace(flags = "01"): { traceId: string; headers: { traceparent: string } } {
  const traceId = `4bf92f3577b34da6a3ce929d${String(++traces).padStart(8, "0")}`;
  return { traceId, headers: { traceparent: `00-${traceId}-${CALLER_SPAN}-${flags}` } };
}

/** Waits until the collector has these spans of a trace, and returns all of it. */
async function spansOf(traceId: string, names: readonly string[]): Promise<ReceivedSpan[]> {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(50)) {
    const spans = collector.spans.filter((span) => span.traceId === traceId);
    if (names.every((name) => spans.some((span) => span.name === name))) return spans;
  }
  throw new Error(
    `spans are missing of ${JSON.stringify(names)}: ${JSON.stringify(collector.spans.map(({ name }) => name))}`,
  );
}

const one = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  assert.equal(found.length, 1, `${found.length} spans ${name}`);
  return found[0]!;
};

function food(logId: string) {
  const item = { foodId: "f-1", name: "Greek yogurt", weight: 150, unit: "g", imageUrl: "https://example.org/y.jpg" };
  return { userId, logId, merchant: { name: "Larkmeadow" }, nutrition: { energyKcal: 146 }, ...item };
}

const deliveries = (traceId: string) =>
  client.receiver.received.filter(({ headers }) => String(headers["traceparent"]).includes(traceId));

test("one trace follows a food from its caller through request and scoring to each webhook, also one sent again", async (t) => {
  let attempts = 0;
  const failing = await startWebhookReceiver((_received, response) => {
    response.statusCode = attempts++ === 0 ? 500 : 200;
    response.end();
  });
  t.after(() => failing.close());
  const endpoint = { url: `${failing.url}/hook`, events: ["intake.completed"] };
  await client.post("/webhooks/endpoints", endpoint);
  const { traceId, headers } = callerTrace();
  const sent = await client.call("POST", "/track/food", food("traced-1"), headers);
  assert.equal(sent.statusCode, 202, sent.body);
  const { trackId } = sent.json<{ trackId: string }>();
  const events = ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"];
  const names = ["POST /track/food", "score food", ...events.map((event) => `webhook ${event}`)];
  await client.until(() => deliveries(traceId).length === events.length && attempts === 2);
  const spans = await spansOf(traceId, names);
  const request = one(spans, "POST /track/food");
  const score = one(spans, "score food");
  assert.equal(request.parentSpanId, CALLER_SPAN);
  assert.equal(request.attributes["http.response.status_code"], 202);
  assert.equal(score.parentSpanId, request.spanId);
  assert.equal(score.attributes["rewards.submission.id"], trackId);
  assert.ok(request.startMs <= score.startMs && score.startMs <= score.endMs);
  for (const { headers: received, body } of deliveries(traceId)) {
    const { event, eventType } = JSON.parse(body) as { event?: string; eventType?: string };
    const parts = partsOf(String(received["traceparent"]))!;
    const span = spans.find(({ spanId }) => spanId === parts.spanId)!;
    assert.equal(span.name, `webhook ${event ?? eventType}`);
    assert.equal(span.parentSpanId, score.spanId);
  }
  // From the stored event: the retry is claimed from the database.
  const [first, second] = failing.received.map(({ headers: received }) => partsOf(String(received["traceparent"]))!);
  assert.deepEqual([first!.traceId, second!.traceId], [traceId, traceId]);
  assert.notEqual(first!.spanId, second!.spanId);
  const later = (await spansOf(traceId, names)).filter(({ name }) => name === "webhook intake.completed");
  assert.deepEqual(
    later.filter(({ hasFailed }) => hasFailed).map(({ spanId }) => spanId),
    [first!.spanId],
  );
  const stored = await service.database.pool.query("SELECT submission, packed FROM intakes WHERE id = $1", [trackId]);
  assert.ok(stored.rows[0].submission === null && stored.rows[0].packed !== null, "the trace does not stay in the row");
});

test("the place in a trace is not shown: neither in a submission's status nor in the export of its user", async () => {
  const { traceId, headers } = callerTrace();
  const other = await service.newClient();
  const own = await other.enrol();
  const sent = await other.call("POST", "/track/food", { ...food("traced-shown"), userId: own }, headers);
  assert.equal(sent.statusCode, 202, sent.body);
  const { trackId } = sent.json<{ trackId: string }>();
  const status = () => other.call("GET", `/track/food/${trackId}/status`);
  const first = await status();
  await other.until((events) => events.some((event) => nameOf(event).startsWith("intake.")));
  for (const { statusCode, body } of [first, await status(), await other.call("GET", `/users/${own}/export`)]) {
    assert.equal(statusCode, 200);
    assert.ok(!body.includes("traceparent") && !body.includes(traceId), body);
  }
});

test("one trace follows a receipt through its stages and the reading of its image", async () => {
  const { traceId, headers } = callerTrace();
  const form = { merchantName: "Larkmeadow Market", amount: "22.68", transactionTimestamp: "2026-10-24T10:41:00Z" };
  const white = sharp({ create: { width: 600, height: 800, channels: 3, background: "white" } });
  const fields = { ...form, userId, transactionId: "traced-receipt" };
  const upload = await multipart({ fields, image: await white.jpeg().toBuffer() });
  const url = "/track/receipts?api-version=1.0&testBlobUri=sample:completed";
  const all = { ...client.headers, ...upload.headers, ...headers };
  const sent = await service.app.server.inject({ method: "POST", url, headers: all, payload: upload.payload });
  assert.equal(sent.statusCode, 200, sent.body);
  await client.until((events) => events.some((event) => nameOf(event) === "receipt_completed"));
  const stages = ["extracted", "enriched", "validated", "scored", "completed"].map((stage) => `receipt.${stage}`);
  const webhooks = ["receipt_uploaded", "receipt_extracted", "receipt_validated", "receipt_completed"];
  const names = ["POST /track/receipts", ...stages, "read image", ...webhooks.map((event) => `webhook ${event}`)];
  const spans = await spansOf(traceId, names);
  const request = one(spans, "POST /track/receipts");
  for (const stage of stages) assert.equal(one(spans, stage).parentSpanId, request.spanId, stage);
  assert.equal(one(spans, "read image").parentSpanId, one(spans, "receipt.extracted").spanId);
  assert.equal(one(spans, "webhook receipt_uploaded").parentSpanId, request.spanId);
  assert.equal(one(spans, "webhook receipt_completed").parentSpanId, one(spans, "receipt.completed").spanId);
});

test("a caller's trace counts with valid credentials only, and one that is not recorded is carried on as such", async () => {
  const { traceId: strange, headers: stranger } = callerTrace();
  const refused = await client.call("GET", `/users/${userId}/summary`, undefined, {
    ...stranger,
    "x-client-secret": "no",
  });
  assert.equal(refused.statusCode, 401);
  for (const traceparent of ["", "00-0-0-00", `00-${"0".repeat(32)}-${CALLER_SPAN}-01`, "x".repeat(5_000)]) {
    const read = await client.call("GET", `/users/${userId}/summary`, undefined, { traceparent });
    assert.equal(read.statusCode, 200);
  }
  const { traceId: quiet, headers } = callerTrace("00");
  assert.equal((await client.call("POST", "/track/food", food("quiet-1"), headers)).statusCode, 202);
  await client.until(() => deliveries(quiet).length === 4);
  for (const { headers: received } of deliveries(quiet)) assert.match(String(received["traceparent"]), /-00$/);
  const { traceId, headers: last } = callerTrace();
  await client.call("GET", `/users/${userId}/summary`, undefined, last);
  await spansOf(traceId, ["GET /users/:id/summary"]);
  assert.deepEqual(
    collector.spans.filter((span) => [strange, quiet].includes(span.traceId)),
    [],
  );
  assert.ok(collector.spans.some(({ attributes }) => attributes["http.response.status_code"] === 401));
});

test("while the collector is away everything goes on, and afterwards it has all spans", async () => {
  collector.status = 503;
  const sent = [1, 2, 3].map(() => callerTrace());
  for (const [i, { headers }] of sent.entries()) {
    assert.equal((await client.call("POST", "/track/food", food(`away-${i}`), headers)).statusCode, 202);
  }
  await client.until(() => sent.every(({ traceId }) => deliveries(traceId).length === 4));
  await sleep(1_500);
  collector.status = 200;
  for (const { traceId } of sent) await spansOf(traceId, ["POST /track/food", "score food", "webhook rewards.awarded"]);
});

test("nothing of a person is in a trace", async () => {
  const text = collector.texts.join("\n");
  assert.match(text, /bearer collector-token/i);
  for (const secret of ["traced.person", "Lovelace", userId, "yogurt", "Larkmeadow", client.clientSecret, "/hook"]) {
    assert.ok(!text.includes(secret), secret);
  }
});

test("spans wait in a bounded queue, those above it are dropped and reported, and a stop does not wait for them", async () => {
  const reports: string[] = [];
  const log: Log = { ...silent, warn: (fields, message) => reports.push(`${message} ${JSON.stringify(fields)}`) };
  collector.status = 503;
  const tracing = openTracing({ endpoint: collector.url, headers: {}, serviceName: "burst", share: 1 }, log, 10);
  const [spansMax, burst] = [2_048, 4_000];
  const arrived = collector.spans.length;
  for (let i = 0; i < burst; i++) tracing.start("burst", { parent: null }).end();
  await sleep(200);
  collector.status = 200;
  for (const deadline = Date.now() + 20_000; collector.spans.length < arrived + spansMax && Date.now() < deadline;) {
    await sleep(50);
  }
  tracing.start("after", { parent: null }).end();
  const dropped = Number(/Dropped (\d+) spans/.exec(reports.join("\n"))?.[1]);
  assert.ok(burst - dropped >= spansMax && burst - dropped <= spansMax + 512, `${dropped} of ${burst} were dropped`);
  const got = () => collector.spans.slice(arrived).filter(({ name }) => name === "burst").length;
  for (const deadline = Date.now() + 20_000; got() < burst - dropped && Date.now() < deadline;) await sleep(50);
  assert.equal(got(), burst - dropped);
  collector.status = 503;
  tracing.start("last", { parent: null }).end();
  const startedMs = performance.now();
  await tracing.close(300);
  assert.ok(performance.now() - startedMs < 10_000, "a batch is repeated for as long as its collector is away");
  collector.status = 200;
});

test("only texts of the form that W3C describes are a traceparent", () => {
  const ids = `${"a".repeat(32)}-${"b".repeat(16)}`;
  assert.ok(isTraceparent(`00-${ids}-01`));
  for (const text of [
    `01-${ids}-01`,
    `00-${ids}-01-x`,
    `00-${ids.toUpperCase()}-01`,
    ` 00-${ids}-01`,
    "",
    null,
    7,
    [`00-${ids}-01`],
  ]) {
    assert.ok(!isTraceparent(text), String(text));
  }
});
