import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import {
  ConnectionError,
  ProblemError,
  TimeoutError,
  WebhookError,
  createRewards,
  verifyWebhook,
} from "rewards-service-sdk";
import type { ReceiptImage, Rewards, RewardsOptions } from "rewards-service-sdk";
import { signatureHeaders } from "../src/webhooks/sign.ts";

interface Sent {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

type Reply = Response | Error | ((signal: AbortSignal) => Promise<Response>);

const json = (body: object, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);
const unavailable = (headers: Record<string, string> = {}) => new Response("busy", { status: 503, headers });

/** A client of a service with these replies, one for each attempt, and the requests it sent. It never really waits. */
function client(
  replies: Reply[],
  options: Partial<RewardsOptions> = {},
): { rewards: Rewards; sent: Sent[]; waits: number[] } {
  const sent: Sent[] = [];
  const waits: number[] = [];
  const rewards = createRewards({
    baseUrl: "https://rewards.example.org/",
    clientId: "app_1",
    clientSecret: "sec_1",
    random: () => 1,
    sleep: async (ms) => {
      waits.push(ms);
    },
    fetch: async (url, init) => {
      const given = init?.body as string | Uint8Array | undefined;
      const body = typeof given === "string" ? given : Buffer.from(given ?? []).toString("latin1");
      sent.push({ url: new URL(url as string), method: init?.method ?? "", headers: new Headers(init?.headers), body });
      const reply = replies.shift() ?? assert.fail("one attempt too many");
      if (reply instanceof Error) throw reply;
      return typeof reply === "function" ? reply(init!.signal!) : reply;
    },
    ...options,
  });
  return { rewards, sent, waits };
}

const PERSON = { email: "robin@example.org", firstName: "Robin", lastName: "Example" };

test("a call names the version and carries the credentials, the ids in its path and what it asks for", async () => {
  const { rewards, sent } = client([json({ transactions: [], count: 0 })]);
  await rewards.listTransactions("a/b", { pageSize: 5, timeframe: "P30D", page: undefined });
  const [{ url, method, headers }] = sent as [Sent];
  assert.equal(method, "GET");
  assert.equal(url.pathname, "/users/a%2Fb/transactions");
  assert.deepEqual(Object.fromEntries(url.searchParams), { "api-version": "1.0", pageSize: "5", timeframe: "P30D" });
  assert.deepEqual([headers.get("x-client-id"), headers.get("x-client-secret")], ["app_1", "sec_1"]);
  assert.equal(headers.get("idempotency-key"), null);
});

test("health is requested without credentials, and not being ready is a response", async () => {
  const { rewards, sent } = client([json({ status: "not ready" }, { status: 503 })]);
  assert.deepEqual(await rewards.getReadiness(), { status: "not ready" });
  assert.equal(sent[0]!.headers.get("x-client-secret"), null);
});

test("an id that would lead to another path is refused", async () => {
  const { rewards } = client([]);
  for (const id of ["", ".", ".."]) await assert.rejects(rewards.getUserSummary(id), TypeError);
});

test("all attempts of a POST carry one key of their own and the same body", async () => {
  const { rewards, sent } = client([unavailable(), new TypeError("reset"), json({ user: {} }), json({ user: {} })]);
  await rewards.enrollUser(PERSON);
  await rewards.enrollUser(PERSON);
  const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.notEqual(keys[3], keys[0]);
  assert.deepEqual(new Set(sent.map(({ body }) => body)), new Set([JSON.stringify(PERSON)]));
  const own = client([json({ user: {} })]);
  await own.rewards.enrollUser(PERSON, { idempotencyKey: "mine", requestId: "r-1" });
  assert.equal(own.sent[0]!.headers.get("idempotency-key"), "mine");
  assert.equal(own.sent[0]!.headers.get("x-request-id"), "r-1");
});

test("waits double, have jitter, and are never shorter than the service asks", async () => {
  const { rewards, waits } = client([...Array.from({ length: 3 }, () => unavailable()), json({ user: {} })]);
  await rewards.getUserSummary("u");
  assert.deepEqual(waits, [400, 800, 1600]);
  const jittered = client([unavailable(), json({ user: {} })], { random: () => 0 });
  await jittered.rewards.getUserSummary("u");
  assert.deepEqual(jittered.waits, [200]);
  const asked = client([unavailable({ "retry-after": "7" }), json({ user: {} })]);
  await asked.rewards.getUserSummary("u");
  assert.deepEqual(asked.waits, [7_000]);
});

test("after the last attempt, or when asked to wait too long, the problem is thrown", async () => {
  const { rewards, sent } = client([unavailable(), unavailable()], { retriesMax: 1 });
  await assert.rejects(rewards.getUserSummary("u"), { name: "ProblemError", status: 503, code: "Unknown" });
  assert.equal(sent.length, 2);
  const long = client([unavailable({ "retry-after": "3600" })]);
  await assert.rejects(long.rewards.getUserSummary("u"), { retryAfterMs: 3_600_000 });
});

test("a problem is an error with its code, its errors and the request's id, and is not tried again", async () => {
  const problem = {
    type: "https://rewards.example.org/problems/validation-failed",
    title: "The request is not valid",
    status: 400,
    detail: "",
    instance: "/users/enroll",
    code: "ValidationFailed",
    requestId: "r-9",
    errors: { email: ["is required"] },
  };
  const headers = { "content-type": "application/problem+json" };
  const { rewards, sent } = client([json(problem, { status: 400, headers })]);
  await assert.rejects(rewards.enrollUser(PERSON), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.equal(error.code, "ValidationFailed");
    assert.deepEqual(error.errors, { email: ["is required"] });
    assert.equal(error.requestId, "r-9");
    assert.match(error.message, /email is required/);
    return true;
  });
  assert.equal(sent.length, 1);
});

test("no response, and an unreadable one, are a ConnectionError with its cause", async () => {
  const cause = new TypeError("fetch failed");
  const { rewards } = client([cause], { retriesMax: 0 });
  await assert.rejects(
    rewards.getUserSummary("u"),
    (error) => error instanceof ConnectionError && error.cause === cause,
  );
  const cut = client([new Response('{"user":')], { retriesMax: 0 });
  await assert.rejects(cut.rewards.getUserSummary("u"), ConnectionError);
});

test("an attempt has its time, and the caller's signal ends the call with its reason", async () => {
  const never: Reply = (signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Error));
    });
  const { rewards, sent } = client([never, never], { timeoutMs: 5, retriesMax: 1 });
  // The timer of a signal does not keep a process alive by itself.
  const alive = setInterval(() => {}, 1_000);
  await assert.rejects(rewards.getUserSummary("u"), TimeoutError);
  assert.equal(sent.length, 2);
  const stop = new AbortController();
  const call = client([never]).rewards.getUserSummary("u", { signal: stop.signal });
  stop.abort(new RangeError("enough"));
  await assert.rejects(call, RangeError);
  const before = client([]).rewards.getUserSummary("u", { signal: AbortSignal.abort(new RangeError("enough")) });
  await assert.rejects(before, RangeError);
  clearInterval(alive);
});

test("an image is given as bytes, a Blob, a stream or a path, and every attempt sends the same form", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rewards-sdk-"));
  const path = join(folder, "receipt.png");
  writeFileSync(path, "PICTURE");
  const images: ReceiptImage[] = [
    Buffer.from("PICTURE"),
    new TextEncoder().encode("PICTURE").buffer,
    new Blob(["PICTURE"]),
    new Blob(["PICTURE"]).stream(),
    Readable.from([Buffer.from("PIC"), Buffer.from("TURE")]),
    { path },
  ];
  const fields = {
    userId: "u",
    transactionId: "t",
    merchantName: "M",
    amount: 2.5,
    transactionTimestamp: "2026-10-24T10:41Z",
  };
  for (const receiptImage of images) {
    const { rewards, sent } = client([unavailable(), json({ receiptID: "r", message: "" })]);
    await rewards.uploadReceipt({ ...fields, receiptImage });
    assert.equal(sent[0]!.body, sent[1]!.body);
    const type = sent[0]!.headers.get("content-type")!;
    assert.match(type, /^multipart\/form-data; boundary=/);
    const form = await new Response(Buffer.from(sent[0]!.body, "latin1"), {
      headers: { "content-type": type },
    }).formData();
    assert.equal(form.get("amount"), "2.5");
    assert.equal(await (form.get("receiptImage") as File).text(), "PICTURE");
  }
  const several = client([json({ receiptID: "r", message: "" })]);
  await several.rewards.uploadReceipt({
    ...fields,
    receiptImage: [Buffer.from("TOP"), new Blob(["MIDDLE"]), { path }],
  });
  const headers = { "content-type": several.sent[0]!.headers.get("content-type")! };
  const parts = await new Response(Buffer.from(several.sent[0]!.body, "latin1"), { headers }).formData();
  const texts = ["", "2", "3"].map(async (number) => (parts.get(`receiptImage${number}`) as File).text());
  assert.deepEqual(await Promise.all(texts), ["TOP", "MIDDLE", "PICTURE"]);
  const sample = client([json({ receiptID: "r", message: "" })]);
  await sample.rewards.uploadReceipt({ ...fields, testBlobUri: "sample:completed" });
  assert.equal(sample.sent[0]!.url.searchParams.get("testBlobUri"), "sample:completed");
  assert.doesNotMatch(sample.sent[0]!.body, /testBlobUri|receiptImage/);
  await rm(folder, { recursive: true });
});

test("transactions goes through all pages, and shows none twice when new ones are booked meanwhile", async () => {
  const records = Array.from({ length: 250 }, (_, i) => ({ id: `r${250 - i}` }));
  const pages = [
    { transactions: records.slice(0, 100), count: 250 },
    { transactions: records.slice(98, 198), count: 252 },
    { transactions: records.slice(198), count: 252 },
  ];
  const { rewards, sent } = client(pages.map((page) => json(page)));
  const ids: string[] = [];
  for await (const { id } of rewards.transactions("u", { timeframe: "year" })) ids.push(id);
  assert.deepEqual(
    ids,
    records.map(({ id }) => id),
  );
  assert.deepEqual(
    sent.map(({ url }) => url.searchParams.get("page")),
    ["1", "2", "3"],
  );
});

test("an outcome is waited for, as long as was said", async () => {
  const { rewards } = client([json({ status: "Uploaded" }), json({ status: "Completed" })]);
  assert.equal((await rewards.waitForReceipt("r")).status, "Completed");
  const slow = client([json({ status: "received" })]);
  await assert.rejects(slow.rewards.waitForMeal("m", { waitMs: 0 }), TimeoutError);
});

test("a client secret is refused in a browser's page", () => {
  const globals = globalThis as { window?: object; document?: object };
  Object.assign(globals, { window: {}, document: {} });
  try {
    assert.throws(() => client([]), /must not be in a browser/);
    assert.ok(client([], { clientSecret: undefined }).rewards);
  } finally {
    delete globals.window;
    delete globals.document;
  }
});

const secretOf = () => `whsec_${randomBytes(32).toString("base64")}`;
const NOW_MS = Date.parse("2026-10-24T10:41:00.500Z");
const event = { event: "intake.failed", errorType: "OLD_MEAL_LOG", errorMessage: "Größe" };
const body = JSON.stringify(event);
const signed = (secrets: readonly string[], timestampSeconds = Math.floor(NOW_MS / 1_000)) =>
  signatureHeaders({ id: "evt_1", timestampSeconds, body }, secrets);
const at = { now: () => NOW_MS };

test("a delivery that the service signed is verified, whatever the form of its headers and body", async () => {
  const secret = secretOf();
  const headers = signed([secret]);
  const upperCase = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
  for (const given of [headers, new Headers(headers), upperCase]) {
    for (const bytes of [body, Buffer.from(body), new TextEncoder().encode(body).buffer]) {
      const delivery = await verifyWebhook(given, bytes, secret, at);
      assert.deepEqual(delivery, {
        id: "evt_1",
        sentAt: new Date("2026-10-24T10:41:00Z"),
        sequence: null,
        type: "intake.failed",
        event,
      });
    }
  }
});

test("while secrets are replaced, one that both sides have is enough", async () => {
  const [older, newer, other] = [secretOf(), secretOf(), secretOf()];
  assert.ok(await verifyWebhook(signed([newer, older]), body, older, at));
  assert.ok(await verifyWebhook(signed([older]), body, [newer, older], at));
  await assert.rejects(verifyWebhook(signed([older, newer]), body, other, at), { reason: "wrong_signature" });
});

test("a delivery is refused that is not whole, too old or too new, changed, or no event", async () => {
  const secret = secretOf();
  const headers = signed([secret]);
  const refuses = (reason: string, given: object, text = body) =>
    assert.rejects(
      verifyWebhook(given as Record<string, string>, text, secret, at),
      (error) => error instanceof WebhookError && error.reason === reason,
    );
  for (const name of Object.keys(headers)) await refuses("missing_header", { ...headers, [name]: undefined });
  await refuses("missing_header", { ...headers, "webhook-id": ["evt_1", "evt_2"] });
  for (const seconds of [-301, 301]) await refuses("stale", signed([secret], Math.round(NOW_MS / 1_000) + seconds));
  await refuses("stale", { ...headers, "webhook-timestamp": "soon" });
  await refuses("wrong_signature", headers, `${body} `);
  await refuses("wrong_signature", { ...headers, "webhook-id": "evt_2" });
  for (const signature of ["v1,", "v1,AAAA", "v2,AAAA", "v1,***", "x".repeat(5_000)]) {
    await refuses("wrong_signature", { ...headers, "webhook-signature": signature });
  }
  const content = { id: "evt_1", timestampSeconds: Math.floor(NOW_MS / 1_000) };
  for (const text of ["", "[]", "null", "{", '{"event":1}']) {
    await refuses("malformed_body", signatureHeaders({ ...content, body: text }, [secret]), text);
  }
  await assert.rejects(verifyWebhook(headers, body, "sec_not_of_webhooks", at), TypeError);
  assert.ok(await verifyWebhook(signed([secret], 0), body, secret, { ...at, toleranceSeconds: Infinity }));
});
