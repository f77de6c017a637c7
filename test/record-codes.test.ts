// One user's records walk through the codes of the interface: every operation, every status, every member of a reward
// and of a bonus. What each of them does exactly is tested where it belongs.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { uuidv7 } from "../src/ids.ts";
import { OPERATION, RECORD_STATUS } from "../src/points/codes.ts";
import type { TransactionRecord } from "../src/points/schema.ts";
import { expireReservations } from "../src/rewards/redemptions/expire.task.ts";
import { NO_TIERS } from "../src/points/tiers/keeper.store.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
let userId: string;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
  userId = await client.enrol();
  await service.database.pool.query(
    `INSERT INTO points_settings (application_id, expiry_months, expiry_notice_days, updated_at) VALUES ($1, 12, 0, $2)`,
    [client.applicationId, new Date(service.clock.ms)],
  );
});
after(() => service.close());

async function post(path: string, body: object): Promise<TransactionRecord> {
  const response = await client.call("POST", `/users/${userId}/${path}`, body);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ transaction: TransactionRecord }>().transaction;
}
const records = async () =>
  (await client.call("GET", `/users/${userId}/transactions?All=true`)).json<{ transactions: TransactionRecord[] }>()
    .transactions;
const namesOf = (codes: Readonly<Record<string, number>>, values: readonly number[]) =>
  Object.keys(codes).filter((name) => values.includes(codes[name]!));

const REWARD = {
  name: "A free coffee",
  points: 50,
  brand: "Larkmeadow",
  category: "Drinks",
  description: "One coffee of any size",
  imageUrl: "https://example.org/coffee.jpg",
  logoUrl: "https://example.org/logo.png",
  value: 2.5,
  currency: "GBP",
  offer: "One free",
  terms: ["One for each visit"],
  location: "Leeds",
  tier: 1,
  codes: "made",
};

test("a user's records reach each code of operation and status, and fill each member of reward and bonus", async () => {
  const validTill = new Date(service.clock.ms + 30 * 86_400_000).toISOString();
  const added = await client.call("POST", "/rewards", { ...REWARD, validTill });
  const { id: rewardId } = added.json<{ reward: { id: string } }>().reward;
  const { user: friend } = (
    await client.call("POST", "/users/enroll", { email: "grace@example.org", firstName: "Grace", lastName: "Hopper" })
  ).json<{ user: { userID: string } }>();
  const redeem = (reference: string, more: object = {}) =>
    post("redemptions", { rewardId, tier: 1, reference, ...more });

  const gift = await post("adjustments", { points: 1_000, reason: "Gift", reference: "gift" });
  const mistake = await post("adjustments", { points: 10, reason: "Gift", reference: "mistake" });
  const bonus = await post("bonuses", {
    points: 100,
    type: 1,
    reason: "A friend has joined",
    reference: "friend",
    profile: { profileId: friend.userID },
  });
  const redeemed = await redeem("redeemed");
  const refunded = await redeem("refunded");
  const pending = await redeem("pending", { reserve: true, holdSeconds: 3_600 });
  const released = await redeem("released", { reserve: true });
  const timedOut = await redeem("timed out", { reserve: true, holdSeconds: 1 });
  await post(`transactions/${mistake.id}/reversal`, { reason: "Given twice" });
  await post(`redemptions/${refunded.id}/refund`, { reason: "The shop was closed" });
  await client.call("POST", `/users/${userId}/redemptions/${released.id}/release`);
  // As the service does every quarter of a minute; the hour of the other reservation is not over.
  const now = () => new Date(service.clock.ms + 60_000);
  const newId = () => uuidv7(now().getTime(), randomBytes(10));
  const deps = {
    database: service.database,
    now,
    newId,
    publish: async () => {},
    tiers: NO_TIERS,
    log: pino({ level: "silent" }),
  };
  await expireReservations(deps, new AbortController().signal);
  await client.call("POST", `/users/${userId}/test-clock`, { advanceDays: 400 });

  const all = await records();
  const operations = new Set(all.map(({ operation }) => operation));
  assert.deepEqual(operations, new Set(Object.values(OPERATION).slice(1)), "operations");
  const stateOf = ({ id }: TransactionRecord) => {
    const { operation, status } = all.find((record) => record.id === id)!;
    return [...namesOf(OPERATION, [operation]), ...namesOf(RECORD_STATUS, [status])];
  };
  const states = { gift, mistake, bonus, redeemed, refunded, pending, released, timedOut };
  assert.deepEqual(Object.fromEntries(Object.entries(states).map(([name, record]) => [name, stateOf(record)])), {
    gift: ["adjust", "completed"],
    mistake: ["adjust", "reversed"],
    bonus: ["earn", "completed"],
    redeemed: ["redeem", "completed"],
    refunded: ["redeem", "reversed"],
    pending: ["redeem", "pending"],
    released: ["redeem", "failed"],
    timedOut: ["redeem", "expired"],
  });
  const statuses = new Set(all.map(({ status }) => status));
  assert.deepEqual(statuses, new Set(Object.values(RECORD_STATUS).slice(1)), "statuses");

  const { codes: _, ...asAdded } = REWARD;
  const { id, voucherIdentifier, code, ...details } = all.find((record) => record.id === redeemed.id)!.reward;
  assert.deepEqual(details, { ...asAdded, validTill });
  assert.deepEqual([id, voucherIdentifier === "", code === ""], [rewardId, false, false]);
  assert.deepEqual(all.find((record) => record.id === bonus.id)!.bonus, {
    profileId: friend.userID,
    firstName: "Grace",
    lastName: "Hopper",
    type: 1,
  });
  for (const members of [redeemed.reward, bonus.bonus]) {
    const empty = Object.entries(members).filter(([, value]) => value === "" || value === 0 || value === null);
    assert.deepEqual(empty, []);
  }
});
