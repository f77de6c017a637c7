// Changes by hand to records, balances, statuses and references: a verification of the ledger must find them.

/** A user with records of each kind. */
export interface Person {
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

/** SQL that tampers, and what must be found. It adapts balances, unless their sums are what is tested. */
export interface Tampering {
  readonly sql: readonly string[];
  readonly what: RegExp;
  /** It is found in what belongs to no user. */
  readonly isOfNone?: true;
}

/** Tamperings by name, with the records of one user, or of two. */
export type Tamperings = Readonly<Record<string, (ids: { mine: Person; theirs: Person }) => Tampering>>;

/** What refuses tampering in the tables themselves: someone who may write to them can also remove it. */
export const UNGUARDED = [
  ...["records_operation", "records_total", "records_one_body"].map(
    (name) => `ALTER TABLE records DROP CONSTRAINT ${name}`,
  ),
  "ALTER TABLE balances DROP CONSTRAINT balances_available",
  "ALTER TABLE record_changes DROP CONSTRAINT record_changes_record",
  "ALTER TABLE record_references DROP CONSTRAINT record_references_record",
  ...["record", "used", "hold"].map((name) => `ALTER TABLE redemptions DROP CONSTRAINT redemptions_${name}`),
  ...["free", "holder"].map((name) => `ALTER TABLE voucher_codes DROP CONSTRAINT voucher_codes_${name}`),
  "ALTER TABLE receipt_corrections DROP CONSTRAINT receipt_corrections_receipt",
  "ALTER TABLE receipt_corrections DROP CONSTRAINT receipt_corrections_record",
];

/** An id of nothing. */
export const UNKNOWN = "00000000-0000-7000-8000-000000000000";

export const TAMPERINGS_OF_RECORDS: Tamperings = {
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
    sql: [
      `UPDATE records SET body = jsonb_set(body, '{items,0,healthPoints}', '-99') WHERE id = '${mine.itemReversal}'`,
    ],
    what: /its items do not sum up to it/,
  }),
  "the content of an award replaced": ({ mine }) => ({
    sql: [`UPDATE records SET packed = NULL, body = '{"items": []}' WHERE id = '${mine.meal}'`],
    what: /its items do not sum up to it/,
  }),
  "the content of an award added to a gift": ({ mine }) => ({
    sql: [
      `UPDATE records SET packed = (SELECT packed FROM records WHERE id = '${mine.meal}') WHERE id = '${mine.gift}'`,
    ],
    what: /its content is packed, and must not be/,
  }),
  "a byte of the content of an award changed": ({ mine }) => ({
    sql: [`UPDATE records SET packed = set_byte(packed, 9, 255 - get_byte(packed, 9)) WHERE id = '${mine.meal}'`],
    what: /its content cannot be read/,
  }),
  "the content of an award cut off": ({ mine }) => ({
    sql: [`UPDATE records SET packed = substring(packed FROM 1 FOR 3) WHERE id = '${mine.meal}'`],
    what: /its content cannot be read/,
  }),
  "the content of a record removed without an erasure": ({ mine }) => ({
    sql: [`UPDATE records SET packed = NULL, body = '{}' WHERE id = '${mine.meal}'`],
    what: /its content is missing/,
  }),
  "what explains an award removed": ({ mine }) => ({
    sql: [`UPDATE records SET inputs = NULL WHERE id = '${mine.meal}'`],
    what: /what explains it is missing/,
  }),
  "an award that refers to other evidence": ({ mine }) => ({
    sql: [`UPDATE records SET evidence = set_byte(evidence, 0, 255 - get_byte(evidence, 0)) WHERE id = '${mine.meal}'`],
    what: /its evidence is missing/,
  }),
  "the evidence of an award cut off": ({ mine }) => ({
    sql: [`UPDATE records SET evidence = substring(evidence FROM 1 FOR 15) WHERE id = '${mine.meal}'`],
    what: /its evidence is cut off/,
  }),
  "evidence changed": ({ mine }) => ({
    sql: [
      `UPDATE evidence SET content = replace(content, 'a', 'e')
       WHERE hash = (SELECT substring(evidence FROM 1 FOR 16) FROM records WHERE id = '${mine.meal}')`,
    ],
    what: /is not what its hash says/,
    isOfNone: true,
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
