import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { uuidv7 } from "../src/ids.ts";
import { POINTS_1 } from "../src/points/award.ts";
import type { Campaign } from "../src/points/campaigns/campaign.ts";
import { PARTNER_TYPE } from "../src/points/codes.ts";
import type { Explanation } from "../src/points/explanation-schema.ts";
import { composeRecord } from "../src/points/record.ts";
import type { TransactionRecord } from "../src/points/schema.ts";
import { book } from "../src/points/store.ts";
import { DEFAULT_TERMS } from "../src/points/terms.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { LEAD_MS } from "../src/programs/versions.ts";
import { runCommand } from "./support/commands.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { runImport } from "./support/table-import.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

let service: TestService;
before(async () => {
  service = await startService({ ocr: { read: async () => pageOf(GROCERIES), close: async () => {} } });
  service.clock.ms = Date.parse("2026-11-01T09:00:00Z");
});
after(() => service.close());

/** Publishes campaigns and lets them start. */
async function run(client: Client, ...campaigns: object[]): Promise<void> {
  const times = { name: "A campaign", from: "2026-01-01", till: "2027-12-31" };
  const definition = { name: "Own", campaigns: campaigns.map((each) => ({ ...times, ...each })) };
  const { program } = await client.post("/programs", { definition });
  await client.post(`/programs/${program.version}/publish`, {});
  service.clock.ms += LEAD_MS;
}

const food = (userId: string, name: string, transactionId = randomBytes(8).toString("hex")) => ({
  userId,
  transactionId,
  foodId: `id-${name}`,
  name,
  imageUrl: "https://example.org/f.jpg",
  merchant: { name: "Larkmeadow Market" },
  weight: 200,
  unit: "g",
  nutrition: {},
});

/** Tracks foods all at once, and waits for the end of all of them. */
async function track(client: Client, ...foods: ReturnType<typeof food>[]): Promise<void> {
  await Promise.all(foods.map((each) => client.post("/track/food", each, 202)));
  const wanted = new Set(foods.map(({ transactionId }) => transactionId));
  await client.until(
    (events) =>
      events.filter((event) => nameOf(event) === "intake.completed" && wanted.has(String(event["transactionId"])))
        .length === wanted.size,
  );
}

const recordsOf = async (client: Client, userId: string): Promise<TransactionRecord[]> =>
  (await client.get<{ transactions: TransactionRecord[] }>(`/users/${userId}/transactions`)).transactions;
const explained = async (client: Client, userId: string, id: string): Promise<Explanation> =>
  (await client.get<{ explanation: Explanation }>(`/users/${userId}/transactions/${id}/explanation`)).explanation;
const userOf = async (client: Client, userId: string) =>
  (await client.get<{ user: Record<string, number> }>(`/users/${userId}/summary`)).user;
const usageOf = async (client: Client) =>
  (await client.get<{ campaigns: Record<string, unknown>[] }>("/programs/current/campaigns")).campaigns;
const bonusOf = ({ transaction }: TransactionRecord) => transaction.totalBonusPoints;
const isSound = async () => assert.deepEqual((await verifyLedger(service.database)).differences, []);

test("what campaigns give is in items, record, event, summary, usage and, by campaign, in the explanation", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await run(
    client,
    { id: "veg", name: "Vegetables", when: { foodGroups: ["vegetable"] }, effect: { multiplier: 2.5 } },
    { id: "shop", name: "Larkmeadow", when: { merchants: ["larkmeadow market"] }, effect: { pointsPerRecord: 3 } },
  );
  await track(client, food(userId, "Carrots"));
  await track(client, food(userId, "Beef mince"));
  const [beef, carrots] = (await recordsOf(client, userId)) as [TransactionRecord, TransactionRecord];
  const [item] = carrots.transaction.items;
  const base = carrots.totalPoints - item!.bonusPoints;
  assert.deepEqual([item!.bonusPoints, bonusOf(carrots)], [Math.floor(base * 1.5) + 3, Math.floor(base * 1.5) + 3]);
  assert.equal(item!.totalServicePoints, carrots.totalPoints);
  assert.ok([0, 3].includes(bonusOf(beef)), "no multiplier for what is no vegetable");
  const { extras, items, totalPoints, totalBonusPoints, text } = await explained(client, userId, carrots.id);
  assert.deepEqual([totalPoints, totalBonusPoints], [carrots.totalPoints, bonusOf(carrots)]);
  assert.deepEqual(
    extras!.map(({ kind, id, name, effect, points }) => [kind, id, name, effect, points]),
    [
      ["campaign", "veg", "Vegetables", { multiplier: 2.5 }, Math.floor(base * 1.5)],
      ["campaign", "shop", "Larkmeadow", { pointsPerRecord: 3 }, 3],
    ],
  );
  assert.deepEqual(
    items[0]!.extras!.map(({ id, points }) => [id, points]),
    [
      ["veg", Math.floor(base * 1.5)],
      ["shop", 3],
    ],
  );
  assert.match(text, new RegExp(`${carrots.totalPoints} points by program/1, ${bonusOf(carrots)} of them by its tier`));
  const total = carrots.totalPoints + beef.totalPoints;
  const { availablePoints, lifetimePoints } = await userOf(client, userId);
  assert.deepEqual([availablePoints, lifetimePoints], [total, total]);
  const events = await client.until((all) => all.filter((event) => nameOf(event) === "rewards.awarded").length > 0);
  const awarded = events.find((event) => nameOf(event) === "rewards.awarded")!["data"] as {
    transaction: { totalPoints: number };
  };
  assert.equal(awarded.transaction.totalPoints, carrots.totalPoints);
  assert.deepEqual(
    (await usageOf(client)).map(({ id, state, pointsGiven, users }) => [id, state, pointsGiven, users]),
    [
      ["veg", "running", Math.floor(base * 1.5), 1],
      ["shop", "running", 3 + bonusOf(beef), 1],
    ],
  );
  await isSound();
});

test("of many submissions at once a budget gives its last point and no more, and the first users are counted once", async () => {
  const client = await service.newClient();
  await run(
    client,
    { id: "budget", effect: { pointsPerRecord: 7 }, budget: 100 },
    { id: "first", effect: { pointsPerRecord: 2 }, firstUsers: 3 },
  );
  const users = await Promise.all(Array.from({ length: 8 }, () => client.enrol()));
  await track(client, ...users.flatMap((userId) => Array.from({ length: 5 }, () => food(userId, "Carrots"))));
  const records = (await Promise.all(users.map((userId) => recordsOf(client, userId)))).flat();
  const extras = (await Promise.all(records.map(({ id, userID }) => explained(client, userID, id)))).flatMap(
    (each, i) => each.extras!.map((extra) => ({ ...extra, userId: records[i]!.userID })),
  );
  const givenBy = (id: string) => extras.filter((extra) => extra.id === id && extra.points > 0);
  assert.equal(
    givenBy("budget").reduce((sum, { points }) => sum + points, 0),
    100,
  );
  assert.equal(extras.filter(({ cutBy }) => cutBy === "budget").length, 40 - 14);
  const first = givenBy("first");
  assert.deepEqual([new Set(first.map(({ userId }) => userId)).size, first.length], [3, 15]);
  const usage = await usageOf(client);
  assert.deepEqual(
    usage.map(({ id, state, pointsGiven, budgetLeft, users, usersLeft }) => [
      id,
      state,
      pointsGiven,
      budgetLeft,
      users,
      usersLeft,
    ]),
    [
      ["budget", "used_up", 100, 0, new Set(givenBy("budget").map(({ userId }) => userId)).size, null],
      ["first", "running", 30, null, 3, 0],
    ],
  );
  await isSound();
  // The place of somebody who is erased is not free again.
  await service.erase(first[0]!.userId);
  assert.deepEqual(
    (await usageOf(client)).map(({ pointsGiven, users }) => [pointsGiven, users]),
    usage.map(({ pointsGiven, users }) => [pointsGiven, users]),
  );
  await isSound();
});

const ANY = {
  foodGroups: null,
  foods: null,
  products: null,
  merchants: null,
  health: null,
  climate: null,
  sources: null,
  weekdays: null,
};

/** A meal to be booked under campaigns of an amount for each record. */
function booking({ applicationId }: Client, userId: string, campaigns: readonly Partial<Campaign>[]) {
  const atMs = service.clock.ms;
  const submissionId = uuidv7(atMs, randomBytes(10));
  const texts = { externalId: "", name: "L", cleanedName: "l", imageUrl: "", matchedName: "L" };
  const ratings = { healthRating: 1, carbonRating: 1, co2eMg: 1, carbonDataSource: "test:1" } as const;
  const amount = { quantity: 1, amountMinor: 1, soldByWeight: false, massMg: 200_000, plainWater: false };
  const head = { reference: submissionId, brand: "", logo: "", location: "", partnerType: PARTNER_TYPE.unspecified };
  const record = composeRecord(
    "meal",
    { ...head, timestamp: new Date(atMs).toISOString(), currency: "GBP", totalAmountMinor: 1 },
    [{ id: `${submissionId}-1`, ...texts, ...ratings, ...amount, exclusionReason: null, confidence: 1 }],
    { ...DEFAULT_TERMS, rule: { ...POINTS_1, id: "program/1" } },
  );
  const times = { name: "C", fromMs: 0, untilMs: Infinity, timeZone: "UTC", when: ANY, firstUsers: null, budget: null };
  const terms = {
    ...DEFAULT_TERMS,
    campaigns: campaigns.map((each, i): Campaign => {
      const effect = { kind: "pointsPerRecord", amount: 9 } as const;
      return { id: `c${i}`, ...times, effect, ...each };
    }),
  };
  return { applicationId, userId, source: "meal", submissionId, record, terms, catalogueVersion: "test" } as const;
}

const newId = () => uuidv7(service.clock.ms, randomBytes(10));
const bookAll = (tx: Tx, ...due: ReturnType<typeof booking>[]) => book(tx, due, new Date(service.clock.ms), newId);

test("bookings of several processes at once, of campaigns in any order, keep budgets and do not block each other", async () => {
  const client = await service.newClient();
  const users = await Promise.all(Array.from({ length: 10 }, () => client.enrol()));
  const campaigns = [{ id: "a", budget: 200 }, { id: "b", budget: 1_000 }, { id: "c", firstUsers: 4 }, { id: "d" }];
  const txs = Array.from({ length: 60 }, (_, i) => {
    const own = campaigns.filter((_, place) => i % (place + 2) !== 0);
    const userIds = [users[i % 10]!, users[(i * 7 + 3) % 10]!];
    const inOrder = i % 2 === 0 ? own : own.toReversed();
    return service.database.tx((tx) => bookAll(tx, ...userIds.map((userId) => booking(client, userId, inOrder))));
  });
  const booked = (await Promise.all(txs)).flat();
  const extras = booked.flatMap(({ record }) => record.settled?.extras ?? []);
  const given = (id: string) =>
    extras.filter(({ campaignId }) => campaignId === id).reduce((sum, { points }) => sum + points, 0);
  const usage = new Map((await usageOf(client)).map(({ id, ...used }) => [id, used]));
  for (const { id } of campaigns) assert.equal(usage.get(id)!["pointsGiven"], given(id));
  assert.deepEqual([given("a"), usage.get("c")!["users"]], [200, 4]);
  assert.ok(given("b") <= 1_000 && given("d") > 0);
  await isSound();
});

test("a campaign costs three statements for a batch, nothing where it gives nothing, and nothing without one", async () => {
  const client = await service.newClient();
  const userIds = [await client.enrol(), await client.enrol()];
  const askedOf = async (campaigns: readonly Partial<Campaign>[]) => {
    const asked: string[] = [];
    await service.database.tx((tx) => {
      const watched: Tx = {
        query: (statement, values) => {
          asked.push(statement.name);
          return tx.query(statement, values);
        },
        afterCommit: tx.afterCommit,
        origin: tx.origin,
      };
      return bookAll(watched, ...userIds.map((userId) => booking(client, userId, campaigns)));
    });
    return asked;
  };
  assert.deepEqual(await askedOf([]), ["points.lock-balances", "points.append"]);
  assert.deepEqual(await askedOf([{ untilMs: 0 }]), ["points.lock-balances", "points.append"]);
  assert.deepEqual(await askedOf([{}, { budget: 5 }]), [
    "points.lock-balances",
    "campaigns.users",
    "campaigns.lock",
    "campaigns.save",
    "points.append",
  ]);
});

test("campaigns belong to one application, count on in a later version, and an operator sees those that are gone", async () => {
  const [client, other] = [await service.newClient(), await service.newClient()];
  const [userId, stranger] = [await client.enrol(), await other.enrol()];
  const shared = { id: "shared", effect: { pointsPerRecord: 4 }, budget: 6 };
  await run(client, shared);
  await run(other, shared);
  await track(client, food(userId, "Carrots"));
  await track(other, food(stranger, "Carrots"));
  await run(client, shared, { id: "later", effect: { pointsPerRecord: 1 }, from: "2027-06-01" });
  await track(client, food(userId, "Carrots"));
  const [second, first] = await recordsOf(client, userId);
  assert.deepEqual([bonusOf(first!), bonusOf(second!)], [4, 2]);
  const shown = async (of: Client) =>
    (await usageOf(of)).map(({ id, state, pointsGiven, budgetLeft }) => [id, state, pointsGiven, budgetLeft]);
  assert.deepEqual(await shown(client), [
    ["shared", "used_up", 6, 0],
    ["later", "scheduled", 0, null],
  ]);
  assert.deepEqual(await shown(other), [["shared", "running", 4, 2]]);
  const [printed] = await runCommand(service.database, ["program", "campaigns", "--client-id", other.clientId]);
  assert.equal((printed as { campaigns: { id: string }[] }).campaigns[0]!.id, "shared");
  await run(other);
  assert.deepEqual(await shown(other), [["shared", "removed", 4, null]]);
});

const MINCE = /BEEF/;

test("a correction applies the settlement of the award again, and back to the original gives the original", async () => {
  const client = await service.newClient();
  const [userId, second] = [await client.enrol(), await client.enrol()];
  await run(
    client,
    { id: "double", effect: { multiplier: 2 }, when: { sources: ["receipt"] } },
    { id: "scarce", effect: { pointsPerItem: 5 }, when: { foods: ["red lentils", "carrot"] }, budget: 7 },
  );
  const id = await acceptedReceipt(service, client, { fields: formFor(userId) });
  await statusUntil<{ status: string }>(client, id, ({ status }) => status === "Completed");
  const [award] = await recordsOf(client, userId);
  const base = award!.totalPoints - bonusOf(award!);
  assert.equal(bonusOf(award!), base + 5);
  const correct = (body: object) => client.post(`/track/receipts/${id}/corrections`, { reason: "Misread", ...body });
  const mince = award!.transaction.items.find(({ name }) => MINCE.test(name))!;
  const lentils = await correct({ items: [{ id: mince.id, name: "Red lentils" }] });
  const [correction] = await recordsOf(client, userId);
  const changed = await explained(client, userId, correction!.id);
  assert.equal(changed.totalPoints, lentils.after.totalPoints);
  const [double, scarce] = changed.extras!;
  // The second campaign has two points left, which are for others.
  assert.deepEqual([scarce!.uncutPoints, scarce!.points, scarce!.cutBy], [10, 5, "award"]);
  assert.ok(double!.points > base);
  assert.equal(changed.totalPoints, 2 * double!.points + 5);
  const status = await client.get<{ transactionId: string }>(`/track/receipts/${id}/status`);
  const list = await client.get<{ receipts: { totalPoints: number }[] }>(
    `/track/receipts?transactionId=${status.transactionId}`,
  );
  assert.equal(list.receipts[0]!.totalPoints, changed.totalPoints);
  const again = lentils.after.items.find(({ name }: { name: string }) => name === "Red lentils");
  const back = await correct({ items: [{ id: again.id, name: mince.name }] });
  assert.equal(back.after.totalPoints, award!.totalPoints);
  assert.equal((await userOf(client, userId))["availablePoints"], award!.totalPoints);
  // Neither a correction nor a reversal returns what a budget gave.
  await client.post(`/users/${userId}/transactions/${award!.id}/reversal`, { reason: "Returned" });
  assert.equal((await userOf(client, userId))["availablePoints"], 0);
  assert.deepEqual((await usageOf(client)).map(({ pointsGiven }) => pointsGiven).at(-1), 5);
  await track(client, food(second, "Carrots"));
  const [rest] = await recordsOf(client, second);
  assert.equal(bonusOf(rest!), 2);
  await isSound();
});

test("an award with extras that is scored again by the same rules does not change", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await run(
    client,
    { id: "half", effect: { multiplier: 1.5 } },
    { id: "few", effect: { pointsPerItem: 3 }, budget: 4 },
  );
  await track(client, food(userId, "Carrots"));
  await track(client, food(userId, "Apples"));
  const before = await userOf(client, userId);
  const scope = ["--since=2026-10-01", `--client-id=${client.clientId}`, "--catalogue=recorded"];
  const { printed, refusal } = await runImport(service.database, "rescore", [...scope, "--book", "--reason=Check"]);
  assert.equal(refusal, null);
  const { total, booked } = printed as unknown as { total: { awards: number; differing: number }; booked: number };
  assert.deepEqual([total.awards, total.differing, booked], [2, 0, 0]);
  assert.deepEqual(await userOf(client, userId), before);
});

test("limits of a day cut extras before base points", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await run(client, { id: "ten", effect: { pointsPerRecord: 10 } });
  await runCommand(service.database, ["app", "day-limits", "--client-id", client.clientId, "--points-a-day", "22"]);
  await track(client, food(userId, "Carrots"));
  await track(client, food(userId, "Carrots"));
  const [second, first] = (await recordsOf(client, userId)) as [TransactionRecord, TransactionRecord];
  const base = first.totalPoints - 10;
  assert.deepEqual([bonusOf(first), second.totalPoints], [10, 22 - first.totalPoints]);
  assert.equal(second.totalPoints - bonusOf(second), Math.min(base, 22 - first.totalPoints));
  const { extras, arithmetic } = await explained(client, userId, second.id);
  assert.deepEqual([extras![0]!.cutBy, arithmetic.dayCut!.uncutPoints], ["limit", base + 10]);
  await isSound();
});

test("the verification finds bonus points without a reason, and a user whom a campaign does not count", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await run(client, { id: "checked", effect: { pointsPerRecord: 4 } });
  await track(client, food(userId, "Carrots"));
  const [record] = await recordsOf(client, userId);
  const differences = async () => (await verifyLedger(service.database)).differences.map(({ what }) => what);
  await service.database.pool.query(
    `UPDATE records SET explained = jsonb_set(explained::jsonb, '{7,1,0,1}', '5')::text WHERE id = $1`,
    [record!.id],
  );
  await service.database.pool.query("UPDATE campaign_usage SET users = 0 WHERE application_id = $1", [
    client.applicationId,
  ]);
  assert.deepEqual(await differences(), [
    `record ${record!.id}: its bonus points are not those of its tier and campaigns`,
    "campaign checked: it counts fewer users than it has",
  ]);
});
