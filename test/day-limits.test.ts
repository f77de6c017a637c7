import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { Tx } from "../src/postgres/postgres.ts";
import { Refusal } from "../src/cli/command.ts";
import { uuidv7 } from "../src/ids.ts";
import { PARTNER_TYPE } from "../src/points/codes.ts";
import type { Explanation } from "../src/points/explanation-schema.ts";
import { composeRecord } from "../src/points/record.ts";
import type { TransactionRecord } from "../src/points/schema.ts";
import { book } from "../src/points/store.ts";
import type { Booking } from "../src/points/store.ts";
import { DEFAULT_TERMS } from "../src/points/terms.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { runCommand } from "./support/commands.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, Event, TestService } from "./support/service.ts";

/** Shortly before midnight. */
const EVENING = Date.parse("2027-01-08T23:58:00Z");
const MINUTE_MS = 60_000;

let service: TestService;
before(async () => {
  service = await startService();
  service.setClock(EVENING);
});
after(() => service.close());

/** An application with these limits, as the operator sets them. */
async function clientWith(...limits: string[]): Promise<Client> {
  const client = await service.newClient();
  await limit(client, ...limits);
  return client;
}

async function limit({ clientId }: Client, ...limits: string[]): Promise<object> {
  return (await runCommand(service.database, ["app", "day-limits", "--client-id", clientId, ...limits]))[0]!;
}

const LENTILS = { foodId: "l-1", name: "Lentils", weight: 200, unit: "g" };
const BEEF = { foodId: "b-1", name: "Beef mince", weight: 200, unit: "g" };

/** Submits a meal, by default of lentils, which earns 30 points. Returns its id. */
async function eat(client: Client, userId: string, reference: string, ingredients: object[] = [LENTILS]) {
  const about = { mealName: "Dinner", mealType: "dinner", imageUrl: "https://example.org/d.jpg" };
  const loggedAt = new Date(EVENING - MINUTE_MS).toISOString();
  const meal = { userId, transactionId: reference, ...about, loggedAt, ingredients };
  const response = await client.call("POST", "/track/meals", meal);
  assert.equal(response.statusCode, 202, response.body);
  return response.json<{ id: string }>().id;
}

/** Waits for the completion of each of the references; gives the events, in that order. */
async function completed(client: Client, ...references: string[]): Promise<Event[]> {
  const completionOf = (events: Event[], reference: string) =>
    events.find((event) => event["transactionId"] === reference && nameOf(event) === "intake.completed");
  const events = await client.until((all) => references.every((reference) => completionOf(all, reference)));
  return references.map((reference) => completionOf(events, reference)!);
}

/** A user's points by reference, and as the balance says them. */
async function earned(client: Client, userId: string) {
  const { transactions } = await client.get<{ transactions: TransactionRecord[] }>(`/users/${userId}/transactions`);
  const { user } = await client.get<{ user: { lifetimePoints: number } }>(`/users/${userId}/summary`);
  const points = transactions.map((each) => [each.transaction.externalTransactionID, each.totalPoints] as const);
  return { points: Object.fromEntries(points), lifetimePoints: user.lifetimePoints, transactions };
}

test("a new day begins at midnight, UTC", async () => {
  const client = await clientWith("--meals-a-day", "1");
  const userId = await client.enrol();
  for (const [minute, reference] of [
    [0, "evening"],
    [0, "later"],
    [3, "after midnight"],
  ] as const) {
    service.setClock(EVENING + minute * MINUTE_MS);
    await eat(client, userId, reference);
    await completed(client, reference);
  }
  const { points, lifetimePoints } = await earned(client, userId);
  assert.deepEqual([points, lifetimePoints], [{ evening: 30, later: 0, "after midnight": 30 }, 60]);
});

test("a meal beyond the limit is rated and completed like any other, and earns nothing", async () => {
  const client = await clientWith("--meals-a-day", "1");
  const userId = await client.enrol();
  await eat(client, userId, "first");
  await completed(client, "first");
  const id = await eat(client, userId, "second");
  const [event] = await completed(client, "second");
  assert.deepEqual([event!["totalPoints"], event!["totalGreenProducts"], event!["totalHealthyProducts"]], [0, 1, 1]);
  const status = await client.get<{ status: string }>(`/track/meals/${id}/status`);
  assert.equal(status.status, "completed");
  const awards = client.events().filter((each) => nameOf(each) === "rewards.awarded");
  assert.equal(awards.length, 1, "a record of 0 points sends no award event");
  // Of what is no meal nothing was said.
  const food = {
    ...LENTILS,
    merchant: { name: "Shop", logo: "https://example.org/l.png" },
    imageUrl: "https://e.org/i",
  };
  const rest = { userId, transactionId: "food", quantity: 1, amount: 1, currency: "GBP", nutrition: {} };
  assert.equal((await client.call("POST", "/track/food", { ...food, ...rest })).statusCode, 202);
  await completed(client, "food");
  assert.deepEqual((await earned(client, userId)).points, { first: 30, second: 0, food: 5 });
});

test("reduced points are the same wherever they are shown, add up, and are explained", async () => {
  const client = await clientWith("--points-a-day", "41");
  const userId = await client.enrol();
  await eat(client, userId, "whole");
  await completed(client, "whole");
  const id = await eat(client, userId, "cut", [BEEF, LENTILS]);
  const [event] = await completed(client, "cut");
  await client.until((all) => all.filter((each) => nameOf(each) === "rewards.awarded").length === 2);

  const { points, lifetimePoints, transactions } = await earned(client, userId);
  assert.deepEqual([points, lifetimePoints], [{ whole: 30, cut: 11 }, 41]);
  const record = transactions[0]!;
  const ofItems = record.transaction.items.map((item) => item.totalServicePoints);
  assert.equal(ofItems[0]! + ofItems[1]!, 11);

  const ingredients = event!["ingredients"] as { totalPoints: number }[];
  assert.deepEqual([event!["totalPoints"], ingredients.map((each) => each.totalPoints)], [11, ofItems]);
  const [, award] = client.events().filter((each) => nameOf(each) === "rewards.awarded") as unknown as [Award, Award];
  assert.deepEqual([award.data.user.lifetimePoints, award.data.transaction.totalPoints], [41, 11]);
  assert.deepEqual(
    award.data.transaction.items.map((item) => item.totalServicePoints),
    ofItems,
  );
  const status = await client.get<Status>(`/track/meals/${id}/status`);
  assert.equal(status.completed.totalPoints, 11);
  assert.deepEqual(
    status.scored.items.map((item) => item.totalServicePoints),
    ofItems,
  );

  const path = `/users/${userId}/transactions/${record.id}/explanation`;
  const { explanation } = await client.get<{ explanation: Explanation }>(path);
  assert.deepEqual([explanation.totalPoints, explanation.items.map((item) => item.totalPoints)], [11, ofItems]);
  const uncutPoints = Number(explanation.arithmetic.earned);
  const dayCut = { limit: "points_a_day", max: 41, day: "2027-01-09", used: 30, uncutPoints } as const;
  assert.ok(uncutPoints > 11);
  assert.deepEqual(explanation.arithmetic.dayCut, dayCut);
  assert.match(
    explanation.arithmetic.text,
    /A user may earn 41 points a day; of that 30 had been used .* 2027-01-09 \(UTC\)/,
  );
  assert.match(explanation.text, new RegExp(`would have earned ${uncutPoints}, but for .* 41 points a day\\.$`));

  const [first] = transactions.toReversed();
  const uncut = await client.get<{ explanation: Explanation }>(
    `/users/${userId}/transactions/${first!.id}/explanation`,
  );
  assert.equal("dayCut" in uncut.explanation.arithmetic, false);
});

interface Award {
  data: {
    user: { lifetimePoints: number };
    transaction: { totalPoints: number; items: { totalServicePoints: number }[] };
  };
}
interface Status {
  scored: { items: { totalServicePoints: number }[] };
  completed: { totalPoints: number };
}

test("lowering a limit takes no points back, and a removed limit has no effect", async () => {
  const client = await clientWith("--points-a-day", "400");
  const userId = await client.enrol();
  await eat(client, userId, "before");
  await completed(client, "before");
  await limit(client, "--points-a-day", "10");
  await eat(client, userId, "lowered");
  await completed(client, "lowered");
  await limit(client, "--points-a-day", "off");
  await eat(client, userId, "removed");
  await completed(client, "removed");
  assert.deepEqual((await earned(client, userId)).points, { before: 30, lowered: 0, removed: 30 });
});

/** A meal of 30 points, ready to be booked. */
function booking({ applicationId }: Client, userId: string, acceptedMs = EVENING): Booking {
  const submissionId = uuidv7(acceptedMs, randomBytes(10));
  const texts = {
    id: `${submissionId}-1`,
    externalId: "",
    name: "L",
    cleanedName: "l",
    imageUrl: "",
    matchedName: "L",
  };
  const ratings = { healthRating: 1, carbonRating: 1, co2eMg: 1, carbonDataSource: "test:1" } as const;
  const amount = { quantity: 1, amountMinor: 1, soldByWeight: false, massMg: 200_000, plainWater: false };
  const head = { reference: submissionId, brand: "", logo: "", location: "", partnerType: PARTNER_TYPE.unspecified };
  const record = composeRecord(
    "meal",
    { ...head, timestamp: new Date(EVENING).toISOString(), currency: "GBP", totalAmountMinor: 1 },
    [{ ...texts, ...ratings, ...amount, exclusionReason: null, confidence: 1 }],
  );
  return {
    applicationId,
    userId,
    source: "meal",
    submissionId,
    record,
    terms: DEFAULT_TERMS,
    catalogueVersion: "test",
  };
}

const newId = () => uuidv7(EVENING, randomBytes(10));

/** Books in a tx of its own; gives the points, and the names of what was asked of the database. */
async function bookAlone(due: Booking, bookedMs = EVENING): Promise<{ points: number; asked: string[] }> {
  const asked: string[] = [];
  const [booked] = await service.database.tx((tx) => {
    const watched: Tx = {
      query: (statement, values) => {
        asked.push(statement.name);
        return tx.query(statement, values);
      },
      afterCommit: tx.afterCommit,
      origin: tx.origin,
    };
    return book(watched, [due], new Date(bookedMs), newId);
  });
  return { points: booked!.record.award.totalPoints, asked };
}

test("a submission accepted before midnight counts for its day, however late it is booked", async () => {
  const client = await clientWith("--points-a-day", "40");
  const userId = await client.enrol();
  const points: number[] = [];
  for (const acceptedMinute of [0, 3, 1, 4]) {
    const due = booking(client, userId, EVENING + acceptedMinute * MINUTE_MS);
    points.push((await bookAlone(due, EVENING + 5 * MINUTE_MS)).points);
  }
  assert.deepEqual(points, [30, 30, 10, 10]);
});

test("of submissions booked together, each counts for those after it", async () => {
  const [limited, other] = [await clientWith("--points-a-day", "70"), await service.newClient()];
  const [one, two, unlimited] = [await limited.enrol(), await limited.enrol(), await other.enrol()];
  const due = [one, two, one, one, unlimited, one, two].map((userId) =>
    booking(userId === unlimited ? other : limited, userId),
  );
  const booked = await service.database.tx((tx) => book(tx, due, new Date(EVENING), newId));
  assert.deepEqual(
    booked.map(({ record }) => record.award.totalPoints),
    [30, 30, 30, 10, 30, 0, 30],
  );
});

test("submissions of one user that are booked at once never exceed a limit together", async () => {
  for (const [limits, wanted] of [
    [["--points-a-day", "100"], 100],
    [["--meals-a-day", "3"], 90],
  ] as const) {
    const client = await clientWith(...limits);
    const userId = await client.enrol();
    const booked = await Promise.all(Array.from({ length: 12 }, () => bookAlone(booking(client, userId))));
    const sum = booked.reduce((all, { points }) => all + points, 0);
    assert.deepEqual([sum, (await earned(client, userId)).lifetimePoints], [wanted, wanted]);
  }
});

test("the user's lock is held before the day is read, and without a limit no query is made", async () => {
  const [off, on] = [await service.newClient(), await clientWith("--food-points-a-day", "50")];
  const unlimited = await bookAlone(booking(off, await off.enrol()));
  assert.deepEqual(unlimited.asked, ["points.lock-balances", "points.append"]);
  const limited = await bookAlone(booking(on, await on.enrol()));
  assert.deepEqual(limited.asked.slice(0, 3), ["points.lock-balances", "points.day-limits", "points.tallies"]);
  assert.deepEqual([unlimited.points, limited.points], [30, 30]);
});

test("a user with reduced records can be erased, and the ledger adds up before and after", async () => {
  const client = await clientWith("--meals-a-day", "1");
  const userId = await client.enrol();
  for (const reference of ["one", "two"]) await eat(client, userId, reference);
  await completed(client, "one", "two");
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
  await service.erase(userId);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
  assert.equal((await client.call("GET", `/users/${userId}/transactions`)).statusCode, 404);
});

test("an operator sets each limit separately, sees all limits, and gets an error for an invalid one", async () => {
  const client = await service.newClient();
  const off = { pointsADay: null, mealsADay: null, foodPointsADay: null };
  const clientId = client.clientId;
  assert.deepEqual(await limit(client), { clientId, ...off });
  await limit(client, "--points-a-day", "400", "--meals-a-day", "5", "--food-points-a-day", "50");
  const set = { pointsADay: 400, mealsADay: null, foodPointsADay: 0 };
  assert.deepEqual(await limit(client, "--meals-a-day", "off", "--food-points-a-day", "0"), { clientId, ...set });
  const [{ applications }] = (await runCommand(service.database, ["app", "list"])) as [{ applications: object[] }];
  const listed = applications.find((each) => "clientId" in each && each.clientId === clientId)!;
  assert.deepEqual({ ...listed, ...set }, listed);
  for (const wrong of ["-1", "1.5", "many", "10000000"]) {
    await assert.rejects(limit(client, `--points-a-day=${wrong}`), Refusal);
  }
  await assert.rejects(runCommand(service.database, ["app", "day-limits", "--client-id", "app_none"]), Refusal);
});

test("records booked together count once in each period, also under two versions of a programme", async () => {
  const client = await clientWith("--points-a-day", "100");
  const userId = await client.enrol();
  const none = { points: null, meals: null, foodPoints: null };
  const aDay = { timeZone: "UTC", day: { ...none, points: 100 }, week: none, month: none };
  const aWeek = { timeZone: "UTC", day: none, week: { ...none, points: 70 }, month: none };
  const due = [aDay, aDay, aWeek, aWeek].map((limits) => ({
    ...booking(client, userId),
    terms: { ...DEFAULT_TERMS, limits },
  }));
  const newId = () => uuidv7(EVENING, randomBytes(10));
  const booked = await service.database.tx((tx) => book(tx, due, new Date(EVENING), newId));
  assert.deepEqual(
    booked.map(({ record }) => record.award.totalPoints),
    [30, 30, 10, 0],
  );
});
