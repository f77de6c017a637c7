import assert from "node:assert/strict";
import { after, before, mock, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { pino } from "pino";
import { declaredStatements } from "../src/postgres/statement.ts";
import type { Statement } from "../src/postgres/statement.ts";
import { keepSums } from "../src/points/sums/keep.task.ts";
import { keepNext } from "../src/points/sums/store.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { fillLedger } from "./support/ledger.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { acceptedReceipt, statusUntil } from "./support/uploads.ts";

interface Figures {
  earnedPoints: number;
  balanceChange: number;
  numOfTransactions: number;
  totalHealthPoints: number;
  totalCarbonScore: number;
  totalBonusPoints: number;
  totalGreenProducts: number;
  totalHealthyProducts: number;
  totalCO2e: number;
  pointsBySource: Record<string, number> & { bonuses: Record<string, number> };
}
interface PeriodFigures extends Figures {
  from: string;
  before: string;
}
interface Statistics extends PeriodFigures {
  userID: string;
  previous: PeriodFigures;
  months: (PeriodFigures & { month: string; previous: PeriodFigures })[];
}
interface Item {
  id: string;
  healthPoints: number;
  bonusPoints: number;
  totalServicePoints: number;
  healthImpactRating: number;
}
interface ListedRecord {
  id: string;
  operation: number;
  status: number;
  totalPoints: number;
  createdAt: string;
  relatedTransactionID?: string;
  reason?: string;
  bonus: { type: number };
  transaction: {
    transactionSource: number;
    items: Item[];
    totalHealthPoints: number;
    totalBonusPoints: number;
    totalCO2e: number;
    totalGreenProducts: number;
  };
}

const DAY_MS = 86_400_000;
const START = Date.parse("2026-01-05T09:00:00Z");
const rows = { now: GROCERIES };
let service: TestService;
let client: Client;
before(async () => {
  service = await startService({ ocr: { read: async () => pageOf(rows.now), close: async () => {} } });
  client = await service.newClient({ isSandbox: true });
});
after(() => service.close());

const statisticsOf = async (userId: string, timeframe = "all"): Promise<Statistics> => {
  const response = await client.call("GET", `/users/${userId}/statistics?timeframe=${timeframe}`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ statistics: Statistics }>().statistics;
};
const recordsOf = async (userId: string): Promise<ListedRecord[]> =>
  (await client.call("GET", `/users/${userId}/transactions?All=true`)).json().transactions.reverse();

let references = 0;
const reference = () => `r-${++references}`;

const SUMMED = ["numOfTransactions", "totalCarbonScore", "totalGreenProducts"];

/** What a user may do; each is refused by the service where it is not possible, which is no error here. */
const ACTIONS: Record<string, (userId: string, n: number) => Promise<unknown>> = {
  food: async (userId, n) => {
    const name = ["carrots", "red lentils", "beef mince", "butter"][n % 4];
    const { id } = (
      await client.call("POST", "/track/food", {
        userId,
        logId: reference(),
        foodId: "f",
        name,
        weight: 100 + n,
        unit: "g",
        imageUrl: "https://example.org/f.jpg",
        merchant: { name: "Larkmeadow Market" },
        nutrition: { energyKcal: 90, proteinG: 5, carbsG: 6, fatG: 2, sugarG: 1, fiberG: 3, saltG: 0.1 },
      })
    ).json();
    await finished(`/track/food/${id}/status`);
  },
  meal: async (userId, n) => {
    const { id } = (
      await client.call("POST", "/track/meals", {
        userId,
        logId: reference(),
        mealName: "Stew",
        mealType: "dinner",
        imageUrl: "https://example.org/m.jpg",
        loggedAt: new Date(service.clock.ms).toISOString(),
        ingredients: ["carrots", "red lentils", "potatoes"].map((name) => ({
          foodId: name,
          name,
          weight: 50 + n,
          unit: "g",
        })),
      })
    ).json();
    await finished(`/track/meals/${id}/status`);
  },
  adjustment: (userId, n) =>
    client.call("POST", `/users/${userId}/adjustments`, {
      points: n % 3 === 0 ? -1 - (n % 5) : n + 1,
      countsAsEarned: n % 2 === 0,
      reason: n % 2 === 0 ? "earned" : "gift",
      reference: reference(),
    }),
  bonus: (userId, n) =>
    client.call("POST", `/users/${userId}/bonuses`, {
      points: n + 1,
      type: 1 + (n % 5),
      reason: "Bonus",
      reference: reference(),
    }),
  redemption: (userId, n) =>
    client.call("POST", `/users/${userId}/redemptions`, {
      points: 1 + (n % 20),
      reward: { name: "Tea" },
      reference: reference(),
    }),
  refund: async (userId) => {
    const redeemed = (await recordsOf(userId)).find(({ operation, status }) => operation === 2 && status === 2);
    if (redeemed) await client.call("POST", `/users/${userId}/redemptions/${redeemed.id}/refund`, { reason: "Back" });
  },
  reversal: async (userId, n) => {
    const records = (await recordsOf(userId)).filter(({ operation }) => operation === 1 || operation === 3);
    if (records.length === 0) return;
    const { id, transaction } = records[n % records.length]!;
    const items = n % 2 === 0 && transaction.items.length > 0 ? { items: [transaction.items[0]!.id] } : {};
    await client.call("POST", `/users/${userId}/transactions/${id}/reversal`, { reason: "Returned", ...items });
  },
};
const finished = (path: string) =>
  until(async () => /completed|failed/.test((await client.call("GET", path)).json().status));
async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isDone()); await sleep(5)) assert.ok(Date.now() < deadline);
}

/** The figures of a time, from the records that the list shows. */
function figuresFrom(records: readonly ListedRecord[], from: string, end: string): Figures {
  const byId = new Map(records.map((record) => [record.id, record]));
  const within = records.filter(({ createdAt }) => createdAt >= from && createdAt < end);
  const causeOf = (record: ListedRecord): string => {
    const { operation, relatedTransactionID: related, transaction, bonus } = byId.get(record.id)!;
    if ((operation === 3 || operation === 6) && related !== undefined) return causeOf(byId.get(related)!);
    if (operation === 1 && transaction.transactionSource === 4) return `bonus ${bonus.type}`;
    if (operation === 1) return ["", "receipts", "meals", "foods"][transaction.transactionSource]!;
    return { 2: "redemptions", 3: "adjustments", 4: "refunds", 5: "expired" }[operation]!;
  };
  const isEarned = (record: ListedRecord): boolean => {
    const { operation, relatedTransactionID: related, reason } = record;
    if (operation === 6) return isEarned(byId.get(related!)!);
    return operation === 1 || (operation === 3 && (related !== undefined || reason === "earned"));
  };
  const credited = new Set<string>();
  const healthyOf = new Map<string, number>();
  for (const { id, transaction } of records) {
    let healthy = 0;
    for (const item of transaction.items) {
      const sign = credited.delete(item.id) ? -1 : 1;
      if (sign === 1) credited.add(item.id);
      if (item.healthImpactRating <= 2) healthy += sign;
    }
    healthyOf.set(id, healthy);
  }
  const sum = (value: (record: ListedRecord) => number, of = within) =>
    of.reduce((total, record) => total + value(record), 0);
  const caused = (cause: string) =>
    sum(
      ({ totalPoints }) => totalPoints,
      within.filter((record) => causeOf(record) === cause),
    );
  const all = sum(({ totalPoints }) => totalPoints);
  const carbon = ({ transaction: { items } }: ListedRecord) =>
    items.reduce((total, item) => total + item.totalServicePoints - item.healthPoints - item.bonusPoints, 0);
  const sources = ["receipts", "meals", "foods", "adjustments", "redemptions", "refunds", "expired"];
  const bonusTypes = ["referral", "welcome", "streak", "campaign", "manual"];
  return {
    earnedPoints: sum(
      ({ totalPoints }) => totalPoints,
      within.filter((record) => isEarned(record)),
    ),
    balanceChange: all,
    numOfTransactions: within.filter(
      ({ operation, transaction }) => operation === 1 && transaction.transactionSource !== 4,
    ).length,
    totalHealthPoints: sum(({ transaction }) => transaction.totalHealthPoints),
    totalCarbonScore: sum(carbon),
    totalBonusPoints: sum(({ transaction }) => transaction.totalBonusPoints),
    totalGreenProducts: sum(({ transaction }) => transaction.totalGreenProducts),
    totalHealthyProducts: sum(({ id }) => healthyOf.get(id)!),
    totalCO2e: sum(({ transaction }) => Math.round(transaction.totalCO2e * 1e6)) / 1e6,
    pointsBySource: {
      ...(Object.fromEntries(sources.map((source) => [source, caused(source)])) as Record<string, number>),
      bonuses: Object.fromEntries(bonusTypes.map((type, i) => [type, caused(`bonus ${i + 1}`)])),
    } as Figures["pointsBySource"],
  };
}

const ABOUT = ["userID", "month", "from", "before", "previous", "months"];

/** The figures of a period, without its times and what is within or beside it. */
function figuresIn(period: PeriodFigures): Figures {
  return Object.fromEntries(Object.entries(period).filter(([name]) => !ABOUT.includes(name))) as unknown as Figures;
}

async function assertFigures(userId: string, timeframe: string, records: readonly ListedRecord[]): Promise<void> {
  const statistics = await statisticsOf(userId, timeframe);
  const { previous, months } = statistics;
  for (const period of [statistics, previous, ...months, ...months.map((month) => month.previous)]) {
    assert.deepEqual(
      figuresIn(period),
      figuresFrom(records, period.from, period.before),
      `${timeframe} ${period.from}`,
    );
  }
}

test("whatever was earned, spent, corrected and taken back, the months add up to the summary and to the records", async () => {
  const actions = fc.array(
    fc.record({
      action: fc.constantFrom(...Object.keys(ACTIONS), "food", "reversal"),
      n: fc.nat(30),
      days: fc.nat(25),
    }),
    { minLength: 4, maxLength: 24 },
  );
  service.clock.ms = START;
  await fc.assert(
    fc.asyncProperty(actions, fc.nat(30), fc.integer({ min: 1, max: 5 }), async (steps, keepsBelow, recordsABlock) => {
      const userId = await client.enrol();
      for (const { action, n, days } of steps) {
        service.clock.ms += days * DAY_MS;
        await ACTIONS[action]!(userId, n);
        if (n < keepsBelow) await keepNext(service.database, userId, { recordsAStep: 6, recordsABlock });
      }
      const { user } = (await client.call("GET", `/users/${userId}/summary`)).json();
      const records = await recordsOf(userId);
      const { months } = await statisticsOf(userId);
      const total = (member: keyof Figures) => months.reduce((sum, month) => sum + (month[member] as number), 0);
      assert.deepEqual(
        ["earnedPoints", "balanceChange", ...SUMMED].map((member) => total(member as keyof Figures)),
        ["lifetimePoints", "availablePoints", ...SUMMED].map((member) => user[member]),
      );
      for (const timeframe of ["all", "month", "45d"]) await assertFigures(userId, timeframe, records);
    }),
    { numRuns: 8 },
  );
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
  await service.database.pool.query(
    `UPDATE record_sums SET green_products = green_products + 1
     WHERE (user_id, last_sequence) = (SELECT user_id, last_sequence FROM record_sums LIMIT 1)`,
  );
  const [changed, ...others] = (await verifyLedger(service.database)).differences;
  assert.match(changed?.what ?? "", /^the sums that are kept of records \d+ to \d+ are not those of the records$/);
  assert.deepEqual(others, []);
  await service.database.pool.query("DELETE FROM record_sums");
});

test("a correction of a receipt counts as receipts, in the month in which it is booked", async () => {
  service.clock.ms = Date.parse("2028-03-20T12:00:00Z");
  const userId = await client.enrol();
  const fields = formFor(userId, { transactionTimestamp: "2028-03-20T10:41:00Z" });
  rows.now = GROCERIES.map((row) => row.replace("24/10/2026", "20/03/2028"));
  const id = await acceptedReceipt(service, client, { fields });
  interface Status {
    status: string;
    receiptStatusDoc: { scoredStateData?: { items: { id: string; name: string }[] } };
  }
  const status = await statusUntil<Status>(client, id, (each) => /^(Completed|Failed)$/.test(each.status));
  const mince = status.receiptStatusDoc.scoredStateData!.items.find(({ name }) => name.includes("BEEF"))!;
  service.clock.ms = Date.parse("2028-04-02T12:00:00Z");
  const items = [{ id: mince.id, name: "Red lentils" }];
  const corrected = await client.call("POST", `/track/receipts/${id}/corrections`, { reason: "Misread", items });
  assert.equal(corrected.statusCode, 200, corrected.body);
  await assertFigures(userId, "all", await recordsOf(userId));
  const [march, april] = (await statisticsOf(userId)).months;
  assert.deepEqual([march!.month, april!.month], ["2028-03", "2028-04"]);
  assert.ok(april!.pointsBySource["receipts"]! > 0 && april!.totalCO2e < 0);
  assert.deepEqual([march!.numOfTransactions, april!.numOfTransactions], [1, 0]);
});

test("an unknown parameter, two years and a day, and what is no timeframe are refused, with the parameter", async () => {
  const userId = await client.enrol();
  for (const query of ["timeframe=3y", "timeframe=soon", "timeframe=", "timefram=month", "timeframe=a&timeframe=b"]) {
    const response = await client.call("GET", `/users/${userId}/statistics?${query}`);
    assert.equal(response.statusCode, 400, query);
    assert.deepEqual(Object.keys(response.json().errors), [query.split("=")[0]]);
  }
  assert.equal((await client.call("GET", `/users/${userId}/statistics?TimeFrame=Month`)).statusCode, 200);
});

test("a new user has zeros, a user of another application or an erased one is unknown", async () => {
  const userId = await client.enrol();
  const statistics = await statisticsOf(userId, "month");
  const { previous, months } = statistics;
  assert.deepEqual(figuresIn(statistics), figuresFrom([], "", ""));
  assert.deepEqual([figuresIn(previous), months.length], [figuresFrom([], "", ""), 1]);
  const other = await service.newClient();
  assert.equal((await other.call("GET", `/users/${userId}/statistics`)).statusCode, 404);
  assert.equal((await client.call("GET", "/users/me/statistics")).statusCode, 404);
  await service.erase(userId);
  assert.equal((await client.call("GET", `/users/${userId}/statistics`)).statusCode, 404);
});

test("a user whose test clock is ahead has statistics up to their own time", async () => {
  const userId = await client.enrol();
  await ACTIONS["bonus"]!(userId, 9);
  await client.call("POST", `/users/${userId}/test-clock`, { advanceDays: 100 });
  assert.equal((await statisticsOf(userId)).earnedPoints, 10);
});

test("many records of a user cost one statement, by an index; applications take turns", async () => {
  const [likeUserId, userId] = [await client.enrol(), await client.enrol()];
  await ACTIONS["meal"]!(likeUserId, 1);
  const until = new Date(service.clock.ms);
  await fillLedger(service.database, { userId, likeUserId, count: 20_000, until });
  await keepSums({ database: service.database, log: pino({ level: "silent" }) }, new AbortController().signal);
  const other = await service.newClient();
  const otherUser = await other.enrol();
  const active = { now: 0, max: 0, order: [] as string[] };
  // The first of six ends when the other application's begins, which would wait for it if it had to.
  let beginOthers = () => {};
  const othersBegan = new Promise<void>((resolve) => (beginOthers = resolve));
  const query = service.database.query.bind(service.database);
  const spied = mock.method(service.database, "query", async (statement: Statement<never>, values?: unknown[]) => {
    if (statement.name === "statistics.unkept") {
      active.order.push(values![0] as string);
      if (values![0] === otherUser) beginOthers();
      else await othersBegan;
    }
    if (statement.name !== "statistics.sums") return query(statement, values);
    active.max = Math.max(active.max, ++active.now);
    const result = await query(statement, values);
    active.now--;
    return result;
  });
  const of = (by: Client, id: string) => by.call("GET", `/users/${id}/statistics?timeframe=2y`);
  const responses = await Promise.all([
    ...Array.from({ length: 6 }, () => of(client, userId)),
    ...Array.from({ length: 2 }, () => of(other, otherUser)),
  ]);
  spied.mock.restore();
  assert.deepEqual(
    responses.map(({ statusCode }) => statusCode),
    Array.from({ length: 8 }, () => 200),
  );
  assert.equal(responses[0]!.json<{ statistics: Statistics }>().statistics.numOfTransactions, 20_000);
  assert.equal(active.order.length, 8);
  assert.ok(active.max <= 2);
  assert.ok(active.order.indexOf(otherUser) <= 1, "no request waits behind those of another application");
  const { text } = declaredStatements().find(({ name }) => name === "statistics.sums")!;
  const cuts = [new Date(0).toISOString(), new Date(DAY_MS).toISOString()];
  const plan = await query<{ "QUERY PLAN": string }>({ name: "test.plan", text: `EXPLAIN ${text}` }, [otherUser, cuts]);
  const lines = plan.map((line) => line["QUERY PLAN"]).join("\n");
  assert.doesNotMatch(lines, /Seq Scan on records/);
});
