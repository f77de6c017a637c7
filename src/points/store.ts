import { arrayColumns } from "../postgres/array-columns.ts";
import type { Tx } from "../postgres/postgres.ts";
import { bool, float8, json, oneOf, orNull, statement, text, timestamptz, uuid } from "../postgres/statement.ts";
import type { RowOf } from "../postgres/statement.ts";
import { idAbove } from "../ids.ts";
import type { Source } from "./award.ts";
import { OPERATION, RECORD_STATUS } from "./codes.ts";
import { withinDayLimits } from "./day-limits/store.ts";
import type { ExplainedRow } from "./explanation.ts";
import { recordTotals } from "./record.ts";
import type { ComposedRecord, RecordTotals } from "./record.ts";
import type { RecordRow } from "./transaction.ts";

/** An award to book: its user, its submission, and the composed record. */
export interface Booking {
  applicationId: string;
  userId: string;
  source: Source;
  submissionId: string;
  record: ComposedRecord;
  /** Version of the catalogue that rated it. */
  catalogueVersion: string;
}

/** A booking as stored in the ledger, with the balance just after it. */
export interface Booked {
  id: string;
  sequence: number;
  createdAt: Date;
  lifetimePoints: number;
  availablePoints: number;
  /** The record as booked; events and responses use this one. */
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

type Balance = RowOf<typeof BALANCE>;

const LOCK_BALANCES = statement(
  "points.lock-balances",
  BALANCE,
  // Ascending by user: unordered updates of the same users dead-locked 51 times in a run, ordered never.
  // `isAnyLimited` is one value for all rows: joined to each row it took twice as long.
  `SELECT user_id AS "userId", records::float8 AS records, lifetime_points::float8 AS "lifetimePoints",
                available_points::float8 AS "availablePoints", carbon_points::float8 AS "carbonPoints",
                green_products::float8 AS "greenProducts", last_record_id AS "lastRecordId", last_record_at AS "lastRecordAt",
                EXISTS (SELECT FROM applications WHERE id = ANY ($2)
                        AND num_nonnulls(points_a_day, meals_a_day, food_points_a_day) > 0) AS "isAnyLimited"
         FROM balances WHERE user_id = ANY ($1) ORDER BY user_id FOR UPDATE`,
);
/** A booking with its values under the lock of the balance. */
interface BookedRow {
  readonly booking: Booking;
  readonly booked: Booked;
  readonly totals: RecordTotals;
}

const NEW_RECORDS = arrayColumns<BookedRow>({
  user_id: ["uuid", ({ booking }) => booking.userId],
  sequence: ["bigint", ({ booked }) => booked.sequence],
  id: ["uuid", ({ booked }) => booked.id],
  application_id: ["uuid", ({ booking }) => booking.applicationId],
  source: ["text", ({ booking }) => booking.source],
  submission_id: ["uuid", ({ booking }) => booking.submissionId],
  operation: ["smallint", () => OPERATION.earn],
  status: ["smallint", () => RECORD_STATUS.completed],
  health_points: ["int", ({ totals }) => totals.healthPoints],
  carbon_points: ["int", ({ totals }) => totals.carbonPoints],
  bonus_points: ["int", ({ totals }) => totals.bonusPoints],
  total_points: ["int", ({ totals }) => totals.points],
  green_products: ["int", ({ totals }) => totals.greenProducts],
  healthy_products: ["int", ({ totals }) => totals.healthyProducts],
  co2e_mg: ["bigint", ({ totals }) => totals.co2eMg],
  body: ["jsonb", ({ booked }) => JSON.stringify(booked.record.body)],
  rule: ["text", ({ booked }) => booked.record.award.rule],
  rule_inputs: ["jsonb", ({ booked }) => ruleInputsOf(booked.record)],
  catalogue_version: ["text", ({ booking }) => booking.catalogueVersion],
  created_at: ["timestamptz", ({ booked }) => booked.createdAt],
});
const INSERT_RECORDS = statement(
  "points.insert-records",
  {},
  `INSERT INTO records (${NEW_RECORDS.names}) SELECT * FROM ${NEW_RECORDS.unnest}`,
);
const MOVED_BALANCES = arrayColumns<Balance>({
  user_id: ["uuid", ({ userId }) => userId],
  records: ["bigint", ({ records }) => records],
  lifetime_points: ["bigint", ({ lifetimePoints }) => lifetimePoints],
  available_points: ["bigint", ({ availablePoints }) => availablePoints],
  carbon_points: ["bigint", ({ carbonPoints }) => carbonPoints],
  green_products: ["bigint", ({ greenProducts }) => greenProducts],
  last_record_id: ["uuid", ({ lastRecordId }) => lastRecordId],
  last_record_at: ["timestamptz", ({ lastRecordAt }) => lastRecordAt],
});
const UPDATE_BALANCES = statement(
  "points.update-balances",
  {},
  `UPDATE balances SET records = moved.records, lifetime_points = moved.lifetime_points,
                available_points = moved.available_points, carbon_points = moved.carbon_points,
                green_products = moved.green_products, last_record_id = moved.last_record_id,
                last_record_at = moved.last_record_at
         FROM ${MOVED_BALANCES.unnest} AS moved (${MOVED_BALANCES.names})
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
  // A user may be erased between their lookup and this statement: then nothing is left to show.
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
 * Books records in the order given, within the day limits of their applications, and moves the balances. Nothing else
 * does either. Takes the users' locks in ascending order; the caller already holds the locks of the submissions.
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
  const rows = bookings.map((booking, i): BookedRow => {
    const balance = balances.get(booking.userId);
    if (!balance) throw new Error("a user without balance cannot be credited");
    const record = records[i]!;
    const totals = recordTotals(record.body);
    return { booking, totals, booked: { ...credit(balance, totals, now, newId()), record } };
  });
  await tx.query(INSERT_RECORDS, NEW_RECORDS.values(rows));
  await tx.query(UPDATE_BALANCES, MOVED_BALANCES.values([...balances.values()]));
  return rows.map(({ booked }) => booked);
}

/** Adds a record to a balance. Time, id and sequence of a balance's records ascend, whatever the clock does. */
function credit(balance: Balance, totals: RecordTotals, now: Date, newId: string): Omit<Booked, "record"> {
  const { lastRecordAt, lastRecordId } = balance;
  const createdAt = lastRecordAt && lastRecordAt > now ? lastRecordAt : now;
  const id = idAbove(newId, lastRecordId);
  balance.records += 1;
  balance.lifetimePoints += totals.points;
  balance.availablePoints += totals.points;
  balance.carbonPoints += totals.carbonPoints;
  balance.greenProducts += totals.greenProducts;
  balance.lastRecordAt = createdAt;
  balance.lastRecordId = id;
  const { records: sequence, lifetimePoints, availablePoints } = balance;
  return { id, sequence, createdAt, lifetimePoints, availablePoints };
}

function ruleInputsOf({ awardItems, award, bases, dayCut }: ComposedRecord): string {
  return JSON.stringify({ items: awardItems, award, bases, dayCut });
}

/** A user's records from sequence `low` to `high`, newest first. */
export async function recordsBetween(tx: Tx, userId: string, low: number, high: number): Promise<RecordRow[]> {
  return tx.query(PAGE, [userId, low, high]);
}

/** One record of this user, by its id. */
export async function findRecord(tx: Tx, userId: string, id: string): Promise<RecordRow | null> {
  return (await tx.query(FIND, [userId, id]))[0] ?? null;
}

/** One record of this user with the inputs of its rule. */
export async function findExplained(tx: Tx, userId: string, id: string): Promise<ExplainedRow | null> {
  return (await tx.query(FIND_EXPLAINED, [userId, id]))[0] ?? null;
}

/** The record of a submission. */
export async function findRecordOf(
  tx: Tx,
  userId: string,
  source: Source,
  submissionId: string,
): Promise<RecordRow | null> {
  return (await tx.query(FIND_BY_SUBMISSION, [userId, source, submissionId]))[0] ?? null;
}

/**
 * The sequence numbers of a user's records with `from <= createdAt < before`. Both ascend together, so two lookups do.
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
