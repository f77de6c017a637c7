import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { rollback } from "../src/postgres/rollback.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { startService } from "./support/service.ts";
import type { Client, TestService } from "./support/service.ts";

/** A user with records of each kind. */
interface Person {
  readonly userId: string;
  /** Ids of records by what they are. */
  readonly meal: string;
  readonly reversedMeal: string;
  readonly gift: string;
  readonly itemReversal: string;
}

let service: TestService;
let client: Client;
let person: Person;
let other: Person;
before(async () => {
  service = await startService();
  client = await service.newClient({ isSandbox: true });
  person = await personOf(client);
  other = await personOf(await service.newClient({ isSandbox: true }));
});
after(() => service.close());

/** A user with three meals, one taken back whole and one in part, and two adjustments, one of them taken back. */
async function personOf({ applicationId, enrol, call }: Client): Promise<Person> {
  const userId = await enrol();
  const done = async (path: string, body: object) => {
    const response = await call("POST", path, body);
    assert.ok(response.statusCode < 300, response.body);
    return response.json().transaction;
  };
  const adjust = (points: number, reference: string) =>
    done(`/users/${userId}/adjustments`, { points, reason: "Gift", reference: `${reference} ${userId}` });
  const reverse = (id: string, items?: string[]) =>
    done(`/users/${userId}/transactions/${id}/reversal`, { reason: "Returned", items });
  const meals: { id: string; transaction: { items: { id: string }[] } }[] = [];
  for (const number of [1, 2, 3]) {
    const accepted = await call("POST", "/track/meals", {
      userId,
      transactionId: `meal ${number}`,
      mealName: "Porridge with banana",
      imageUrl: "https://example.org/a.jpg",
      loggedAt: new Date(service.clock.ms).toISOString(),
      mealType: "breakfast",
      ingredients: [
        { foodId: "1", name: "Porridge oats", weight: 100, unit: "g" },
        { foodId: "2", name: "Banana", weight: 100, unit: "g" },
      ],
    });
    assert.equal(accepted.statusCode, 202);
    for (let found = meals[number - 1]; !found; found = meals[number - 1]) {
      meals.splice(0, 3, ...(await call("GET", `/users/${userId}/transactions`)).json().transactions.toReversed());
    }
  }
  const gift = await adjust(50, "gift");
  const mistake = await adjust(20, "mistake");
  await reverse(mistake.id);
  await reverse(meals[1]!.id);
  const itemReversal = await reverse(meals[2]!.id, [meals[2]!.transaction.items[0]!.id]);
  // What is spent already is waived, by a setting.
  const spent = await adjust(-10, "spent");
  assert.ok(spent.id);
  await setPointsSettings(
    service.database,
    applicationId,
    { ...DEFAULT_POINTS_SETTINGS, reversalOverdraws: false },
    new Date(),
  );
  return { userId, meal: meals[0]!.id, reversedMeal: meals[1]!.id, gift: gift.id, itemReversal: itemReversal.id };
}

/** What a verification finds after some SQL, which is undone. */
async function foundAfter(...sql: readonly string[]): Promise<readonly { userId: string; what: string }[]> {
  return service.database.tx(async (tx) => {
    for (const text of sql) await run(tx, text);
    return rollback((await verifyLedger(tx)).differences);
  });
}

const run = (tx: Tx, text: string) => tx.query({ name: "", text });

/** The columns of a balance, with their names in a report. */
const BALANCE = {
  records: "number of records",
  other_records: "numOfTransactions",
  lifetime_points: "lifetimePoints",
  available_points: "availablePoints",
  carbon_points: "totalCarbonScore",
  green_products: "totalGreenProducts",
};

test("a member of a balance that was changed by hand is reported by its name, and no other", async () => {
  const { userId } = person;
  for (const [column, member] of Object.entries(BALANCE)) {
    assert.deepEqual(await foundAfter(`UPDATE balances SET ${column} = ${column} + 1000 WHERE user_id = '${userId}'`), [
      { userId, what: `${member} not equal to the records` },
    ]);
  }
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});

test("every column of a balance that counts something is verified", async () => {
  const { rows } = await service.database.pool.query<{ column: string }>(
    `SELECT column_name AS column FROM information_schema.columns
     WHERE table_name = 'balances' AND data_type IN ('bigint', 'integer', 'numeric')`,
  );
  assert.deepEqual(rows.map(({ column }) => column).toSorted(), Object.keys(BALANCE).toSorted());
});

/** What refuses tampering in the tables themselves: someone who may write to them can also remove it. */
const UNGUARDED = [
  ...["records_operation", "records_total"].map((name) => `ALTER TABLE records DROP CONSTRAINT ${name}`),
  ...["balances_available"].map((name) => `ALTER TABLE balances DROP CONSTRAINT ${name}`),
  "ALTER TABLE record_changes DROP CONSTRAINT record_changes_record",
  "ALTER TABLE record_references DROP CONSTRAINT record_references_record",
];

const UNKNOWN = "00000000-0000-7000-8000-000000000000";
/** Tamperings by name: SQL, and what must be found. Balances are adapted wherever that would hide them. */
const TAMPERINGS: Record<string, (ids: { mine: Person; theirs: Person }) => { sql: readonly string[]; what: RegExp }> =
  {
    "the points of a record changed": ({ mine }) => ({
      sql: [
        `UPDATE records SET health_points = health_points + 5, total_points = total_points + 5 WHERE id = '${mine.meal}'`,
      ],
      what: /^lifetimePoints, availablePoints not equal to the records$/,
    }),
    "the points of a record changed with its balance": ({ mine }) => ({
      sql: [
        `UPDATE records SET health_points = health_points + 5, total_points = total_points + 5 WHERE id = '${mine.meal}'`,
        `UPDATE balances SET available_points = available_points + 5, lifetime_points = lifetime_points + 5
       WHERE user_id = '${mine.userId}'`,
      ],
      what: /its items do not sum up to it/,
    }),
    "the points of an item changed": ({ mine }) => ({
      sql: [`UPDATE records SET body = jsonb_set(body, '{items,0,healthPoints}', '99') WHERE id = '${mine.meal}'`],
      what: /its items do not sum up to it/,
    }),
    "the content of a record removed without an erasure": ({ mine }) => ({
      sql: [`UPDATE records SET body = '{}' WHERE id = '${mine.meal}'`],
      what: /its content is missing/,
    }),
    "points that are not the sum of their parts": ({ mine }) => ({
      sql: [
        `UPDATE records SET total_points = total_points + 5 WHERE id = '${mine.gift}'`,
        `UPDATE balances SET available_points = available_points + 5 WHERE user_id = '${mine.userId}'`,
      ],
      what: /points not the sum of their parts/,
    }),
    "a record removed": ({ mine }) => ({
      sql: [`DELETE FROM records WHERE id = '${mine.meal}'`],
      what: /number of records, gapless sequence/,
    }),
    "a record removed with its share of the balance": ({ mine }) => ({
      sql: [
        `UPDATE balances SET records = balances.records - 1, available_points = available_points - total_points,
         lifetime_points = lifetime_points - total_points, carbon_points = balances.carbon_points - records.carbon_points,
         green_products = balances.green_products - records.green_products
       FROM records WHERE records.user_id = balances.user_id AND records.id = '${mine.meal}'`,
        `DELETE FROM records WHERE id = '${mine.meal}'`,
      ],
      what: /^gapless sequence not equal to the records$/,
    }),
    "a record added beside the balance": ({ mine }) => ({
      sql: [
        `INSERT INTO records SELECT (jsonb_populate_record(records, jsonb_build_object('id', '${UNKNOWN}',
         'sequence', 1000, 'submission_id', '${UNKNOWN}'))).* FROM records WHERE id = '${mine.meal}'`,
      ],
      what: /number of records, gapless sequence, lifetimePoints, availablePoints/,
    }),
    "a record of another application": ({ mine }) => ({
      sql: [
        `UPDATE records SET application_id = (SELECT id FROM applications WHERE id <> application_id LIMIT 1)
           WHERE id = '${mine.meal}'`,
      ],
      what: /a record is of another application than the user/,
    }),
    "times that do not ascend": ({ mine }) => ({
      sql: [`UPDATE records SET created_at = created_at + interval '1 year' WHERE id = '${mine.meal}'`],
      what: /id or time not after the record before/,
    }),
    "ids that do not ascend": ({ mine }) => ({
      sql: [`UPDATE records SET id = 'ffffffff-0000-7000-8000-000000000000' WHERE id = '${mine.meal}'`],
      what: /id or time not after the record before/,
    }),
    "a record that no longer counts as earned": ({ mine }) => ({
      sql: [
        `UPDATE records SET is_lifetime = false WHERE id = '${mine.meal}'`,
        `UPDATE balances SET lifetime_points = lifetime_points - total_points FROM records
       WHERE records.user_id = balances.user_id AND records.id = '${mine.meal}'`,
      ],
      what: /against the rules of its operation/,
    }),
    "a reversal that no longer counts as earned": ({ mine }) => ({
      sql: [
        `UPDATE records SET is_lifetime = false WHERE id = '${mine.itemReversal}'`,
        `UPDATE balances SET lifetime_points = lifetime_points - total_points FROM records
       WHERE records.user_id = balances.user_id AND records.id = '${mine.itemReversal}'`,
      ],
      what: /does not count in lifetimePoints as its related record does/,
    }),
    "points without a rating on an award": ({ mine }) => ({
      sql: [
        `UPDATE records SET other_points = 5, total_points = total_points + 5 WHERE id = '${mine.meal}'`,
        `UPDATE balances SET available_points = available_points + 5, lifetime_points = lifetime_points + 5
       WHERE user_id = '${mine.userId}'`,
      ],
      what: /against the rules of its operation/,
    }),
    "an operation that there is not": ({ mine }) => ({
      sql: [`UPDATE records SET operation = 9 WHERE id = '${mine.gift}'`],
      what: /against the rules of its operation/,
    }),
    "a status that a record cannot begin with": ({ mine }) => ({
      sql: [`UPDATE records SET status = 4 WHERE id = '${mine.meal}'`],
      what: /a status that it cannot begin with/,
    }),
    "reversed without a reversal": ({ mine }) => ({
      sql: [`INSERT INTO record_changes VALUES ('${mine.userId}', '${mine.meal}', 4, now())`],
      what: /reversed without a reversal/,
    }),
    "reversed in part, marked as a whole": ({ mine }) => ({
      sql: [
        `INSERT INTO record_changes SELECT user_id, related_id, 4, now() FROM records WHERE id = '${mine.itemReversal}'`,
      ],
      what: /reversed, and an item is left/,
    }),
    "reversed, and the status removed": ({ mine }) => ({
      sql: [`DELETE FROM record_changes WHERE record_id = '${mine.reversedMeal}'`],
      what: /nothing is left, and it is not reversed/,
    }),
    "both completed and failed": ({ mine }) => ({
      sql: [
        `UPDATE records SET operation = 2, status = 1, total_points = -1, other_points = -1 WHERE id = '${mine.gift}'`,
        `INSERT INTO record_changes SELECT '${mine.userId}', '${mine.gift}', status, now() FROM generate_series(2, 3) AS status`,
      ],
      what: /a status that its earlier one excludes/,
    }),
    "a status out of order": ({ mine }) => ({
      sql: [`INSERT INTO record_changes VALUES ('${mine.userId}', '${mine.meal}', 3, now())`],
      what: /a status that its earlier one excludes/,
    }),
    "a redemption that failed and was not refunded": ({ mine }) => ({
      sql: [
        `UPDATE records SET operation = 2, status = 1, total_points = -1, other_points = -1 WHERE id = '${mine.gift}'`,
        `INSERT INTO record_changes VALUES ('${mine.userId}', '${mine.gift}', 3, now())`,
      ],
      what: /ended without a refund/,
    }),
    "a status of no record": ({ mine }) => ({
      sql: [`INSERT INTO record_changes VALUES ('${mine.userId}', '${UNKNOWN}', 4, now())`],
      what: /has a status and is not one of this user/,
    }),
    "a reversal of more than its record gave": ({ mine }) => ({
      sql: [`UPDATE records SET health_points = health_points - 1000 WHERE id = '${mine.itemReversal}'`],
      what: /more is taken back than it gave/,
    }),
    "an item taken back twice": ({ mine }) => ({
      sql: [
        `UPDATE records AS reversal SET body = reversal.body || jsonb_build_object('items', reversal.body -> 'items' ||
         (reversal.body -> 'items')) WHERE id = '${mine.itemReversal}'`,
      ],
      what: /an item is taken back twice/,
    }),
    "an item taken back that the record does not have": ({ mine }) => ({
      sql: [`UPDATE records SET body = jsonb_set(body, '{items,0,id}', '"x"') WHERE id = '${mine.itemReversal}'`],
      what: /an item is taken back that it does not have/,
    }),
    "a reversal that leaves points that were not spent": ({ mine }) => ({
      sql: [
        `UPDATE records SET other_points = 5, total_points = total_points + 5 WHERE id = '${mine.itemReversal}'`,
        `UPDATE balances SET available_points = available_points + 5, lifetime_points = lifetime_points + 5
       WHERE user_id = '${mine.userId}'`,
      ],
      what: /leaves points that were not spent/,
    }),
    "a refund of more than its redemption": ({ mine }) => ({
      sql: [
        `UPDATE records SET operation = 2, total_points = -10, other_points = -10 WHERE id = '${mine.gift}'`,
        `UPDATE records SET operation = 4, total_points = 11, other_points = 11, related_id = '${mine.gift}'
       WHERE user_id = '${mine.userId}' AND sequence = 5`,
      ],
      what: /its refunds exceed it/,
    }),
    "a record related to another user's": ({ mine, theirs }) => ({
      sql: [`UPDATE records SET related_id = '${theirs.meal}' WHERE id = '${mine.itemReversal}'`],
      what: /its related record is not one of this user/,
    }),
    "a record related to none": ({ mine }) => ({
      sql: [`UPDATE records SET related_id = '${UNKNOWN}' WHERE id = '${mine.itemReversal}'`],
      what: /its related record is not one of this user/,
    }),
    "a reversal of a record after it": ({ mine }) => ({
      sql: [`UPDATE records SET related_id = id WHERE id = '${mine.itemReversal}'`],
      what: /not after its related record/,
    }),
    "a reference of another record": ({ mine }) => ({
      sql: [`UPDATE record_references SET record_id = '${mine.meal}' WHERE record_id = '${mine.gift}'`],
      what: /^reference of record .*: not the one of the record/,
    }),
    "a reference of no record": ({ mine }) => ({
      sql: [`UPDATE record_references SET record_id = '${UNKNOWN}' WHERE record_id = '${mine.gift}'`],
      what: /^reference of record .*: not one of this user/,
    }),
    "a reference of another application": ({ mine }) => ({
      sql: [
        `UPDATE record_references SET application_id = (SELECT id FROM applications WHERE id <> application_id LIMIT 1)
       WHERE record_id = '${mine.gift}'`,
      ],
      what: /^reference of record .*: of another application/,
    }),
    "a reference released": ({ mine }) => ({
      sql: [`DELETE FROM record_references WHERE record_id = '${mine.gift}'`],
      what: /its reference is not noted as used/,
    }),
    "the mark of an overdrawn balance": ({ mine }) => ({
      sql: [`UPDATE balances SET is_overdrawn = true WHERE user_id = '${mine.userId}'`],
      what: /^overdrawn not equal to the records$/,
    }),
    "an adjustment that spends more than there was": ({ mine }) => ({
      sql: [
        `UPDATE records SET other_points = -5000, total_points = -5000 WHERE id = '${mine.gift}'`,
        `UPDATE balances SET available_points = available_points - 5050, is_overdrawn = true
       WHERE user_id = '${mine.userId}'`,
      ],
      what: /spends more than there was/,
    }),
  };

test("each kind of tampering with records, statuses and references is found, in the balance or in the record", async () => {
  assert.deepEqual(await foundAfter(...UNGUARDED), []);
  const missed: Record<string, unknown> = {};
  for (const [name, tampering] of Object.entries(TAMPERINGS)) {
    const { sql, what } = tampering({ mine: person, theirs: other });
    const found = await foundAfter(...UNGUARDED, ...sql);
    const isFound = found.some((difference) => difference.userId === person.userId && what.test(difference.what));
    if (!isFound || found.some(({ userId }) => userId !== person.userId)) missed[name] = found;
  }
  assert.deepEqual(missed, {});
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});
