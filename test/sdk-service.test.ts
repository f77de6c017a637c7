import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ProblemError, createRewards } from "rewards-service-sdk";
import type { Meal, Rewards } from "rewards-service-sdk";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let owner: Client;
let rewards: Rewards;
let userId: string;
const called = new Set<string>();

before(async () => {
  service = await startService();
  owner = await service.newClient({ isSandbox: true });
  const baseUrl = await service.app.server.listen({ port: 0, host: "127.0.0.1" });
  const { clientId, clientSecret } = owner;
  const client = createRewards({ baseUrl, clientId, clientSecret });
  rewards = new Proxy(client, {
    get: (target, name: string) => {
      called.add(name);
      return target[name as keyof Rewards];
    },
  });
  const person = { email: "ada@example.org", firstName: "Ada", lastName: "Lovelace" };
  userId = (await rewards.enrollUser(person)).user.userID;
});
after(() => service.close());

const meal = (transactionId: string): Meal => ({
  userId,
  transactionId,
  mealName: "Porridge",
  imageUrl: "https://example.org/porridge.jpg",
  loggedAt: new Date().toISOString(),
  mealType: "breakfast",
});

/** The problem of a call that fails. */
async function problemOf(call: Promise<unknown>): Promise<ProblemError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ProblemError, String(error));
    return error;
  }
  return assert.fail("it was served");
}

test("a meal and a food are tracked, waited for, listed and explained", async () => {
  const tracked = await rewards.trackMeal(meal("meal-1"));
  assert.equal((await rewards.waitForMeal(tracked.id)).status, "completed");
  assert.equal((await rewards.getMealStatus(tracked.id)).transactionId, "meal-1");
  const food = await rewards.trackFood({
    userId,
    transactionId: "food-1",
    foodId: "1",
    name: "Greek yogurt",
    imageUrl: "https://example.org/y.jpg",
    merchant: { name: "Larkmeadow Market" },
    weight: 150,
    unit: "g",
    nutrition: { energyKcal: 146 },
  });
  await rewards.waitForFood(food.id);
  assert.equal((await rewards.getFoodStatus(food.id)).status, "completed");

  const { transactions, count } = await rewards.listTransactions(userId, { pageSize: 1, timeframe: "today" });
  assert.deepEqual([transactions.length, count], [1, 2]);
  const seen: string[] = [];
  for await (const { id } of rewards.transactions(userId)) seen.push(id);
  assert.equal(seen.length, 2);
  assert.equal(seen[0], transactions[0]!.id);
  assert.equal(
    (await rewards.getTransaction(userId, seen[1]!)).transaction.transaction.externalTransactionID,
    "meal-1",
  );
  assert.equal((await rewards.explainTransaction(userId, seen[1]!)).explanation.transactionId, seen[1]);
  assert.equal((await rewards.getUserSummary(userId)).user.numOfTransactions, 2);
  const { statistics } = await rewards.getUserStatistics(userId, { timeframe: "month" });
  assert.deepEqual([statistics.numOfTransactions, statistics.previous.numOfTransactions], [2, 0]);
});

test("a call repeated with its idempotency key is carried out once; with another body it is refused", async () => {
  const options = { idempotencyKey: "key-1" };
  const body = meal("meal-2");
  const first = await rewards.trackMeal(body, options);
  const again = await rewards.trackMeal(body, options);
  assert.equal(again.id, first.id);
  const { code, status } = await problemOf(rewards.trackMeal(meal("meal-3"), options));
  assert.deepEqual([code, status], ["IdempotencyKeyReused", 422]);
});

test("a receipt is uploaded, as a sample and in a session", async () => {
  const bought = { merchantName: "Larkmeadow Market", amount: 22.68, transactionTimestamp: "2026-10-24T10:41:00Z" };
  const { receiptID } = await rewards.uploadReceipt({
    ...bought,
    userId,
    transactionId: "receipt-1",
    testBlobUri: "sample:not_authentic",
    receiptImage: new Uint8Array([1]),
  });
  assert.equal((await rewards.waitForReceipt(receiptID)).errorCode, "NOT_AUTHENTIC");
  assert.equal((await rewards.getReceiptStatus(receiptID)).status, "Failed");
  assert.match((await rewards.openReceiptSession({ userId })).redirectUrl, /sessionId=/);
  const person = { email: "grace@example.org", firstName: "Grace", lastName: "Hopper" };
  const session = await rewards.openEnrolmentSession(person);
  assert.match(session.redirectUrl, /sessionId=/);
  assert.equal((await rewards.getSession(session.id)).id, session.id);
});

test("a user's data is changed, and events are read", async () => {
  const { referralCode } = await rewards.getReferralCode(userId);
  assert.equal((await rewards.getReferralCode(userId)).referralCode, referralCode);
  assert.deepEqual((await rewards.changeUser(userId, { firstName: "Augusta" })).changedMembers, ["firstName"]);
  assert.ok((await rewards.listEvents({ since: new Date(0).toISOString() })).events.length > 0);
});

test("a user is found, exported and erased", async () => {
  const email = "gone@example.org";
  const { user } = await rewards.enrollUser({ email, firstName: "Ada", lastName: "King" });
  assert.deepEqual(
    (await rewards.findUsers({ email })).users.map(({ userID }) => userID),
    [user.userID],
  );
  assert.equal((await rewards.exportUser(user.userID)).profile.length, 1);
  assert.equal(await rewards.eraseUser(user.userID), null);
  assert.deepEqual((await rewards.findUsers({ email })).users, []);
  assert.equal((await problemOf(rewards.eraseUser(user.userID))).code, "NotFound");
});

test("points are adjusted, reversed, given as a bonus, and moved in time", async () => {
  const gift = { points: 900, reason: "Goodwill gift", reference: "gift-1" };
  const { transaction, balance } = await rewards.adjustPoints(userId, gift);
  assert.equal(transaction.totalPoints, 900);
  const reversal = await rewards.reverseTransaction(userId, transaction.id, { reason: "Given twice" });
  assert.equal(reversal.balance.availablePoints, balance.availablePoints - 900);
  await rewards.adjustPoints(userId, { ...gift, reference: "gift-2" });
  const bonus = await rewards.awardBonus(userId, { points: 100, type: 2, reason: "Welcome", reference: "welcome-1" });
  assert.equal(bonus.transaction.bonus.type, 2);
  const { user } = await rewards.enrollUser({ email: "later@example.org", firstName: "Eve", lastName: "Late" });
  const clock = await rewards.moveTestClock(user.userID, { advanceDays: 1 });
  assert.ok(JSON.stringify(clock).includes("T"));
});

const NO_NAME = "00000000-0000-4000-8000-000000000000";

test("a programme is saved, published, listed and withdrawn", async () => {
  const { program } = await rewards.saveProgram({ definition: { name: "Own" } });
  const version = String(program.version);
  assert.equal((await rewards.getProgram(version)).program.state, "draft");
  const startsAt = new Date(Date.now() + 86_400_000).toISOString();
  assert.equal((await rewards.publishProgram(version, { startsAt })).program.state, "scheduled");
  assert.equal((await rewards.withdrawProgram(version, {})).program.state, "withdrawn");
  assert.equal((await rewards.listPrograms()).count, 1);
  const requested = await rewards.previewProgram({ definition: { name: "Own" }, days: 7 });
  assert.ok((await rewards.getProgramPreview(requested.preview.id)).preview.days === 7);
  assert.equal((await rewards.getCurrentProgram()).program, null);
  assert.deepEqual((await rewards.getCampaignUsage()).campaigns, []);
  assert.equal((await rewards.getReport("users", { by: "month" })).report, "users");
  assert.equal((await rewards.listAuditEntries({ pageSize: 1 })).entries[0]?.action, "withdrawProgram");
  const csv: unknown = await rewards.getReport("users", { format: "csv" });
  assert.match(String(csv), /^from,enrolled,erased,active\n/);
});

test("alternatives to a food, and names that nothing matched", async () => {
  assert.ok((await rewards.findAlternatives({ name: "beef mince" })).alternatives.length > 0);
  assert.equal(typeof (await rewards.listUnknownNames()).count, "number");
  assert.equal((await problemOf(rewards.getUnknownName(NO_NAME))).code, "NotFound");
  assert.equal((await problemOf(rewards.previewMeaning(NO_NAME, { foodId: "apple" }))).code, "NotFound");
  assert.equal((await problemOf(rewards.aliasUnknownName(NO_NAME, { foodId: "apple" }))).code, "NotFound");
});

test("a reward is added, changed, redeemed, reserved, refunded, and its voucher used", async () => {
  const { reward } = await rewards.addReward({ name: "A free coffee", points: 100, codes: "pool" });
  assert.equal((await rewards.getReward(reward.id)).reward.name, "A free coffee");
  assert.equal((await rewards.listRewards()).rewards.length, 1);
  assert.equal((await rewards.changeReward(reward.id, { points: 90 })).reward.points, 90);
  assert.equal((await rewards.loadRewardCodes(reward.id, { codes: ["AB12", "AB13", "AB14"] })).added, 3);
  assert.equal((await rewards.listUserRewards(userId)).rewards.length, 1);
  const redeem = (reference: string, reserve: boolean) =>
    rewards.redeemPoints(userId, { rewardId: reward.id, reference, reserve });
  const { transaction } = await redeem("coffee-1", false);
  assert.equal((await rewards.getVoucher(transaction.reward.code)).voucher.code, transaction.reward.code);
  assert.equal((await rewards.useVoucher(transaction.reward.code, { till: "7" })).voucher.code, "AB12");
  const reserved = (await redeem("coffee-2", true)).transaction.id;
  assert.equal((await rewards.confirmRedemption(userId, reserved)).transaction.status, 2);
  const refund = await rewards.refundRedemption(userId, reserved, { reason: "Closed" });
  assert.equal(refund.transaction.relatedTransactionID, reserved);
  const released = (await redeem("coffee-3", true)).transaction.id;
  assert.equal((await rewards.releaseRedemption(userId, released)).transaction.relatedTransactionID, released);
  assert.deepEqual(await rewards.removeReward(reward.id), { id: reward.id });
});

test("receipts are listed, and one that is not in the state for it is neither corrected, retried nor decided", async () => {
  const [receipt] = (await rewards.listReceipts({ userId })).receipts;
  const id = receipt!.receiptID;
  assert.equal((await problemOf(rewards.retryReceipt(id))).code, "NotRetryable");
  assert.equal((await problemOf(rewards.decideReceipt(id, { decision: "accept", reason: "Seen" }))).code, "NotHeld");
  assert.equal((await problemOf(rewards.rejectDispute(id, { reason: "Seen" }))).code, "NotFound");
  const correction = { reason: "Misread", totalAmount: 1 };
  assert.equal((await problemOf(rewards.correctReceipt("nobody", correction))).code, "NotFound");
  assert.equal((await problemOf(rewards.previewCorrection("nobody", correction))).code, "NotFound");
  assert.equal((await rewards.getReceiptReading(id)).receiptID, id);
});

test("aliases and words are added, listed and removed", async () => {
  const [food] = (await rewards.matchName({ name: "banana", limit: 1 })).candidates;
  const { alias } = await rewards.teachAlias({ name: "ZQX", foodId: food!.foodId });
  assert.equal((await rewards.listAliases()).aliases[0]!.id, alias.id);
  assert.deepEqual(await rewards.removeAlias(alias.id), { id: alias.id });
  const { word } = await rewards.teachWord({ word: "qzz", means: "pear" });
  assert.equal((await rewards.listWords({ pageSize: 5 })).words[0]!.id, word.id);
  assert.deepEqual(await rewards.removeWord(word.id), { id: word.id });
});

test("webhook endpoints are made, tested, rotated, replayed, changed and removed", async () => {
  const endpoint = await rewards.createWebhookEndpoint({ url: `${owner.receiver.url}/second` });
  assert.match(endpoint.secret, /^whsec_/);
  const delivery = await rewards.testWebhookEndpoint(endpoint.id);
  assert.equal((await rewards.getWebhookDelivery(delivery.id)).event, "webhook.test");
  assert.equal((await rewards.retryWebhookDelivery(delivery.id)).id, delivery.id);
  const { deliveries } = await rewards.listWebhookDeliveries({ endpointId: endpoint.id });
  assert.equal(deliveries[0]!.id, delivery.id);
  assert.notEqual((await rewards.rotateWebhookSecret(endpoint.id)).secret, endpoint.secret);
  const { id, replayed } = await rewards.replayWebhooks(endpoint.id, { only: "failed" });
  assert.equal(replayed, 0);
  assert.equal((await rewards.getWebhookReplay(id)).state, "finished");
  assert.equal((await rewards.changeWebhookEndpoint(endpoint.id, { disabled: true })).disabled, true);
  assert.equal((await rewards.getWebhookEndpoint(endpoint.id)).disabled, true);
  assert.equal((await rewards.listWebhookEndpoints()).count, 2);
  assert.deepEqual(await rewards.deleteWebhookEndpoint(endpoint.id), { id: endpoint.id });
});

test("what the service refuses is a ProblemError with its errors and the id of the request", async () => {
  const faulty = await problemOf(rewards.trackMeal({ ...meal("meal-4"), mealName: " " }, { requestId: "r-77" }));
  assert.deepEqual(
    [faulty.code, Object.keys(faulty.errors), faulty.requestId],
    ["ValidationFailed", ["mealName"], "r-77"],
  );
  assert.equal((await problemOf(rewards.getUserSummary("nobody"))).code, "NotFound");
  assert.equal((await problemOf(rewards.getUserSummary("../../health/live"))).code, "NotFound");
});

test("the service says how it is, and what it speaks", async () => {
  assert.deepEqual(await rewards.getLiveness(), { status: "live" });
  assert.deepEqual(await rewards.getReadiness(), { status: "ready" });
  assert.match((await rewards.getOpenApi()).openapi, /^3\.1/);
});

test("the service responded to every method of the SDK", () => {
  assert.deepEqual(
    Object.keys(rewards).filter((name) => !called.has(name)),
    [],
  );
});
