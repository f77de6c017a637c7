import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { verifyLedger } from "../src/points/verification.store.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
});
after(() => service.close());

const GIFT = { points: 50, reason: "Goodwill gift", reference: "gift" };
const adjust = (userId: string, over: object = {}, headers: Record<string, string> = {}) =>
  client.call("POST", `/users/${userId}/adjustments`, { ...GIFT, ...over }, headers);
const userOf = async (userId: string) => (await client.call("GET", `/users/${userId}/summary`)).json().user;

test("an adjustment is a record with its reason, moves the balance, and is sent as an event", async () => {
  const userId = await client.enrol();
  const response = await adjust(userId, { reference: "case-1" });
  assert.equal(response.statusCode, 200);
  const { transaction, balance } = response.json();
  const { operation, status, totalPoints, reason } = transaction;
  assert.deepEqual(
    { operation, status, totalPoints, reason },
    {
      operation: 3,
      status: 2,
      totalPoints: 50,
      reason: "Goodwill gift",
    },
  );
  assert.equal(transaction.transaction.externalTransactionID, "case-1");
  assert.equal(transaction.transaction.transactionSource, 4);
  assert.deepEqual(balance, { availablePoints: 50, lifetimePoints: 0 });
  const { availablePoints, lifetimePoints, numOfTransactions } = await userOf(userId);
  assert.deepEqual([availablePoints, lifetimePoints, numOfTransactions], [50, 0, 0]);
  const list = (await client.call("GET", `/users/${userId}/transactions`)).json();
  assert.deepEqual(list, { transactions: [transaction], count: 1 });
  const [event] = await client.until((events) => events.some((sent) => nameOf(sent) === "points.adjusted"));
  assert.deepEqual(event, {
    event: "points.adjusted",
    userId,
    transactionID: transaction.id,
    externalTransactionID: "case-1",
    totalPoints: 50,
    ...balance,
    createdAt: transaction.createdAt,
    reason: "Goodwill gift",
  });
});

test("an opening balance counts as earned", async () => {
  const userId = await client.enrol();
  await adjust(userId, { points: 2300, reference: "opening", countsAsEarned: true });
  await adjust(userId, { points: -300, reference: "spent before" });
  const { availablePoints, lifetimePoints } = await userOf(userId);
  assert.deepEqual([availablePoints, lifetimePoints], [2000, 2300]);
});

test("points are never taken below zero: 409 with the balance, and nothing is booked", async () => {
  const userId = await client.enrol();
  await adjust(userId, { reference: "first" });
  const refused = await adjust(userId, { points: -51, reference: "second" });
  assert.deepEqual([refused.statusCode, refused.json().code, refused.json().availablePoints], [409, "PointsShort", 50]);
  assert.equal((await adjust(userId, { points: -50, reference: "second" })).statusCode, 200);
});

test("a reference moves points once in an application, also for twenty requests at once and other users", async () => {
  const users = await Promise.all([client.enrol(), client.enrol()]);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => adjust(users[i % 2]!, { reference: "once" })),
  );
  const statuses = responses.map(({ statusCode }) => statusCode);
  assert.deepEqual([statuses.filter((status) => status === 200).length, new Set(statuses)], [1, new Set([200, 409])]);
  const balances = await Promise.all(users.map(userOf));
  assert.equal(balances[0].availablePoints + balances[1].availablePoints, 50);
  const other = await service.newClient();
  const otherUser = await other.enrol();
  const sent = await other.call("POST", `/users/${otherUser}/adjustments`, { ...GIFT, reference: "once" });
  assert.equal(sent.statusCode, 200);
});

test("sent again with its Idempotency-Key, an adjustment returns the first response", async () => {
  const userId = await client.enrol();
  const key = { "idempotency-key": "adjust-1" };
  const [first, second] = [
    await adjust(userId, { reference: "keyed" }, key),
    await adjust(userId, { reference: "keyed" }, key),
  ];
  assert.deepEqual([second.statusCode, second.json()], [200, first.json()]);
});

test("of twenty adjustments at once with one Idempotency-Key one is booked, and all get its response", async () => {
  const userId = await client.enrol();
  const once = () => adjust(userId, { reference: "at once" }, { "idempotency-key": "at-once" });
  const responses = await Promise.all(Array.from({ length: 20 }, once));
  assert.deepEqual([...new Set(responses.map(({ statusCode }) => statusCode))], [200]);
  assert.deepEqual([...new Set(responses.map(({ body }) => body))], [responses[0]!.body]);
  assert.equal((await userOf(userId)).availablePoints, 50);
});

test("what is not an adjustment is refused with every error, and a user of another application is unknown", async () => {
  const userId = await client.enrol();
  const wrong = [
    { points: 0 },
    { points: 1.5 },
    { points: 2 ** 53 },
    { points: "5" },
    { reason: " " },
    { reference: "" },
    { reference: "x".repeat(256) },
  ];
  for (const over of wrong) {
    const response = await adjust(userId, over);
    assert.equal(response.statusCode, 400, JSON.stringify(over));
    assert.deepEqual(Object.keys(response.json().errors), Object.keys(over));
  }
  const other = await service.newClient();
  const foreign = await other.call("POST", `/users/${userId}/adjustments`, GIFT);
  assert.equal(foreign.statusCode, 404);
  assert.equal((await userOf(userId)).availablePoints, 0);
});

test("the ledger is sound after adjustments", async () => {
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});
