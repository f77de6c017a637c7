import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { setSuspended } from "../src/applications/store.ts";
import { createServer } from "../src/http/server.ts";
import { PROBLEMS } from "../src/problem-types.ts";
import { Problem } from "../src/problems.ts";
import type { ProblemName } from "../src/problem-types.ts";
import { headersWith } from "./support/applications.ts";
import { formFor } from "./support/groceries.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt } from "./support/uploads.ts";

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService({ env: { AUTH_FAILURES_PER_MINUTE: "1" }, isWorking: false });
  client = await service.newClient();
  userId = await client.enrol();
});
after(() => service.close());

interface RawResponse {
  status: number;
  body: string;
}

const VERSION = "api-version=1.0";
const SUMMARY = "/users/x/summary";

async function ask(
  url: string,
  more: { method?: "GET" | "POST" | "PUT" | "PATCH"; payload?: string; headers?: object } = {},
) {
  const headers = { ...client.headers, ...more.headers } as Record<string, string>;
  const { statusCode, body } = await service.app.server.inject({ method: "GET", ...more, url, headers });
  return { status: statusCode, body };
}

function post(payload: string, headers: object = {}) {
  return ask(`/users/enroll?${VERSION}`, {
    method: "POST",
    payload,
    headers: { "content-type": "application/json", ...headers },
  });
}

function postTo(path: string, body: object) {
  return ask(`${path}?${VERSION}`, {
    method: "POST",
    payload: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
}

function adjust(adjustment: object) {
  return ask(`/users/${userId}/adjustments?${VERSION}`, {
    method: "POST",
    payload: JSON.stringify(adjustment),
    headers: { "content-type": "application/json" },
  });
}

/** Uploads a receipt that nobody reads. Returns its id. */
const uploadReceipt = (transactionId: string = crypto.randomUUID()) =>
  acceptedReceipt(service, client, { fields: formFor(userId, { transactionId }) });

function askAbout(receiptId: string, what: string, body: object = {}) {
  return ask(`/track/receipts/${receiptId}/${what}?${VERSION}`, {
    method: "POST",
    payload: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
}

function reverse(id: string) {
  return ask(`/users/${userId}/transactions/${id}/reversal?${VERSION}`, {
    method: "POST",
    payload: '{"reason":"Given twice"}',
    headers: { "content-type": "application/json" },
  });
}

/** Asks for an application that is moving, or has moved. */
async function askClosed(movedTo: string | null) {
  const other = await service.newClient();
  const closing = "UPDATE applications SET closed_at = now(), moved_to = $2 WHERE client_id = $1";
  await service.database.pool.query(closing, [other.clientId, movedTo]);
  // From an address without failures: others see a new application within two seconds only.
  const request = { url: `${SUMMARY}?${VERSION}`, headers: other.headers, remoteAddress: "192.0.2.8" };
  const { statusCode, body } = await service.app.server.inject(request);
  return { status: statusCode, body };
}

let redeemed = 0;

/** Redeems a reward of the catalogue, or an own one with a code. */
async function redeem(reward: object | null, more: object = {}) {
  const own = { points: 0, reward: { name: "A free coffee", codes: "made" } };
  const rewardId =
    reward && (await client.call("POST", "/rewards", { name: "Tea", points: 0, ...reward })).json().reward.id;
  const body = { reference: `redeemed ${(redeemed += 1)}`, ...(reward ? { rewardId } : own), ...more };
  return client.call("POST", `/users/${userId}/redemptions`, body);
}

function asRaw({ statusCode, body }: { statusCode: number; body: string }): RawResponse {
  return { status: statusCode, body };
}

async function useVoucherOf(redemption: Awaited<ReturnType<typeof redeem>>): Promise<RawResponse> {
  return asRaw(await client.call("POST", `/vouchers/${redemption.json().transaction.reward.code}/use`, {}));
}

/** Very short timeouts, only for tests of timeouts: on a busy machine other tests would run into them. */
const IMPATIENT = { requestMs: 50, headersMs: 50, idleMs: 60_000, checkMs: 20 };

/** Sends bytes to a new server. Returns everything that it sends until it closes the connection. */
async function sendBytes(bytes: string, timeouts?: typeof IMPATIENT): Promise<RawResponse> {
  const server = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "http://rewards.test",
    newRequestId: () => "id",
    ...(timeouts && { timeouts }),
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const { port } = server.server.address() as { port: number };
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    let received = "";
    socket.on("data", (data) => (received += data.toString()));
    socket.on("close", () => resolve(received));
    socket.on("error", reject);
  });
  await server.close();
  const [head = "", body = ""] = text.split("\r\n\r\n");
  return { status: Number(head.split(" ")[1]), body };
}

/** Returns the response of a route that throws this error. */
async function meeting(failure: unknown): Promise<RawResponse> {
  const log = pino({ level: "silent" });
  const server = createServer({ log, publicUrl: "http://rewards.test", newRequestId: () => "id" });
  server.get("/here", async () => {
    throw failure;
  });
  const { statusCode, body } = await server.inject({ url: "/here" });
  await server.close();
  return { status: statusCode, body };
}

const SECRET = "password authentication failed for SELECT secret FROM applications";

/** Causes each problem. A new problem needs an entry here. */
const PROVOKED: Readonly<Record<ProblemName, () => Promise<RawResponse>>> = {
  validation: () => post("{}"),
  malformedBody: () => post("{"),
  malformedRequest: () => sendBytes("NOT HTTP\r\n\r\n"),
  apiVersionUnspecified: () => ask(SUMMARY),
  apiVersionInvalid: () => ask(`${SUMMARY}?api-version=one`),
  apiVersionAmbiguous: () => ask(`${SUMMARY}?${VERSION}&${VERSION}`),
  apiVersionUnsupported: () => ask(`${SUMMARY}?api-version=9.9`),
  unauthorized: () => ask(`${SUMMARY}?${VERSION}`, { headers: { "x-client-secret": "wrong" } }),
  suspended: async () => {
    const other = await service.newClient();
    await setSuspended(service.database, other.clientId, new Date(), new Date());
    return ask(`${SUMMARY}?${VERSION}`, { headers: other.headers });
  },
  applicationMoving: () => askClosed(null),
  applicationMoved: () => askClosed("https://south.example"),
  notFound: () => ask(`${SUMMARY}?${VERSION}`),
  sessionNotFound: () => ask("/enroll?sessionId=nothing", { headers: { accept: "application/json" } }),
  methodNotAllowed: () => ask(`/users/enroll?${VERSION}`, { method: "PUT" }),
  requestTimeout: () => sendBytes("GET / HTTP/1.1\r\nhost: x\r\n", IMPATIENT),
  idempotencyKeyReused: async () => {
    const headers = { "idempotency-key": "problems" };
    const enrollment = { email: "ada@example.org", firstName: "Ada", lastName: "Lovelace" };
    await post(JSON.stringify(enrollment), headers);
    return post(JSON.stringify({ ...enrollment, firstName: "Augusta" }), headers);
  },
  idempotencyAnswerLost: () => meeting(new Problem("idempotencyAnswerLost")),
  pointsShort: () => adjust({ points: -1, reason: "Correction", reference: "short" }),
  referenceUsed: async () => {
    const gift = { points: 1, reason: "Gift", reference: "twice" };
    await adjust(gift);
    return adjust(gift);
  },
  insufficientScope: async () => {
    const headers = await headersWith(service, client, ["users.write"]);
    // From an address without failures: others see a new secret within two seconds only.
    const request = { url: `${SUMMARY}?${VERSION}`, headers, remoteAddress: "192.0.2.7" };
    const { statusCode, body } = await service.app.server.inject(request);
    return { status: statusCode, body };
  },
  sandboxOnly: () =>
    ask(`/users/${userId}/test-clock?${VERSION}`, {
      method: "POST",
      payload: JSON.stringify({ advanceDays: 1 }),
      headers: { "content-type": "application/json" },
    }),
  notADraft: async () => {
    await postTo("/programs", { definition: { name: "Once" } });
    await postTo("/programs/1/publish", {});
    return postTo("/programs/1/publish", {});
  },
  notScheduled: async () => {
    const { program } = JSON.parse((await postTo("/programs", { definition: { name: "Draft" } })).body);
    return postTo(`/programs/${program.version}/withdraw`, {});
  },
  alreadyReversed: async () => {
    const { transaction } = JSON.parse((await adjust({ points: 1, reason: "Gift", reference: "undone" })).body);
    await reverse(transaction.id);
    return reverse(transaction.id);
  },
  notReversible: async () => {
    const { transaction } = JSON.parse((await adjust({ points: 1, reason: "Gift", reference: "undone too" })).body);
    const reversal = await reverse(transaction.id);
    return reverse(JSON.parse(reversal.body).transaction.id);
  },
  rewardNotYetValid: async () => asRaw(await redeem({ validFrom: "2099-01-01T00:00:00Z" })),
  rewardExpired: async () => asRaw(await redeem({ validTill: "2020-01-01T00:00:00Z" })),
  rewardOutOfStock: async () => asRaw(await redeem({ stock: 0 })),
  rewardTier: async () => asRaw(await redeem({ tier: 4 })),
  redemptionState: async () => useVoucherOf(await redeem(null, { reserve: true })),
  voucherUsed: async () => {
    const redemption = await redeem(null);
    await useVoucherOf(redemption);
    return useVoucherOf(redemption);
  },
  voucherExpired: async () => {
    const validTill = new Date(Date.now() + 3_600_000).toISOString();
    const redemption = await redeem({ codes: "made", validTill });
    service.clock.ms += 7_200_000;
    const response = await useVoucherOf(redemption);
    service.clock.ms -= 7_200_000;
    return response;
  },
  voucherVoid: async () => {
    const redemption = await redeem(null);
    const { id } = redemption.json().transaction;
    await client.call("POST", `/users/${userId}/redemptions/${id}/refund`, { reason: "Closed" });
    return useVoucherOf(redemption);
  },
  notCorrectable: async () => askAbout(await uploadReceipt(), "corrections", { reason: "Misread", totalAmount: 1 }),
  notRetryable: async () => askAbout(await uploadReceipt(), "retry"),
  notHeld: async () => askAbout(await uploadReceipt(), "decision", { decision: "accept", reason: "Seen" }),
  disputeNotOpen: async () => {
    const receiptId = await uploadReceipt("disputed");
    const disputeId = randomUUID();
    const insert = `INSERT INTO receipt_disputes (user_id, receipt_id, number, id, kind, opened_at, state, decided_at)
      VALUES ($1, $2, 1, $3, 'wrong_total', now(), 'rejected', now())`;
    await service.database.query({ name: "test.insert-dispute", text: insert }, [userId, receiptId, disputeId]);
    return asRaw(await client.call("POST", `/track/disputes/${disputeId}/reject`, { reason: "Seen" }));
  },
  receiptTaken: async () => {
    const failed = await uploadReceipt("taken");
    const fail = "UPDATE receipts SET error_code = 'INTERNAL_ERROR', error_message = '' WHERE id = $1";
    await service.database.query({ name: "test.fail-receipt", text: fail }, [failed]);
    const release = "DELETE FROM submission_references WHERE submission_id = $1";
    await service.database.query({ name: "test.release-reference", text: release }, [failed]);
    await uploadReceipt("taken");
    return askAbout(failed, "retry");
  },
  emailTaken: async () => {
    await client.enrol("taken@example.org");
    return ask(`/users/${userId}?${VERSION}`, {
      method: "PATCH",
      payload: JSON.stringify({ email: "taken@example.org" }),
      headers: { "content-type": "application/json" },
    });
  },
  payloadTooLarge: () => post(JSON.stringify({ email: "a".repeat(1024 * 1024) })),
  unsupportedMediaType: () => post("email=a", { "content-type": "application/x-www-form-urlencoded" }),
  tooManyRequests: async () => {
    const wrong = { headers: { "x-client-secret": "wrong" } };
    await ask(`${SUMMARY}?${VERSION}`, wrong);
    return ask(`${SUMMARY}?${VERSION}`, wrong);
  },
  headersTooLarge: () => sendBytes(`GET / HTTP/1.1\r\nhost: x\r\nx: ${"x".repeat(20_000)}\r\n\r\n`),
  internal: () => meeting(new TypeError(SECRET)),
  unavailable: () => meeting(Object.assign(new Error(SECRET), { code: "ECONNREFUSED" })),
  storageFull: () => meeting(new Problem("storageFull")),
};

for (const [name, provoke] of Object.entries(PROVOKED) as [ProblemName, () => Promise<RawResponse>][]) {
  const { status, code, slug, title } = PROBLEMS[name];
  test(`${code} is returned, contains no internals, and its type is the address of its page`, async () => {
    const response = await provoke();
    assert.equal(response.status, status, response.body);
    const problem = JSON.parse(response.body) as Record<string, unknown>;
    assert.deepEqual([problem["code"], problem["title"], problem["status"]], [code, title, status]);
    assert.equal(problem["type"], `http://rewards.test/problems/${slug}`);
    assert.doesNotMatch(response.body, /SELECT|password|Error:|\.ts\b|\n\s+at /, "no stack, SQL or internal message");

    const { statusCode, headers, body } = await service.app.server.inject({ url: `/problems/${slug}` });
    assert.equal(statusCode, 200);
    assert.match(String(headers["content-type"]), /^text\/html/);
    assert.match(body, /What it means[\s\S]+What to do[\s\S]+Example[\s\S]+requestId/);
  });
}

test("the index links every page, and an unknown slug is a 404", async () => {
  const { body } = await service.app.server.inject({ url: "/problems" });
  for (const { slug } of Object.values(PROBLEMS)) assert.ok(body.includes(`/problems/${slug}"`), slug);
  assert.equal((await service.app.server.inject({ url: "/problems/no-such-thing" })).statusCode, 404);
});

test("all errors of a body are returned at once, by the path of each property", async () => {
  const meal = {
    userId,
    mealName: "",
    mealType: "brunch",
    loggedAt: "yesterday",
    ingredients: [{ name: "Oats" }, { foodId: "x", name: "Milk", weight: -1, nutrition: { fatG: "much" } }],
  };
  const response = await client.call("POST", "/track/meals", meal);
  const { errors } = response.json<{ errors: Record<string, string[]> }>();
  assert.deepEqual(Object.keys(errors).toSorted(), [
    "imageUrl",
    "ingredients[0].foodId",
    "ingredients[1].nutrition.fatG",
    "ingredients[1].weight",
    "loggedAt",
    "mealName",
    "mealType",
    "transactionId",
  ]);
});
