import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { rollback } from "../src/postgres/rollback.ts";
import type { Tx } from "../src/postgres/postgres.ts";
import { setPointsSettings } from "../src/points/settings/store.ts";
import { DEFAULT_POINTS_SETTINGS } from "../src/points/settings/settings.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import type { Difference } from "../src/points/verification/check.ts";
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
  /** Redemptions: of a made code that was used, of a code of a pool, with a stock, reserved, refunded. */
  readonly used: string;
  readonly pooled: string;
  readonly stocked: string;
  readonly reserved: string;
  readonly refunded: string;
  readonly refund: string;
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

/** A user with meals, adjustments and redemptions, some of them taken back whole or in part. */
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
  const redemptions = await redemptionsOf({ userId, call, done });
  await setPointsSettings(
    service.database,
    applicationId,
    { ...DEFAULT_POINTS_SETTINGS, reversalOverdraws: false },
    new Date(),
  );
  const [meal, reversedMeal] = [meals[0]!.id, meals[1]!.id];
  return { userId, meal, reversedMeal, gift: gift.id, itemReversal: itemReversal.id, ...redemptions };
}

async function redemptionsOf({
  userId,
  call,
  done,
}: Pick<Client, "call"> & {
  readonly userId: string;
  readonly done: (path: string, body: object) => Promise<{ id: string; reward: { code: string } }>;
}): Promise<Pick<Person, "used" | "pooled" | "stocked" | "reserved" | "refunded" | "refund">> {
  const add = async (terms: object): Promise<string> =>
    (await call("POST", "/rewards", { name: "A free coffee", points: 2, ...terms })).json().reward.id;
  const [made, pool, stock] = [await add({ codes: "made" }), await add({ codes: "pool" }), await add({ stock: 9 })];
  await call("POST", `/rewards/${pool}/codes`, { codes: ["BAR-1", "BAR-2", "BAR-3"] });
  const redeem = (rewardId: string, more: object = {}) =>
    done(`/users/${userId}/redemptions`, { rewardId, reference: randomUUID(), ...more });
  const used = await redeem(made);
  await call("POST", `/vouchers/${used.reward.code}/use`, { till: "till 1", reference: "sale 1" });
  const refunded = await redeem(pool);
  const refund = await done(`/users/${userId}/redemptions/${refunded.id}/refund`, { reason: "Not wanted" });
  const [pooled, stocked] = [await redeem(pool), await redeem(stock)];
  const reserved = await redeem(stock, { reserve: true });
  // A stock that is changed, and one that is without limit for a time.
  for (const left of [20, null, 5]) await call("PATCH", `/rewards/${stock}`, { stock: left });
  const ids = { used, pooled, stocked, reserved, refunded, refund };
  return Object.fromEntries(Object.entries(ids).map(([name, { id }]) => [name, id])) as Record<
    keyof typeof ids,
    string
  >;
}

/** What a verification finds after some SQL, which is undone. */
async function foundAfter(...sql: readonly string[]): Promise<readonly Difference[]> {
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
  ...["record", "used", "hold"].map((name) => `ALTER TABLE redemptions DROP CONSTRAINT redemptions_${name}`),
  ...["free", "holder"].map((name) => `ALTER TABLE voucher_codes DROP CONSTRAINT voucher_codes_${name}`),
  "ALTER TABLE receipt_corrections DROP CONSTRAINT receipt_corrections_receipt",
  "ALTER TABLE receipt_corrections DROP CONSTRAINT receipt_corrections_record",
];

const UNKNOWN = "00000000-0000-7000-8000-000000000000";
/** Tamperings by name: SQL, and what must be found. Balances are adapted wherever that would hide them. */
const TAMPERINGS: Record<
  string,
  (ids: { mine: Person; theirs: Person }) => { sql: readonly string[]; what: RegExp; isOfNone?: true }
> = {
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

/** The redemption of a record. */
const of = (recordId: string) => `record_id = '${recordId}'`;
const codeOf = (recordId: string) => `code = (SELECT code FROM redemptions WHERE ${of(recordId)})
  AND application_id = (SELECT application_id FROM redemptions WHERE ${of(recordId)})`;
const rewardOf = (recordId: string) => `id = (SELECT reward_id FROM redemptions WHERE ${of(recordId)})`;

const TAMPERINGS_OF_REWARDS: typeof TAMPERINGS = {
  "a redemption removed": ({ mine }) => ({
    sql: [`DELETE FROM redemptions WHERE ${of(mine.used)}`],
    what: /^5 records of redemptions, and 4 redemptions$/,
  }),
  "a redemption of no record": ({ mine }) => ({
    sql: [`UPDATE redemptions SET record_id = '${UNKNOWN}' WHERE ${of(mine.used)}`],
    what: /^redemption .*: its record is not one of this user/,
  }),
  "a redemption with the record of another": ({ mine }) => ({
    sql: [`UPDATE redemptions SET record_id = '${mine.pooled}' WHERE ${of(mine.used)}`],
    what: /^redemption .*: its record is not its own/,
  }),
  "a redemption of another application": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET application_id = (SELECT id FROM applications WHERE id <> application_id LIMIT 1)
         WHERE ${of(mine.stocked)}`,
    ],
    what: /^redemption .*: its record is not its own/,
  }),
  "a reservation that was completed without its record": ({ mine }) => ({
    sql: [`UPDATE redemptions SET state = 'completed' WHERE ${of(mine.reserved)}`],
    what: /its state is not that of its record/,
  }),
  "a refunded redemption made usable again": ({ mine }) => ({
    sql: [`UPDATE redemptions SET state = 'completed' WHERE ${of(mine.refunded)}`],
    what: /its state is not that of its record/,
  }),
  "a refund whose redemption did not end": ({ mine }) => ({
    sql: [`DELETE FROM record_changes WHERE ${of(mine.refunded)}`],
    what: /gives points back, and its redemption did not end/,
  }),
  "a redemption that is reserved afterwards": ({ mine }) => ({
    sql: [`UPDATE redemptions SET hold_until = now() WHERE ${of(mine.stocked)}`],
    what: /reserved, or not, against its record/,
  }),
  "a voucher used that was refunded": ({ mine }) => ({
    sql: [`UPDATE redemptions SET used_at = now(), used_till = 'till 2' WHERE ${of(mine.refunded)}`],
    what: /used, and not completed/,
  }),
  "a redemption used that has no code": ({ mine }) => ({
    sql: [`UPDATE redemptions SET used_at = now(), used_till = 'till 2' WHERE ${of(mine.stocked)}`],
    what: /used without a code or a till/,
  }),
  "a used voucher that can be used again": ({ mine }) => ({
    sql: [`UPDATE redemptions SET used_at = NULL WHERE ${of(mine.used)}`],
    what: /used without a code or a till/,
  }),
  "a code given to two redemptions": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET code = (SELECT code FROM redemptions WHERE ${of(mine.pooled)}) WHERE ${of(mine.used)}`,
    ],
    what: /its code is held by another, or void/,
  }),
  "a given code made void": ({ mine }) => ({
    sql: [`UPDATE voucher_codes SET user_id = NULL, redemption_id = NULL WHERE ${codeOf(mine.pooled)}`],
    what: /its code is held by another, or void/,
  }),
  "a given code put back into its pool": ({ mine }) => ({
    sql: [`UPDATE voucher_codes SET is_free = true WHERE ${codeOf(mine.pooled)}`],
    what: /^code in place .*: free, and it has a holder or no pool/,
  }),
  "a code of no redemption": ({ mine }) => ({
    sql: [`UPDATE voucher_codes SET redemption_id = '${UNKNOWN}' WHERE ${codeOf(mine.pooled)}`],
    what: /^code in place .*: its holder has no such redemption/,
  }),
  "a second code for a redemption": ({ mine }) => ({
    sql: [
      `UPDATE voucher_codes AS second SET user_id = first.user_id, redemption_id = first.redemption_id, is_free = false
         FROM voucher_codes AS first WHERE first.${codeOf(mine.pooled).replace("application_id =", "first.application_id =")}
           AND second.reward_id = first.reward_id AND second.is_free`,
    ],
    what: /^code in place .*: its redemption has another code/,
  }),
  "a code kept by a redemption that has ended": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET state = 'refunded' WHERE ${of(mine.pooled)}`,
      `INSERT INTO record_changes VALUES ('${mine.userId}', '${mine.pooled}', 4, now())`,
    ],
    what: /^code in place .*: of a pool, and its redemption has ended/,
  }),
  "a code from the pool of another reward": ({ mine }) => ({
    sql: [
      `UPDATE voucher_codes SET reward_id = (SELECT id FROM rewards WHERE stock IS NOT NULL LIMIT 1)
         WHERE ${codeOf(mine.pooled)}`,
    ],
    what: /^code in place .*: of the pool of another reward/,
  }),
  "a stock filled up by hand": ({ mine }) => ({
    sql: [`UPDATE rewards SET stock = stock + 10 WHERE ${rewardOf(mine.stocked)}`],
    what: /^reward .*: what is left and what was taken are not its stock$/,
    isOfNone: true,
  }),
  "a redemption that did not take from the stock": ({ mine }) => ({
    sql: [`UPDATE redemptions SET took_stock = false WHERE ${of(mine.stocked)}`],
    what: /^reward .*: what is left and what was taken are not its stock$/,
    isOfNone: true,
  }),
  "a stock taken from and no reward": ({ mine }) => ({
    sql: [`UPDATE redemptions SET reward_id = NULL WHERE ${of(mine.stocked)}`],
    what: /took from a stock, and has no reward/,
  }),
  "a number of free codes changed": ({ mine }) => ({
    sql: [`UPDATE rewards SET free_codes = free_codes + 1 WHERE ${rewardOf(mine.pooled)}`],
    what: /^reward .*: not the number of its free codes$/,
    isOfNone: true,
  }),
  "a code removed": ({ mine }) => ({
    sql: [
      `DELETE FROM voucher_codes WHERE is_free AND reward_id = (SELECT reward_id FROM redemptions WHERE ${of(mine.pooled)})`,
    ],
    what: /^reward .*: not the number of its free codes, not the number of its loaded codes$/,
    isOfNone: true,
  }),
  "a redemption that cost less than its reward": ({ mine }) => ({
    sql: [
      `UPDATE records SET total_points = -1, other_points = -1 WHERE id = '${mine.used}'`,
      `UPDATE balances SET available_points = available_points + 1 WHERE user_id = '${mine.userId}'`,
    ],
    what: /its points are not the price of its reward/,
  }),
  "a redemption of another reward": ({ mine }) => ({
    sql: [
      `UPDATE redemptions SET reward_id = (SELECT reward_id FROM redemptions WHERE ${of(mine.pooled)}) WHERE ${of(mine.used)}`,
    ],
    what: /its record shows another reward/,
  }),
  "a reference of a redemption released": ({ mine }) => ({
    sql: [`DELETE FROM record_references WHERE ${of(mine.used)}`],
    what: /its reference is not noted as used/,
  }),
};

/** A correction, as of a receipt, with the last record of the user: an adjustment of -10 with the meal as its award. */
const corrected = ({ userId, meal }: Person, { points = -10, number = 1 } = {}) => [
  `UPDATE records SET source = 'receipt' WHERE id = '${meal}'`,
  `UPDATE records SET related_id = '${meal}', is_lifetime = true, rule_inputs = '{"correction": {}}'
     WHERE user_id = '${userId}' AND body ->> 'reference' LIKE 'spent %'`,
  `UPDATE balances SET lifetime_points = lifetime_points - 10 WHERE user_id = '${userId}'`,
  `INSERT INTO receipt_corrections
     SELECT user_id, (SELECT submission_id FROM records WHERE id = '${meal}'), ${number}, submission_id, 'Misread', '{}', '{}',
            id, ${points}, now() FROM records WHERE user_id = '${userId}' AND body ->> 'reference' LIKE 'spent %'`,
];
const expired = ({ userId }: Person, points: number) => [
  // The last record of the user: an adjustment of -10.
  `UPDATE records SET operation = 5, is_lifetime = false, other_points = -${points}, total_points = -${points}
     WHERE user_id = '${userId}' AND body ->> 'reference' LIKE 'spent %'`,
  `UPDATE balances SET available_points = available_points + 10 - ${points} WHERE user_id = '${userId}'`,
  `DELETE FROM record_references WHERE user_id = '${userId}' AND reference LIKE 'spent %'`,
];

const TAMPERINGS_OF_OTHERS: typeof TAMPERINGS = {
  "a correction of another receipt": ({ mine }) => ({
    sql: [...corrected(mine), `UPDATE receipt_corrections SET receipt_id = '${UNKNOWN}'`],
    what: /^correction .*: its record corrects another receipt/,
  }),
  "a correction of no record": ({ mine }) => ({
    sql: [...corrected(mine), `UPDATE receipt_corrections SET record_id = '${UNKNOWN}'`],
    what: /^correction .*: its record is not one of this user/,
  }),
  "a correction with the record of another": ({ mine }) => ({
    sql: [...corrected(mine), `UPDATE receipt_corrections SET id = '${UNKNOWN}'`],
    what: /^correction .*: its record is not its own/,
  }),
  "a correction of other points": ({ mine }) => ({
    sql: corrected(mine, { points: -9 }),
    what: /^correction .*: its points are not those of its record/,
  }),
  "a correction whose earlier one was removed": ({ mine }) => ({
    sql: corrected(mine, { number: 2 }),
    what: /^correction .*: an earlier one is missing/,
  }),
  "a correction removed": ({ mine }) => ({
    sql: [...corrected(mine), "DELETE FROM receipt_corrections"],
    what: /corrects a receipt that has no such correction/,
  }),
  "points that expired within a month": ({ mine }) => ({
    sql: expired(mine, 10),
    what: /more expires than was there long enough/,
  }),
};

test("a sound correction and a sound expiry are no difference", async () => {
  assert.deepEqual(
    (await foundAfter(...UNGUARDED, ...corrected(person))).filter(({ what }) => /correct/.test(what)),
    [],
  );
  const old = `UPDATE records SET created_at = created_at - interval '40 days'
    WHERE user_id = '${person.userId}' AND sequence < (SELECT sequence FROM records AS last
      WHERE last.user_id = '${person.userId}' AND body ->> 'reference' LIKE 'spent %')`;
  assert.deepEqual(await foundAfter(...UNGUARDED, ...expired(person, 10), old), []);
});

test("each kind of tampering is found: in the balance or the record, the redemption, the code, the reward or the correction", async () => {
  assert.deepEqual(await foundAfter(...UNGUARDED), []);
  const missed: Record<string, unknown> = {};
  for (const [name, tampering] of Object.entries({
    ...TAMPERINGS,
    ...TAMPERINGS_OF_REWARDS,
    ...TAMPERINGS_OF_OTHERS,
  })) {
    const { sql, what, isOfNone = false } = tampering({ mine: person, theirs: other });
    const found = await foundAfter(...UNGUARDED, ...sql);
    const about = isOfNone ? null : person.userId;
    const isFound = found.some((difference) => difference.userId === about && what.test(difference.what));
    if (!isFound || found.some(({ userId }) => userId !== null && userId !== person.userId)) missed[name] = found;
  }
  assert.deepEqual(missed, {});
  assert.deepEqual((await verifyLedger(service.database)).differences, []);
});
