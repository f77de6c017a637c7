import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { pino } from "pino";
import type { Cause, Sums } from "../src/points/statistics/figures.ts";
import { sumsBetween } from "../src/points/statistics/store.ts";
import { keepSums } from "../src/points/sums/keep.task.ts";
import { keepNext } from "../src/points/sums/store.ts";
import type { Difference } from "../src/points/verification/check.ts";
import { RECORD_SUMS } from "../src/points/verification/record-sums.store.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { DAY_MS } from "../src/time.ts";
import { recordsReadBy } from "./support/rows-read.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

let service: TestService;
let client: Client;
before(async () => {
  service = await startService();
  client = await service.newClient();
});
after(() => service.close());

/** What a record without a related one may be, as stored. */
const KINDS = [
  ["receipt", 1],
  ["meal", 1],
  ["food", 1],
  ["bonus", 1],
  ["adjustment", 3],
  ["redemption", 2],
  ["expiry", 5],
] as const;
const SOURCE_OF: Partial<Record<Cause, string>> = {
  receipt: "receipt",
  meal: "meal",
  food: "food",
  redemption: "reward",
};

interface Made {
  readonly sequence: number;
  readonly atMs: number;
  readonly cause: Cause;
  readonly bonusType: number;
  readonly operation: number;
  readonly source: string;
  readonly relatedSequence: number | null;
  readonly isLifetime: boolean;
  readonly points: number;
  readonly amount: number;
}

const STEPS_MS = [0, 0, 1, 60_000, DAY_MS, 40 * DAY_MS];
const START_MS = Date.parse("2024-01-31T23:59:00Z");
const HISTORY = fc
  .array(
    fc.record({
      kind: fc.nat(KINDS.length - 1),
      step: fc.constantFrom(...STEPS_MS),
      points: fc.integer({ min: 1, max: 90 }),
      type: fc.integer({ min: 1, max: 5 }),
      earns: fc.boolean(),
      root: fc.option(fc.nat(40), { nil: null, freq: 3 }),
      takesBack: fc.boolean(),
    }),
    { minLength: 1, maxLength: 40 },
  )
  .map((all) => {
    const made: Made[] = [];
    let atMs = START_MS;
    for (const [i, { kind, step, points, type, earns, root, takesBack }] of all.entries()) {
      atMs += step;
      const at = { sequence: i + 1, atMs, amount: points % 7 };
      const [cause, operation] = KINDS[kind]!;
      const first = root === null ? undefined : made[root];
      if (first && first.relatedSequence === null && first.operation !== 5) {
        const { bonusType, isLifetime } = first;
        const related = { bonusType, isLifetime, relatedSequence: first.sequence };
        if (first.operation === 2) {
          made.push({ ...at, ...related, cause: "refund", operation: 4, source: "reward", points });
          continue;
        }
        const change = takesBack ? { operation: 6, points: -points } : { operation: 3, points };
        made.push({ ...at, ...related, ...change, cause: first.cause, source: "manual" });
        continue;
      }
      const isSpent = operation === 2 || operation === 5;
      made.push({
        ...at,
        cause,
        operation,
        source: SOURCE_OF[cause] ?? "manual",
        bonusType: cause === "bonus" ? type : 0,
        relatedSequence: null,
        isLifetime: operation === 1 || (operation === 3 && earns),
        points: isSpent ? -points : points,
      });
    }
    return made;
  });

const INSERT = {
  name: "test.made-records",
  text: `INSERT INTO records (user_id, sequence, id, application_id, source, submission_id, operation, status, health_points,
           carbon_points, bonus_points, other_points, total_points, green_products, healthy_products, co2e_mg, is_lifetime,
           related_id, body, rule, rule_inputs, catalogue_version, created_at)
         SELECT $1::uuid, sequence, id, $2::uuid, source, id, operation, 2, 0, CASE WHEN is_spent THEN 0 ELSE points END, 0,
           CASE WHEN is_spent THEN points ELSE 0 END, points, amount, amount + 1, amount * 1000, "isLifetime", root,
           CASE WHEN "bonusType" > 0 THEN jsonb_build_object('bonus', jsonb_build_object('type', "bonusType")) ELSE '{}' END,
           'test', '{}', 'test', to_timestamp("atMs" / 1000.0)
         FROM (
           SELECT made.*, points < 0 OR operation <> 1 AS is_spent, md5($1::text || '/' || sequence)::uuid AS id,
                  md5($1::text || '/' || "relatedSequence")::uuid AS root
           FROM jsonb_to_recordset($3) AS made (sequence bigint, "atMs" float8, operation smallint, source text,
             "relatedSequence" bigint, "isLifetime" boolean, points int, amount int, "bonusType" int)
         ) AS all_made`,
};
const COUNT = {
  name: "test.made-count",
  text: `UPDATE balances SET (records, last_record_id, last_record_at) =
    (SELECT sequence, id, created_at FROM records WHERE user_id = $1 ORDER BY sequence DESC LIMIT 1) WHERE user_id = $1`,
};

async function insert(userId: string, made: readonly Made[]): Promise<void> {
  await service.database.query(INSERT, [userId, client.applicationId, JSON.stringify(made)]);
  if (made.length > 0) await service.database.query(COUNT, [userId]);
}

/** The sums between cuts by segment, cause and type, without those of nothing. */
function sumsOf(made: readonly Made[], cutsMs: readonly number[]): Map<string, number[]> {
  const sums = new Map<string, number[]>();
  for (const { atMs, cause, bonusType, operation, source, isLifetime, points, amount } of made) {
    const segment = cutsMs.filter((cut) => cut <= atMs).length;
    if (segment === 0 || segment === cutsMs.length) continue;
    const carbon = operation === 1 ? points : 0;
    const isEvent = operation === 1 && source !== "manual";
    const values = [isEvent ? 1 : 0, isLifetime ? points : 0, points, carbon, amount, amount + 1, amount * 1_000];
    const key = `${segment} ${cause} ${bonusType}`;
    sums.set(
      key,
      values.map((value, i) => value + (sums.get(key)?.[i] ?? 0)),
    );
  }
  return sums;
}
function byKey(sums: readonly Sums[]): Map<string, number[]> {
  return new Map(
    sums.map(({ segment, cause, bonusType, ...of }) => [
      `${segment} ${cause} ${bonusType}`,
      [
        of.earningEvents,
        of.lifetimePoints,
        of.totalPoints,
        of.carbonPoints,
        of.greenProducts,
        of.healthyProducts,
        of.co2eMg,
      ],
    ]),
  );
}

/** The differences of one user. The histories are made up: a whole verification finds much else. */
async function differencesOf(userId: string, recordsAPart: number | null = null): Promise<string[]> {
  const { database } = service;
  const found: Difference[] = [];
  if (recordsAPart === null) {
    const above = "00000000-0000-0000-0000-000000000000";
    found.push(...(await RECORD_SUMS.find(database, { above, upTo: userId, seventh: null })));
  } else {
    for (let after = 0; after < 5 * recordsAPart; after += recordsAPart) {
      found.push(...(await RECORD_SUMS.findInPart!(database, { userId, after, upTo: after + recordsAPart })));
    }
  }
  return found.filter((difference) => difference.userId === userId).map(({ what }) => what);
}

test("sums between any times are those of all records, whatever blocks are kept, and the ledger agrees with the blocks", async () => {
  const cuts = fc.uniqueArray(fc.nat(60), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      HISTORY,
      cuts,
      fc.nat(40),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 7, max: 50 }),
      async (made, places, kept, recordsABlock, recordsAStep) => {
        const userId = await client.enrol();
        const last = made.at(-1)!.atMs;
        // At the time of a record, a moment after it, and at the ends of months.
        const times = [
          0,
          START_MS + 60_000,
          last + 1,
          ...made.flatMap(({ atMs }) => [atMs, atMs + 1, nextMonth(atMs)]),
        ];
        const cutsMs = [...new Set(places.map((place) => times[place % times.length]!))].toSorted((a, b) => a - b);
        if (cutsMs.length < 2) return;
        await insert(userId, made.slice(0, kept));
        while (await keepNext(service.database, userId, { recordsAStep, recordsABlock }));
        await insert(userId, made.slice(kept));
        const expected = sumsOf(made, cutsMs);
        const dates = cutsMs.map((ms) => new Date(ms));
        const read = async (recordsRead?: number) =>
          byKey(
            await sumsBetween(service.database, userId, dates, {
              recordsAStep,
              recordsABlock,
              untilMs: Infinity,
              ...(recordsRead !== undefined && { recordsRead }),
            }),
          );
        assert.deepEqual(sorted(await read()), sorted(expected));
        assert.deepEqual(sorted(await read(recordsABlock)), sorted(expected), "more blocks are kept");
      },
    ),
    { numRuns: 60 },
  );
  const all = { above: "00000000-0000-0000-0000-000000000000", upTo: "ffffffff-ffff-ffff-ffff-ffffffffffff" };
  assert.deepEqual(await RECORD_SUMS.find(service.database, { ...all, seventh: null }), []);
});

function nextMonth(ms: number): number {
  const at = new Date(ms);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
}
function sorted(sums: ReadonlyMap<string, number[]>): [string, number[]][] {
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

/** Foods of a user, one an hour. */
const foods = (count: number, startMs = START_MS): Made[] =>
  Array.from({ length: count }, (_, i) => ({
    sequence: i + 1,
    atMs: startMs + i * 3_600_000,
    cause: "food",
    bonusType: 0,
    operation: 1,
    source: "food",
    relatedSequence: null,
    isLifetime: true,
    points: 3,
    amount: 2,
  }));

test("changed sums, and blocks that leave out records or have none, are differences", async () => {
  const userId = await client.enrol();
  await insert(userId, foods(40));
  const change = (text: string) => service.database.pool.query(text, [userId]);
  const wrong = (first: number, last: number) =>
    `the sums that are kept of records ${first} to ${last} are not those of the records`;
  for (const recordsAPart of [9, null]) {
    for (const [changed, what] of [
      ["UPDATE record_sums SET co2e_mg = co2e_mg + 1 WHERE user_id = $1 AND last_sequence = 11", wrong(2, 11)],
      ["UPDATE record_sums SET cause = 'meal' WHERE user_id = $1 AND last_sequence = 21", wrong(12, 21)],
      ["UPDATE record_sums SET oldest_related = 1 WHERE user_id = $1 AND last_sequence = 21", wrong(12, 21)],
      ["DELETE FROM record_sums WHERE user_id = $1 AND last_sequence = 11", wrong(12, 21)],
      ["UPDATE record_sums SET last_sequence = 41 WHERE user_id = $1 AND last_sequence = 31", wrong(22, 41)],
    ] as const) {
      while (await keepNext(service.database, userId, { recordsAStep: 25, recordsABlock: 10 }));
      assert.deepEqual(await differencesOf(userId, recordsAPart), []);
      await change(changed);
      assert.deepEqual(await differencesOf(userId, recordsAPart), [what], changed);
      await change("DELETE FROM record_sums WHERE user_id = $1");
    }
  }
});

test("of a user with 30,000 records each request reads a bounded number, and soon few; an erasure leaves no sums", async () => {
  const userId = await client.enrol();
  const startMs = Math.floor(service.now().getTime() / DAY_MS) * DAY_MS - 1_250 * DAY_MS;
  await insert(userId, foods(30_000, startMs));
  await service.database.pool.query("ANALYZE records");
  const readBy = (work: (tx: Tx) => Promise<unknown>) => recordsReadBy(service.database, work);
  const now = service.now();
  const monthsAgo = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  const cuts = Array.from({ length: 26 }, (_, month) => monthsAgo(24 - month));
  cuts.splice(13, 0, new Date(cuts[12]!.getTime() + 12.6 * DAY_MS));
  const isOver = { untilMs: 0 };
  let requests = 0;
  for (let isReady = false; !isReady; requests++) {
    const read = await readBy(async (tx) => {
      const outcome = await sumsBetween(tx, userId, cuts, isOver).catch((error: unknown) => error);
      isReady = Array.isArray(outcome);
      if (!isReady) assert.equal((outcome as { problem?: string }).problem, "unavailable");
    });
    assert.ok(read <= 4_700, `${read} rows in request ${requests}`);
  }
  const read = await readBy((tx) => sumsBetween(tx, userId, cuts, isOver));
  assert.ok(read <= 2_700, `${read} rows`);
  assert.ok(requests <= 9, `${requests} requests until all is added up`);
  const deps = { database: service.database, log: pino({ level: "silent" }) };
  assert.equal(await keepSums(deps, new AbortController().signal), 0, "nothing is left to the nightly job");
  assert.deepEqual(await differencesOf(userId), []);
  await service.erase(userId);
  assert.equal((await service.database.pool.query("SELECT FROM record_sums WHERE user_id = $1", [userId])).rowCount, 0);
  assert.equal(await keepNext(service.database, userId), false, "nothing is kept of an erased user");
});

test("the nightly job keeps the sums of users with many records, also twice at once", async () => {
  const many = await Promise.all(Array.from({ length: 3 }, () => client.enrol()));
  const few = await client.enrol();
  for (const userId of [...many, few]) {
    const made = foods(userId === few ? 1_900 : 4_100);
    await insert(userId, made);
  }
  const deps = { database: service.database, log: pino({ level: "silent" }) };
  const runs = await Promise.all([1, 2].map(() => keepSums(deps, new AbortController().signal)));
  assert.ok(Math.max(...runs) >= 3);
  for (const userId of many) {
    const { rows } = await service.database.pool.query<{ last: number }>(
      "SELECT max(last_sequence)::int AS last FROM record_sums WHERE user_id = $1",
      [userId],
    );
    assert.ok(rows[0]!.last > 3_500);
    assert.deepEqual(await differencesOf(userId), []);
  }
  const kept = await service.database.pool.query("SELECT FROM record_sums WHERE user_id = $1", [few]);
  assert.equal(kept.rowCount, 0, "few records are read as they are");
});
