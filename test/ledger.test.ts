import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { rollback } from "../src/postgres/rollback.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { unpackBody } from "../src/points/packed-body.ts";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { differenceText } from "../src/points/verification/check.ts";
import type { Difference } from "../src/points/verification/check.ts";
import { TAMPERINGS_OF_OTHERS, TAMPERINGS_OF_REWARDS, corrected, expired } from "./support/reward-tamperings.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { TAMPERINGS_OF_RECORDS, UNGUARDED } from "./support/tamperings.ts";
import type { Person } from "./support/tamperings.ts";

let service: TestService;
let client: Client;
let person: Person;
let other: Person;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
  person = await personOf(client);
  other = await personOf(await service.newClient({ isSandbox: true }));
});
after(() => service.close());

/** A user with meals, adjustments and redemptions, some of them taken back whole or in part. */
async function personOf({ applicationId, enrol, call }: Client): Promise<Person> {
  const userId = await enrol();
  const done = async (path: string, body: object) => {
    const response = await call("POST", path, body);
    assert.ok(response.statusCode < 300, response.body);
    return response.json().transaction;
  };
  const adjust = (points: number, reference: string) =>
    done(`/users/${userId}/adjustments`, { points, reason: "Gift", reference: `${reference} ${userId}` });
  const reverse = (id: string, items?: string[]) =>
    done(`/users/${userId}/transactions/${id}/reversal`, { reason: "Returned", items });
  const meals: { id: string; transaction: { items: { id: string }[] } }[] = [];
  for (const number of [1, 2, 3]) {
    const accepted = await call("POST", "/track/meals", {
      userId,
      transactionId: `meal ${number}`,
      mealName: "Porridge with banana",
      imageUrl: "https://example.org/a.jpg",
      loggedAt: new Date(service.clock.ms).toISOString(),
      mealType: "breakfast",
      ingredients: [
        { foodId: "1", name: "Porridge oats", weight: 100, unit: "g" },
        { foodId: "2", name: "Banana", weight: 100, unit: "g" },
      ],
    });
    assert.equal(accepted.statusCode, 202);
    for (let found = meals[number - 1]; !found; found = meals[number - 1]) {
      meals.splice(0, 3, ...(await call("GET", `/users/${userId}/transactions`)).json().transactions.toReversed());
    }
  }
  const gift = await adjust(50, "gift");
  const mistake = await adjust(20, "mistake");
  await reverse(mistake.id);
  await reverse(meals[1]!.id);
  const itemReversal = await reverse(meals[2]!.id, [meals[2]!.transaction.items[0]!.id]);
  await adjust(-10, "spent");
  const redemptions = await redemptionsOf({ userId, call, done });
  // From now on reversals waive what is spent already.
  await setPointsSettings(
    service.database,
    applicationId,
    { ...DEFAULT_POINTS_SETTINGS, reversalOverdraws: false },
    new Date(),
  );
  const [meal, reversedMeal] = [meals[0]!.id, meals[1]!.id];
  return { userId, meal, reversedMeal, gift: gift.id, itemReversal: itemReversal.id, ...redemptions };
}

async function redemptionsOf({
  userId,
  call,
  done,
}: Pick<Client, "call"> & {
  readonly userId: string;
  readonly done: (path: string, body: object) => Promise<{ id: string; reward: { code: string } }>;
}): Promise<Pick<Person, "used" | "pooled" | "stocked" | "reserved" | "refunded" | "refund">> {
  const add = async (terms: object): Promise<string> =>
    (await call("POST", "/rewards", { name: "A free coffee", points: 2, ...terms })).json().reward.id;
  const [made, pool, stock] = [await add({ codes: "made" }), await add({ codes: "pool" }), await add({ stock: 9 })];
  await call("POST", `/rewards/${pool}/codes`, { codes: ["BAR-1", "BAR-2", "BAR-3"] });
  const redeem = (rewardId: string, more: object = {}) =>
    done(`/users/${userId}/redemptions`, { rewardId, reference: randomUUID(), ...more });
  const used = await redeem(made);
  await call("POST", `/vouchers/${used.reward.code}/use`, { till: "till 1", reference: "sale 1" });
  const refunded = await redeem(pool);
  const refund = await done(`/users/${userId}/redemptions/${refunded.id}/refund`, { reason: "Not wanted" });
  const [pooled, stocked] = [await redeem(pool), await redeem(stock)];
  const reserved = await redeem(stock, { reserve: true });
  // A stock that is changed, and one that is without limit for a time.
  for (const left of [20, null, 5]) await call("PATCH", `/rewards/${stock}`, { stock: left });
  const ids = { used, pooled, stocked, reserved, refunded, refund };
  return Object.fromEntries(Object.entries(ids).map(([name, { id }]) => [name, id])) as Record<
    keyof typeof ids,
    string
  >;
}

/** What a verification finds after some SQL, which is undone: the same in parts of a few records. */
async function foundAfter(...sql: readonly string[]): Promise<readonly Difference[]> {
  return service.database.tx(async (tx) => {
    for (const text of sql) await run(tx, text);
    const { differences } = await verifyLedger(tx);
    for (const recordsASlice of [1, 4]) {
      const inParts = await verifyLedger(tx, { recordsASlice });
      assert.deepEqual(inParts.differences.map(differenceText).toSorted(), differences.map(differenceText).toSorted());
    }
    return rollback(differences);
  });
}

const run = (tx: Tx, text: string) => tx.query({ name: "", text });

/** The columns of a balance, with their names in a report. */
const BALANCE = {
  records: "number of records",
  other_records: "numOfTransactions",
  lifetime_points: "lifetimePoints",
  available_points: "availablePoints",
  carbon_points: "totalCarbonScore",
  green_products: "totalGreenProducts",
};

test("a member of a balance that was changed by hand is reported by its name, and no other", async () => {
  const { userId } = person;
  for (const [column, member] of Object.entries(BALANCE)) {
    assert.deepEqual(await foundAfter(`UPDATE balances SET ${column} = ${column} + 1000 WHERE user_id = '${userId}'`), [
      { userId, what: `${member} not equal to the records` },
    ]);
  }
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("every column of a balance that counts something is verified", async () => {
  const { rows } = await service.database.pool.query<{ column: string }>(
    `SELECT column_name AS column FROM information_schema.columns
     WHERE table_schema = current_schema() AND table_name = 'balances' AND data_type IN ('bigint', 'integer', 'numeric')`,
  );
  assert.deepEqual(rows.map(({ column }) => column).toSorted(), Object.keys(BALANCE).toSorted());
});

test("a sound correction and a sound expiry are no difference", async () => {
  assert.deepEqual(
    (await foundAfter(...UNGUARDED, ...corrected(person))).filter(({ what }) => /correct/.test(what)),
    [],
  );
  const old = `UPDATE records SET created_at = created_at - interval '40 days'
    WHERE user_id = '${person.userId}' AND sequence < (SELECT sequence FROM records AS last
      WHERE last.user_id = '${person.userId}' AND body ->> 'reference' LIKE 'spent %')`;
  assert.deepEqual(await foundAfter(...UNGUARDED, ...expired(person, 10), old), []);
});

test("each kind of tampering is found: in the balance or the record, the redemption, the code, the reward or the correction", async () => {
  assert.deepEqual(await foundAfter(...UNGUARDED), []);
  const missed: Record<string, unknown> = {};
  for (const [name, tampering] of Object.entries({
    ...TAMPERINGS_OF_RECORDS,
    ...TAMPERINGS_OF_REWARDS,
    ...TAMPERINGS_OF_OTHERS,
  })) {
    const { sql, what, isOfNone = false } = tampering({ mine: person, theirs: other });
    const found = await foundAfter(...UNGUARDED, ...sql);
    const about = isOfNone ? null : person.userId;
    const isFound = found.some((difference) => difference.userId === about && what.test(difference.what));
    if (!isFound || found.some(({ userId }) => userId !== null && userId !== person.userId)) missed[name] = found;
  }
  assert.deepEqual(missed, {});
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a record whose content is JSON, as the releases before stored it, is shown, exported, verified and reversed as any", async () => {
  const owner = await service.newClient({ isSandbox: true });
  const { userId, meal } = await personOf(owner);
  const read = async () => ({
    list: (await owner.call("GET", `/users/${userId}/transactions`)).json().transactions,
    explanation: (await owner.call("GET", `/users/${userId}/transactions/${meal}/explanation`)).json(),
    exported: await exportUserData(service.database, userId, STORED_FORMS),
  });
  const packed = await read();
  const { rows } = await service.database.pool.query<{ id: string; submissionId: string; packed: Buffer }>(
    `SELECT id, submission_id AS "submissionId", packed FROM records WHERE user_id = $1 AND packed IS NOT NULL`,
    [userId],
  );
  assert.equal(rows.length, 3, "the meals");
  for (const row of rows) {
    const body = unpackBody(row.packed, row.submissionId);
    await service.database.pool.query("UPDATE records SET body = $1, packed = NULL WHERE id = $2", [body, row.id]);
  }
  assert.deepEqual(await read(), packed);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
  const reversal = `/users/${userId}/transactions/${meal}/reversal`;
  const response = await owner.call("POST", reversal, { reason: "Returned" });
  assert.equal(response.statusCode, 200, response.body);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("an erasure does not stop at content that cannot be read", async () => {
  const owner = await service.newClient({ isSandbox: true });
  const { userId, meal } = await personOf(owner);
  const changed = "UPDATE records SET packed = set_byte(packed, 9, 255 - get_byte(packed, 9)) WHERE id = $1";
  await service.database.pool.query(changed, [meal]);
  assert.deepEqual((await verifyLedger(service.database)).differences, [
    { userId, what: `record ${meal}: its content cannot be read` },
  ]);
  await service.erase(userId);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
  const left = "SELECT FROM records WHERE user_id = $1 AND body IS DISTINCT FROM '{}'";
  assert.equal((await service.database.pool.query(left, [userId])).rowCount, 0);
});
