import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { rollback } from "../src/postgres/rollback.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
});
after(() => service.close());

const found = async () => (await verifyLedger(service.database)).differences;

async function add(terms: object): Promise<string> {
  const response = await client.call("POST", "/rewards", { name: "A free coffee", points: 1, ...terms });
  assert.equal(response.statusCode, 200, response.body);
  return response.json().reward.id;
}

async function userWith(points: number): Promise<string> {
  const userId = await client.enrol();
  const gift = { points, reason: "Gift", reference: randomUUID() };
  assert.equal((await client.call("POST", `/users/${userId}/adjustments`, gift)).statusCode, 200);
  return userId;
}

const redeem = async (userId: string, rewardId: string, more: object = {}) =>
  client.call("POST", `/users/${userId}/redemptions`, { rewardId, reference: randomUUID(), ...more });

test("a verification finds nothing while rewards are redeemed, ended, used, changed and erased", async () => {
  const users = await Promise.all(Array.from({ length: 20 }, () => userWith(100)));
  const rewards = {
    pool: await add({ codes: "pool" }),
    made: await add({ codes: "made" }),
    stock: await add({ stock: 40 }),
  };
  const codes = Array.from({ length: 30 }, (_, i) => `BAR-${i}`);
  await client.call("POST", `/rewards/${rewards.pool}/codes`, { codes });
  let isOver = false;
  const live = async (userId: string, n: number): Promise<void> => {
    const path = `/users/${userId}/redemptions`;
    for (const [i, rewardId] of Object.values({ ...rewards, again: rewards.stock }).entries()) {
      const isReserved = (n + i) % 2 === 0;
      const response = await redeem(userId, rewardId, isReserved ? { reserve: true } : {});
      if (response.statusCode !== 200) continue;
      const { id, reward } = response.json().transaction;
      const way = isReserved ? ["confirm", "release"][n % 2]! : "refund";
      if (reward.code && !isReserved && n % 3 === 0) {
        await client.call("POST", `/vouchers/${reward.code}/use`, { till: "till 1", reference: "sale" });
      } else if (n % 5 !== 0)
        await client.call("POST", `${path}/${id}/${way}`, way === "refund" ? { reason: "No" } : undefined);
    }
    if (n % 4 === 0) await client.call("PATCH", `/rewards/${rewards.stock}`, { stock: n % 8 === 0 ? null : 30 + n });
    if (n % 10 === 0) await service.erase(userId);
  };
  const work = Promise.all(users.map(live)).finally(() => (isOver = true));
  const differences: unknown[] = [];
  let runs = 0;
  while (!isOver) {
    differences.push(...(await found()));
    runs++;
  }
  await work;
  assert.deepEqual([...differences, ...(await found())], []);
  assert.ok(runs > 0);
});

test("an erasure leaves a stock and its redemptions in agreement, also one that is without limit for a time", async () => {
  const rewardId = await add({ stock: 9 });
  const [kept, erased] = [await userWith(100), await userWith(100)];
  const done = [await redeem(kept, rewardId), await redeem(erased, rewardId), await redeem(erased, rewardId)];
  done.push(await redeem(erased, rewardId, { reserve: true }));
  assert.deepEqual(
    done.map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  );
  await client.call("PATCH", `/rewards/${rewardId}`, { stock: null });
  assert.deepEqual(await found(), []);
  await service.erase(erased);
  assert.deepEqual(await found(), []);
  const { id } = done[0]!.json().transaction;
  const refund = await client.call("POST", `/users/${kept}/redemptions/${id}/refund`, { reason: "Not wanted" });
  assert.equal(refund.statusCode, 200, refund.body);
  assert.deepEqual(await found(), []);
  await client.call("PATCH", `/rewards/${rewardId}`, { stock: 3 });
  await redeem(kept, rewardId);
  await client.call("DELETE", `/rewards/${rewardId}`);
  assert.deepEqual(await found(), []);
  const [row] = await service.database.query<{ stock: number; supply: string }>(
    { name: "test.supply", text: "SELECT stock, supply FROM rewards WHERE id = $1" },
    [rewardId],
  );
  assert.deepEqual(row, { stock: 2, supply: "3" });
});

test("a stock that a process of the release before has changed is not compared any more", async () => {
  const rewardId = await add({ stock: 9 });
  const change = {
    name: "test.change-as-before",
    text: "UPDATE rewards SET stock = 50, updated_at = $2 WHERE id = $1",
  };
  await service.database.query(change, [rewardId, new Date(service.clock.ms + 1)]);
  assert.deepEqual(await found(), []);
  await client.call("PATCH", `/rewards/${rewardId}`, { stock: 3 });
  assert.deepEqual(await found(), []);
});

test("each user is read in full by one of the seven parts, and the sums of all users by each of them", async () => {
  const users = await Promise.all(Array.from({ length: 30 }, () => userWith(10)));
  const tampered = async (sql: string, seventh: number): Promise<number> =>
    service.database.tx(async (tx) => {
      await tx.query({ name: "", text: sql });
      const { differences } = await verifyLedger(tx, { seventh });
      const inParts = await verifyLedger(tx, { seventh, recordsASlice: 1 });
      assert.equal(inParts.differences.length, differences.length);
      return rollback(differences.filter(({ userId }) => userId !== null && users.includes(userId)).length);
    });
  const bodies: number[] = [];
  for (let seventh = 0; seventh < 7; seventh++) {
    bodies.push(await tampered(`UPDATE records SET body = '{}', packed = NULL`, seventh));
    assert.equal(await tampered("UPDATE balances SET available_points = available_points + 1", seventh), users.length);
  }
  assert.equal(
    bodies.reduce((sum, count) => sum + count, 0),
    users.length * 2,
    "the content is missing, and so is the reference",
  );
  assert.ok(bodies.every((count) => count < users.length * 2));
});
