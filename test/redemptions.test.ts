import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { uuidv7 } from "../src/ids.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { expireReservations } from "../src/rewards/redemptions/expire.task.ts";
import { NO_TIERS } from "../src/points/tiers/keeper.store.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
});
after(() => service.close());

let references = 0;
const nextReference = () => `reference-${(references += 1)}`;

/** Enrols a user with points. */
async function userWith(points: number, of: Client = client): Promise<string> {
  const userId = await of.enrol();
  if (points > 0)
    await of.call("POST", `/users/${userId}/adjustments`, { points, reason: "Gift", reference: nextReference() });
  return userId;
}

async function add(reward: object = {}, of: Client = client): Promise<string> {
  const response = await of.call("POST", "/rewards", { name: "A free coffee", points: 50, ...reward });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().reward.id;
}

const load = (rewardId: string, codes: readonly string[]) =>
  client.call("POST", `/rewards/${rewardId}/codes`, { codes });
const redeem = (userId: string, body: object, headers: Record<string, string> = {}) =>
  client.call("POST", `/users/${userId}/redemptions`, { reference: nextReference(), ...body }, headers);
const follow = (userId: string, id: string, what: string, body?: object, of = client) =>
  of.call("POST", `/users/${userId}/redemptions/${id}/${what}`, body);
const rewardOf = async (id: string) => (await client.call("GET", `/rewards/${id}`)).json().reward;
const balanceOf = async (userId: string) => {
  const { availablePoints, lifetimePoints, numOfTransactions } = (
    await client.call("GET", `/users/${userId}/summary`)
  ).json().user;
  return [availablePoints, lifetimePoints, numOfTransactions];
};
const statusOf = async (userId: string, id: string, of = client) =>
  (await of.call("GET", `/users/${userId}/transactions/${id}`)).json().transaction.status;
const eventsOf = (userId: string, names: readonly string[], of = client) =>
  of
    .until((events) =>
      names.every((name) => events.some((event) => event["userId"] === userId && nameOf(event) === name)),
    )
    .then((events) => events.filter((event) => event["userId"] === userId && names.includes(nameOf(event))));

test("a redemption is a record with the whole reward, takes points and stock, and is sent as an event", async () => {
  const userId = await userWith(120);
  const details = {
    name: "A free coffee",
    brand: "Larkmeadow Market",
    category: "Drinks",
    description: "Any hot drink",
    imageUrl: "https://example.org/coffee.png",
    logoUrl: "https://example.org/logo.svg",
    value: 3.5,
    currency: "GBP",
    offer: "One free",
    terms: ["One for each visit"],
    location: "All shops",
    tier: 1,
    validTill: "2099-12-31T23:59:59.000Z",
  };
  const rewardId = await add({ ...details, stock: 3, codes: "made" });
  const response = await redeem(userId, { rewardId, tier: 2, reference: "sale-1" });
  assert.equal(response.statusCode, 200, response.body);
  const { transaction, balance } = response.json();
  const { operation, status, totalPoints, reward } = transaction;
  assert.deepEqual([operation, status, totalPoints], [2, 2, -50]);
  assert.match(reward.code, /^[2-9A-HJ-NP-Z]{12}$/);
  assert.match(reward.voucherIdentifier, /^[0-9a-f-]{36}$/);
  const { code, voucherIdentifier } = reward;
  assert.deepEqual(reward, { ...details, id: rewardId, points: 50, code, voucherIdentifier });
  assert.deepEqual(
    [transaction.transaction.transactionSource, transaction.transaction.externalTransactionID],
    [5, "sale-1"],
  );
  assert.deepEqual(balance, { availablePoints: 70, lifetimePoints: 0 });
  assert.deepEqual(await balanceOf(userId), [70, 0, 0]);
  assert.equal((await rewardOf(rewardId)).stock, 2);
  const [event] = await eventsOf(userId, ["points.redeemed"]);
  assert.deepEqual(event, {
    event: "points.redeemed",
    userId,
    transactionID: transaction.id,
    externalTransactionID: "sale-1",
    totalPoints: -50,
    ...balance,
    createdAt: transaction.createdAt,
    status: "completed",
    reward,
  });
  await client.call("PATCH", `/rewards/${rewardId}`, { name: "Tea", points: 1 });
  await client.call("DELETE", `/rewards/${rewardId}`);
  const stored = (await client.call("GET", `/users/${userId}/transactions/${transaction.id}`)).json();
  assert.deepEqual(stored.transaction.reward, reward, "the record keeps the reward as it was");
});

test("an own reward needs no catalogue", async () => {
  const userId = await userWith(80);
  const reward = { name: "5 pounds off", value: 5, currency: "gbp", code: "PARTNER/42 x" };
  const { transaction } = (await redeem(userId, { points: 80, reward })).json();
  const { id, name, code, value, currency, points, validTill } = transaction.reward;
  assert.deepEqual(
    { id, name, code, value, currency, points, validTill },
    { id: "", name: "5 pounds off", code: "PARTNER/42 x", value: 5, currency: "GBP", points: 80, validTill: null },
  );
  assert.equal((await client.call("GET", "/vouchers/PARTNER%2F42%20x")).statusCode, 404, "no voucher of this service");
  assert.deepEqual(await balanceOf(userId), [0, 0, 0]);
});

test("500 redemptions of 200 users at once and a reward with 50 codes: exactly 50 succeed, no code twice", async () => {
  const users = await Promise.all(Array.from({ length: 200 }, () => userWith(60)));
  const rewardId = await add({ codes: "pool" });
  await load(
    rewardId,
    Array.from({ length: 50 }, (_, i) => `BAR-${i}`),
  );
  const responses = await Promise.all(
    Array.from({ length: 500 }, async (_, i) => {
      const reference = nextReference();
      for (;;) {
        const response = await redeem(users[i % users.length]!, { rewardId, reference });
        // A slow machine has no connection in time for each of them: it is sent again.
        if (response.statusCode !== 503) return response;
      }
    }),
  );
  const won = responses.filter(({ statusCode }) => statusCode === 200).map((response) => response.json());
  assert.equal(won.length, 50);
  const refused = responses.filter(({ statusCode }) => statusCode !== 200).map((response) => response.json().code);
  assert.deepEqual(new Set(refused).difference(new Set(["RewardOutOfStock", "PointsShort"])), new Set());
  assert.equal(new Set(won.map(({ transaction }) => transaction.reward.code)).size, 50);
  assert.ok(won.every(({ balance }) => balance.availablePoints === 10));
  const balances = await Promise.all(users.map(balanceOf));
  assert.equal(balances.filter(([points]) => points === 10).length, 50);
  assert.equal(balances.filter(([points]) => points === 60).length, 150);
  assert.equal((await rewardOf(rewardId)).freeCodes, 0);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("of redemptions of one user at once as many succeed as the points pay, of a reward as many as its stock", async () => {
  const userId = await userWith(500);
  const rewardId = await add({ stock: 4 });
  const statuses = (list: { statusCode: number }[]) => list.filter(({ statusCode }) => statusCode === 200).length;
  assert.equal(statuses(await Promise.all(Array.from({ length: 20 }, () => redeem(userId, { rewardId })))), 4);
  // Users do not wait for each other's balance: only the reward's own lock holds its stock.
  const others = await Promise.all(Array.from({ length: 20 }, () => userWith(50)));
  const limited = await add({ stock: 4 });
  const tried = await Promise.all(others.map((other) => redeem(other, { rewardId: limited })));
  assert.equal(statuses(tried), 4);
  const refusals = tried.filter(({ statusCode }) => statusCode !== 200).map((response) => response.json().code);
  assert.deepEqual(new Set(refusals), new Set(["RewardOutOfStock"]));
  const unlimited = await add();
  assert.equal(
    statuses(await Promise.all(Array.from({ length: 20 }, () => redeem(userId, { rewardId: unlimited })))),
    6,
  );
  assert.deepEqual(await balanceOf(userId), [0, 0, 0]);
});

test("a reference redeems once in an application, also for twenty requests at once; a key returns the first response", async () => {
  const userId = await userWith(500);
  const rewardId = await add({ codes: "made", stock: 1 });
  const sent = await Promise.all(Array.from({ length: 20 }, () => redeem(userId, { rewardId, reference: "once" })));
  const codes = sent.map((response) => (response.statusCode === 200 ? "" : response.json().code));
  assert.deepEqual([codes.filter((code) => code === "").length, new Set(codes)], [1, new Set(["", "ReferenceUsed"])]);
  assert.deepEqual(await balanceOf(userId), [450, 0, 0]);
  const other = await add();
  const body = { rewardId: other, reference: "keyed" };
  const [first, second] = [
    await redeem(userId, body, { "idempotency-key": "redeem-1" }),
    await redeem(userId, body, { "idempotency-key": "redeem-1" }),
  ];
  assert.deepEqual([second.statusCode, second.json()], [200, first.json()]);
  assert.deepEqual(await balanceOf(userId), [400, 0, 0]);
});

test("what cannot be redeemed has a problem of its own each, and nothing is booked", async () => {
  const userId = await userWith(49);
  const refusal = async (body: object) => {
    const response = await redeem(userId, body);
    return [response.statusCode, response.json().code, response.json().availablePoints];
  };
  const of = async (reward: object) => refusal({ rewardId: await add(reward) });
  assert.deepEqual(await of({}), [409, "PointsShort", 49]);
  assert.deepEqual(await of({ validFrom: "2099-01-01T00:00:00Z" }), [409, "RewardNotYetValid", undefined]);
  assert.deepEqual(await of({ validTill: "2020-01-01T00:00:00Z" }), [409, "RewardExpired", undefined]);
  assert.deepEqual(await of({ stock: 0 }), [409, "RewardOutOfStock", undefined]);
  assert.deepEqual(await of({ codes: "pool" }), [409, "RewardOutOfStock", undefined]);
  assert.deepEqual(await of({ tier: 3 }), [409, "RewardTier", undefined]);
  const archived = await add();
  await client.call("DELETE", `/rewards/${archived}`);
  assert.deepEqual(await refusal({ rewardId: archived }), [404, "NotFound", undefined]);
  assert.deepEqual(await refusal({ rewardId: "nonsense" }), [404, "NotFound", undefined]);
  const other = await service.newClient();
  assert.deepEqual(await refusal({ rewardId: await add({}, other) }), [404, "NotFound", undefined]);
  const list = (await client.call("GET", `/users/${userId}/transactions`)).json();
  assert.equal(list.count, 1);
});

test("a request that is no redemption is refused with every error", async () => {
  const userId = await userWith(10);
  const reward = { name: "Own" };
  const wrong: [object, string[]][] = [
    [{}, ["rewardId"]],
    [{ rewardId: "x", reward, points: 1 }, ["reward"]],
    [{ reward }, ["points"]],
    [{ rewardId: "x", points: 5 }, ["points"]],
    [{ reward, points: -1 }, ["points"]],
    [{ reward, points: 1.5 }, ["points"]],
    [{ reward, points: 2 ** 53 }, ["points"]],
    [{ reward: { name: " " }, points: 1 }, ["reward.name"]],
    [{ reward: { ...reward, imageUrl: "http://example.org/x.png" }, points: 1 }, ["reward.imageUrl"]],
    [{ reward: { ...reward, value: 5 }, points: 1 }, ["reward.currency"]],
    [{ reward: { ...reward, code: "A", codes: "made" }, points: 1 }, ["reward.code"]],
    [{ rewardId: "x", reference: "" }, ["reference"]],
    [{ rewardId: "x", reference: "x".repeat(256) }, ["reference"]],
    [{ rewardId: "x", holdSeconds: 60 }, ["holdSeconds"]],
    [{ rewardId: "x", reserve: true, holdSeconds: 3_601 }, ["holdSeconds"]],
    [{ rewardId: "x", tier: 7 }, ["tier"]],
  ];
  for (const [body, members] of wrong) {
    const response = await redeem(userId, body);
    assert.equal(response.statusCode, 400, JSON.stringify(body));
    assert.deepEqual(Object.keys(response.json().errors), members, JSON.stringify(body));
  }
  assert.deepEqual(await balanceOf(userId), [10, 0, 0]);
});

test("a reservation takes points, stock and code; confirmed it is completed, and nothing else moves", async () => {
  const userId = await userWith(100);
  const rewardId = await add({ stock: 1, codes: "made" });
  const reserved = (await redeem(userId, { rewardId, reserve: true, holdSeconds: 60 })).json();
  const { id, status, reward } = reserved.transaction;
  assert.equal(status, 1);
  const heldMs = Date.parse(reserved.reservedUntil) - Date.parse(reserved.transaction.createdAt);
  assert.ok(heldMs > 50_000 && heldMs < 70_000, String(heldMs));
  assert.deepEqual(await balanceOf(userId), [50, 0, 0]);
  assert.equal((await rewardOf(rewardId)).stock, 0);
  const early = await client.call("POST", `/vouchers/${reward.code}/use`, {});
  assert.deepEqual([early.statusCode, early.json().code], [409, "RedemptionState"]);
  const refund = await follow(userId, id, "refund", { reason: "Too early" });
  assert.equal(refund.json().code, "RedemptionState");
  const confirmed = await follow(userId, id, "confirm");
  assert.deepEqual([confirmed.statusCode, confirmed.json().transaction.status], [200, 2]);
  assert.equal((await follow(userId, id, "confirm")).json().code, "RedemptionState");
  assert.equal((await follow(userId, id, "release")).json().code, "RedemptionState");
  assert.deepEqual(await balanceOf(userId), [50, 0, 0]);
  assert.equal((await client.call("POST", `/vouchers/${reward.code}/use`, {})).statusCode, 200);
  const events = await eventsOf(userId, ["points.redeemed", "redemption.confirmed", "voucher.used"]);
  assert.deepEqual(events.map(nameOf), ["points.redeemed", "redemption.confirmed", "voucher.used"]);
  assert.deepEqual(
    events.map((event) => event["status"]),
    ["pending", undefined, undefined],
  );
});

test("a released reservation gives points, stock and code back by a record of its own, once, however many ask", async () => {
  const userId = await userWith(100);
  const rewardId = await add({ stock: 1, codes: "pool" });
  await load(rewardId, ["REL-1"]);
  const reserve = async () => (await redeem(userId, { rewardId, reserve: true })).json().transaction.id as string;
  const atOnce = async (id: string, what: (i: number) => string) => {
    const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => follow(userId, id, what(i))));
    return responses.filter(({ statusCode }) => statusCode === 200).length;
  };
  const released = await reserve();
  assert.equal(await atOnce(released, () => "release"), 1);
  assert.deepEqual(await balanceOf(userId), [100, 0, 0]);
  const back = (await client.call("GET", `/users/${userId}/transactions?First=true`)).json().transactions[0];
  const { operation, status, totalPoints, relatedTransactionID, reason } = back;
  assert.deepEqual([operation, status, totalPoints, relatedTransactionID, reason], [4, 2, 50, released, "Released"]);
  const { stock, freeCodes } = await rewardOf(rewardId);
  assert.deepEqual([stock, freeCodes], [1, 1]);

  const contested = await reserve();
  assert.equal(await atOnce(contested, (i) => (i % 2 === 0 ? "release" : "confirm")), 1, "confirmed or released");
  const isReleased = (await statusOf(userId, contested)) === 3;
  assert.deepEqual(await balanceOf(userId), [isReleased ? 100 : 50, 0, 0]);
});

test("reservations whose time is up expire exactly once with two processes, also with one confirmed meanwhile", async () => {
  const own = await startService({ isWorking: false });
  try {
    const till = await own.newClient();
    const userId = await userWith(1_000, till);
    const rewardId = await add({ stock: 30 }, till);
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      const body = { rewardId, reserve: true, holdSeconds: 60, reference: nextReference() };
      ids.push((await till.call("POST", `/users/${userId}/redemptions`, body)).json().transaction.id);
    }
    assert.equal((await till.call("POST", `/users/${userId}/redemptions/${ids[0]}/confirm`)).statusCode, 200);
    const now = () => new Date(Date.now() + 120_000);
    const newId = () => uuidv7(now().getTime(), randomBytes(10));
    const deps = {
      database: own.database,
      now,
      newId,
      publish: async () => {},
      tiers: NO_TIERS,
      log: pino({ level: "silent" }),
    };
    const { signal } = new AbortController();
    assert.equal(await expireReservations({ ...deps, now: () => new Date() }, signal), 0, "none is due yet");
    own.clock.ms += 120_000;
    const late = await till.call("POST", `/users/${userId}/redemptions/${ids[1]}/confirm`);
    assert.deepEqual([late.statusCode, late.json().code], [409, "RedemptionState"], "also before it is ended");
    const ended = await Promise.all([expireReservations(deps, signal), expireReservations(deps, signal)]);
    assert.equal(ended[0] + ended[1], 19);
    assert.equal(await expireReservations(deps, signal), 0);
    const { user } = (await till.call("GET", `/users/${userId}/summary`)).json();
    assert.equal(user.availablePoints, 950);
    assert.equal((await till.call("GET", `/rewards/${rewardId}`)).json().reward.stock, 29);
    const { transactions } = (await till.call("GET", `/users/${userId}/transactions?All=true`)).json();
    const count = (operation: number, status: number) =>
      transactions.filter(
        (each: Record<string, number>) => each["operation"] === operation && each["status"] === status,
      ).length;
    assert.deepEqual([count(2, 2), count(2, 5), count(4, 2)], [1, 19, 19]);
    assert.deepEqual((await verifyLedger(own.database)).differences, []);
  } finally {
    await own.close();
  }
});

test("a reservation that is not confirmed in time ends by itself: points back, status 5, an event", async (t) => {
  // Its sweep runs at the start of its work, and then every 15 s.
  const idle = await startService({ isWorking: false });
  t.after(() => idle.close());
  const of = await idle.newClient();
  const userId = await userWith(50, of);
  const body = { rewardId: await add({}, of), reference: nextReference(), reserve: true, holdSeconds: 1 };
  const { transaction } = (await of.call("POST", `/users/${userId}/redemptions`, body)).json();
  idle.clock.ms += 1_000;
  await idle.app.startWork();
  const events = await eventsOf(userId, ["points.refunded"], of);
  const [{ reason, relatedTransactionID, availablePoints }] = events as [Record<string, unknown>];
  assert.deepEqual([reason, relatedTransactionID, availablePoints], ["Not confirmed in time", transaction.id, 50]);
  assert.equal(await statusOf(userId, transaction.id, of), 5);
  assert.equal((await follow(userId, transaction.id, "confirm", undefined, of)).json().code, "RedemptionState");
  const refund = await follow(userId, transaction.id, "refund", { reason: "x" }, of);
  assert.equal(refund.json().code, "AlreadyReversed");
});

test("a refund gives points, stock and an unused code back, once for ten requests at once", async () => {
  const userId = await userWith(50);
  const rewardId = await add({ stock: 1, codes: "pool" });
  await load(rewardId, ["REF-1"]);
  const { transaction } = (await redeem(userId, { rewardId, reference: "to refund" })).json();
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => follow(userId, transaction.id, "refund", { reason: "Closed" })),
  );
  const [refund] = responses.filter(({ statusCode }) => statusCode === 200);
  const codes = responses.filter((response) => response !== refund).map((response) => response.json().code);
  assert.deepEqual(new Set(codes), new Set(["AlreadyReversed"]));
  const back = refund!.json();
  const { operation, status, totalPoints, reason, relatedTransactionID } = back.transaction;
  assert.deepEqual([operation, status, totalPoints, reason], [4, 2, 50, "Closed"]);
  assert.equal(relatedTransactionID, transaction.id);
  assert.equal(back.transaction.reward.code, "REF-1");
  assert.deepEqual(await balanceOf(userId), [50, 0, 0]);
  assert.equal(await statusOf(userId, transaction.id), 4);
  const { stock, freeCodes } = await rewardOf(rewardId);
  assert.deepEqual([stock, freeCodes], [1, 1]);
  const again = (await redeem(await userWith(50), { rewardId })).json();
  assert.equal(again.transaction.reward.code, "REF-1", "the code is free again");
  const reused = await redeem(userId, { rewardId, reference: "to refund" });
  assert.equal(reused.json().code, "ReferenceUsed");
});

test("users, records and redemptions of another application are unknown, and other records are no redemptions", async () => {
  const userId = await userWith(100);
  const { transaction } = (await redeem(userId, { rewardId: await add(), reserve: true })).json();
  const other = await service.newClient();
  const otherUser = await other.enrol();
  const path = (user: string, what: string) => `/users/${user}/redemptions/${transaction.id}/${what}`;
  const body = { rewardId: await add({}, other), reference: "foreign" };
  assert.equal((await other.call("POST", `/users/${userId}/redemptions`, body)).statusCode, 404);
  for (const user of [userId, otherUser]) {
    assert.equal((await other.call("POST", path(user, "confirm"))).statusCode, 404);
    assert.equal((await other.call("POST", path(user, "release"))).statusCode, 404);
    assert.equal((await other.call("POST", path(user, "refund"), { reason: "x" })).statusCode, 404);
  }
  assert.equal((await other.call("GET", `/users/${userId}/rewards`)).statusCode, 404);
  const gift = (await client.call("GET", `/users/${userId}/transactions`)).json().transactions.at(-1);
  assert.equal((await follow(userId, gift.id, "refund", { reason: "x" })).statusCode, 404);
  assert.equal((await follow(userId, "nonsense", "confirm")).statusCode, 404);
  const reversal = await client.call("POST", `/users/${userId}/transactions/${transaction.id}/reversal`, {
    reason: "x",
  });
  assert.equal(reversal.json().code, "NotReversible");
});

test("an erasure leaves no code, till or reference of the user, and puts a reserved reward back", async () => {
  const userId = await userWith(500);
  const rewardId = await add({ stock: 10, codes: "pool" });
  await load(rewardId, ["ERA-1", "ERA-2", "ERA-3"]);
  const first = (await redeem(userId, { rewardId, reference: "erased-reference" })).json().transaction;
  await client.call("POST", `/vouchers/${first.reward.code}/use`, { till: "erased-till", reference: "erased-sale" });
  await redeem(userId, { rewardId });
  await redeem(userId, { rewardId, reserve: true });
  await service.erase(userId);
  const { stock, freeCodes } = await rewardOf(rewardId);
  assert.deepEqual([stock, freeCodes], [8, 1]);
  assert.equal((await client.call("GET", `/vouchers/${first.reward.code}`)).statusCode, 404);
  const left = await service.database.query<{ n: number }>(
    {
      name: "test.redemptions-left",
      text: `SELECT (SELECT count(*) FROM redemptions WHERE user_id = $1)::int
               + (SELECT count(*) FROM voucher_codes WHERE user_id = $1)::int
               + (SELECT count(*) FROM record_references WHERE user_id = $1)::int AS n`,
    },
    [userId],
  );
  assert.equal(left[0]!.n, 0);
  assert.equal((await redeem(await userWith(50), { rewardId })).json().transaction.reward.code, "ERA-3");
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});
