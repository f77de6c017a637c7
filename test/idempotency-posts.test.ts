import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import sharp from "sharp";
import { OPERATIONS } from "../src/openapi/operations.ts";
import { foodOf, isReplayed, madeOnce, postWithKey, refusedAs } from "./support/keyed-requests.ts";
import { startReceiptSubjects } from "./support/receipt-subjects.ts";
import type { ReceiptSubjects } from "./support/receipt-subjects.ts";
import { startService } from "./support/service.ts";
import { nameKey } from "../src/foods/aliases/alias.ts";
import { nameIdOf } from "../src/unknown-names/sightings.ts";
import { recordUnknownNames } from "../src/unknown-names/store.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
let userId: string;
let photo: Buffer;
/** Of the application: an endpoint, and a delivery to it. */
let endpointId: string;
let deliveryId: string;
/** Of the application: a reward with a pool of codes. */
let poolId: string;
/** Receipts that were read, in a service of their own. */
let read: ReceiptSubjects;
before(async () => {
  // Nothing is scored or read here: what is accepted is what counts.
  service = await startService({ isWorking: false });
  client = await service.newClient({ isSandbox: true });
  userId = await client.enrol();
  photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: "white" } })
    .jpeg()
    .toBuffer();
  const endpoint = await client.call("POST", "/webhooks/endpoints", { url: "http://127.0.0.1:9/hook" });
  endpointId = endpoint.json<{ id: string }>().id;
  const delivery = await client.call("POST", `/webhooks/endpoints/${endpointId}/test`, {});
  deliveryId = delivery.json<{ id: string }>().id;
  const pool = await client.call("POST", "/rewards", { name: "A free coffee", points: 1, codes: "pool" });
  poolId = pool.json<{ reward: { id: string } }>().reward.id;
  const gift = { points: 1_000, reason: "Gift", reference: "gift" };
  await client.call("POST", `/users/${userId}/adjustments`, gift);
  read = await startReceiptSubjects();
});
after(() => Promise.all([service.close(), read.service.close()]));

let keys = 0;
const newKey = () => `key-${keys++}`;
const food = (transactionId: string, over: object = {}) => foodOf(userId, transactionId, over);
const post = (path: string, body: object | undefined, key: string, headers = client.headers) =>
  postWithKey(service, headers, path, body, key);

function meal(transactionId: string) {
  const [imageUrl, loggedAt] = ["https://example.org/b.jpg", "2026-01-01T00:00:00Z"];
  return { userId, transactionId, mealName: "Banana", imageUrl, loggedAt, mealType: "snack" };
}

function person(name: string) {
  return { email: `${name}@example.org`, firstName: "Ada", lastName: "Lovelace" };
}

/** A receipt's form; every one has another boundary, as clients make them. */
function postReceipt(fields: Record<string, string>, key: string) {
  const boundary = `b${keys++}`;
  const part = (headers: string, content: string | Buffer) =>
    Buffer.concat([Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")]);
  const parts = Object.entries(fields).map(([name, value]) =>
    part(`content-disposition: form-data; name="${name}"`, value),
  );
  parts.push(part('content-disposition: form-data; name="receiptImage"; filename="r.jpg"', photo));
  return service.app.server.inject({
    method: "POST",
    url: "/track/receipts?api-version=1.0",
    headers: {
      ...client.headers,
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "idempotency-key": key,
    },
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
  });
}

const RECEIPT = { amount: "22.68", merchantName: "Larkmeadow Market", transactionTimestamp: "2026-10-24T10:41:00Z" };

interface Made {
  readonly program: { readonly version: number };
  readonly transaction: { readonly id: string; readonly reward?: { readonly code: string } };
}
const postReceiptAction = (id: string, action: string, body: object | undefined, key: string) =>
  postWithKey(read.service, read.client.headers, `/track/receipts/${id}/${action}`, body, key);

/** What can be done once: each `n` does it to another one. */
const adjustment = madeOnce(async (n) => {
  const body = { points: 1, reason: "Gift", reference: `of ${n}` };
  return (await client.call("POST", `/users/${userId}/adjustments`, body)).json<Made>().transaction.id;
});
const redemption = async (n: string, reserve: boolean) => {
  const body = { points: 1, reward: { name: "Coffee", codes: "made" }, reference: `of ${n}`, reserve };
  return (await client.call("POST", `/users/${userId}/redemptions`, body)).json<Made>().transaction;
};
const reserved = madeOnce((n) => redemption(n, true));
const redeemed = madeOnce((n) => redemption(n, false));
const failedReceipt = madeOnce(() => read.failed());
const heldReceipt = madeOnce(() => read.held());
const completedReceipt = madeOnce(() => read.completed());
const openDispute = madeOnce(() => read.disputed());
const unknownNameId = madeOnce(async (n) => {
  const name = `zzq ${n}`;
  const items = [{ name, merchantName: null, paid: null }];
  const { applicationId } = client;
  const sighted = { applicationId, userId, submissionId: crypto.randomUUID(), source: "meal", items } as const;
  await service.database.tx((tx) => recordUnknownNames(tx, [sighted], new Date()));
  return nameIdOf(applicationId, nameKey(name));
});
const draft = madeOnce(
  async (n) =>
    (await client.call("POST", "/programs", { definition: { name: `of ${n}` } })).json<Made>().program.version,
);
const scheduled = madeOnce(async (n) => {
  const version = await draft(n);
  const startsAt = new Date(service.clock.ms + 86_400_000).toISOString();
  await client.call("POST", `/programs/${version}/publish`, { startsAt });
  return version;
});
const redemptionsIn = (state: string) => `SELECT count(*) FROM redemptions WHERE state = '${state}'`;

type Send = (n: string, key: string) => Promise<LightMyRequestResponse>;

interface Post {
  readonly send: Send;
  /** Counts its effects. */
  readonly effects?: string;
  /** Where they are counted, if not in the first service. */
  readonly at?: () => TestService;
}

/** Every POST of the interface by its operation's id: how it is sent with a key, and what counts its effects. */
const POSTS: Record<string, Post> = {
  trackFood: { send: (n, key) => post("/track/food", food(n), key), effects: "SELECT count(*) FROM intakes" },
  trackMeal: { send: (n, key) => post("/track/meals", meal(n), key), effects: "SELECT count(*) FROM intakes" },
  uploadReceipt: {
    send: (n, key) => postReceipt({ userId, transactionId: n, ...RECEIPT }, key),
    effects: "SELECT count(*) FROM receipts",
  },
  // An address that is enrolled already is its second effect, and none.
  enrollUser: { send: (n, key) => post("/users/enroll", person(n), key) },
  openEnrolmentSession: {
    send: (n, key) => post("/users/enroll/session", person(n), key),
    effects: "SELECT count(*) FROM sessions",
  },
  openReceiptSession: {
    send: (n, key) => post("/track/receipts/session", { userId, transactionId: n }, key),
    effects: "SELECT count(*) FROM sessions",
  },
  moveTestClock: {
    send: (n, key) => post(`/users/${userId}/test-clock`, { advanceDays: 1, note: n }, key),
    effects: "SELECT coalesce(sum(ahead_ms), 0) / 86400000 FROM test_clocks",
  },
  adjustPoints: {
    send: (n, key) => post(`/users/${userId}/adjustments`, { points: 1, reason: "Gift", reference: n }, key),
    effects: "SELECT sum(available_points) FROM balances",
  },
  awardBonus: {
    send: (n, key) => post(`/users/${userId}/bonuses`, { points: 1, type: 5, reason: "Gift", reference: n }, key),
    effects: "SELECT sum(available_points) FROM balances",
  },
  reverseTransaction: {
    send: async (n, key) =>
      post(`/users/${userId}/transactions/${await adjustment(n)}/reversal`, { reason: "Wrong" }, key),
    effects: "SELECT count(*) FROM records WHERE operation = 6",
  },
  saveProgram: {
    send: (n, key) => post("/programs", { definition: { name: n } }, key),
    effects: "SELECT count(*) FROM programs",
  },
  previewProgram: {
    // One at a time for an application: what was sent before is over.
    send: async (n, key) => {
      await service.database.pool.query(
        `UPDATE program_previews SET failure = 'internal', finished_at = now()
         WHERE finished_at IS NULL AND definition ->> 'name' <> $1`,
        [n],
      );
      return post("/programs/preview", { definition: { name: n } }, key);
    },
    effects: "SELECT count(*) FROM program_previews",
  },
  publishProgram: {
    send: async (n, key) => post(`/programs/${await draft(n)}/publish`, { author: n }, key),
    effects: "SELECT count(*) FROM programs WHERE starts_at IS NOT NULL",
  },
  withdrawProgram: {
    send: async (n, key) => post(`/programs/${await scheduled(n)}/withdraw`, { author: n }, key),
    effects: "SELECT count(*) FROM programs WHERE withdrawn_at IS NOT NULL",
  },
  addReward: {
    send: (n, key) => post("/rewards", { name: n, points: 1 }, key),
    effects: "SELECT count(*) FROM rewards",
  },
  loadRewardCodes: {
    send: (n, key) => post(`/rewards/${poolId}/codes`, { codes: [n] }, key),
    effects: "SELECT sum(free_codes) FROM rewards",
  },
  redeemPoints: {
    send: (n, key) =>
      post(`/users/${userId}/redemptions`, { points: 1, reward: { name: "Coffee" }, reference: n }, key),
    effects: "SELECT -sum(available_points) FROM balances",
  },
  confirmRedemption: {
    send: async (n, key) => post(`/users/${userId}/redemptions/${(await reserved(n)).id}/confirm`, undefined, key),
    effects: redemptionsIn("completed"),
  },
  releaseRedemption: {
    send: async (n, key) => post(`/users/${userId}/redemptions/${(await reserved(n)).id}/release`, undefined, key),
    effects: redemptionsIn("released"),
  },
  refundRedemption: {
    send: async (n, key) =>
      post(`/users/${userId}/redemptions/${(await redeemed(n)).id}/refund`, { reason: "Closed" }, key),
    effects: redemptionsIn("refunded"),
  },
  useVoucher: {
    send: async (n, key) => post(`/vouchers/${(await redeemed(n)).reward!.code}/use`, { till: n }, key),
    effects: "SELECT count(used_at) FROM redemptions",
  },
  retryReceipt: {
    send: async (n, key) => postReceiptAction(await failedReceipt(n), "retry", undefined, key),
    effects: "SELECT coalesce(sum(runs), 0) FROM receipts",
    at: () => read.service,
  },
  decideReceipt: {
    send: async (n, key) =>
      postReceiptAction(await heldReceipt(n), "decision", { decision: "accept", reason: "Looked at it" }, key),
    effects: "SELECT coalesce(sum(runs), 0) FROM receipts",
    at: () => read.service,
  },
  correctReceipt: {
    send: async (n, key) => {
      const items = [{ name: "Apples", quantity: 1, totalPrice: 1 }];
      return postReceiptAction(await completedReceipt(n), "corrections", { reason: "Misread", items }, key);
    },
    effects: "SELECT count(*) FROM receipt_corrections",
    at: () => read.service,
  },
  rejectDispute: {
    send: async (n, key) => {
      const path = `/track/disputes/${await openDispute(n)}/reject`;
      return postWithKey(read.service, read.client.headers, path, { reason: "Looked at it" }, key);
    },
    effects: "SELECT count(*) FROM receipt_disputes WHERE state = 'rejected'",
    at: () => read.service,
  },
  teachAlias: {
    send: (n, key) => post("/catalogue/aliases", { name: `apple ${n}`, foodId: "apple" }, key),
    effects: "SELECT count(*) FROM aliases",
  },
  aliasUnknownName: {
    send: async (n, key) => {
      const path = `/catalogue/unknown-names/${await unknownNameId(n)}/alias`;
      return post(path, { foodId: "apple" }, key);
    },
    effects: "SELECT count(*) FROM aliases",
  },
  teachWord: {
    send: (n, key) => post("/catalogue/words", { word: n.replaceAll(/[^a-z]/g, ""), means: `apple ${n}` }, key),
  },
  createWebhookEndpoint: {
    send: (n, key) => post("/webhooks/endpoints", { url: `http://127.0.0.1:9/${n}` }, key),
    effects: "SELECT count(*) FROM endpoints",
  },
  rotateWebhookSecret: {
    send: (n, key) => post(`/webhooks/endpoints/${endpointId}/rotate-secret`, { note: n }, key),
    effects: "SELECT sum(generation) FROM endpoints",
  },
  testWebhookEndpoint: {
    send: (n, key) => post(`/webhooks/endpoints/${endpointId}/test`, { note: n }, key),
    effects: "SELECT count(*) FROM deliveries",
  },
  replayWebhooks: {
    send: (n, key) => post(`/webhooks/endpoints/${endpointId}/replay`, { since: "2026-01-01T00:00:00Z", note: n }, key),
  },
  retryWebhookDelivery: {
    send: (n, key) => post(`/webhooks/deliveries/${deliveryId}/retry`, { note: n }, key),
  },
};

test("no POST of the interface is missing here", () => {
  // A preview of a correction changes nothing, and each shows its own moment.
  const posts = OPERATIONS.filter(({ method, id }) => method === "POST" && id !== "previewCorrection").map(
    ({ id }) => id,
  );
  assert.deepEqual(posts.toSorted(), Object.keys(POSTS).toSorted());
});

for (const [name, { send, effects: sql, at = () => service }] of Object.entries(POSTS)) {
  describe(`${name} with an Idempotency-Key`, () => {
    const effects = async (): Promise<number> => {
      const statement = { name: `test.effects-${name}`, text: `SELECT (${sql ?? "SELECT 0"})::float8 AS effects` };
      return (await at().database.query<{ effects: number }>(statement))[0]!.effects;
    };
    const one = sql === undefined ? 0 : 1;

    test("that is repeated has one effect, and the stored response", async () => {
      const key = newKey();
      const before = await effects();
      const first = await send(`again-${key}`, key);
      assert.ok(first.statusCode < 300, first.body);
      assert.ok(!isReplayed(first));
      const second = await send(`again-${key}`, key);
      assert.deepEqual([second.statusCode, second.json()], [first.statusCode, first.json()]);
      assert.ok(isReplayed(second));
      assert.equal(await effects(), before + one);
    });

    test("that is repeated with another body is refused and has no effect", async () => {
      const key = newKey();
      await send(`one-${key}`, key);
      const before = await effects();
      refusedAs(await send(`other-${key}`, key), 422, "IdempotencyKeyReused");
      assert.equal(await effects(), before);
    });

    test("that is sent eight times at once has one effect, and the same response each time", async () => {
      const key = newKey();
      const before = await effects();
      const responses = await Promise.all(Array.from({ length: 8 }, () => send(`crowd-${key}`, key)));
      assert.equal(new Set(responses.map(({ body }) => body)).size, 1, responses.map(({ body }) => body).join("\n"));
      assert.ok(responses.every(({ statusCode }) => statusCode < 300));
      assert.equal(responses.filter((response) => !isReplayed(response)).length, 1);
      assert.equal(await effects(), before + one);
    });
  });
}
