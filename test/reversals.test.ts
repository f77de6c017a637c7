import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
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

const userOf = async (userId: string) => (await client.call("GET", `/users/${userId}/summary`)).json().user;
const reverse = (userId: string, id: string, over: object = {}) =>
  client.call("POST", `/users/${userId}/transactions/${id}/reversal`, { reason: "Returned", ...over });
const spend = (userId: string, points: number) =>
  client.call("POST", `/users/${userId}/adjustments`, {
    points: -points,
    reason: "Spent",
    reference: `spent ${userId}`,
  });
const isWhole = (event: Record<string, unknown>) => nameOf(event) === "rewards.awarded";

/** A user with one credited meal of two ingredients. */
async function creditedMeal() {
  const userId = await client.enrol();
  const response = await client.call("POST", "/track/meals", {
    userId,
    transactionId: `meal of ${userId}`,
    mealName: "Porridge with banana",
    imageUrl: "https://example.org/a.jpg",
    loggedAt: new Date(service.clock.ms).toISOString(),
    mealType: "breakfast",
    ingredients: [
      { foodId: "1", name: "Porridge oats", weight: 100, unit: "g" },
      { foodId: "2", name: "Banana", weight: 100, unit: "g" },
    ],
  });
  assert.equal(response.statusCode, 202);
  for (;;) {
    const { transactions } = (await client.call("GET", `/users/${userId}/transactions`)).json();
    if (transactions.length > 0) return { userId, record: transactions[0] };
  }
}

test("a whole reversal takes back points, CO2e and counts, and the first record shows that it is reversed", async () => {
  const { userId, record } = await creditedMeal();
  assert.ok(record.totalPoints > 0);
  const response = await reverse(userId, record.id);
  assert.equal(response.statusCode, 200);
  const { transaction, balance, waivedPoints } = response.json();
  assert.deepEqual([transaction.operation, transaction.totalPoints, waivedPoints], [6, -record.totalPoints, 0]);
  assert.equal(transaction.relatedTransactionID, record.id);
  assert.equal(transaction.transaction.totalCO2e, -record.transaction.totalCO2e);
  assert.deepEqual(balance, { availablePoints: 0, lifetimePoints: 0 });
  const { availablePoints, lifetimePoints, totalCarbonScore, totalGreenProducts, numOfTransactions } =
    await userOf(userId);
  assert.deepEqual(
    [availablePoints, lifetimePoints, totalCarbonScore, totalGreenProducts, numOfTransactions],
    [0, 0, 0, 0, 1],
  );
  const { transaction: first } = (await client.call("GET", `/users/${userId}/transactions/${record.id}`)).json();
  assert.deepEqual([first.status, first.totalPoints], [4, record.totalPoints]);
  const events = await client.until((sent) => sent.some((event) => nameOf(event) === "points.reversed"));
  const event = events.find((sent) => nameOf(sent) === "points.reversed" && sent["userId"] === userId);
  assert.deepEqual([event?.["relatedTransactionID"], event?.["reason"]], [record.id, "Returned"]);
});

test("items are reversed one by one, none twice, and the last one makes it whole", async () => {
  const { userId, record } = await creditedMeal();
  const [first, second] = record.transaction.items;
  const one = await reverse(userId, record.id, { items: [first.id] });
  assert.equal(one.json().transaction.totalPoints, -first.totalServicePoints);
  assert.equal((await reverse(userId, record.id, { items: [first.id] })).json().code, "AlreadyReversed");
  const unknown = await reverse(userId, record.id, { items: [second.id, "x"] });
  assert.deepEqual([unknown.statusCode, Object.keys(unknown.json().errors)], [400, ["items[1]"]]);
  const rest = await reverse(userId, record.id);
  assert.equal(rest.json().transaction.totalPoints, -second.totalServicePoints);
  assert.equal((await reverse(userId, record.id)).json().code, "AlreadyReversed");
  assert.equal((await userOf(userId)).availablePoints, 0);
});

test("a dry run returns what a reversal then books, also of the rest after an item, and books nothing", async () => {
  const { userId, record } = await creditedMeal();
  const [first] = record.transaction.items;
  const isReversal = (event: Record<string, unknown>) =>
    nameOf(event) === "points.reversed" && event["userId"] === userId;
  const figures = async (over: object) => {
    const response = await reverse(userId, record.id, over);
    const { transaction, balance, waivedPoints } = response.json();
    return [transaction.totalPoints, balance, waivedPoints];
  };
  for (const items of [{ items: [first.id] }, {}]) {
    const before = await userOf(userId);
    const dry = await figures({ ...items, dryRun: true });
    assert.deepEqual(await figures({ ...items, dryRun: true }), dry, "any number of times");
    assert.deepEqual(await userOf(userId), before);
    assert.deepEqual(await figures(items), dry);
  }
  assert.equal((await reverse(userId, record.id, { dryRun: true })).json().code, "AlreadyReversed");
  const key = { "idempotency-key": `dry-${userId}` };
  const other = await creditedMeal();
  const path = `/users/${other.userId}/transactions/${other.record.id}/reversal`;
  const dry = await client.call("POST", path, { reason: "Returned", dryRun: true }, key);
  assert.equal(dry.statusCode, 200);
  const booked = await client.call("POST", path, { reason: "Returned" }, key);
  assert.equal(booked.statusCode, 200, "a dry run uses no key");
  const events = await client.until((sent) => sent.filter(isReversal).length >= 2);
  assert.equal(events.filter(isReversal).length, 2);
});

test("of twenty reversals at once one is booked", async () => {
  const { userId, record } = await creditedMeal();
  const responses = await Promise.all(Array.from({ length: 20 }, () => reverse(userId, record.id)));
  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b),
    [200, ...Array(19).fill(409)],
  );
  assert.equal((await userOf(userId)).availablePoints, 0);
});

test("points that are spent make the balance negative; or, if the application wants it, stay with the user", async () => {
  const { userId, record } = await creditedMeal();
  await spend(userId, record.totalPoints);
  const negative = (await reverse(userId, record.id)).json();
  assert.deepEqual([negative.balance.availablePoints, negative.waivedPoints], [-record.totalPoints, 0]);
  const other = await creditedMeal();
  const settings = { ...DEFAULT_POINTS_SETTINGS, reversalOverdraws: false };
  await setPointsSettings(service.database, client.applicationId, settings, new Date());
  await spend(other.userId, other.record.totalPoints - 1);
  const waived = (await reverse(other.userId, other.record.id)).json();
  assert.deepEqual(
    [waived.transaction.totalPoints, waived.balance.availablePoints, waived.waivedPoints],
    [-1, 0, other.record.totalPoints - 1],
  );
  await setPointsSettings(service.database, client.applicationId, DEFAULT_POINTS_SETTINGS, new Date());
});

test("a reversal is not reversed, and a record of another user or application is unknown", async () => {
  const { userId, record } = await creditedMeal();
  const { transaction } = (await reverse(userId, record.id)).json();
  assert.equal((await reverse(userId, transaction.id)).json().code, "NotReversible");
  const stranger = await client.enrol();
  assert.equal((await reverse(stranger, record.id)).statusCode, 404);
  const other = await service.newClient();
  const path = `/users/${userId}/transactions/${record.id}/reversal`;
  assert.equal((await other.call("POST", path, { reason: "Mine" })).statusCode, 404);
});

test("the ledger is sound after reversals", async () => {
  await client.until((events) => events.filter(isWhole).length > 3);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});
