import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import sharp from "sharp";
import { timeOfId } from "../src/ids.ts";
import type { TransactionRecord } from "../src/points/schema.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { rollback } from "../src/postgres/rollback.ts";
import { LEAD_MS } from "../src/programs/versions.ts";
import { STORED_FORMS } from "../src/stored-forms.ts";
import { exportUserData } from "../src/users/personal-data.store.ts";
import { GROCERIES, pageOf } from "./support/groceries.ts";
import { multipart } from "./support/multipart.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

/** A Monday, when programmes start; submissions of a day come at noon. */
const MONDAY = Date.parse("2027-02-01T09:00:00Z");
const NOON = MONDAY + 3 * 3_600_000;
const DAY_MS = 86_400_000;

let service: TestService;
before(async () => {
  service = await startService({ ocr: { read: async () => pageOf(GROCERIES), close: async () => {} } });
  service.setClock(MONDAY);
});
after(() => service.close());

/** Publishes bonuses and lets them start, also for what has read the versions before. */
async function inForce(client: Client, bonuses: object, more: object = {}): Promise<string> {
  const { program } = await client.post("/programs", { definition: { name: "Own", bonuses, ...more } });
  await client.post(`/programs/${program.version}/publish`, {});
  service.clock.ms += LEAD_MS;
  return `program/${program.version}`;
}

const APPLES = { foodId: "a-1", name: "Apples", weight: 200, unit: "g" };
const BEEF = { foodId: "b-1", name: "Beef mince", weight: 200, unit: "g" };

/** Submits foods at once, and waits for their end. */
async function eat(client: Client, userIds: readonly string[], food = APPLES): Promise<void> {
  const sent = userIds.map((userId) => ({ userId, transactionId: randomBytes(8).toString("hex") }));
  const rest = {
    merchant: { name: "Larkmeadow Market" },
    imageUrl: "https://example.org/f.jpg",
    nutrition: {},
    ...food,
  };
  await Promise.all(sent.map((each) => client.post("/track/food", { ...each, ...rest }, 202)));
  const ids = new Set(sent.map(({ transactionId }) => transactionId));
  await client.until((all) => {
    const ended = all.filter(
      (event) => nameOf(event) === "intake.completed" && ids.has(String(event["transactionId"])),
    );
    return ended.length === ids.size;
  });
}

async function recordsOf(client: Client, userId: string): Promise<TransactionRecord[]> {
  const response = await client.call("GET", `/users/${userId}/transactions?pageSize=100`);
  assert.equal(response.statusCode, 200, response.body);
  return response.json<{ transactions: TransactionRecord[] }>().transactions;
}

/** The bonuses of a user, the oldest first: type, points, related user. */
const bonusesOf = async (client: Client, userId: string) =>
  (await recordsOf(client, userId))
    .filter(({ bonus }) => bonus.type !== 0)
    .map(({ bonus, totalPoints }) => [bonus.type, totalPoints, bonus.profileId])
    .reverse();

const codeOf = async (client: Client, userId: string): Promise<string> =>
  (await client.call("GET", `/users/${userId}/referral-code`)).json().referralCode;

const byText = (a: readonly unknown[], b: readonly unknown[]) => String(a).localeCompare(String(b));

const enrolment = (more: object = {}) => {
  return { email: `${randomBytes(6).toString("hex")}@example.org`, firstName: "Ada", lastName: "Lovelace", ...more };
};
async function enrolBy(client: Client, referralCode: string, email?: string): Promise<string> {
  return (await client.post("/users/enroll", enrolment({ referralCode, ...(email && { email }) }))).user.userID;
}

async function soundLedger(): Promise<void> {
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
}

test("a welcome is given with the enrolment, once, with its event, and is explained", async () => {
  const client = await service.newClient();
  const early = await client.enrol();
  const rule = await inForce(client, { welcome: { points: 50, on: "enrolment" } });
  const person = enrolment();
  const sent = await Promise.all(Array.from({ length: 10 }, () => client.post("/users/enroll", person)));
  const [userId] = new Set(sent.map(({ user }) => user.userID));
  assert.deepEqual(new Set(sent.map(({ user }) => user.availablePoints)), new Set([50]));
  assert.deepEqual([await bonusesOf(client, userId), await bonusesOf(client, early)], [[[2, 50, ""]], []]);
  await eat(client, [userId, early]);
  await inForce(client, { welcome: { points: 70, on: "first_points" } });
  await eat(client, [userId, early]);
  assert.deepEqual([await bonusesOf(client, userId), await bonusesOf(client, early)], [[[2, 50, ""]], []]);
  const events = client.events().filter((event) => nameOf(event) === "bonus.awarded");
  assert.deepEqual(
    events.map((event) => [event["userId"], event["totalPoints"], event["availablePoints"]]),
    [[userId, 50, 50]],
  );
  const { id, reason } = (await recordsOf(client, userId)).at(-1)!;
  assert.equal(reason, "Welcome");
  const { explanation } = (await client.call("GET", `/users/${userId}/transactions/${id}/explanation`)).json();
  assert.deepEqual([explanation.rule, explanation.totalPoints, explanation.bonus.kind], [rule, 50, "welcome"]);
  assert.match(explanation.text, /50 points by program\/1. The welcome of the programme .* once, with the enrolment/);
  await soundLedger();
});

test("of ten submissions at once that are the first, one brings the welcome and both bonuses of a referral", async () => {
  const client = await service.newClient();
  await inForce(client, {
    welcome: { points: 50, on: "first_points" },
    referral: { points: 100, newUserPoints: 20 },
  });
  const referrer = await client.enrol();
  const code = await codeOf(client, referrer);
  assert.match(code, /^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
  assert.equal(await codeOf(client, referrer), code);
  const users = await Promise.all(
    [code, code.toLowerCase(), code.replace("-", " "), code].map((each) => enrolBy(client, each)),
  );
  assert.deepEqual(await bonusesOf(client, users[0]!), []);
  // The referring user earns at the same time, and is welcomed, too.
  await eat(client, [
    ...users.flatMap((userId) => Array<string>(10).fill(userId)),
    ...Array<string>(10).fill(referrer),
  ]);
  for (const userId of users) {
    assert.deepEqual(await bonusesOf(client, userId), [
      [2, 50, ""],
      [1, 20, referrer],
    ]);
  }
  const given = await bonusesOf(client, referrer);
  assert.deepEqual(
    given
      .filter(([type]) => type === 1)
      .map(([, points, of]) => [points, of])
      .sort(byText),
    users.map((id) => [100, id]).sort(byText),
  );
  assert.equal(given.length, 5);
  const [ofFriend] = (await recordsOf(client, referrer)).filter(({ bonus }) => bonus.profileId === users[0]);
  assert.deepEqual(
    [ofFriend!.bonus.firstName, ofFriend!.transaction.externalTransactionID],
    ["Ada", `referral ${users[0]}`],
  );
  const { explanation } = (
    await client.call("GET", `/users/${referrer}/transactions/${ofFriend!.id}/explanation`)
  ).json();
  assert.match(explanation.text, /A user who was enrolled with this user's code has earned first points/);
  await client.until((all) => all.filter((event) => nameOf(event) === "bonus.awarded").length === 4 * 3 + 1);
  await soundLedger();
});

test("new users whose friends earn at the same time, in many processes' batches, never wait in a circle", async () => {
  const client = await service.newClient();
  await inForce(client, { referral: { points: 10, newUserPoints: 5, perUserMax: 2 } });
  const first = await client.enrol();
  // Each was referred by the one before.
  const chain = [first];
  for (let i = 0; i < 5; i++) chain.push(await enrolBy(client, await codeOf(client, chain.at(-1)!)));
  const others = await Promise.all(Array.from({ length: 3 }, async () => enrolBy(client, await codeOf(client, first))));
  const all = [...chain, ...others];
  await Promise.all([eat(client, all), eat(client, all.toReversed()), eat(client, all)]);
  for (const [i, userId] of chain.entries()) {
    const types = (await bonusesOf(client, userId)).map(([, points, of]) => [points, of]);
    if (i > 0)
      assert.deepEqual(
        types.filter(([points]) => points === 5),
        [[5, chain[i - 1]]],
      );
    if (i > 0 && i < 5)
      assert.deepEqual(
        types.filter(([points]) => points === 10),
        [[10, chain[i + 1]]],
      );
  }
  assert.equal((await bonusesOf(client, first)).length, 2, "no more than perUserMax of four");
  for (const userId of others) assert.equal((await bonusesOf(client, userId)).length, 1);
  await soundLedger();
});

test("a code refers new users of its application alone; who is enrolled, or unknown codes, are refused", async () => {
  const [client, other] = [await service.newClient(), await service.newClient()];
  const [anna, bert] = [await client.enrol(), enrolment()];
  const code = await codeOf(client, anna);
  const elsewhere = await codeOf(other, await other.enrol());
  for (const referralCode of [elsewhere, "AAAA-AAAA", "nonsense", ""]) {
    const { errors } = await client.post("/users/enroll", { ...bert, referralCode }, 400);
    assert.deepEqual(errors, { referralCode: ["is no code of a user"] }, referralCode);
    const session = await client.post("/users/enroll/session", { ...bert, referralCode }, 400);
    assert.deepEqual(session.errors, { referralCode: ["is no code of a user"] });
  }
  const { user } = await client.post("/users/enroll", bert);
  // Enrolled without a code: nobody refers them any more, not even they themselves.
  for (const referralCode of [code, await codeOf(client, user.userID), "AAAA-AAAA"]) {
    assert.deepEqual((await client.post("/users/enroll", { ...bert, referralCode })).keptMembers, ["referralCode"]);
  }
  const cleo = enrolment({ referralCode: code });
  const { userID } = (await client.post("/users/enroll", cleo)).user;
  assert.equal((await client.post("/users/enroll", cleo)).keptMembers, undefined);
  // Two who refer each other: the first of them was there before the code of the second.
  const back = { ...bert, referralCode: await codeOf(client, userID) };
  assert.deepEqual((await client.post("/users/enroll", back)).keptMembers, ["referralCode"]);
  assert.equal((await client.call("GET", `/users/${crypto.randomUUID()}/referral-code`)).statusCode, 404);
  assert.equal((await other.call("GET", `/users/${anna}/referral-code`)).statusCode, 404);
});

test("of calls for a code at once all get the same, and who guesses many codes has to wait", async () => {
  const client = await service.newClient();
  const userId = await client.enrol();
  const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(client, userId)));
  assert.equal(new Set(codes).size, 1);
  const attempts = Array.from({ length: 70 }, () =>
    client.call("POST", "/users/enroll", enrolment({ referralCode: "AAAA-AAAA" })),
  );
  const statuses = (await Promise.all(attempts)).map(({ statusCode }) => statusCode);
  assert.ok(statuses.filter((status) => status === 429).length > 0, statuses.join(" "));
  assert.ok(statuses.every((status) => status === 400 || status === 429));
  // Others are not held up, and who sends no code is enrolled.
  await client.post("/users/enroll", enrolment());
  const other = await service.newClient();
  await enrolBy(other, await codeOf(other, await other.enrol()));
});

test("a streak of days gives its bonus for each full row of days, by the time zone of the programme", async () => {
  const client = await service.newClient();
  service.setClock(MONDAY);
  const rule = await inForce(
    client,
    {
      streaks: [
        { id: "three", every: "day", length: 3, points: 30 },
        { id: "weeks", every: "week", length: 2, points: 80 },
      ],
    },
    { timeZone: "America/New_York" },
  );
  const [ann, bob] = [await client.enrol(), await client.enrol()];
  for (const day of [0, 1, 2, 3, 4, 5, 6, 8]) {
    service.setClock(NOON + day * DAY_MS);
    await eat(client, [ann, ann, ann]);
    // Neither green nor healthy.
    await eat(client, [bob], day === 1 ? BEEF : APPLES);
  }
  assert.deepEqual(await bonusesOf(client, ann), [
    [3, 30, ""],
    [3, 30, ""],
    [3, 80, ""],
  ]);
  // Days 2 to 6 are five in a row.
  assert.deepEqual(await bonusesOf(client, bob), [
    [3, 30, ""],
    [3, 80, ""],
  ]);
  // Another version with the same streak goes on with it: 8, and now 9 and 10.
  await inForce(
    client,
    { streaks: [{ id: "three", every: "day", length: 3, points: 35 }] },
    { timeZone: "America/New_York" },
  );
  for (const day of [9, 10]) {
    service.setClock(NOON + day * DAY_MS);
    await eat(client, [ann]);
  }
  assert.deepEqual((await bonusesOf(client, ann)).at(-1), [3, 35, ""]);
  const records = (await recordsOf(client, ann)).filter(({ bonus }) => bonus.type === 3).reverse();
  assert.deepEqual(
    records.map(({ reason }) => reason),
    ["3 days in a row", "3 days in a row", "2 weeks in a row", "3 days in a row"],
  );
  const { explanation } = (await client.call("GET", `/users/${ann}/transactions/${records[1]!.id}/explanation`)).json();
  const about = { id: "three", every: "day", length: 3, from: "2027-02-01", till: "2027-02-06", number: 2 };
  assert.deepEqual(explanation.bonus.streak, { ...about, timeZone: "America/New_York" });
  assert.equal(explanation.rule, rule);
  assert.match(explanation.text, /30 points by program\/1. The streak three .* is bonus 2 of them/);
  await soundLedger();
});

test("many submissions of one day at once count as one day, and a late day joins those before and after it", async () => {
  const client = await service.newClient();
  service.setClock(MONDAY);
  await inForce(client, { streaks: [{ id: "three", every: "day", length: 3, points: 30 }] });
  const userId = await client.enrol();
  for (const day of [0, 2]) {
    service.setClock(NOON + day * DAY_MS);
    await eat(client, Array<string>(10).fill(userId));
  }
  assert.deepEqual(await bonusesOf(client, userId), []);
  // As if it had been held for two days: accepted on the second, booked after the third.
  service.setClock(NOON + DAY_MS);
  await eat(client, [userId]);
  assert.deepEqual(await bonusesOf(client, userId), [[3, 30, ""]]);
  await soundLedger();
});

test("the bonuses of streaks are those that the records say, in whatever order they were booked", async () => {
  const client = await service.newClient();
  service.setClock(MONDAY);
  const lengths = { two: 2, three: 3, five: 5 };
  const streaks = Object.entries(lengths).map(([id, length]) => ({ id, every: "day", length, points: length }));
  await inForce(client, { streaks });
  const userIds = await Promise.all(Array.from({ length: 6 }, () => client.enrol()));
  // Each user on most of the days, and the days in an order of their own.
  const days = fc.sample(
    fc.shuffledSubarray(
      Array.from({ length: 12 }, (_, day) => day),
      { minLength: 12 },
    ),
    1,
  )[0]!;
  for (const day of days) {
    service.setClock(NOON + day * DAY_MS);
    await eat(
      client,
      userIds.filter(() => Math.random() < 0.75).flatMap((userId) => [userId, userId]),
    );
  }
  for (const userId of userIds) {
    // Of the records alone: the id of a submission begins with the time of its acceptance.
    const { rows } = await service.database.pool.query<{ submission_id: string }>(
      `SELECT submission_id FROM records WHERE user_id = $1 AND source = 'food' AND green_products + healthy_products > 0`,
      [userId],
    );
    const known = new Set(rows.map(({ submission_id: id }) => Math.floor(timeOfId(id) / DAY_MS)));
    const runs = [...known]
      .filter((day) => !known.has(day - 1))
      .map((first) => {
        let last = first;
        while (known.has(last + 1)) last++;
        return last - first + 1;
      });
    const given = (await bonusesOf(client, userId)).map(([, points]) => Number(points));
    for (const length of Object.values(lengths)) {
      const expected = runs.reduce((sum, run) => sum + Math.floor(run / length), 0);
      assert.equal(
        given.filter((points) => points === length).length,
        expected,
        `${length}: ${runs.join(" ")} of ${days.join(" ")}`,
      );
    }
  }
  await soundLedger();
});

test("a receipt brings the welcome, both bonuses of a referral and a streak, each with its event", async () => {
  const client = await service.newClient({ isSandbox: true });
  service.setClock(Date.parse("2026-10-25T09:00:00Z"));
  await inForce(client, {
    welcome: { points: 50, on: "first_points" },
    streaks: [{ id: "two", every: "day", length: 2, points: 30 }],
    referral: { points: 100, newUserPoints: 20 },
  });
  const referrer = await client.enrol();
  const userId = await enrolBy(client, await codeOf(client, referrer));
  // Graded A, of a programme that gives nothing for foods on this day.
  await inForce(
    client,
    { streaks: [{ id: "two", every: "day", length: 2, points: 30 }] },
    { points: { food: { multiplier: 0 } } },
  );
  await eat(client, [userId]);
  await inForce(client, {
    welcome: { points: 50, on: "first_points" },
    streaks: [{ id: "two", every: "day", length: 2, points: 30 }],
    referral: { points: 100, newUserPoints: 20 },
  });
  service.setClock(Date.parse("2026-10-26T09:00:00Z"));
  const form = { merchantName: "Larkmeadow Market", amount: "22.68", transactionTimestamp: "2026-10-24T10:41:00Z" };
  const image = await sharp({ create: { width: 600, height: 800, channels: 3, background: "white" } })
    .jpeg()
    .toBuffer();
  const { payload, headers } = await multipart({ fields: { ...form, userId, transactionId: "receipt-1" }, image });
  const url = "/track/receipts?api-version=1.0&testBlobUri=sample:completed";
  const all = { ...client.headers, ...headers };
  const sent = await service.app.server.inject({ method: "POST", url, headers: all, payload });
  assert.equal(sent.statusCode, 200, sent.body);
  await client.until((events) => events.filter((event) => nameOf(event) === "bonus.awarded").length === 4);
  assert.deepEqual(await bonusesOf(client, userId), [
    [2, 50, ""],
    [1, 20, referrer],
    [3, 30, ""],
  ]);
  assert.deepEqual(await bonusesOf(client, referrer), [[1, 100, userId]]);
  await soundLedger();
});

test("an erased person who enrols again gets no second welcome, and is not referred a second time", async () => {
  const client = await service.newClient();
  const bonuses = { welcome: { points: 50, on: "enrolment" }, referral: { points: 100, newUserPoints: 20 } };
  await inForce(client, bonuses);
  const referrer = await client.enrol();
  const code = await codeOf(client, referrer);
  const email = `${randomBytes(6).toString("hex")}@example.org`;
  const first = await enrolBy(client, code, email);
  await eat(client, [first]);
  assert.deepEqual(await bonusesOf(client, first), [
    [2, 50, ""],
    [1, 20, referrer],
  ]);
  await service.erase(first);
  const { rows } = await service.database.pool.query(
    `SELECT FROM granted_bonuses WHERE user_id = $1 UNION ALL SELECT FROM referrals WHERE user_id = $1
     UNION ALL SELECT FROM referral_codes WHERE user_id = $1 UNION ALL SELECT FROM streak_runs WHERE user_id = $1`,
    [first],
  );
  assert.equal(rows.length, 0);
  const again = await enrolBy(client, code, email);
  await eat(client, [again]);
  assert.deepEqual(await bonusesOf(client, again), []);
  assert.equal((await bonusesOf(client, referrer)).length, 2);
  await soundLedger();
});

test("after the erasure of a referring user the new one gets what is due, and nothing is stored of the other", async () => {
  const client = await service.newClient();
  await inForce(client, { referral: { points: 100, newUserPoints: 20 } });
  const users = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const referrer = await client.enrol();
      return { referrer, code: await codeOf(client, referrer), userId: "" };
    }),
  );
  for (const each of users) each.userId = await enrolBy(client, each.code);
  // The first is erased before, the others while the new users earn.
  await service.erase(users[0]!.referrer);
  await Promise.all([
    eat(
      client,
      users.map(({ userId }) => userId),
    ),
    ...users.slice(1).map(({ referrer }) => service.erase(referrer)),
  ]);
  for (const { userId, referrer, code } of users) {
    const [bonus] = await bonusesOf(client, userId);
    assert.deepEqual(bonus?.slice(0, 2), [1, 20]);
    const { rows } = await service.database.pool.query(
      `SELECT FROM records WHERE user_id = $1 AND body IS DISTINCT FROM '{}' UNION ALL SELECT FROM granted_bonuses WHERE user_id = $1
       UNION ALL SELECT FROM events WHERE user_id = $1 UNION ALL SELECT FROM referrals WHERE referrer_id = $1`,
      [referrer],
    );
    assert.equal(rows.length, 0);
    await client.post("/users/enroll", enrolment({ referralCode: code }), 400);
  }
  assert.equal((await bonusesOf(client, users[0]!.userId))[0]![2], "");
  await soundLedger();
});

test("an export has the code, who referred the user, and days in a row", async () => {
  const client = await service.newClient();
  await inForce(client, { streaks: [{ id: "three", every: "day", length: 3, points: 30 }] });
  const referrer = await client.enrol();
  const userId = await enrolBy(client, await codeOf(client, referrer));
  const code = await codeOf(client, userId);
  await eat(client, [userId]);
  const exported = await service.database.tx((tx) => exportUserData(tx, userId, STORED_FORMS));
  assert.equal((exported["referralCode"] as { code: string }[])[0]!.code, code);
  assert.equal((exported["referral"] as { referrer_id: string }[])[0]!.referrer_id, referrer);
  assert.equal(exported["streaks"]!.length, 1);
});

test("the hosted page enrols with the code of its session, also when nobody has it any more", async () => {
  const client = await service.newClient({ isSandbox: true });
  await inForce(client, { welcome: { points: 50, on: "enrolment" }, referral: { points: 100, newUserPoints: 20 } });
  const referrer = await client.enrol();
  const referralCode = await codeOf(client, referrer);
  const accept = async (isErased: boolean) => {
    const { redirectUrl, id } = await client.post("/users/enroll/session", enrolment({ referralCode }));
    if (isErased) await service.erase(referrer);
    const { search } = new URL(redirectUrl);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const page = { method: "POST" as const, url: `/enroll${search}`, headers: form, payload: "decision=accept" };
    assert.ok((await service.app.server.inject(page)).statusCode < 400);
    return (await client.call("GET", `/sessions/${id}`)).json().userId as string;
  };
  const userId = await accept(false);
  await eat(client, [userId]);
  assert.deepEqual(await bonusesOf(client, userId), [
    [2, 50, ""],
    [1, 20, referrer],
  ]);
  assert.deepEqual(await bonusesOf(client, await accept(true)), [[2, 50, ""]]);
});

test("a reversal of the award leaves its bonuses, and none is given a second time", async () => {
  const client = await service.newClient();
  await inForce(client, { welcome: { points: 50, on: "first_points" } });
  const userId = await client.enrol();
  await eat(client, [userId]);
  const [bonus, award] = await recordsOf(client, userId);
  for (const { id } of [award!, bonus!]) {
    await client.post(`/users/${userId}/transactions/${id}/reversal`, { reason: "Not bought" });
  }
  await eat(client, [userId]);
  assert.equal((await bonusesOf(client, userId)).filter(([, points]) => Number(points) > 0).length, 1);
  await soundLedger();
});

test("a bonus of a programme, its note or days in a row that were changed by hand are found", async () => {
  const client = await service.newClient();
  await inForce(client, {
    welcome: { points: 50, on: "enrolment" },
    streaks: [{ id: "two", every: "day", length: 2, points: 5 }],
  });
  const userId = await client.enrol();
  await eat(client, [userId]);
  const foundAfter = (text: string) =>
    service.database.tx(async (tx) => {
      await tx.query({ name: "", text });
      return rollback((await verifyLedger(tx)).differences.map(({ what }) => what));
    });
  const { id } = (await recordsOf(client, userId)).find(({ bonus }) => bonus.type === 2)!;
  const streak = "streak two day 2 UTC food+meal+receipt: its bonuses are not those of its days";
  assert.deepEqual(await foundAfter(`DELETE FROM granted_bonuses WHERE user_id = '${userId}'`), [
    `record ${id}: is not noted as given`,
  ]);
  assert.deepEqual(await foundAfter(`UPDATE granted_bonuses SET kind = 'referred' WHERE user_id = '${userId}'`), [
    `bonus by record ${id}: not what the record says`,
  ]);
  assert.deepEqual(await foundAfter(`UPDATE streak_runs SET last_unit = last_unit + 1 WHERE user_id = '${userId}'`), [
    streak,
  ]);
});
