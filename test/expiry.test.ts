import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { uuidv7 } from "../src/ids.ts";
import { adjusting } from "../src/points/adjustments/adjustment.ts";
import { OPERATION, RECORD_STATUS } from "../src/points/codes.ts";
import type { Entry } from "../src/points/entry.ts";
import { expireAll } from "../src/points/expiry/expire.task.ts";
import { monthsLater } from "../src/points/expiry/expiry.ts";
import { expiriesOfUsers } from "../src/points/expiry/histories.store.ts";
import { append, appendOnce, changeStatus, lockBalances } from "../src/points/ledger.store.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
import type { PointsSettings } from "../src/points/settings/settings.ts";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { DAY_MS } from "../src/time.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { openJobs } from "../src/queue/jobs.ts";
import type { Jobs } from "../src/queue/jobs.ts";
import { createOutbox } from "../src/webhooks/outbox.task.ts";
import { NO_TIERS } from "../src/points/tiers/keeper.store.ts";
import { recordsReadBy } from "./support/rows-read.ts";
import { nameOf, startService } from "./support/service.ts";
import { expiriesOfAllRecords } from "./support/whole-history.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let jobs: Jobs;
before(async () => {
  service = await startService();
  jobs = openJobs({ database: service.database, isWorker: false, log: pino({ level: "silent" }) });
  await jobs.start();
});
after(async () => {
  await jobs.stop(0);
  await service.close();
});

const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const NOON = Date.parse("2026-06-15T12:00:00Z");
const newId = () => uuidv7(Date.now(), randomBytes(10));
/** The service finds what this process publishes by its hint; without one it looks every five seconds. */
const hint = async (tx: Tx) => void (await jobs.send(tx, "deliver-webhooks", {}));
const outbox = createOutbox({ scheduleSeconds: [0], hint, newId });
const noon = (daysAgo: number) => new Date(NOON - daysAgo * DAY_MS);

/** A sandbox application whose points expire, by a setting of long ago. */
async function newApplication(settings: Partial<PointsSettings> = {}, setAt = LONG_AGO): Promise<Client> {
  const client = await service.newClient({ isSandbox: true });
  const wanted = { ...DEFAULT_POINTS_SETTINGS, expiryMonths: 12, ...settings };
  await setPointsSettings(service.database, client.applicationId, wanted, setAt);
  return client;
}

/** Appends records of the past: points by days before noon, ascending; `of` is the index of a related record. */
type Past = readonly (readonly [daysAgo: number, points: number, over?: Partial<Entry> & { of?: number }])[];
async function withPast({ applicationId }: Client, userId: string, past: Past, ids: string[] = []): Promise<string[]> {
  for (const [daysAgo, points, { of, ...over } = {}] of past) {
    const id = newId();
    const gift = { points, reason: "Past", reference: id, countsAsEarned: false };
    const entry = { ...adjusting({ applicationId, userId }, gift, id, noon(daysAgo)), ...over };
    const related = of === undefined ? {} : { relatedId: ids[of]! };
    await service.database.tx(async (tx) => {
      const locked = await lockBalances(tx, [userId], []);
      const added: Entry = { ...entry, ...related, mayOverdraw: true };
      const use = { kind: "adjustment", reference: id } as const;
      const posted =
        entry.operation === OPERATION.adjust && of === undefined
          ? await appendOnce(tx, locked, added, use, noon(daysAgo), newId)
          : (await append(tx, locked, [added], noon(daysAgo), newId))[0];
      ids.push(posted!.id);
      if (entry.operation === OPERATION.reverse) {
        const status = RECORD_STATUS.reversed;
        await changeStatus(tx, { userId, recordId: ids[of!]!, status }, noon(daysAgo));
      }
    });
  }
  return ids;
}
/** Has a user's expiries announced, as the nights before would have. */
async function notified(userId: string): Promise<void> {
  const [found] = await expiriesOfUsers(service.database, [userId]);
  const text = "INSERT INTO expiry_notices (user_id, expires_at) SELECT $1, unnest($2::timestamptz[])";
  const dates = found!.expiries.map(({ expiresAt }) => expiresAt);
  await service.database.query({ name: "test.notified", text }, [userId, dates]);
}
/** The differences of one user: the histories of other tests are made up, and spend what was never there. */
async function differencesOf(userId: string) {
  return (await verifyLedger(service.database)).differences.filter((difference) => difference.userId === userId);
}

const REDEEM = { operation: OPERATION.redeem, source: "reward" } as const;
const REFUND = { operation: OPERATION.refund, source: "reward" } as const;

/** One run of the nightly job at noon, or some days later. */
const run = (daysLater = 0, log = pino({ level: "silent" })) =>
  expireAll(
    { database: service.database, log, publish: outbox.publish, tiers: NO_TIERS, now: () => noon(-daysLater), newId },
    new AbortController().signal,
  );
const userOf = async (client: Client, userId: string) =>
  (await client.call("GET", `/users/${userId}/summary`)).json().user;
const recordsOf = async (client: Client, userId: string) =>
  (await client.call("GET", `/users/${userId}/transactions?pageSize=100`)).json().transactions as {
    operation: number;
    status: number;
    totalPoints: number;
    createdAt: string;
  }[];
const expiredOf = async (client: Client, userId: string) =>
  (await recordsOf(client, userId)).filter(({ operation }) => operation === 5).map(({ totalPoints }) => totalPoints);
const eventsOf = (client: Client, type: string, userId: string) =>
  client.events().filter((event) => nameOf(event) === type && event["userId"] === userId);

// First: it verifies ten times, in parts of two records, and a verification reads those of all users.
test("sums that are kept for expiries are verified: changed ones are a difference, and are not needed", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  const past: Past = [
    [500, 100],
    [499, 30],
    [400, -60, REDEEM],
    [380, 60, { ...REFUND, of: 2 }],
    [200, 20],
    [100, 7],
  ];
  await withPast(client, userId, past);
  const read = () => expiriesOfUsers(service.database, [userId], { recordsRead: 1, recordsAStep: 2 });
  const [found] = await read();
  const wrong = "the sums that are kept for expiries are not those of its records";
  const change = (text: string) => service.database.pool.query(text, [userId]);
  for (const recordsASlice of [2, 8_000]) {
    const differences = async () => (await differencesOfSums(userId, recordsASlice)).map(({ what }) => what);
    await read();
    assert.deepEqual(await differences(), []);
    for (const changed of [
      "credits = jsonb_set(credits, '{0,1}', '101')",
      "returns = '[]'",
      "active_at = active_at - interval '1 day'",
      "sequence = sequence + 1",
    ]) {
      await change(`UPDATE expiry_sums SET ${changed} WHERE user_id = $1`);
      assert.deepEqual(await differences(), [wrong], changed);
      await change("DELETE FROM expiry_sums WHERE user_id = $1");
      assert.deepEqual((await read())[0]!.expiries, found!.expiries);
    }
  }
});

test("points expire months after they were earned, the oldest first, as one record with an event", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await withPast(client, userId, [
    [800, 100],
    [500, 40],
    [400, 50],
    [100, 20],
    [50, -110],
  ]);
  await notified(userId);
  assert.deepEqual((await userOf(client, userId)).pointsExpiring, {
    points: 30,
    expiresAt: monthsLater(noon(500), 12).toISOString(),
  });
  await run();
  const [record] = await recordsOf(client, userId);
  assert.deepEqual(
    [record!.operation, record!.status, record!.totalPoints, record!.createdAt],
    [5, 2, -80, noon(0).toISOString()],
    "two days of points that were missed are one record",
  );
  const user = await userOf(client, userId);
  assert.deepEqual([user.availablePoints, user.lifetimePoints, user.numOfTransactions], [20, 0, 0]);
  assert.deepEqual(user.pointsExpiring, { points: 20, expiresAt: monthsLater(noon(100), 12).toISOString() });
  await client.until(() => eventsOf(client, "points.expired", userId).length > 0);
  const [event] = eventsOf(client, "points.expired", userId);
  assert.deepEqual([event!["totalPoints"], event!["availablePoints"]], [-80, 20]);
  await run();
  assert.deepEqual(await expiredOf(client, userId), [-80], "a second run finds nothing");
});

test("what reverses a record takes its own points, a refund has the dates of the points that were spent", async () => {
  const client = await newApplication({ expiryNoticeDays: 0 });
  const [reversed, refunded] = [await client.enrol(), await client.enrol()];
  await withPast(client, reversed, [
    [500, 100],
    [400, 50],
    [300, 30],
    [10, -50, { of: 1, operation: OPERATION.reverse }],
  ]);
  await withPast(client, refunded, [
    [500, 100],
    [300, 30],
    [200, -100, REDEEM],
    [10, 100, { ...REFUND, of: 2 }],
  ]);
  await run();
  assert.deepEqual(await expiredOf(client, reversed), [-100]);
  assert.deepEqual(await expiredOf(client, refunded), [-100]);
});

test("points that come back after their time do not expire before the days of a notice are over", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await withPast(client, userId, [
    [500, 100],
    [450, -100, REDEEM],
    [3, 100, { ...REFUND, of: 1 }],
  ]);
  await run();
  assert.deepEqual(await expiredOf(client, userId), []);
  await client.until(() => eventsOf(client, "points.expiring", userId).length > 0);
  await run(12);
  assert.deepEqual(await expiredOf(client, userId), [-100]);
});

test("a redemption that is released soon keeps nothing from expiring", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await withPast(client, userId, [
    [500, 100],
    [3, -100, REDEEM],
    [3, 100, { ...REFUND, of: 1 }],
  ]);
  await notified(userId);
  await run();
  assert.deepEqual(await expiredOf(client, userId), [-100]);
});

test("after activity all points expire together; a gift, an award and a redemption are activity", async () => {
  const client = await newApplication({ expiryFrom: "activity" });
  const [idle, active] = [await client.enrol(), await client.enrol()];
  await withPast(client, idle, [
    [800, 100],
    [400, -10, REDEEM],
    [300, -10],
  ]);
  await notified(idle);
  await withPast(client, active, [
    [800, 100],
    [300, -10, REDEEM],
  ]);
  await run();
  assert.deepEqual(await expiredOf(client, idle), [-80]);
  assert.deepEqual(await expiredOf(client, active), []);
  assert.deepEqual((await userOf(client, active)).pointsExpiring, {
    points: 90,
    expiresAt: monthsLater(noon(300), 12).toISOString(),
  });
});

test("old points expire at the earliest the days of a notice after expiry was set, and are announced before", async () => {
  const client = await newApplication({}, noon(1));
  const userId = await client.enrol();
  await withPast(client, userId, [[800, 100]]);
  await run();
  const expiresAt = "2026-06-29T00:00:00.000Z";
  assert.deepEqual((await userOf(client, userId)).pointsExpiring, { points: 100, expiresAt });
  await client.until(() => eventsOf(client, "points.expiring", userId).length > 0);
  assert.deepEqual(eventsOf(client, "points.expiring", userId), [
    { event: "points.expiring", userId, points: 100, expiresAt, availablePoints: 100 },
  ]);
  await run(13);
  assert.deepEqual(await expiredOf(client, userId), []);
  await run(14);
  assert.deepEqual(await expiredOf(client, userId), [-100]);
});

test("after a pause of the job longer than a notice, points are announced first and expire after the notice", async () => {
  for (const expiryFrom of ["earning", "activity"] as const) {
    const client = await newApplication({ expiryFrom });
    const userId = await client.enrol();
    // Two days of points expired while no job ran, the third expires in the days of the notice.
    const past: Past =
      expiryFrom === "activity"
        ? [[500, 170]]
        : [
            [500, 100],
            [390, 50],
            [360, 20],
            [100, 7],
          ];
    await withPast(client, userId, past);
    await Promise.all([run(), run(), run()]);
    assert.deepEqual(await expiredOf(client, userId), [], "nothing was announced");
    const { availablePoints, pointsExpiring } = await userOf(client, userId);
    const expiry = { points: 170, expiresAt: "2026-06-30T00:00:00.000Z" };
    assert.deepEqual(pointsExpiring, expiry);
    const announced = [{ event: "points.expiring", userId, availablePoints, ...expiry }];
    await client.until(() => eventsOf(client, "points.expiring", userId).length > 0);
    assert.deepEqual(eventsOf(client, "points.expiring", userId), announced);
    for (const day of [1, 5, 14]) await run(day);
    assert.deepEqual(await expiredOf(client, userId), [], "not within the days of the notice");
    await Promise.all([run(15), run(15)]);
    await run(16);
    assert.deepEqual(await expiredOf(client, userId), [-170]);
    await client.until(() => eventsOf(client, "points.expired", userId).length > 0);
    assert.deepEqual(eventsOf(client, "points.expiring", userId), announced, "announced once");
    assert.deepEqual(await differencesOf(userId), []);
  }
});

test("each expiry is announced once, however often the job runs, and another date again", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await withPast(client, userId, [
    [360, 10],
    [359, 20],
    [340, 40],
  ]);
  await Promise.all([run(), run(), run(1)]);
  await run(2);
  await client.until(() => eventsOf(client, "points.expiring", userId).length >= 2);
  const announced = () =>
    eventsOf(client, "points.expiring", userId)
      .map((event) => Number(event["points"]))
      .sort((a, b) => a - b);
  assert.deepEqual(announced(), [10, 20]);
  await run(20);
  await client.until(() => eventsOf(client, "points.expiring", userId).length >= 3);
  assert.deepEqual(announced(), [10, 20, 40]);
});

test("ten runs at once, spending meanwhile: each point expires or is spent, none twice", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await withPast(client, userId, [[500, 100]]);
  await notified(userId);
  const spend = (i: number) =>
    client.call("POST", `/users/${userId}/adjustments`, { points: -30, reason: "Spent", reference: `spent ${i}` });
  const spent = await Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? run().then(() => null) : spend(i))));
  const taken = spent.filter((response) => response?.statusCode === 200).length * 30;
  const expired = await expiredOf(client, userId);
  assert.ok(expired.length <= 1);
  assert.equal(taken - (expired[0] ?? 0), 100);
  assert.equal((await userOf(client, userId)).availablePoints, 0);
});

test("the statement's histories are those of single points, for random records", async () => {
  const client = await newApplication({ expiryNoticeDays: 0 });
  for (let user = 0; user < 12; user++) {
    const userId = await client.enrol();
    const past: [number, number, { of?: number }][] = [];
    const nets: number[] = [];
    for (let daysAgo = 900; daysAgo > 0; daysAgo -= 1 + Math.floor(Math.random() * 80)) {
      const of = Math.floor(Math.random() * past.length);
      const undoes = nets.length > 0 && Math.random() < 0.2 && nets[of] !== 0 && past[of]![2].of === undefined;
      const points = undoes ? -nets[of]! : Math.floor(Math.random() * 60) - 20 || 1;
      past.push([daysAgo, points, undoes ? { of } : {}]);
      nets.push(undoes ? 0 : points);
      if (undoes) nets[of] = 0;
    }
    // Sums are kept in between: what undoes an earlier record changes a day that they have.
    const [many, few] = [past.slice(0, Math.ceil(past.length / 2)), past.slice(Math.ceil(past.length / 2))];
    const ids = await withPast(client, userId, many);
    await expiriesOfUsers(service.database, [userId], { recordsRead: 2, recordsAStep: 3 });
    await withPast(client, userId, few, ids);
    const points = nets.flatMap((net, i) => Array.from({ length: Math.max(net, 0) }, () => past[i]![0]));
    points.splice(
      0,
      nets.reduce((sum, net) => sum - Math.min(net, 0), 0),
    );
    // What undoes a debit gives points back: until the next midnight nothing expires.
    const givenBack = past.findLast(([, given, over]) => over.of !== undefined && given > 0)?.[0] ?? 10_000;
    const heldUntil = noon(givenBack).getTime() + DAY_MS / 2;
    const due = (daysAgo: number) => Math.max(monthsLater(noon(daysAgo), 12).getTime(), heldUntil);
    const expected = Map.groupBy(points, due);
    const [found] = await expiriesOfUsers(service.database, [userId]);
    assert.deepEqual(
      found!.expiries.map(({ expiresAt, points: sum }) => [expiresAt.getTime(), sum]),
      [...expected].map(([at, all]) => [at, all.length]),
      JSON.stringify(past),
    );
    // However few records a step reads, whatever sums are kept, under any rule: the expiries are those of all records.
    for (const expiryFrom of ["earning", "activity"] as const) {
      for (const [expiryMonths, expiryNoticeDays] of [
        [12, 0],
        [1, 90],
        [24, 14],
        [3, 365],
      ] as const) {
        const rule = { ...DEFAULT_POINTS_SETTINGS, expiryFrom, expiryMonths, expiryNoticeDays };
        await setPointsSettings(service.database, client.applicationId, rule, LONG_AGO);
        const whole = await expiriesOfAllRecords(service.database, userId);
        for (const steps of [{}, { recordsRead: 1, recordsAStep: 2 }, { recordsRead: 3, recordsAStep: 5 }]) {
          const [read] = await expiriesOfUsers(service.database, [userId], steps);
          assert.deepEqual(read!.expiries, whole, JSON.stringify({ past, rule, steps }));
        }
      }
    }
    await setPointsSettings(
      service.database,
      client.applicationId,
      { ...DEFAULT_POINTS_SETTINGS, expiryMonths: 12, expiryNoticeDays: 0 },
      LONG_AGO,
    );
  }
});

test("an application without expiry: nothing expires, the summary says null by one statement", async () => {
  const client = await service.newClient({ isSandbox: true });
  const userId = await client.enrol();
  await withPast(client, userId, [[2_000, 100]]);
  await run();
  assert.deepEqual(await expiredOf(client, userId), []);
  assert.equal((await userOf(client, userId)).pointsExpiring, null);
  assert.equal(await statementsOfSummary(client, userId), 1);
  const expiring = await newApplication();
  const idle = await expiring.enrol();
  assert.equal(await statementsOfSummary(expiring, idle), 1, "without points nothing can expire");
  await withPast(expiring, idle, [[10, 1]]);
  assert.equal(await statementsOfSummary(expiring, idle), 2);
});

test("a test clock moves one user's time: announcement, expiry, and records that go on ascending", async () => {
  const client = await newApplication();
  const [userId, other] = [await client.enrol(), await client.enrol()];
  const gift = { points: 50, reason: "Gift" };
  for (const id of [userId, other]) {
    await client.call("POST", `/users/${id}/adjustments`, { ...gift, reference: `gift of ${id}` });
  }
  const move = (body: object) => client.call("POST", `/users/${userId}/test-clock`, body);
  const { pointsExpiring } = await userOf(client, userId);
  assert.equal(pointsExpiring.points, 50);
  const early = (await move({ advanceDays: 360 })).json();
  assert.deepEqual([early.expiredPoints, early.availablePoints, early.pointsExpiring], [0, 50, pointsExpiring]);
  await client.until(() => eventsOf(client, "points.expiring", userId).length === 1);
  const late = (await move({ now: pointsExpiring.expiresAt })).json();
  assert.deepEqual([late.expiredPoints, late.availablePoints, late.pointsExpiring], [50, 0, null]);
  assert.equal(late.now, pointsExpiring.expiresAt);
  await client.until(() => eventsOf(client, "points.expired", userId).length === 1);
  await client.call("POST", `/users/${userId}/adjustments`, { ...gift, reference: "afterwards" });
  const [last, expiry] = await recordsOf(client, userId);
  assert.deepEqual([last!.totalPoints, expiry!.operation, expiry!.createdAt], [50, 5, pointsExpiring.expiresAt]);
  assert.ok(last!.createdAt >= expiry!.createdAt);
  assert.equal((await userOf(client, other)).availablePoints, 50);
  assert.deepEqual(await differencesOf(userId), []);
});

test("a test clock goes forward only, ten years at most, in a sandbox only", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  const path = `/users/${userId}/test-clock`;
  assert.equal((await client.call("POST", path, { advanceDays: 30 })).statusCode, 200);
  const wrong = [
    {},
    { advanceDays: 1, now: "2030-01-01T00:00:00Z" },
    { advanceDays: -1 },
    { advanceDays: 3_650 },
    { advanceDays: 1.5 },
    { now: new Date(service.clock.ms).toISOString() },
    { now: "2099-01-01T00:00:00Z" },
    { now: "tomorrow" },
  ];
  for (const body of wrong) assert.equal((await client.call("POST", path, body)).statusCode, 400, JSON.stringify(body));
  const live = await service.newClient();
  const refused = await live.call("POST", `/users/${await live.enrol()}/test-clock`, { advanceDays: 1 });
  assert.deepEqual([refused.statusCode, refused.json().code], [403, "SandboxOnly"]);
  const foreign = await newApplication();
  assert.equal((await foreign.call("POST", path, { advanceDays: 1 })).statusCode, 404);
});

test("after an erasure neither announcements nor a test clock are left, and nothing is booked for the user", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await client.call("POST", `/users/${userId}/adjustments`, { points: 5, reason: "Gift", reference: "erased soon" });
  await client.call("POST", `/users/${userId}/test-clock`, { advanceDays: 360 });
  const count = async () => {
    const [row] = await service.database.query<{ n: number }>(
      {
        name: "test.left-of-expiry",
        text: `SELECT ((SELECT count(*) FROM expiry_notices WHERE user_id = $1)
                     + (SELECT count(*) FROM test_clocks WHERE user_id = $1)
                     + (SELECT count(*) FROM events WHERE user_id = $1))::int AS n`,
      },
      [userId],
    );
    return row!.n;
  };
  assert.equal(await count(), 4);
  await service.erase(userId);
  assert.equal(await count(), 0);
  await run(2_000);
  assert.equal(await count(), 0);
  assert.deepEqual(await differencesOf(userId), []);
});

// Last, since the job of the other tests would read their users as well.
const MANY_USERS = `
  WITH made AS (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 250) AS n),
  enrolled AS (
    INSERT INTO users (id, application_id, email, first_name, last_name, created_at, updated_at)
    SELECT id, $1, n || '@example.com', 'Ada', 'Lovelace', $2, $2 FROM made
  ), held AS (
    INSERT INTO user_emails (application_id, email, user_id) SELECT $1, n || '@example.com', id FROM made
  ), balanced AS (
    INSERT INTO balances (user_id, records, other_records, available_points, last_record_id, last_record_at)
    SELECT id, 1, 1, 7, id, $2 FROM made
  ), noted AS (
    INSERT INTO record_references (application_id, kind, reference, user_id, record_id)
    SELECT $1, 'adjustment', id::text, id, id FROM made
  )
  INSERT INTO records (user_id, sequence, id, application_id, source, submission_id, operation, status, is_lifetime,
    health_points, carbon_points, bonus_points, other_points, total_points, green_products, healthy_products, co2e_mg,
    body, rule, rule_inputs, catalogue_version, created_at)
  SELECT id, 1, id, $1, 'manual', id, 3, 2, false, 0, 0, 0, 7, 7, 0, 0, 0, jsonb_build_object('reference', id, 'items', '[]'::jsonb), 'none', '{}', '', $2 FROM made`;

/** Differences of one user that expiries have: other members of a history that is made up may differ. */
async function differencesOfSums(userId: string, recordsASlice?: number) {
  const { differences } = await verifyLedger(service.database, recordsASlice === undefined ? {} : { recordsASlice });
  return differences.filter((difference) => difference.userId === userId && /expir/.test(difference.what));
}

/** Unspent records of one point, one a minute. Their references are left out. */
const manyRecords = (count: number) => `
  WITH made AS (
    SELECT gen_random_uuid() AS id, n, now() - make_interval(mins => (${count} - n)::int) AS at FROM generate_series(1, ${count}) AS n
  ), ordered AS (
    -- Ids ascend as those of the service.
    SELECT n, at, (lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(replace(id::text, '-', ''), 14))::uuid AS id
    FROM made
  ), balanced AS (
    UPDATE balances SET records = ${count}, other_records = ${count}, available_points = ${count},
      last_record_id = (SELECT id FROM ordered WHERE n = ${count}), last_record_at = (SELECT at FROM ordered WHERE n = ${count})
    WHERE user_id = $2
  )
  INSERT INTO records (user_id, sequence, id, application_id, source, submission_id, operation, status, is_lifetime,
    health_points, carbon_points, bonus_points, other_points, total_points, green_products, healthy_products, co2e_mg,
    body, rule, rule_inputs, catalogue_version, created_at)
  SELECT $2, n, id, $1, 'manual', id, 3, 2, false, 0, 0, 0, 1, 1, 0, 0, 0,
    jsonb_build_object('reference', id, 'items', '[]'::jsonb), 'none', '{}', '', at FROM ordered`;

/** The number of statements of one summary. Other work may be counted, too, so it is the least of ten. */
async function statementsOfSummary(client: Client, userId: string): Promise<number> {
  const query = service.database.query.bind(service.database);
  let least = Infinity;
  for (let i = 0; i < 10; i++) {
    let counted = 0;
    service.database.query = ((...call: Parameters<typeof query>) => {
      if (/^(users|expiry)\./.test(call[0].name)) counted++;
      return query(...call);
    }) as typeof query;
    await userOf(client, userId);
    service.database.query = query;
    least = Math.min(least, counted);
  }
  return least;
}

// Last, since what reads all users reads theirs: the nightly job those of the first, a verification those of all.
test("250 users expire in pages: two runs at once book each of them once; erased users are skipped", async () => {
  const client = await newApplication({ expiryNoticeDays: 0 });
  const erased = await client.enrol();
  await withPast(client, erased, [[500, 5]]);
  await service.erase(erased);
  await service.database.query({ name: "test.many-users", text: MANY_USERS }, [client.applicationId, noon(500)]);
  const settled = await Promise.all([run(), run()]);
  assert.ok(settled.reduce((sum, users) => sum + users) >= 250);
  const [row] = await service.database.query<{ users: number; points: number }>(
    {
      name: "test.expired-users",
      text: `SELECT count(DISTINCT user_id)::int AS users, sum(total_points)::int AS points FROM records
             WHERE application_id = $1 AND operation = 5`,
    },
    [client.applicationId],
  );
  assert.deepEqual(row, { users: 250, points: -1_750 });
  const [left] = await service.database.query<{ points: number }>(
    { name: "test.left", text: "SELECT available_points::int AS points FROM balances WHERE user_id = $1" },
    [erased],
  );
  assert.equal(left!.points, 5);
});

test("the nightly job adds up the records of users with many, so that the next summary reads few", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await service.database.pool.query(manyRecords(20_000), [client.applicationId, userId]);
  await Promise.all([run(), run(), expiriesOfUsers(service.database, [userId])]);
  const { rows } = await service.database.pool.query<{ sequence: number }>(
    "SELECT sequence::int FROM expiry_sums WHERE user_id = $1",
    [userId],
  );
  assert.ok(rows[0]!.sequence >= 19_000, `${rows[0]!.sequence} records are added up`);
  assert.equal(await statementsOfSummary(client, userId), 2);
  assert.deepEqual(await differencesOfSums(userId), []);
  await service.erase(userId);
  assert.equal((await service.database.pool.query("SELECT FROM expiry_sums WHERE user_id = $1", [userId])).rowCount, 0);
});

test("of a user with 24,000 unspent records each request reads a bounded number, and soon few", async () => {
  const client = await newApplication();
  const userId = await client.enrol();
  await service.database.pool.query(manyRecords(24_000), [client.applicationId, userId]);
  await service.database.pool.query("ANALYZE records");
  const readBy = (work: (tx: Tx) => Promise<unknown>) => recordsReadBy(service.database, work);
  const isOver = { untilMs: 0 };
  let requests = 0;
  for (let isReady = false; !isReady; requests++) {
    const read = await readBy(async (tx) => {
      const outcome = await expiriesOfUsers(tx, [userId], isOver).catch((error: unknown) => error);
      isReady = Array.isArray(outcome);
      if (!isReady) assert.equal((outcome as { problem?: string }).problem, "unavailable");
    });
    // 9,000, and rows that an index still has for versions that are no longer there: 4 once.
    assert.ok(read <= 9_100, `${read} rows in request ${requests}`);
  }
  assert.ok(requests <= 4, `${requests} requests until all is added up`);
  const read = await readBy((tx) => expiriesOfUsers(tx, [userId], isOver));
  assert.ok(read <= 1_000, `${read} rows`);
  assert.equal(await statementsOfSummary(client, userId), 2);
  const [first] = await expiriesOfAllRecords(service.database, userId);
  const { pointsExpiring } = await userOf(client, userId);
  assert.deepEqual(pointsExpiring, { points: first!.points, expiresAt: first!.expiresAt.toISOString() });
  assert.deepEqual(await differencesOfSums(userId), []);
});
