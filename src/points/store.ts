import type { Tx } from "../postgres/postgres.ts";
import { bool, float8, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import { idAbove } from "../ids.ts";
import type { Source } from "./award.ts";
import { OPERATION, RECORD_STATUS } from "./codes.ts";
import { withinDayLimits } from "./day-limits/store.ts";
import type { ExplainedRow } from "./explanation.ts";
import { recordTotals } from "./record.ts";
import type { ComposedRecord } from "./record.ts";
import type { RecordRow } from "./transaction.ts";

/** An award to book: whose, for what, and the composed record. */
export interface Booking {
  applicationId: string;
  userId: string;
  source: Source;
  submissionId: string;
  record: ComposedRecord;
  /** Of the foods by which it was rated. */
  catalogueVersion: string;
}

/** A booking as it stands in the ledger, with the balance just after it. */
export interface Booked {
  id: string;
  sequence: number;
  createdAt: Date;
  lifetimePoints: number;
  availablePoints: number;
  /** As it was booked: what is told and shown of an award is told of this. */
  record: ComposedRecord;
}

const BALANCE = {
  userId: uuid,
  records: float8,
  lifetimePoints: float8,
  availablePoints: float8,
  carbonPoints: float8,
  greenProducts: float8,
  lastRecordId: orNull(uuid),
  lastRecordAt: orNull(timestamptz),
  isAnyLimited: bool,
};

const LOCK_BALANCES = statement(
  "points.lock-balances",
  BALANCE,
  // Ascending by user: unordered updates of the same users dead-locked 51 times in a run, ordered never.
  // Whether any of the applications limits a day is told once for all: joined to each row it took twice as long.
  `SELECT user_id AS "userId", records::float8 AS records, lifetime_points::float8 AS "lifetimePoints",
                available_points::float8 AS "availablePoints", carbon_points::float8 AS "carbonPoints",
                green_products::float8 AS "greenProducts", last_record_id AS "lastRecordId", last_record_at AS "lastRecordAt",
                EXISTS (SELECT FROM applications WHERE id = ANY ($2)
                        AND num_nonnulls(points_a_day, meals_a_day, food_points_a_day) > 0) AS "isAnyLimited"
         FROM balances WHERE user_id = ANY ($1) ORDER BY user_id FOR UPDATE`,
);
const INSERT_RECORDS = statement(
  "points.insert-records",
  {},
  `INSERT INTO records (user_id, sequence, id, application_id, source, submission_id, operation, status,
                              health_points, carbon_points, bonus_points, total_points, green_products,
                              healthy_products, co2e_mg, body, rule, rule_inputs, catalogue_version, created_at)
         SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::uuid[], $5::text[], $6::uuid[], $7::smallint[],
                              $8::smallint[], $9::int[], $10::int[], $11::int[], $12::int[], $13::int[], $14::int[],
                              $15::bigint[], $16::jsonb[], $17::text[], $18::jsonb[], $19::text[], $20::timestamptz[])`,
);
const UPDATE_BALANCES = statement(
  "points.update-balances",
  {},
  `UPDATE balances SET records = moved.records, lifetime_points = moved.lifetime_points,
                available_points = moved.available_points, carbon_points = moved.carbon_points,
                green_products = moved.green_products, last_record_id = moved.last_id, last_record_at = moved.last_at
         FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::uuid[],
                     $8::timestamptz[])
           AS moved (user_id, records, lifetime_points, available_points, carbon_points, green_products, last_id, last_at)
         WHERE balances.user_id = moved.user_id`,
);
const RECORD = {
  id: uuid,
  applicationId: uuid,
  userId: uuid,
  sequence: float8,
  source: oneOf(["receipt", "meal", "food"]),
  createdAt: timestamptz,
  updatedAt: timestamptz,
  body: json<RecordRow["body"]>(),
};
const COLUMNS = `id, application_id AS "applicationId", user_id AS "userId", sequence::float8 AS sequence, source,
  created_at AS "createdAt", created_at AS "updatedAt", body`;
const PAGE = statement(
  "points.page",
  RECORD,
  // A user may be erased between being looked up and this: nothing is left to show.
  `SELECT ${COLUMNS} FROM records WHERE user_id = $1 AND sequence BETWEEN $2 AND $3 AND body <> '{}'
         ORDER BY sequence DESC`,
);
const FIND = statement(
  "points.find",
  RECORD,
  `SELECT ${COLUMNS} FROM records WHERE user_id = $1 AND id = $2 AND body <> '{}'`,
);
const FIND_EXPLAINED = statement(
  "points.find-explained",
  { ...RECORD, rule: text, ruleInputs: json<ExplainedRow["ruleInputs"]>(), catalogueVersion: text },
  `SELECT ${COLUMNS}, rule, rule_inputs AS "ruleInputs", catalogue_version AS "catalogueVersion"
         FROM records WHERE user_id = $1 AND id = $2 AND body <> '{}'`,
);
const FIND_BY_SUBMISSION = statement(
  "points.find-by-submission",
  RECORD,
  `SELECT ${COLUMNS} FROM records WHERE user_id = $1 AND source = $2 AND submission_id = $3`,
);
const FIRST_SEQUENCE_FROM = statement(
  "points.first-sequence-from",
  { sequence: float8 },
  `SELECT sequence::float8 AS sequence FROM records WHERE user_id = $1 AND created_at >= $2
         ORDER BY created_at, sequence LIMIT 1`,
);
const LAST_SEQUENCE_BEFORE = statement(
  "points.last-sequence-before",
  { sequence: float8 },
  `SELECT sequence::float8 AS sequence FROM records WHERE user_id = $1 AND created_at < $2
         ORDER BY created_at DESC, sequence DESC LIMIT 1`,
);

/**
 * Books records, in the order given and within the limits a day of their application, and moves the balances with them:
 * the only place that does either.
 * Takes the users' locks in ascending order; the caller holds the locks of the submissions already.
 * Under the lock, time, id and sequence of a user's records all ascend, whatever the clock does.
 */
export async function book(tx: Tx, bookings: readonly Booking[], now: Date, newId: () => string): Promise<Booked[]> {
  if (bookings.length === 0) return [];
  const userIds = [...new Set(bookings.map((booking) => booking.userId))];
  const applicationIds = [...new Set(bookings.map((booking) => booking.applicationId))];
  const locked = await tx.query(LOCK_BALANCES, [userIds, applicationIds]);
  const records = locked[0]?.isAnyLimited
    ? await withinDayLimits(tx, bookings)
    : bookings.map((booking) => booking.record);
  const balances = new Map(locked.map((row) => [row.userId, row]));
  const totals = records.map((record) => recordTotals(record.body));
  const booked = bookings.map(({ userId }, i) => {
    const balance = balances.get(userId);
    if (!balance) throw new Error("a user without balance cannot be credited");
    const { points, carbonPoints, greenProducts } = totals[i]!;
    balance.records += 1;
    balance.lifetimePoints += points;
    balance.availablePoints += points;
    balance.carbonPoints += carbonPoints;
    balance.greenProducts += greenProducts;
    balance.lastRecordAt = balance.lastRecordAt && balance.lastRecordAt > now ? balance.lastRecordAt : now;
    balance.lastRecordId = idAbove(newId(), balance.lastRecordId);
    return {
      id: balance.lastRecordId,
      sequence: balance.records,
      createdAt: balance.lastRecordAt,
      lifetimePoints: balance.lifetimePoints,
      availablePoints: balance.availablePoints,
      record: records[i]!,
    };
  });
  await tx.query(INSERT_RECORDS, [
    bookings.map((booking) => booking.userId),
    booked.map((record) => record.sequence),
    booked.map((record) => record.id),
    bookings.map((booking) => booking.applicationId),
    bookings.map((booking) => booking.source),
    bookings.map((booking) => booking.submissionId),
    bookings.map(() => OPERATION.earn),
    bookings.map(() => RECORD_STATUS.completed),
    totals.map((total) => total.healthPoints),
    totals.map((total) => total.carbonPoints),
    totals.map((total) => total.bonusPoints),
    totals.map((total) => total.points),
    totals.map((total) => total.greenProducts),
    totals.map((total) => total.healthyProducts),
    totals.map((total) => total.co2eMg),
    records.map(({ body }) => JSON.stringify(body)),
    records.map(({ award }) => award.rule),
    records.map(({ awardItems, award, bases, dayCut }) => JSON.stringify({ items: awardItems, award, bases, dayCut })),
    bookings.map((booking) => booking.catalogueVersion),
    booked.map((record) => record.createdAt),
  ]);
  const moved = [...balances.values()];
  await tx.query(UPDATE_BALANCES, [
    moved.map((balance) => balance.userId),
    moved.map((balance) => balance.records),
    moved.map((balance) => balance.lifetimePoints),
    moved.map((balance) => balance.availablePoints),
    moved.map((balance) => balance.carbonPoints),
    moved.map((balance) => balance.greenProducts),
    moved.map((balance) => balance.lastRecordId),
    moved.map((balance) => balance.lastRecordAt),
  ]);
  return booked;
}

/** A user's records from sequence `low` to `high`, newest first. */
export async function recordsBetween(tx: Tx, userId: string, low: number, high: number): Promise<RecordRow[]> {
  return tx.query(PAGE, [userId, low, high]);
}

/** The same in chunks of `size`. Records never change their number, so that a list read in parts is one list. */
export async function* recordsInChunks(
  tx: Tx,
  userId: string,
  low: number,
  high: number,
  size: number,
): AsyncGenerator<RecordRow[]> {
  for (let top = high; top >= low; top -= size) {
    yield await recordsBetween(tx, userId, Math.max(low, top - size + 1), top);
  }
}

/** One record of this user, by its id. */
export async function findRecord(tx: Tx, userId: string, id: string): Promise<RecordRow | null> {
  return (await tx.query(FIND, [userId, id]))[0] ?? null;
}

/** One record of this user with all that its rule was given. */
export async function findExplained(tx: Tx, userId: string, id: string): Promise<ExplainedRow | null> {
  return (await tx.query(FIND_EXPLAINED, [userId, id]))[0] ?? null;
}

/** The record that a submission earned. */
export async function findRecordOf(
  tx: Tx,
  userId: string,
  source: Source,
  submissionId: string,
): Promise<RecordRow | null> {
  return (await tx.query(FIND_BY_SUBMISSION, [userId, source, submissionId]))[0] ?? null;
}

/**
 * The sequence numbers of a user's records with `from <= createdAt < before`: since both ascend together, two look-ups.
 * `last` is the user's newest number. An empty range has `high < low`.
 */
export async function sequencesBetween(
  tx: Tx,
  userId: string,
  range: { from: Date | null; before: Date | null },
  last: number,
): Promise<{ low: number; high: number }> {
  const first = range.from && (await tx.query(FIRST_SEQUENCE_FROM, [userId, range.from]))[0];
  const final = range.before && (await tx.query(LAST_SEQUENCE_BEFORE, [userId, range.before]))[0];
  return {
    low: range.from ? (first?.sequence ?? last + 1) : 1,
    high: range.before ? (final?.sequence ?? 0) : last,
  };
}
