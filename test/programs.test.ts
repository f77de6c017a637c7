import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { Explanation } from "../src/points/explanation-schema.ts";
import type { TransactionRecord } from "../src/points/schema.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { LEAD_MS } from "../src/programs/versions.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

/** A Monday. */
const MONDAY = Date.parse("2027-02-01T09:00:00Z");
const DAY_MS = 86_400_000;

let service: TestService;
before(async () => {
  service = await startService();
  service.setClock(MONDAY);
});
after(() => service.close());

interface Version {
  version: number;
  state: string;
  startsAt: string | null;
  definition: object;
}

const save = async (client: Client, definition: object): Promise<Version> =>
  (await client.post("/programs", { definition: { name: "Own", ...definition } })).program;

/** Publishes a definition and lets it start, also for what has read the versions before. */
async function inForce(client: Client, definition: object): Promise<Version> {
  const { version } = await save(client, definition);
  const { program } = await client.post(`/programs/${version}/publish`, {});
  assert.equal(program.state, "scheduled");
  service.clock.ms += LEAD_MS;
  return program;
}

const APPLES = { foodId: "a-1", name: "Apples", weight: 200, unit: "g" };
const BEEF = { foodId: "b-1", name: "Beef mince", weight: 200, unit: "g" };

/** Submits a food and waits for its end. Returns its record. */
async function eat(client: Client, userId: string, food = APPLES): Promise<TransactionRecord> {
  const transactionId = randomBytes(8).toString("hex");
  const body = {
    userId,
    transactionId,
    merchant: { name: "Larkmeadow Market" },
    imageUrl: "https://example.org/f.jpg",
    nutrition: {},
    ...food,
  };
  await client.post("/track/food", body, 202);
  await client.until((all) =>
    all.some((event) => event["transactionId"] === transactionId && nameOf(event) === "intake.completed"),
  );
  const { transactions } = await client.get<{ transactions: TransactionRecord[] }>(`/users/${userId}/transactions`);
  return transactions.find(({ transaction }) => transaction.externalTransactionID === transactionId)!;
}

const explained = async (client: Client, userId: string, { id }: TransactionRecord): Promise<Explanation> =>
  (await client.get<{ explanation: Explanation }>(`/users/${userId}/transactions/${id}/explanation`)).explanation;

test("without a programme points/1 applies; a published one applies to what is accepted from its start on", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  assert.deepEqual(await client.get("/programs/current"), { program: null });
  const before = await eat(client, userId);
  const { version, startsAt } = await inForce(client, { points: { food: { multiplier: 2 } } });
  const after = await eat(client, userId);
  assert.equal(after.totalPoints, 2 * before.totalPoints);
  assert.deepEqual(
    [(await explained(client, userId, before)).rule, (await explained(client, userId, after)).rule],
    ["points/1", `program/${version}`],
  );
  const { program } = await client.get<{ program: Version }>("/programs/current");
  assert.deepEqual([program.version, program.state, program.startsAt], [version, "in_force", startsAt]);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("an explanation of a record stays true when another version comes into force", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await inForce(client, { points: { food: { health: { A: 50 }, multiplier: 1.25 } } });
  const record = await eat(client, userId);
  const first = await explained(client, userId, record);
  await inForce(client, { points: { food: { multiplier: 3 } } });
  assert.deepEqual(await explained(client, userId, record), first);
  assert.match(first.items[0]!.steps.at(-1)!.text, /its health is worth 50 .* times the multiplier 1.25/);
});

test("what is not eligible is shown, earns nothing, and says so", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  await inForce(client, { eligible: { foodGroups: { except: ["meat-beef"] } } });
  const record = await eat(client, userId, BEEF);
  const { items, excludedItems } = record.transaction;
  assert.deepEqual([items.length, excludedItems[0]!.exclusionReason, record.totalPoints], [0, "NOT_ELIGIBLE", 0]);
  assert.match((await explained(client, userId, record)).items[0]!.steps.at(-1)!.text, /the programme gives no points/);
  assert.ok((await eat(client, userId)).totalPoints > 0);
});

test("a programme may be for users of some countries", async () => {
  const client = await service.newClient();
  const enrolledIn = async (country: string): Promise<string> => {
    const email = `${randomBytes(6).toString("hex")}@example.org`;
    const about = { email, firstName: "Ada", lastName: "Lovelace", country };
    return (await client.post("/users/enroll", about)).user.userID;
  };
  const [here, there] = [await enrolledIn("gb"), await enrolledIn("FR")];
  await inForce(client, { eligible: { countries: { only: ["GB"] } } });
  assert.ok((await eat(client, here)).totalPoints > 0);
  assert.equal((await eat(client, there)).totalPoints, 0);
});

test("limits of a week hold over its days, in the programme's time zone", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  service.setClock(MONDAY);
  await inForce(client, { timeZone: "America/New_York", limits: { week: { foodPoints: 7 } } });
  const points: number[] = [];
  for (const day of [0, 2, 6]) {
    service.setClock(MONDAY + day * DAY_MS);
    points.push((await eat(client, userId)).totalPoints);
  }
  // 03:00 in UTC on the next Monday is still Sunday in New York.
  service.setClock(MONDAY + 7 * DAY_MS - 6 * 3_600_000);
  const cut = await eat(client, userId);
  points.push(cut.totalPoints);
  service.setClock(MONDAY + 7 * DAY_MS);
  points.push((await eat(client, userId)).totalPoints);
  assert.deepEqual(points, [5, 2, 0, 0, 5]);
  const { dayCut } = (await explained(client, userId, cut)).arithmetic;
  const place = { limit: "food_points_a_week", max: 7, day: "2027-02-01", timeZone: "America/New_York", used: 7 };
  assert.deepEqual(dayCut, { ...place, uncutPoints: 5 });
});

test("every error of a definition is named, and nothing is saved", async () => {
  const client = await service.newClient();
  const definition = { name: "", points: { food: { multiplier: -1 } }, eligibel: {} };
  const { errors } = await client.post("/programs", { definition, note: 5 }, 400);
  assert.deepEqual(errors, {
    note: ["must be of type string"],
    "definition.name": ["must not be empty"],
    "definition.points.food.multiplier": ["must be at least 0"],
    "definition.eligibel": ["is not known; did you mean eligible?"],
  });
  assert.equal((await client.get<{ count: number }>("/programs")).count, 0);
});

test("a version is published once, and withdrawn only while its start is ahead", async () => {
  const client = await service.newClient();
  const { version } = await save(client, {});
  const startsAt = new Date(service.clock.ms + DAY_MS).toISOString();
  const early = new Date(service.clock.ms).toISOString();
  await client.post(`/programs/${version}/publish`, { startsAt: early }, 400);
  await client.post(`/programs/${version}/publish`, { startsAt });
  assert.equal((await client.post(`/programs/${version}/publish`, { startsAt }, 409)).code, "ProgramNotADraft");
  const { program } = await client.post(`/programs/${version}/withdraw`, { author: "Mia" });
  assert.deepEqual([program.state, program.withdrawnBy], ["withdrawn", "Mia"]);
  const { code } = await client.post(`/programs/${version}/withdraw`, {}, 409);
  assert.equal(code, "ProgramNotScheduled");
  await client.post("/programs/99/publish", {}, 404);
});

test("versions belong to one application, and the list is their history", async () => {
  const [client, other] = [await service.newClient(), await service.newClient()];
  await save(client, {});
  await inForce(client, { points: { rounding: "up" } });
  await inForce(client, {});
  const { programs, count } = await client.get<{ programs: Version[]; count: number }>("/programs");
  assert.deepEqual([programs.map(({ state }) => state), count], [["in_force", "ended", "draft"], 3]);
  assert.equal((await other.get<{ count: number }>("/programs")).count, 0);
  assert.equal((await other.call("GET", "/programs/1")).statusCode, 404);
});

test("versions saved at the same time have numbers of their own", async () => {
  const client = await service.newClient();
  const saved = await Promise.all(Array.from({ length: 8 }, () => save(client, {})));
  assert.deepEqual(
    saved.map(({ version }) => version).sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});

test("a definition made to cost much is refused in time", async () => {
  const client = await service.newClient();
  const long = "x".repeat(900_000);
  const many = Array.from({ length: 15_000 }, (_, i) => `group ${i}`);
  const definitions = [
    { name: "A", [long]: 1 },
    { name: "A", eligible: { foodGroups: { only: many } } },
    { name: "A", eligible: { foodGroups: { only: Array.from({ length: 100 }, () => "y".repeat(50)) } } },
    { name: "A", timeZone: long },
    Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`member ${i}`, i])),
  ];
  const startMs = process.cpuUsage();
  for (const definition of definitions) await client.post("/programs", { definition }, 400);
  const { user } = process.cpuUsage(startMs);
  // Microseconds; the first name alone would take minutes to compare with all members.
  assert.ok(user < 20e6, `${user}`);
});
