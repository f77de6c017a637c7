import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rollback } from "../src/postgres/rollback.ts";
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

const WELCOME = { points: 100, type: 2, reason: "Welcome", reference: "welcome" };
const award = (userId: string, over: object = {}, headers: Record<string, string> = {}) =>
  client.call("POST", `/users/${userId}/bonuses`, { ...WELCOME, ...over }, headers);
const userOf = async (userId: string) => (await client.call("GET", `/users/${userId}/summary`)).json().user;

/** Enrols a person of this name. */
async function enrolNamed(firstName: string, lastName: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.org`;
  return (await client.call("POST", "/users/enroll", { email, firstName, lastName })).json().user.userID;
}

test("a bonus is a record that earns, with the names of its related user, and is sent as an event without them", async () => {
  const [userId, friend] = [await client.enrol(), await enrolNamed("Grace", "Hopper")];
  const response = await award(userId, { type: 1, reference: "friend-1", profile: { profileId: friend } });
  assert.equal(response.statusCode, 200, response.body);
  const { transaction, balance } = response.json();
  const { operation, status, totalPoints, reason, bonus } = transaction;
  assert.deepEqual([operation, status, totalPoints, reason], [1, 2, 100, "Welcome"]);
  assert.deepEqual(bonus, { profileId: friend, firstName: "Grace", lastName: "Hopper", type: 1 });
  const { externalTransactionID, transactionSource, totalBonusPoints } = transaction.transaction;
  assert.deepEqual([externalTransactionID, transactionSource, totalBonusPoints], ["friend-1", 4, 100]);
  assert.deepEqual(balance, { availablePoints: 100, lifetimePoints: 100 });
  const { availablePoints, lifetimePoints, numOfTransactions } = await userOf(userId);
  assert.deepEqual([availablePoints, lifetimePoints, numOfTransactions], [100, 100, 0]);
  const list = (await client.call("GET", `/users/${userId}/transactions`)).json();
  assert.deepEqual(list, { transactions: [transaction], count: 1 });
  const detail = (await client.call("GET", `/users/${userId}/transactions/${transaction.id}`)).json();
  assert.deepEqual(detail, { transaction });
  const events = await client.until((sent) => sent.some((event) => nameOf(event) === "bonus.awarded"));
  assert.deepEqual(events, [
    {
      event: "bonus.awarded",
      userId,
      transactionID: transaction.id,
      externalTransactionID: "friend-1",
      totalPoints: 100,
      ...balance,
      createdAt: transaction.createdAt,
      reason: "Welcome",
      type: 1,
      profileId: friend,
    },
  ]);
});

test("a reference gives one bonus in an application, also for twenty requests at once and other users", async () => {
  const users = await Promise.all([client.enrol(), client.enrol()]);
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) => award(users[i % 2]!, { reference: "once" })),
  );
  const refused = responses.filter(({ statusCode }) => statusCode !== 200);
  assert.equal(refused.length, 19);
  assert.ok(refused.every((response) => response.json().code === "ReferenceUsed"));
  const balances = await Promise.all(users.map(userOf));
  assert.equal(balances[0].lifetimePoints + balances[1].lifetimePoints, 100);
  // Adjustments have references of their own, and so have other applications.
  const adjustment = { points: 1, reason: "Gift", reference: "once" };
  assert.equal((await client.call("POST", `/users/${users[0]}/adjustments`, adjustment)).statusCode, 200);
  const other = await service.newClient();
  const otherUser = await other.enrol();
  const sent = await other.call("POST", `/users/${otherUser}/bonuses`, { ...WELCOME, reference: "once" });
  assert.equal(sent.statusCode, 200);
});

test("a bonus is reversed whole and once, from the points that are there or into the negative", async () => {
  const userId = await client.enrol();
  const { transaction } = (await award(userId, { reference: "wrong" })).json();
  await client.call("POST", `/users/${userId}/adjustments`, { points: -30, reason: "Spent", reference: "spent" });
  const path = `/users/${userId}/transactions/${transaction.id}`;
  const reverse = (over: object = {}) => client.call("POST", `${path}/reversal`, { reason: "Mistake", ...over });
  assert.equal((await reverse({ items: ["1"] })).statusCode, 400);
  const reversal = (await reverse()).json();
  assert.deepEqual(reversal.balance, { availablePoints: -30, lifetimePoints: 0 });
  assert.deepEqual([reversal.transaction.transaction.totalBonusPoints, reversal.transaction.bonus.type], [-100, 2]);
  assert.equal((await client.call("GET", path)).json().transaction.status, 4);
  assert.equal((await reverse()).json().code, "AlreadyReversed");
  assert.equal((await userOf(userId)).numOfTransactions, 0);
});

test("bonuses expire like earned points", async () => {
  const owner = await service.newClient({ isSandbox: true });
  await service.database.pool.query(
    `INSERT INTO points_settings (application_id, expiry_months, expiry_notice_days, updated_at) VALUES ($1, 12, 0, $2)`,
    [owner.applicationId, new Date(service.clock.ms)],
  );
  const userId = await owner.enrol();
  await owner.call("POST", `/users/${userId}/bonuses`, WELCOME);
  await owner.call("POST", `/users/${userId}/test-clock`, { advanceDays: 400 });
  const { user } = (await owner.call("GET", `/users/${userId}/summary`)).json();
  assert.deepEqual([user.availablePoints, user.lifetimePoints], [0, 100]);
});

test("what is not a bonus is refused with every error; users of other applications are unknown", async () => {
  const userId = await client.enrol();
  const wrong = [
    { points: 0 },
    { points: -1 },
    { points: 1.5 },
    { points: 2 ** 53 },
    { type: 0 },
    { type: 6 },
    { type: "welcome" },
    { reason: " " },
    { reference: "" },
    { profile: "x" },
  ];
  for (const over of wrong) {
    const response = await award(userId, over);
    assert.equal(response.statusCode, 400, JSON.stringify(over));
    assert.deepEqual(Object.keys(response.json().errors), Object.keys(over));
  }
  const other = await service.newClient();
  const stranger = await other.enrol();
  assert.equal((await other.call("POST", `/users/${userId}/bonuses`, WELCOME)).statusCode, 404);
  for (const profileId of [stranger, crypto.randomUUID(), "friend-1", ""]) {
    assert.equal((await award(userId, { profile: { profileId } })).statusCode, 404, profileId);
  }
  assert.equal((await userOf(userId)).availablePoints, 0);
});

test("after an erasure of the related user their names are gone from records, events and stored responses", async () => {
  const [userId, friend] = [await client.enrol(), await enrolNamed("Zuleika", "Dobson")];
  const once = () =>
    award(userId, { reference: "friend-2", profile: { profileId: friend } }, { "idempotency-key": "friend-2" });
  const { transaction } = (await once()).json();
  assert.equal((await once()).json().transaction.bonus.lastName, "Dobson");
  await service.erase(friend);
  const path = `/users/${userId}/transactions`;
  const nameless = { profileId: friend, firstName: "", lastName: "", type: 2 };
  assert.deepEqual((await client.call("GET", `${path}/${transaction.id}`)).json().transaction.bonus, nameless);
  assert.deepEqual((await client.call("GET", path)).json().transactions[0].bonus, nameless);
  assert.deepEqual((await once()).json().transaction.bonus, nameless);
  const { rows } = await service.database.pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM records WHERE body::text ILIKE '%zuleika%')
            OR EXISTS (SELECT FROM events WHERE events::text ILIKE '%zuleika%') AS found`,
  );
  assert.deepEqual(rows, [{ found: false }]);
});

test("an erasure of the user leaves nothing of the bonus but its points, and the reference is free again", async () => {
  const userId = await client.enrol();
  const friend = await client.enrol();
  await award(userId, { reason: "Kiriath", reference: "kiriath-1", profile: { profileId: friend } });
  await service.erase(userId);
  const { rows } = await service.database.pool.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM records WHERE body::text ILIKE '%' || $1 || '%')
            OR EXISTS (SELECT FROM record_references WHERE reference ILIKE 'kiriath%') AS found`,
    [friend],
  );
  assert.deepEqual(rows, [{ found: false }]);
  assert.equal((await award(friend, { reference: "kiriath-1" })).statusCode, 200);
});

test("the ledger is sound after bonuses, and a bonus that was changed by hand is found", async () => {
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
  const userId = await client.enrol();
  const { id } = (await award(userId, { reference: "by hand" })).json().transaction;
  const foundAfter = (...sql: readonly string[]) =>
    service.database.tx(async (tx) => {
      for (const text of sql) await tx.query({ name: "", text });
      return rollback((await verifyLedger(tx)).differences.map(({ what }) => what));
    });
  const more = `UPDATE balances SET available_points = available_points + 5, lifetime_points = lifetime_points + 5
                WHERE user_id = '${userId}'`;
  const raised = `UPDATE records SET bonus_points = 105, total_points = 105 WHERE id = '${id}'`;
  assert.deepEqual(await foundAfter(more, raised), [`record ${id}: its items do not sum up to it`]);
  const health = `UPDATE records SET health_points = 5, total_points = 105 WHERE id = '${id}'`;
  assert.ok((await foundAfter(more, health)).includes(`record ${id}: against the rules of its operation`));
  const counted = `UPDATE balances SET other_records = 0 WHERE user_id = '${userId}'`;
  assert.deepEqual(await foundAfter(counted), ["numOfTransactions not equal to the records"]);
  const released = `DELETE FROM record_references WHERE record_id = '${id}'`;
  assert.deepEqual(await foundAfter(released), [`record ${id}: its reference is not noted as used`]);
  const moved = `UPDATE record_references SET reference = 'another' WHERE record_id = '${id}'`;
  assert.ok((await foundAfter(moved)).includes(`reference of record ${id}: not the one of the record`));
});
