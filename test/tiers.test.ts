import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { pino } from "pino";
import { uuidv7 } from "../src/ids.ts";
import { adjusting } from "../src/points/adjustments/adjustment.ts";
import { OPERATION, PARTNER_TYPE } from "../src/points/codes.ts";
import type { Entry } from "../src/points/entry.ts";
import { append, lockBalances } from "../src/points/ledger.store.ts";
import { composeRecord } from "../src/points/record.ts";
import type { TransactionRecord } from "../src/points/schema.ts";
import { book } from "../src/points/store.ts";
import type { Booking } from "../src/points/store.ts";
import { DEFAULT_TERMS } from "../src/points/terms.ts";
import { createTierKeeper } from "../src/points/tiers/keeper.store.ts";
import { reviewTiers } from "../src/points/tiers/review.task.ts";
import type { ReviewDeps } from "../src/points/tiers/review.task.ts";
import { keepNext } from "../src/points/sums/store.ts";
import { keepTiers, standingsOf } from "../src/points/tiers/store.ts";
import { pointsForTier } from "../src/points/tiers/tier.ts";
import type { CountedPoints, TierRules } from "../src/points/tiers/tier.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { createTerms } from "../src/programs/terms.task.ts";
import { LEAD_MS } from "../src/programs/versions.ts";
import { DAY_MS } from "../src/time.ts";
import type { ShownTier } from "../src/users/schema.ts";
import { createOutbox } from "../src/webhooks/outbox.task.ts";
import { runCommand } from "./support/commands.ts";
import { nameOf, startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";
import { importFolder, runImport } from "./support/table-import.ts";

/** Of today: a command has the time of now, and the service removes events of long ago. */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;

const folder = importFolder();
let service: TestService;
before(async () => {
  service = await startService();
  service.setClock(NOON);
});
after(async () => {
  await service.close();
  folder.remove();
});

const newId = () => uuidv7(service.now().getTime(), randomBytes(10));

/** The points of one portion of apples under `RULES`. */
const APPLE_POINTS = 100;
const RULES = { points: { food: { health: { A: 200 }, climate: { A: 0 }, pointsMax: 1_000 } } };
const LEVELS = [
  { tier: "bronze", name: "Sprout", from: 0 },
  { tier: "silver", name: "Leaf", from: APPLE_POINTS, multiplier: 1.25 },
  { tier: "gold", name: "Tree", from: 1_000, multiplier: 2 },
];

/** Publishes a programme and lets it start. */
async function inForce(client: Client, definition: object): Promise<void> {
  const { program } = await client.post("/programs", { definition: { name: "Tiers", ...RULES, ...definition } });
  await client.post(`/programs/${program.version}/publish`, {});
  service.clock.ms += LEAD_MS;
}

/** An application with tiers by all points, or by those of the last twelve months. */
async function withTiers(by = "lifetime", levels: readonly object[] = LEVELS): Promise<Client> {
  const client = await service.newClient();
  await inForce(client, { tiers: { by, levels } });
  return client;
}

async function eat(client: Client, userId: string): Promise<TransactionRecord> {
  const transactionId = randomBytes(8).toString("hex");
  const apples = { foodId: "a-1", name: "Apples", weight: 200, unit: "g" };
  const about = { merchant: { name: "Larkmeadow Market" }, imageUrl: "https://example.org/f.jpg", nutrition: {} };
  await client.post("/track/food", { userId, transactionId, ...about, ...apples }, 202);
  await client.until((all) =>
    all.some((event) => event["transactionId"] === transactionId && nameOf(event) === "intake.completed"),
  );
  const { transactions } = await client.get<{ transactions: TransactionRecord[] }>(`/users/${userId}/transactions`);
  return transactions.find(({ transaction }) => transaction.externalTransactionID === transactionId)!;
}

/** Gives or takes points that count as earned. */
const give = (client: Client, userId: string, points: number) =>
  client.post(`/users/${userId}/adjustments`, { points, reason: "Gift", reference: newId(), countsAsEarned: true });

const tierOf = async (client: Client, userId: string): Promise<ShownTier> =>
  (await client.get<{ user: { tier: ShownTier } }>(`/users/${userId}/summary`)).user.tier;

/** The changes that were reported of a user, in order, as tiers before and after. */
async function changesOf(userId: string): Promise<[number, number][]> {
  const rows = await service.database.query<{ body: string }>(
    {
      name: "test.tier-events",
      text: `SELECT body FROM events WHERE user_id = $1 AND type = 'tier.changed'
             ORDER BY created_at, id`,
    },
    [userId],
  );
  return rows.map(({ body }) => {
    const { previousTier, tier } = JSON.parse(body) as { previousTier: number; tier: number };
    return [previousTier, tier];
  });
}

/** One run of the review, for the users of one application. */
function review(
  { applicationId }: Client,
  over: Partial<ReviewDeps> = {},
  signal = new AbortController().signal,
): Promise<number> {
  const { tiersNow, programsNow: allNow } = createTerms({
    database: service.database,
    groupOf: () => null,
    now: service.now,
  });
  const outbox = createOutbox({ scheduleSeconds: [0], hint: async () => {}, newId });
  const log = pino({ level: "error" });
  const programsNow = async () => (await allNow()).filter((program) => program.applicationId === applicationId);
  const deps = {
    database: service.database,
    tiersNow,
    programsNow,
    publishAll: outbox.publishAll,
    log,
    now: service.now,
  };
  return reviewTiers({ ...deps, ...over }, signal);
}

test("an award lifts its user, the multiplier is of the tier before it, and the change is reported once", async () => {
  const client = await withTiers();
  const userId = await client.enrol();
  assert.deepEqual(await tierOf(client, userId), {
    tier: 1,
    name: "Sprout",
    points: 0,
    since: null,
    next: { tier: 2, name: "Leaf", from: APPLE_POINTS, missingPoints: APPLE_POINTS },
  });
  const first = await eat(client, userId);
  assert.deepEqual([first.totalPoints, first.transaction.totalBonusPoints], [APPLE_POINTS, 0]);
  const second = await eat(client, userId);
  assert.deepEqual([second.totalPoints, second.transaction.totalBonusPoints], [125, 25]);
  const shown = await tierOf(client, userId);
  assert.deepEqual([shown!.name, shown!.points, shown!.next!.missingPoints], ["Leaf", 225, 775]);
  const changed = await client.until((events) => events.some((event) => nameOf(event) === "tier.changed"));
  const events = changed.filter((event) => nameOf(event) === "tier.changed");
  assert.deepEqual(events, [
    { event: "tier.changed", userId, tier: 2, name: "Leaf", previousTier: 1, points: 100, since: shown!.since },
  ]);
  assert.equal(await review(client), 0);
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

for (const by of ["lifetime", "rolling_12_months"]) {
  test(`of many awards at once, each has the multiplier of those before it, and one change is reported: ${by}`, async () => {
    const client = await withTiers(by);
    const userId = await client.enrol();
    const records = await Promise.all(Array.from({ length: 8 }, () => eat(client, userId)));
    const extras = records.map(({ transaction }) => transaction.totalBonusPoints).toSorted((a, b) => a - b);
    assert.deepEqual(extras, [0, 25, 25, 25, 25, 25, 25, 25]);
    assert.deepEqual(await changesOf(userId), [[1, 2]]);
    // 100 + 7 × 125 = 975: one more reaches the next tier, and the one after it has its multiplier.
    assert.equal((await eat(client, userId)).transaction.totalBonusPoints, 25);
    assert.equal((await eat(client, userId)).transaction.totalBonusPoints, 100);
    assert.deepEqual(await changesOf(userId), [
      [1, 2],
      [2, 3],
    ]);
  });

  test(`users rise by what counts as earned, and fall by what takes it back: ${by}`, async () => {
    const client = await withTiers(by);
    const userId = await client.enrol();
    const award = await eat(client, userId);
    await client.post(`/users/${userId}/adjustments`, { points: 5_000, reason: "Gift", reference: newId() });
    await give(client, userId, 950);
    await client.post(`/users/${userId}/redemptions`, { points: 4_000, reward: { name: "A" }, reference: newId() });
    assert.equal((await tierOf(client, userId))!.name, "Tree");
    await client.post(`/users/${userId}/transactions/${award.id}/reversal`, { reason: "Not eaten" });
    assert.equal((await tierOf(client, userId))!.name, "Leaf");
    const bonus = { points: 60, type: 5, reason: "Welcome", reference: newId() };
    await client.post(`/users/${userId}/bonuses`, bonus);
    await give(client, userId, -480);
    await give(client, userId, -500);
    assert.deepEqual(await changesOf(userId), [
      [1, 2],
      [2, 3],
      [3, 2],
      [2, 3],
      [3, 2],
      [2, 1],
    ]);
    assert.equal(await review(client), 0);
  });
}

test("of many moves at once up and down, the changes lead from the first tier to that of the points", async () => {
  const client = await withTiers("rolling_12_months");
  const userId = await client.enrol();
  const moves = [600, 450, -300, 500, -400, 350, -200, 90, 900, -700];
  await give(client, userId, 1_000);
  await Promise.all(moves.map((points) => give(client, userId, points)));
  const changes = await changesOf(userId);
  for (const [i, [from]] of changes.entries()) assert.equal(from, i === 0 ? 1 : changes[i - 1]![1]);
  assert.equal((await tierOf(client, userId))!.points, 2_290);
  assert.equal(changes.at(-1)![1], 3);
});

/** Books points on a day of the past or future; `of` is the place of the record that it takes back. */
async function bookAt(
  { applicationId }: Client,
  userId: string,
  history: readonly {
    readonly atMs: number;
    readonly points: number;
    readonly of?: number;
    readonly counts?: boolean;
  }[],
): Promise<void> {
  const ids: string[] = [];
  for (const { atMs, points, of, counts = true } of history) {
    const id = uuidv7(atMs, randomBytes(10));
    const gift = { points, reason: "Past", reference: id, countsAsEarned: counts };
    const plain = adjusting({ applicationId, userId }, gift, id, new Date(atMs));
    const operation = of === undefined ? OPERATION.adjust : OPERATION.reverse;
    const entry: Entry = { ...plain, operation, relatedId: of === undefined ? null : ids[of]!, mayOverdraw: true };
    await service.database.tx(async (tx) => {
      const locked = await lockBalances(tx, [userId], []);
      const [posted] = await append(tx, locked, [entry], new Date(atMs), newId);
      ids.push(posted!.id);
    });
  }
}

const FORGET_TIER = { name: "test.forget-tier", text: "DELETE FROM user_tiers WHERE user_id = $1" };

test("the sum of twelve months is that of all records, whatever is stored or kept of them and has moved since", async () => {
  const client = await service.newClient();
  const rules: TierRules = { by: "rolling_12_months", timeZone: "Europe/Berlin", levels: [] };
  for (let run = 0; run < 12; run++) {
    const userId = await client.enrol();
    const records: CountedPoints[] = [];
    let atMs = NOON;
    for (let step = 0; step < 30; step++) {
      atMs += Math.floor(Math.random() * 60 * DAY_MS);
      const of = Math.random() < 0.3 && records.length > 0 ? Math.floor(Math.random() * records.length) : null;
      const root = of === null ? null : records[of]!;
      const points = root ? -Math.floor(Math.random() * 50) - 1 : Math.floor(Math.random() * 100) + 1;
      const counts = Math.random() < 0.8;
      records.push({ points: counts ? points : 0, earnedAtMs: root?.earnedAtMs ?? atMs });
      await bookRelated(client, userId, { atMs, points, counts, root: root ? of : null });
      if (Math.random() < 0.5) continue;
      const asked = [{ userId, rules, lifetimePoints: 0 }];
      if (Math.random() < 0.3) await keepNext(service.database, userId, { recordsAStep: 5, recordsABlock: 3 });
      if (Math.random() < 0.2) await service.database.query(FORGET_TIER, [userId]);
      const read = await service.database.tx(async (tx) => {
        const standing = (await standingsOf(tx, asked, new Date(atMs))).get(userId)!;
        const kept = { userId, applicationId: client.applicationId, tier: null, sum: standing.sum };
        if (Math.random() < 0.5) await keepTiers(tx, [kept]);
        return standing;
      });
      assert.equal(read.points, pointsForTier(rules, records, atMs), `run ${run}, step ${step}`);
      // Later, without another record; and, as after a change of the time zone, some hours earlier.
      const later = atMs + Math.floor(Math.random() * 500 * DAY_MS);
      for (const ms of [later, atMs - 9 * 3_600_000]) {
        if (ms < atMs && records.at(-1)!.earnedAtMs > ms) continue;
        const { points: counted } = (await standingsOf(service.database, asked, new Date(ms))).get(userId)!;
        assert.equal(counted, pointsForTier(rules, records, ms), `run ${run}, step ${step}, other time`);
      }
    }
  }
});

/** The ids of the records of each user, in order. */
const booked = new Map<string, string[]>();
async function bookRelated(
  { applicationId }: Client,
  userId: string,
  { atMs, points, counts, root }: { atMs: number; points: number; counts: boolean; root: number | null },
): Promise<void> {
  const ids = booked.get(userId) ?? [];
  booked.set(userId, ids);
  const id = uuidv7(atMs, randomBytes(10));
  const gift = { points, reason: "Past", reference: id, countsAsEarned: counts };
  const plain = adjusting({ applicationId, userId }, gift, id, new Date(atMs));
  const related = root === null ? {} : { operation: OPERATION.reverse, relatedId: await rootOf(userId, ids[root]!) };
  await service.database.tx(async (tx) => {
    const locked = await lockBalances(tx, [userId], []);
    const [posted] = await append(tx, locked, [{ ...plain, ...related, mayOverdraw: true }], new Date(atMs), newId);
    ids.push(posted!.id);
  });
}

/** What relates to a record that relates to another one relates to that, as in the ledger. */
async function rootOf(userId: string, recordId: string): Promise<string> {
  const [row] = await service.database.query<{ id: string }>(
    { name: "test.root", text: "SELECT coalesce(related_id, id) AS id FROM records WHERE user_id = $1 AND id = $2" },
    [userId, recordId],
  );
  return row!.id;
}

/** A food of 5 points, ready to be booked. */
function bookingOf({ applicationId }: Client, userId: string, tiers: TierRules | null): Booking {
  const submissionId = newId();
  const texts = { externalId: "", name: "L", cleanedName: "l", imageUrl: "", matchedName: "L" };
  const ratings = { healthRating: 1, carbonRating: 1, co2eMg: 1, carbonDataSource: "test:1" } as const;
  const amount = { quantity: 1, amountMinor: 1, soldByWeight: false, massMg: 200_000, plainWater: false };
  const shop = { reference: submissionId, brand: "", logo: "", location: "", partnerType: PARTNER_TYPE.unspecified };
  const head = { ...shop, timestamp: service.now().toISOString(), currency: "GBP", totalAmountMinor: 1 };
  const line = { id: `${submissionId}-1`, ...texts, ...ratings, ...amount, exclusionReason: null, confidence: 1 };
  const record = composeRecord("food", head, [line]);
  const terms = { ...DEFAULT_TERMS, tiers };
  return { applicationId, userId, source: "food", submissionId, record, terms, catalogueVersion: "test" };
}

test("a batch asks once for the tiers of all its users, and a programme without tiers asks for nothing", async () => {
  const client = await service.newClient();
  const users = await Promise.all(Array.from({ length: 5 }, () => client.enrol()));
  const levels = [{ tier: 1, name: "Sprout", from: 6, hundredths: 100 }] as const;
  const lifetime: TierRules = { by: "lifetime", timeZone: "UTC", levels };
  const asked = async (rules: TierRules | null) => {
    const names: string[] = [];
    const keeper = createTierKeeper({ tiersNow: async () => rules, publishAll: null });
    const bookings = [...users, ...users].map((userId) => bookingOf(client, userId, rules));
    await service.database.tx((tx) => {
      const query: Tx["query"] = (statement, values) => {
        names.push(statement.name);
        return tx.query(statement, values);
      };
      return book({ query, afterCommit: tx.afterCommit, origin: tx.origin }, bookings, service.now(), newId, keeper);
    });
    return names.filter((name) => name.startsWith("tiers."));
  };
  assert.deepEqual(await asked(null), []);
  assert.deepEqual(await asked(lifetime), ["tiers.stored", "tiers.keep"]);
  assert.deepEqual(await asked(lifetime), ["tiers.stored"]);
  const rolling = { ...lifetime, by: "rolling_12_months" } as const;
  assert.deepEqual(await asked(rolling), ["tiers.counted"]);
});

test("the ledger is verified with the sums of tiers", async () => {
  const client = await withTiers("rolling_12_months");
  const userId = await client.enrol();
  await give(client, userId, 100);
  const differences = async () =>
    (await verifyLedger(service.database)).differences.filter((difference) => difference.userId === userId);
  assert.deepEqual(await differences(), []);
  const text = "UPDATE user_tiers SET points = points + 1 WHERE user_id = $1 AND points = 100";
  await service.database.query({ name: "test.wrong-sum", text }, [userId]);
  assert.deepEqual(await differences(), [{ userId, what: "the tier: points are not those of the records" }]);
});

test("users fall when their points no longer count, each once, however many look at the same time", async () => {
  const client = await withTiers("rolling_12_months");
  const users = await Promise.all(Array.from({ length: 130 }, () => client.enrol()));
  // Some at a time: of 130 at once the last waits longer than a request may on a slow machine, and is refused (503).
  for (let from = 0; from < users.length; from += 10) {
    await Promise.all(users.slice(from, from + 10).map((userId, i) => give(client, userId, i % 2 === 0 ? 100 : 50)));
  }
  const risen = users.filter((_, i) => i % 2 === 0);
  service.clock.ms += 364 * DAY_MS;
  await review(client);
  assert.deepEqual(await changesOf(risen[0]!), [[1, 2]]);
  // Twelve months and a day later, in any year.
  service.clock.ms += 3 * DAY_MS;
  const shown = await tierOf(client, risen[0]!);
  assert.deepEqual([shown!.tier, shown!.points], [1, 0], "the summary does not wait for the review");
  const changes = await Promise.all([review(client), review(client), review(client)]);
  assert.equal(changes[0] + changes[1] + changes[2], risen.length);
  assert.equal(await review(client), 0);
  for (const userId of risen) {
    assert.deepEqual(await changesOf(userId), [
      [1, 2],
      [2, 1],
    ]);
  }
  for (const userId of users.filter((_, i) => i % 2 === 1)) assert.deepEqual(await changesOf(userId), []);
});

test("a review that was killed goes on behind the users it has looked at, and is done once a day", async () => {
  const client = await withTiers("rolling_12_months");
  const users = await Promise.all(Array.from({ length: 250 }, () => client.enrol()));
  await review(client);
  await Promise.all(users.map((userId) => bookAt(client, userId, [{ atMs: service.now().getTime(), points: 100 }])));
  service.clock.ms += DAY_MS;
  const killed = new AbortController();
  let transactions = 0;
  const database = {
    ...service.database,
    tx: <Result>(work: Parameters<typeof service.database.tx<Result>>[0]) => {
      // After the first 200 users.
      if (++transactions === 4) killed.abort();
      return service.database.tx(work);
    },
  };
  const first = await review(client, { database }, killed.signal);
  assert.equal(first, 200);
  const looked: string[] = [];
  const watched = {
    ...service.database,
    query: <Row extends object>(statement: { name: string; text: string }, values?: unknown[]) => {
      looked.push(statement.name);
      return service.database.query<Row>(statement, values);
    },
  };
  const second = await review(client, { database: watched });
  assert.equal(first + second, 250);
  assert.equal(looked.filter((name) => name === "tiers.review-users").length, 1, "not again from the first user on");
  looked.length = 0;
  assert.equal(await review(client, { database: watched }), 0);
  assert.deepEqual(looked, ["tiers.reviews"], "nobody is looked at again on that day");
});

test("another version of the programme lets users rise and fall, and one without tiers ends them", async () => {
  const client = await withTiers();
  const [many, few] = [await client.enrol(), await client.enrol()];
  await give(client, many, 500);
  await give(client, few, 20);
  await inForce(client, {
    tiers: {
      by: "lifetime",
      levels: [
        { tier: "silver", name: "Fern", from: 10 },
        { tier: "platinum", name: "Forest", from: 400 },
      ],
    },
  });
  assert.equal((await tierOf(client, many))!.name, "Forest");
  await review(client);
  assert.deepEqual(await changesOf(many), [
    [1, 2],
    [2, 4],
  ]);
  assert.deepEqual(await changesOf(few), [[0, 2]]);
  await inForce(client, {});
  assert.equal(await tierOf(client, many), null);
  await Promise.all([review(client), review(client)]);
  assert.deepEqual((await changesOf(many)).at(-1), [4, 0]);
  assert.deepEqual((await changesOf(few)).at(-1), [2, 0]);
  assert.equal(await review(client), 0);
});

test("a reward of a tier is for its users, whatever the request says, and the list says which are not", async () => {
  const client = await withTiers();
  const userId = await client.enrol();
  await client.post(`/users/${userId}/adjustments`, { points: 500, reason: "Gift", reference: newId() });
  const { reward } = await client.post("/rewards", { name: "A picnic", points: 50, tier: 2 });
  await client.post("/rewards", { name: "A coffee", points: 50 });
  const redeem = (status: number) =>
    client.post(`/users/${userId}/redemptions`, { rewardId: reward.id, tier: 4, reference: newId() }, status);
  const list = async (query = "") =>
    (
      await client.get<{ rewards: { name: string; available: boolean }[] }>(`/users/${userId}/rewards${query}`)
    ).rewards.map(({ name, available }) => [name, available]);
  assert.equal((await redeem(409)).code, "RewardTier");
  assert.deepEqual(await list("?tier=4"), [["A coffee", true]]);
  assert.deepEqual(await list("?allTiers=true"), [
    ["A coffee", true],
    ["A picnic", false],
  ]);
  assert.equal((await client.call("GET", `/users/${userId}/rewards?allTiers=yes`)).statusCode, 400);
  await give(client, userId, 100);
  await redeem(200);
  assert.deepEqual(await list(), [
    ["A coffee", true],
    ["A picnic", true],
  ]);
  // It takes the tier, and with it the reward.
  await give(client, userId, -1);
  assert.equal((await redeem(409)).code, "RewardTier");
});

test("tiers are those of one application, and an erasure leaves none", async () => {
  const [client, other] = [await withTiers("rolling_12_months"), await service.newClient()];
  const [userId, theirs] = [await client.enrol("robin@example.org"), await other.enrol("robin@example.org")];
  await give(client, userId, 100);
  await give(other, theirs, 5_000);
  assert.equal(await tierOf(other, theirs), null);
  assert.deepEqual(await changesOf(theirs), []);
  await review(client);
  assert.deepEqual(await changesOf(theirs), []);
  const rowsOf = async (id: string) =>
    service.database.query({ name: "test.user-tiers", text: "SELECT tier FROM user_tiers WHERE user_id = $1" }, [id]);
  assert.deepEqual(await rowsOf(userId), [{ tier: 2 }]);
  await service.erase(userId);
  assert.deepEqual([await rowsOf(userId), await changesOf(userId)], [[], []]);
  service.clock.ms += 366 * DAY_MS;
  await review(client);
  assert.deepEqual([await rowsOf(userId), await changesOf(userId)], [[], []]);
});

test("an import of balances sets tiers, and reports them with --send-events alone", async () => {
  const client = await withTiers();
  const [silent, reported] = [await client.enrol(), await client.enrol()];
  // The clock of the service is ahead by now.
  const text = "UPDATE programs SET starts_at = '2020-01-01' WHERE application_id = $1";
  await service.database.query({ name: "test.start-early", text }, [client.applicationId]);
  const importing = (userId: string, ...more: string[]) => {
    const file = folder.write(`${userId}.csv`, `userId,points\n${userId},150\n`);
    return runImport(service.database, "balance import", [`--client-id=${client.clientId}`, `--file=${file}`, ...more]);
  };
  await importing(silent);
  await importing(reported, "--send-events");
  assert.deepEqual([(await tierOf(client, silent))!.name, await changesOf(silent)], ["Leaf", []]);
  assert.deepEqual(await changesOf(reported), [[1, 2]]);
  assert.equal(await review(client), 0);
  // For the operator, too.
  const { email } = (await client.get<{ user: { email: string } }>(`/users/${silent}/summary`)).user;
  const find = ["user", "find", "--client-id", client.clientId, "--email", email];
  const [{ user } = {}] = await runCommand<{ user: { tier: ShownTier } }>(service.database, find);
  assert.deepEqual(user?.tier, await tierOf(client, silent));
});
