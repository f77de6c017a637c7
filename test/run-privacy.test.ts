import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { multipart } from "./support/multipart.ts";
import { startOtlpReceiver } from "./support/otlp-receiver.ts";
import type { OtlpReceiver } from "./support/otlp-receiver.ts";
import { freePort, runCli, startProcess } from "./support/processes.ts";
import type { ProcessSettings, ServiceProcess } from "./support/processes.ts";
import { startWebhookReceiver } from "./support/webhook-receiver.ts";
import type { WebhookReceiver } from "./support/webhook-receiver.ts";

// A day's work of one process with all its logs, metrics and traces. What people are called, have bought and eaten, and
// every secret, is known here, and is searched in all that the process has written about itself.

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly webhookSecret: string;
}

const METRICS_TOKEN = "metrics-token-9f2c";
const COLLECTOR_TOKEN = "collector-token-71aa";
const ENDPOINT_TOKEN = "endpoint-token-5b0e";
/** What people and applications send, in spellings that are in no other place. */
const TYPED = {
  email: "private.person@example.org",
  otherEmail: "second.person@example.org",
  firstName: "Privatia",
  lastName: "Secretson",
  newName: "Renamia",
  meal: "Zanzibar stew of Aunt Hildegard",
  ingredient: "Quincunx lentils",
  food: "Obelisk yogurt",
  merchant: "Hushmarket Nine",
  mealReference: "ref-meal-secret-1",
  receiptReference: "ref-receipt-secret-2",
  adjustmentReason: "because Hildegard phoned",
  reward: "Clandestine coffee",
  correctedName: "Surreptitious oat milk",
  idempotencyKey: "key-of-hildegard-0001",
  badBody: "not-a-number-hildegard",
};

let testDatabase: TestDatabase;
let settings: ProcessSettings;
let service: ServiceProcess;
let collector: OtlpReceiver;
let receiver: WebhookReceiver;
let failing: WebhookReceiver;
let credentials: Credentials;
const dataDir = mkdtempSync(join(tmpdir(), "rewards-run-"));
let metricsPort: number;
before(async () => {
  metricsPort = await freePort();
  testDatabase = await createTestDatabase();
  collector = await startOtlpReceiver();
  receiver = await startWebhookReceiver();
  failing = await startWebhookReceiver((_received, response) => response.writeHead(500).end("no"));
  const env = {
    ...testDatabase.env,
    LOG_LEVEL: "debug",
    METRICS_PORT: `${metricsPort}`,
    METRICS_TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `authorization=${COLLECTOR_TOKEN}`,
    OCR_PROCESSES: "1",
    CONSOLE: "true",
  };
  settings = { dataDir, port: await freePort(), env };
  service = await startProcess(settings);
  const webhook = ["--webhook-url", `${receiver.url}/hook?token=${ENDPOINT_TOKEN}`];
  credentials = await runCli<Credentials>(settings, "app", "create", "--name", "Sample shop", "--sandbox", ...webhook);
});
after(async () => {
  await service.stop();
  for (const each of [collector, receiver, failing]) await each.close();
  await testDatabase.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Everything that nobody may find in logs, metrics and traces, beside what was typed. */
const secrets = new Map<string, string>();

async function call(method: string, path: string, body?: object, more: Record<string, string> = {}) {
  const headers = {
    "x-client-id": credentials.clientId,
    "x-client-secret": credentials.clientSecret,
    ...(body && { "content-type": "application/json" }),
    ...more,
  };
  const url = `${service.url}${path}${path.includes("?") ? "&" : "?"}api-version=1.0`;
  return fetch(url, { method, headers, redirect: "manual", ...(body && { body: JSON.stringify(body) }) });
}

async function done<Body = Record<string, unknown>>(response: Promise<Response>, status: number): Promise<Body> {
  const { status: found, text } = await response.then(async (each) => ({
    status: each.status,
    text: await each.text(),
  }));
  assert.equal(found, status, text);
  return (text === "" ? {} : JSON.parse(text)) as Body;
}

async function upload(userId: string, sample: string, transactionId: string): Promise<Record<string, unknown>> {
  const background = { r: randomBytes(1)[0]!, g: 200, b: 200 };
  const image = await sharp({ create: { width: 600, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const declared = { merchantName: TYPED.merchant, amount: "22.68", transactionTimestamp: "2026-10-24T10:41:00Z" };
  const { payload, headers } = await multipart({ fields: { ...declared, userId, transactionId }, image });
  const url = `${service.url}/track/receipts?api-version=1.0&testBlobUri=sample:${sample}`;
  const { clientId, clientSecret } = credentials;
  const all = { ...headers, "x-client-id": clientId, "x-client-secret": clientSecret };
  return done(fetch(url, { method: "POST", headers: all, body: new Uint8Array(payload) }), 200);
}

type Event = Record<string, unknown> & { event?: string };
const events = (): Event[] => receiver.received.map(({ body }) => JSON.parse(body) as Event);

async function until(isThere: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + 90_000; !isThere(); await sleep(50)) {
    assert.ok(Date.now() < deadline, `${what} did not come:\n${service.output().slice(-4_000)}`);
  }
}

let userId: string;

test("people enrol, consent on a page, are found, renamed and exported; strangers send what they like", async () => {
  secrets.set("client secret", credentials.clientSecret);
  secrets.set("webhook secret", credentials.webhookSecret);
  const { email, firstName, lastName } = TYPED;
  const enrolled = await done<{ user: { userID: string } }>(
    call("POST", "/users/enroll", { email, firstName, lastName }),
    200,
  );
  userId = enrolled.user.userID;
  const person = { email: TYPED.otherEmail, firstName, lastName };
  const session = await done<{ redirectUrl: string }>(call("POST", "/users/enroll/session", person), 200);
  const page = new URL(session.redirectUrl);
  secrets.set("session", page.searchParams.get("sessionId")!);
  assert.equal((await fetch(`${service.url}${page.pathname}${page.search}`)).status, 200);
  const accepted = await fetch(`${service.url}${page.pathname}${page.search}`, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "decision=accept",
    redirect: "manual",
  });
  assert.ok(accepted.status < 400, `${accepted.status}`);
  await done(call("GET", `/users?email=${encodeURIComponent(email)}`), 200);
  await done(call("PATCH", `/users/${userId}`, { firstName: TYPED.newName }), 200);
  assert.equal((await call("GET", `/users/${userId}/export`)).status, 200);
  await done(call("POST", "/users/enroll", { email: TYPED.badBody, firstName, lastName: 7 }), 400);
  await done(
    call("GET", `/users/${userId}/summary?note=${firstName}`, undefined, { "x-client-secret": lastName }),
    401,
  );
  await done(call("GET", `/users/${encodeURIComponent(email)}/summary`), 404);
  await done(call("GET", `/${lastName}/${email}`), 404);
  assert.equal((await fetch(`${service.url}/console/sign-in`)).status, 200);
});

test("meals, foods and receipts are tracked, corrected and refused; points move; endpoints fail", async () => {
  const loggedAt = new Date().toISOString();
  const ingredients = [{ foodId: "1", name: TYPED.ingredient, weight: 200, unit: "g" }];
  const meal = { userId, mealName: TYPED.meal, imageUrl: "x", mealType: "lunch", loggedAt, ingredients };
  const key = { "idempotency-key": TYPED.idempotencyKey };
  const tracked = { ...meal, transactionId: TYPED.mealReference };
  await done(call("POST", "/track/meals", tracked, key), 202);
  await done(call("POST", "/track/meals", tracked, key), 202);
  await done(call("POST", "/track/meals", { ...meal, transactionId: "old", loggedAt: "2020-01-01T00:00:00Z" }), 202);
  await done(call("POST", "/track/meals", { ...meal, ingredients: TYPED.badBody }), 400);
  const food = { userId, foodId: "f", name: TYPED.food, weight: 150, unit: "g", imageUrl: "https://example.org/y.jpg" };
  const nutrition = { energyKcal: 146, proteinG: 13.5, carbsG: 6, fatG: 7.5, sugarG: 6, fiberG: 0, saltG: 0.15 };
  const rated = { ...food, logId: "f-1", merchant: { name: TYPED.merchant }, nutrition };
  await done(call("POST", "/track/food", rated), 202);
  const addedEndpoint = { url: `${failing.url}/hook/${ENDPOINT_TOKEN}` };
  const { secret } = await done<{ secret: string }>(call("POST", "/webhooks/endpoints", addedEndpoint), 200);
  secrets.set("secret of the second endpoint", secret);

  await upload(userId, "completed", TYPED.receiptReference);
  await upload(userId, "internal_error", `${TYPED.receiptReference}-broken`);
  await until(() => events().some(({ event }) => event === "receipt_completed"), "a completed receipt");
  await until(() => events().some(({ event }) => event === "receipt_failed"), "a failed receipt");
  const { receiptId, items } = events().find(({ event }) => event === "receipt_completed") as unknown as {
    receiptId: string;
    items: { id: string; name: string; cleanedName: string }[];
  };
  for (const [i, { name }] of items.entries()) secrets.set(`line ${i} of the receipt`, name);
  const { extractedData } = events().find(({ event }) => event === "receipt_extracted") as unknown as {
    extractedData: { merchantName: string; merchantAddress: string };
  };
  secrets.set("merchant of the receipt", extractedData.merchantName);
  secrets.set("address of the receipt", extractedData.merchantAddress);
  assert.ok(items.length > 5 && extractedData.merchantAddress.length > 10);
  const status = await done<{ blobUrl?: string }>(call("GET", `/track/receipts/${receiptId}/status`), 200);
  const link = JSON.stringify(status).match(/https?:[^"]*\/blobs?\/[^"]*/)?.[0];
  if (link !== undefined) {
    secrets.set(
      "link of the image",
      link.split(/[/?=&]/).findLast((part) => part.length > 20)!,
    );
    await fetch(link);
  }
  assert.equal((await call("GET", `/track/receipts/${receiptId}/reading`)).status, 200);
  const correction = { items: [{ id: items[0]!.id, name: TYPED.correctedName }], reason: "misread", reference: "c-1" };
  await done(call("POST", `/track/receipts/${receiptId}/corrections`, correction), 200);
  const adjustment = { points: 50, reference: "adjustment-1", reason: TYPED.adjustmentReason };
  await done(call("POST", `/users/${userId}/adjustments`, adjustment), 200);
  const added = await done(call("POST", "/rewards", { name: TYPED.reward, points: 5, stock: 5, codes: "made" }), 200);
  const rewardId = /"id":"([0-9a-f-]{36})"/.exec(JSON.stringify(added))![1];
  const redeemed = await done<{ code?: string }>(
    call("POST", `/users/${userId}/redemptions`, { rewardId, reference: "redeem-1" }),
    200,
  );
  const code = /"code":"([^"]+)"/.exec(JSON.stringify(redeemed))?.[1];
  assert.ok(code !== undefined);
  secrets.set("code of a voucher", code);
  await done(call("POST", `/vouchers/${code}/use`, {}), 200);
});

test("something breaks while the service holds all that, and a person is erased", async () => {
  const { pool } = testDatabase.database;
  await pool.query("ALTER TABLE user_emails RENAME TO elsewhere");
  const { email, firstName, lastName } = TYPED;
  await done(call("POST", "/users/enroll", { email: `third.${email}`, firstName, lastName }), 500);
  await pool.query("ALTER TABLE elsewhere RENAME TO user_emails");
  // Scoring fails: the error of the database has the row that it refuses.
  await pool.query("ALTER TABLE records ADD CONSTRAINT none CHECK (created_at < '2000-01-01') NOT VALID");
  const food = { userId, logId: "refused", foodId: "f", name: TYPED.food, weight: 150, unit: "g", imageUrl: "x" };
  const rated = { ...food, merchant: { name: TYPED.merchant }, nutrition: { energyKcal: 146, proteinG: 13 } };
  await done(call("POST", "/track/food", { ...rated, imageUrl: "https://example.org/y.jpg" }), 202);
  await until(() => service.output().includes("never can be"), "the refused booking");
  await pool.query("ALTER TABLE records DROP CONSTRAINT none");
  await until(() => failing.received.length > 5, "attempts at the failing endpoint");
  await done(call("DELETE", `/users/${userId}`), 204);
});

async function metrics(): Promise<string> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, { headers });
  assert.equal(response.status, 200);
  return response.text();
}

test("neither logs nor metrics nor traces have a name, an address, a text of anybody, or a secret", async () => {
  await until(() => collector.spans.some(({ name }) => name.startsWith("DELETE /users/")), "the trace of the erasure");
  const written = { log: service.output(), metrics: await metrics(), traces: collector.texts.join("\n") };
  // All of it was there: the search below has something to find it in.
  assert.match(written.log, /"msg":"request"[^]*webhook attempts failed|webhook attempts failed[^]*"msg":"request"/);
  assert.match(written.log, /request failed/);
  assert.match(written.log, /"level":20/);
  assert.match(written.metrics, /rewards_stage_duration_seconds_count\{stage="receipt\.completed",outcome="ok"\} 1/);
  assert.match(written.metrics, /rewards_ocr_duration_seconds_count/);
  assert.match(written.traces, /receipt\.completed/);
  assert.ok(collector.spans.some(({ name }) => name === "webhook receipt_completed"));
  // The collector's own token is in the headers of what it got, where it belongs.
  const found: string[] = [];
  const needles = new Map([...Object.entries(TYPED), ...secrets]);
  for (const [name, value] of [
    ...needles,
    ["token of the metrics", METRICS_TOKEN],
    ["token of an endpoint", ENDPOINT_TOKEN],
  ]) {
    assert.ok(value!.length >= 5, `${name} is too short to be searched for`);
    for (const [place, text] of Object.entries(written)) {
      const at = text.toLowerCase().indexOf(value!.toLowerCase());
      if (at >= 0) found.push(`${name} is in the ${place}: ${text.slice(Math.max(0, at - 200), at + 100)}`);
    }
  }
  assert.deepEqual(found, []);
  assert.ok(!`${written.log}${written.metrics}`.includes(COLLECTOR_TOKEN));
  assert.ok(secrets.size >= 12, `${secrets.size} secrets were collected`);
});
