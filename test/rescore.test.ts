import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readCatalogue } from "../src/foods/catalogue/store.ts";
import { shippedMatcherOf } from "../src/foods/matching/learned/store.ts";
import type { RaterFor } from "../src/foods/lookup/item-rater.ts";
import { createResolver } from "../src/foods/lookup/resolve.ts";
import { lookUp } from "../src/foods/lookup/store.ts";
import { uuidv7 } from "../src/ids.ts";
import { POINTS_1 } from "../src/points/award.ts";
import { rescore } from "../src/points/rescore/rescore.task.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { LEAD_MS } from "../src/programs/versions.ts";
import { DAY_MS } from "../src/time.ts";
import { NO_PROGRAMS } from "./support/terms.ts";
import { acceptedReceipt } from "./support/uploads.ts";
import { GROCERIES, formFor, pageOf } from "./support/groceries.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { importFolder, runImport } from "./support/table-import.ts";

let service: TestService;
/** Every picture is read as this. */
let printed = pageOf(GROCERIES);
let receipts = 0;
const folder = importFolder();
const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10);
/** Noon, two days ago. */
const THEN = Math.floor(Date.now() / DAY_MS) * DAY_MS - 1.5 * DAY_MS;
const SINCE = `--since=${dayAt(THEN)}`;
before(async () => {
  service = await startService({ ocr: { read: async () => printed, close: async () => {} } });
  service.clock.ms = THEN;
});
after(async () => {
  await service.close();
  folder.remove();
});

/** Twice the points of a food, and less for a meal. */
const OTHER_RULE = {
  ...POINTS_1,
  id: "points/test",
  food: { ...POINTS_1.food, divisor: POINTS_1.food.divisor / 2 },
  meal: { ...POINTS_1.meal, pointsMax: 5 },
};
const ruleFile = () => `--rule=${folder.write("rule.json", JSON.stringify(OTHER_RULE))}`;

interface Shown {
  id: string;
  totalPoints: number;
  transaction: { items: { id: string }[] };
}

interface Report {
  total: { awards: number; differing: number; before: number; after: number; difference: number };
  users: { scored: number; rise: number; fall: number };
  foods: { food: string; items: number; difference: number }[];
  skipped: Record<string, number>;
  booked: number;
}

async function run(owner: Client, ...options: string[]): Promise<Report> {
  const { printed, refusal } = await runImport(service.database, "rescore", [
    SINCE,
    `--client-id=${owner.clientId}`,
    ...options,
  ]);
  if (refusal !== null) throw new Error(refusal);
  return printed as unknown as Report;
}

async function submit(owner: Client, userId: string, path: string, body: object): Promise<Shown> {
  const before = (await owner.call("GET", `/users/${userId}/transactions`)).json().count;
  const loggedAt = new Date(service.clock.ms).toISOString();
  const common = { userId, transactionId: `${userId} ${before}`, imageUrl: "https://example.org/a.jpg", loggedAt };
  const response = await owner.call("POST", path, { ...common, ...body });
  assert.equal(response.statusCode, 202, response.body);
  for (;;) {
    const { transactions, count } = (await owner.call("GET", `/users/${userId}/transactions`)).json();
    if (count > before) return transactions[0];
  }
}
const meal = (owner: Client, userId: string, names: readonly string[] = ["Porridge oats", "Banana"]) =>
  submit(owner, userId, "/track/meals", {
    mealName: names.join(" with "),
    mealType: "breakfast",
    ingredients: names.map((name, i) => ({ foodId: String(i), name, weight: 100, unit: "g" })),
  });
const food = (owner: Client, userId: string, name = "Banana") =>
  submit(owner, userId, "/track/food", {
    foodId: "1",
    name,
    quantity: 1,
    weight: 120,
    unit: "g",
    amount: 1,
    currency: "GBP",
    merchant: { name: "Corner Shop" },
    nutrition: name === "Banana" ? { energyKcal: 107 } : {},
  });
/** A receipt that is credited. Each is another purchase, so that none is a duplicate. */
async function receipt(owner: Client, userId: string): Promise<{ id: string; award: Shown }> {
  const time = `11:${String(10 + receipts++)}`;
  printed = pageOf(GROCERIES.map((row) => row.replace("10:41", time)));
  const fields = formFor(userId, { transactionTimestamp: `2026-10-24T${time}:00+01:00` });
  const id = await acceptedReceipt(service, owner, { fields });
  for (;;) {
    const { status, receiptStatusDoc } = (await owner.call("GET", `/track/receipts/${id}/status`)).json();
    assert.notEqual(status, "Failed", JSON.stringify(receiptStatusDoc));
    if (status === "Completed") break;
    await sleep(20);
  }
  return { id, award: (await owner.call("GET", `/users/${userId}/transactions`)).json().transactions[0] };
}
const userOf = async (owner: Client, userId: string) =>
  (await owner.call("GET", `/users/${userId}/summary`)).json().user;

test("the same rule and foods give no difference, for meals and foods, and change nothing", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  await meal(owner, userId);
  await meal(owner, userId, ["Lentil soup", "qwertzuiop", "Beer"]);
  await food(owner, userId);
  for (const options of [[], ["--catalogue=recorded"], ["--book"]]) {
    const { total, booked, skipped } = await run(owner, ...options);
    assert.deepEqual([total.awards, total.differing, booked, skipped], [3, 0, 0, {}]);
  }
  assert.equal((await run(owner, `--until=${dayAt(THEN + DAY_MS)}`)).total.awards, 3);
});

test("another rule is a report first; each difference is booked once, and booked back once", async () => {
  const owner = await service.newClient();
  const [one, two] = [await owner.enrol(), await owner.enrol()];
  const award = await food(owner, one);
  const eaten = await meal(owner, two);
  const csv = folder.path("differences.csv");
  const report = await run(owner, ruleFile(), `--csv=${csv}`);
  assert.deepEqual([report.total.awards, report.total.differing, report.booked], [2, 2, 0]);
  assert.equal(report.total.difference, award.totalPoints + 5 - eaten.totalPoints);
  assert.deepEqual(report.users, { scored: 2, rise: 1, fall: 1 });
  assert.equal(
    readFileSync(csv, "utf8").trim().split("\n").length,
    1 + report.foods.reduce((sum, { items }) => sum + items, 0),
  );
  assert.equal((await userOf(owner, one)).availablePoints, award.totalPoints);
  // Two operators at once: each difference is booked by one of them.
  const both = await Promise.all([
    run(owner, ruleFile(), "--book", "--reason=New rule"),
    run(owner, ruleFile(), "--book"),
  ]);
  assert.equal(both[0].booked + both[1].booked, 2);
  const again = await run(owner, ruleFile(), "--book");
  assert.deepEqual([again.total.differing, again.booked], [0, 0]);
  const { availablePoints, lifetimePoints, numOfTransactions, totalGreenProducts } = await userOf(owner, one);
  assert.deepEqual(
    [availablePoints, lifetimePoints, numOfTransactions],
    [2 * award.totalPoints, 2 * award.totalPoints, 1],
  );
  assert.equal(totalGreenProducts, 1);
  assert.equal((await userOf(owner, two)).availablePoints, 5);
  const [record] = (await owner.call("GET", `/users/${one}/transactions`)).json().transactions;
  assert.deepEqual([record.operation, record.relatedTransactionID], [3, award.id]);
  assert.equal((await run(owner, "--book")).booked, 2);
  assert.equal((await userOf(owner, two)).availablePoints, eaten.totalPoints);
  assert.equal((await run(owner)).total.differing, 0);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("receipts are scored again like meals and foods; a corrected one stays as it was corrected", async () => {
  const owner = await service.newClient();
  const [one, two, corrected] = [await owner.enrol(), await owner.enrol(), await owner.enrol()];
  const { award } = await receipt(owner, one);
  const partly = await receipt(owner, two);
  const { total, skipped } = await run(owner);
  assert.deepEqual([total.awards, total.differing, skipped], [2, 0, {}]);

  const [item] = partly.award.transaction.items;
  const reversal = { reason: "Returned", items: [item!.id] };
  await owner.call("POST", `/users/${two}/transactions/${partly.award.id}/reversal`, reversal);
  const misread = await receipt(owner, corrected);
  const correction = { reason: "Misread", items: [{ name: "Banana", quantity: 1, totalPrice: 1 }] };
  const response = await owner.call("POST", `/track/receipts/${misread.id}/corrections`, correction);
  assert.equal(response.statusCode, 200, response.body);
  const before = [(await userOf(owner, two)).availablePoints, (await userOf(owner, corrected)).availablePoints];

  const rule = { ...POINTS_1, id: "points/receipts", receipt: { ...POINTS_1.receipt, divisor: 100 } };
  const doubled = `--rule=${folder.write("receipts.json", JSON.stringify(rule))}`;
  const report = await run(owner, doubled);
  assert.deepEqual([report.total.awards, report.total.differing, report.skipped], [3, 2, { corrected: 1 }]);
  assert.equal((await run(owner, doubled, "--book")).booked, 2);
  assert.equal((await run(owner, doubled, "--book")).booked, 0);
  // Shares are whole points, so twice the points are up to one more or less for each rating of an item.
  const { availablePoints, numOfTransactions } = await userOf(owner, one);
  const lines = award.transaction.items.length;
  assert.ok(Math.abs(availablePoints - 2 * award.totalPoints) <= 2 * lines && availablePoints > award.totalPoints);
  assert.equal(numOfTransactions, 1);
  const [record] = (await owner.call("GET", `/users/${two}/transactions`)).json().transactions;
  assert.ok(!record.transaction.items.some(({ id }: { id: string }) => id.startsWith(item!.id)), "taken back");
  assert.ok((await userOf(owner, two)).availablePoints > before[0]!);
  assert.equal((await userOf(owner, corrected)).availablePoints, before[1]);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("what a name means now counts: an alias that was added since gives the difference of that food", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  const eaten = await meal(owner, userId, ["Banana", "qwx special"]);
  await owner.call("POST", "/catalogue/aliases", { name: "qwx special", foodId: "apple" });
  const { total, foods } = await run(owner);
  assert.equal(total.differing, 1);
  assert.ok(
    foods.some((each) => each.food.startsWith("(nothing) → ")),
    JSON.stringify(foods),
  );
  assert.equal((await run(owner, "--catalogue=recorded")).total.differing, 0);
  assert.equal((await run(owner, "--book")).booked, 1);
  assert.equal((await userOf(owner, userId)).availablePoints, eaten.totalPoints + total.difference);
  assert.equal((await run(owner, "--book")).booked, 0);
});

test("what was taken back stays taken back, also when a difference was booked before", async () => {
  const owner = await service.newClient();
  const [whole, part] = [await owner.enrol(), await owner.enrol()];
  const reversal = async (userId: string, id: string, items?: string[]) => {
    const body = { reason: "Returned", ...(items && { items }) };
    const response = await owner.call("POST", `/users/${userId}/transactions/${id}/reversal`, body);
    assert.equal(response.statusCode, 200, response.body);
  };
  const first = await food(owner, whole);
  assert.equal((await run(owner, ruleFile(), "--book")).booked, 1);
  await reversal(whole, first.id);
  assert.equal((await userOf(owner, whole)).availablePoints, 0);
  const second = await meal(owner, part);
  const item = second.transaction.items[0]!;
  await reversal(part, second.id, [item.id]);
  const report = await run(owner, ruleFile(), "--book");
  assert.deepEqual(report.skipped, { reversed: 1 });
  assert.equal((await userOf(owner, whole)).availablePoints, 0);
  const records = (await owner.call("GET", `/users/${part}/transactions`)).json().transactions;
  const ids = records[0].transaction.items.map((each: { id: string }) => each.id.replace(/~\d+$/, ""));
  assert.ok(!ids.includes(item.id));
  assert.equal((await run(owner, ruleFile(), "--book")).booked, 0);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

/** Scores again and books the differences; `change` happens after the awards were read. Returns the records booked. */
async function bookedBeside({ applicationId }: Client, change: () => Promise<unknown>): Promise<number> {
  const catalogue = readCatalogue();
  const resolver = createResolver(catalogue, shippedMatcherOf(catalogue));
  const deps = {
    database: service.database,
    raterFor: async (items: Parameters<RaterFor>[0]) => {
      await change();
      const found = await lookUp(service.database, items);
      return (id: string) => resolver.raterFor(found, id);
    },
    ...NO_PROGRAMS,
    stopped: new AbortController().signal,
    publish: null,
    now: () => new Date(service.clock.ms),
    newId: () => uuidv7(service.clock.ms, randomBytes(10)),
  };
  const days = { fromMs: THEN - DAY_MS / 2, untilMs: THEN + DAY_MS / 2 };
  const about = { rule: POINTS_1, catalogueVersion: "now", bookReason: "Alias" };
  let booked = 0;
  for await (const step of rescore(deps, { applicationId, ...days, ...about })) booked += step.booked;
  return booked;
}

test("what is reversed while it is scored again is credited nothing", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  const award = await meal(owner, userId, ["Banana", "qwx dish"]);
  await owner.call("POST", "/catalogue/aliases", { name: "qwx dish", foodId: "apple" });
  const booked = await bookedBeside(owner, async () => {
    const path = `/users/${userId}/transactions/${award.id}/reversal`;
    assert.equal((await owner.call("POST", path, { reason: "Returned" })).statusCode, 200);
  });
  assert.equal(booked, 0);
  assert.equal((await userOf(owner, userId)).availablePoints, 0);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("a user who is erased while their awards are scored again is passed over", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  const award = await meal(owner, userId, ["Banana", "qwx dish"]);
  await owner.call("POST", "/catalogue/aliases", { name: "qwx dish", foodId: "apple" });
  const reversal = { reason: "Returned", items: [award.transaction.items[0]!.id] };
  await owner.call("POST", `/users/${userId}/transactions/${award.id}/reversal`, reversal);
  assert.equal(await bookedBeside(owner, () => service.erase(userId)), 0);
});

test("day limits hold: nobody rises above the limit of a day, and a limit set later takes nothing", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  const [one, two] = [await food(owner, userId), await food(owner, userId, "Apple")];
  const sum = one.totalPoints + two.totalPoints;
  const limit = (points: number) =>
    service.database.pool.query("UPDATE applications SET points_a_day = $1 WHERE client_id = $2", [
      points,
      owner.clientId,
    ]);
  await limit(1);
  assert.equal((await run(owner)).total.differing, 0);
  await limit(sum + 2);
  await run(owner, ruleFile(), "--book");
  assert.equal((await userOf(owner, userId)).availablePoints, sum + 2);
  assert.equal((await run(owner, ruleFile(), "--book")).booked, 0);
});

/** A programme with these limits, in force from now on. */
async function inForce(owner: Client, limits: object): Promise<void> {
  const { program } = (await owner.call("POST", "/programs", { definition: { name: "Own", limits } })).json();
  const response = await owner.call("POST", `/programs/${program.version}/publish`, {});
  assert.equal(response.statusCode, 200, response.body);
  service.clock.ms += LEAD_MS;
}

test("limits of a programme take nothing of what was awarded under them", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  await inForce(owner, { day: { meals: 2 }, week: { foodPoints: 7 } });
  for (const submitted of [meal, meal, food, meal, food]) await submitted(owner, userId);
  const { total } = await run(owner);
  assert.deepEqual([total.awards, total.differing], [5, 0]);
});

test("differences that are booked together do not pass a limit of a programme, and are booked once", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  await inForce(owner, { week: { points: 12 } });
  const [one, two] = [await food(owner, userId), await food(owner, userId, "Apple")];
  const sum = one.totalPoints + two.totalPoints;
  assert.ok(sum < 12 && 2 * sum > 14, `${sum}`);
  assert.equal((await run(owner, ruleFile())).total.difference, 12 - sum);
  await run(owner, ruleFile(), "--book");
  assert.equal((await userOf(owner, userId)).availablePoints, 12);
  assert.equal((await run(owner, ruleFile(), "--book")).booked, 0);
});

test("points that are spent are taken as reversals take them, and a wrong rule, day or catalogue is refused", async () => {
  const owner = await service.newClient();
  const userId = await owner.enrol();
  const eaten = await meal(owner, userId);
  const spend = { points: -eaten.totalPoints, reason: "Spent", reference: "spent" };
  assert.equal((await owner.call("POST", `/users/${userId}/adjustments`, spend)).statusCode, 200);
  await run(owner, ruleFile(), "--book");
  assert.equal((await userOf(owner, userId)).availablePoints, 5 - eaten.totalPoints);
  const bad = (rule: unknown) => run(owner, `--rule=${folder.write("bad.json", JSON.stringify(rule))}`);
  await assert.rejects(bad({ ...OTHER_RULE, base: { ...OTHER_RULE.base, 1: -5 } }), /the rule.base.1 must be a number/);
  await assert.rejects(bad({ ...OTHER_RULE, id: "points/1" }), /a name of its own/);
  await assert.rejects(bad({ ...OTHER_RULE, extra: 1 }), /unknown member/);
  await assert.rejects(run(owner, "--rule=points/9"), /no such file/);
  await assert.rejects(run(owner, `--until=${dayAt(Date.now() + 2 * DAY_MS)}`), /today at the latest/);
  await assert.rejects(run(owner, "--until=2020-02-31"), /must be a day/);
  await assert.rejects(run(owner, "--catalogue=2019"), /current or recorded/);
});
