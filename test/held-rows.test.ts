import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Client as PgClient } from "pg";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { acceptedReceipt, statusUntil, uploadReceipt } from "./support/uploads.ts";

const AT_ONCE = 20;

let service: TestService;
let client: Client;
let other: Client;
let userId: string;
let otherUserId: string;
before(async () => {
  service = await startService({
    env: { RECEIPT_MAX_AGE_DAYS: "0" },
    // A fifth of the usual waits.
    connection: { connectionsMax: 8, requestWaits: { lockMs: 300, shareMs: 2_000 } },
    ocr: { read: async () => pageOf(GROCERIES), close: async () => {} },
  });
  client = await service.newClient({ isSandbox: true });
  other = await service.newClient({ isSandbox: true });
  userId = await withPoints(client);
  otherUserId = await withPoints(other);
});
after(() => service.close());

let references = 0;
const nextReference = () => `reference-${(references += 1)}`;

async function withPoints(of: Client): Promise<string> {
  const id = await of.enrol();
  await of.call("POST", `/users/${id}/adjustments`, { points: 5_000, reason: "Gift", reference: nextReference() });
  return id;
}

async function add(of: Client, reward: object = {}): Promise<string> {
  const response = await of.call("POST", "/rewards", { name: "A free coffee", points: 5, stock: 100, ...reward });
  return response.json().reward.id;
}

const redeem = (of: Client, user: string, rewardId: string) =>
  of.call("POST", `/users/${user}/redemptions`, { rewardId, reference: nextReference() });
const adjust = (of: Client, user: string) =>
  of.call("POST", `/users/${user}/adjustments`, { points: 1, reason: "Gift", reference: nextReference() });

/** A row that is there, or one that another connection is inserting. */
type Row = { table: string; key: string; id: string } | { insert: string; values: readonly string[] };

/**
 * Sends requests that wait for a row which a connection of the test holds. Meanwhile another application sends some,
 * and gets every response while the row is still held.
 */
async function whileHeld(row: Row, send: () => ReturnType<Client["call"]>) {
  const rewardId = await add(other);
  const holder = new PgClient({ connectionString: service.databaseUrl });
  await holder.connect();
  await holder.query("BEGIN");
  const held =
    "insert" in row
      ? await holder.query(row.insert, [...row.values])
      : await holder.query(`SELECT FROM ${row.table} WHERE ${row.key} = $1 FOR UPDATE`, [row.id]);
  assert.ok(held.rowCount! > 0);
  const waiting = Array.from({ length: AT_ONCE }, send);
  const others = await Promise.all([
    other.call("GET", `/users/${otherUserId}/summary`),
    adjust(other, otherUserId),
    redeem(other, otherUserId, rewardId),
    ...Array.from({ length: 10 }, () => other.call("GET", `/users/${otherUserId}/transactions`)),
  ]);
  const statuses = others.map(({ statusCode }) => statusCode);
  // Released before all others, if these had to wait: the test fails then, and does not hang.
  if (statuses.some((status) => status !== 200)) await holder.query("ROLLBACK");
  const own = await client.call("GET", `/users/${userId}/summary`);
  const responses = await Promise.all(waiting);
  await holder.query("ROLLBACK");
  await holder.end();
  assert.deepEqual([...statuses, own.statusCode], Array(statuses.length + 1).fill(200));
  for (const response of responses) {
    assert.equal(response.statusCode, 503, response.body);
    assert.ok(Number(response.headers["retry-after"]) > 0);
  }
}

test("redemptions of a reward whose row is held wait for a bounded time, and another application's don't", async () => {
  const rewardId = await add(client, { stock: 1_000 });
  await whileHeld({ table: "rewards", key: "id", id: rewardId }, () => redeem(client, userId, rewardId));
  assert.equal((await redeem(client, userId, rewardId)).statusCode, 200);
  assert.equal((await client.call("GET", `/rewards/${rewardId}`)).json().reward.stock, 999);
});

test("changes and removals of a reward whose row is held delay no other application", async () => {
  const rewardId = await add(client);
  const path = `/rewards/${rewardId}`;
  let sent = 0;
  await whileHeld({ table: "rewards", key: "id", id: rewardId }, () =>
    (sent += 1) % 2 === 0 ? client.call("DELETE", path) : client.call("PATCH", path, { name: "Tea" }),
  );
});

test("whatever waits for one user's balance delays no other application, and moves nothing when it gives up", async () => {
  const user = `/users/${userId}`;
  const rewardId = await add(client, { codes: "made" });
  const redeemed = (await redeem(client, userId, rewardId)).json().transaction;
  const adjusted = (await adjust(client, userId)).json().transaction;
  const summary = async () => (await client.call("GET", `${user}/summary`)).json();
  const before = await summary();
  const reason = "Gift";
  const sends = [
    () => redeem(client, userId, rewardId),
    () => adjust(client, userId),
    () => client.call("POST", `${user}/bonuses`, { type: 2, points: 5, reason, reference: nextReference() }),
    () => client.call("POST", `${user}/transactions/${adjusted.id}/reversal`, { reason }),
    () => client.call("POST", `${user}/redemptions/${redeemed.id}/refund`, { reason }),
  ];
  let sent = 0;
  await whileHeld({ table: "balances", key: "user_id", id: userId }, () => sends[(sent += 1) % sends.length]!());
  assert.deepEqual(await summary(), before);
});

test("changes of a user, uses of a voucher and corrections of a receipt, whose rows are held delay no other application", async () => {
  const rewardId = await add(client, { codes: "made" });
  const { code } = (await redeem(client, userId, rewardId)).json().transaction.reward;
  let sent = 0;
  await whileHeld({ table: "users", key: "id", id: userId }, () =>
    (sent += 1) % 2 === 0
      ? client.call("POST", `/vouchers/${code}/use`, { till: "1" })
      : client.call("PATCH", `/users/${userId}`, { firstName: "Augusta" }),
  );
  const receiptId = await acceptedReceipt(service, client, { fields: formFor(userId) });
  await statusUntil<{ status: string }>(client, receiptId, ({ status }) => /^(Completed|Failed)$/.test(status));
  await whileHeld({ table: "receipts", key: "id", id: receiptId }, () =>
    client.call("POST", `/track/receipts/${receiptId}/corrections`, { reason: "Misread", merchantName: "Aldi" }),
  );
});

test("uploads with a reference that another upload is claiming delay no other application, and leave no image", async () => {
  const fields = formFor(userId, { transactionId: "claimed" });
  const insert = `INSERT INTO submission_references (application_id, kind, reference, submission_id)
                  VALUES ($1, 'receipt', $2, gen_random_uuid())`;
  const entries = () => readdirSync(join(service.dataDir, "files"), { recursive: true, encoding: "utf8" });
  const images = () => entries().filter((name) => /\.\w+$/.test(name));
  const before = images();
  await whileHeld({ insert, values: [client.applicationId, "claimed"] }, () =>
    uploadReceipt(service, client, { fields }),
  );
  assert.deepEqual(images(), before);
  assert.equal((await uploadReceipt(service, client, { fields })).statusCode, 200);
});
