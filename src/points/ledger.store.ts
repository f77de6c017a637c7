import { arrayColumns } from "../postgres/array-columns.ts";
import { binaryArray } from "../postgres/binary-array.ts";
import type { Tx } from "../postgres/postgres.ts";
import { bool, float8, orNull, statement, timestamptz, uuid } from "../postgres/statement.ts";
import { post } from "./balance.ts";
import type { Balance, Posted } from "./balance.ts";
import type { RecordStatus } from "./codes.ts";
import { totalPoints } from "./entry.ts";
import type { Entry } from "./entry.ts";
import { storeEvidence } from "./explained/evidence.store.ts";

const LOCK_BALANCES = statement(
  "points.lock-balances",
  {
    userId: uuid,
    records: float8,
    otherRecords: float8,
    lifetimePoints: float8,
    availablePoints: float8,
    isOverdrawn: bool,
    carbonPoints: float8,
    greenProducts: float8,
    lastRecordId: orNull(uuid),
    lastRecordAt: orNull(timestamptz),
    isAnyLimited: bool,
  },
  // Ascending by user: unordered updates of the same users dead-locked 51 times in a run, ordered never.
  // `isAnyLimited` is one value for all rows: joined to each row it took twice as long.
  `SELECT user_id AS "userId", records::float8 AS records, other_records::float8 AS "otherRecords",
                lifetime_points::float8 AS "lifetimePoints", available_points::float8 AS "availablePoints",
                is_overdrawn AS "isOverdrawn", carbon_points::float8 AS "carbonPoints",
                green_products::float8 AS "greenProducts", last_record_id AS "lastRecordId", last_record_at AS "lastRecordAt",
                EXISTS (SELECT FROM applications WHERE id = ANY ($2)
                        AND num_nonnulls(points_a_day, meals_a_day, food_points_a_day) > 0) AS "isAnyLimited"
         FROM balances WHERE user_id = ANY ($1) ORDER BY user_id FOR UPDATE`,
);

/** An entry with its place in the ledger. */
interface PostedEntry {
  readonly entry: Entry;
  readonly posted: Posted;
  /** Hashes of the evidence that its inputs refer to; null: none. */
  readonly evidence: Buffer | null;
}

const NEW_RECORDS = arrayColumns<PostedEntry>({
  user_id: ["uuid", ({ entry }) => entry.userId],
  sequence: ["bigint", ({ posted }) => posted.sequence],
  id: ["uuid", ({ posted }) => posted.id],
  application_id: ["uuid", ({ entry }) => entry.applicationId],
  source: ["text", ({ entry }) => entry.source],
  submission_id: ["uuid", ({ entry }) => entry.submissionId],
  related_id: ["uuid", ({ entry }) => entry.relatedId],
  operation: ["smallint", ({ entry }) => entry.operation],
  status: ["smallint", ({ entry }) => entry.status],
  is_lifetime: ["boolean", ({ entry }) => entry.isLifetime],
  health_points: ["int", ({ entry }) => entry.amounts.healthPoints],
  carbon_points: ["int", ({ entry }) => entry.amounts.carbonPoints],
  bonus_points: ["int", ({ entry }) => entry.amounts.bonusPoints],
  other_points: ["int", ({ entry }) => entry.amounts.otherPoints],
  total_points: ["int", ({ entry }) => totalPoints(entry.amounts)],
  green_products: ["int", ({ entry }) => entry.amounts.greenProducts],
  healthy_products: ["int", ({ entry }) => entry.amounts.healthyProducts],
  co2e_mg: ["bigint", ({ entry }) => entry.amounts.co2eMg],
  body: ["jsonb", ({ entry }) => JSON.stringify(entry.body)],
  rule: ["text", ({ entry }) => entry.ruleUse.rule],
  rule_inputs: ["jsonb", ({ entry }) => entry.ruleUse.inputs],
  explained: ["text", ({ entry }) => entry.ruleUse.packed?.own ?? null],
  evidence: ["bytea", ({ evidence }) => evidence],
  catalogue_version: ["text", ({ entry }) => entry.ruleUse.catalogueVersion],
  created_at: ["timestamptz", ({ posted }) => posted.createdAt],
});
const INSERT_RECORDS = `INSERT INTO records (${NEW_RECORDS.names}) SELECT * FROM ${NEW_RECORDS.unnest}`;
const MOVED_BALANCES = arrayColumns<Balance>(
  {
    user_id: ["uuid", ({ userId }) => userId],
    records: ["bigint", ({ records }) => records],
    other_records: ["bigint", ({ otherRecords }) => otherRecords],
    lifetime_points: ["bigint", ({ lifetimePoints }) => lifetimePoints],
    available_points: ["bigint", ({ availablePoints }) => availablePoints],
    is_overdrawn: ["boolean", ({ isOverdrawn }) => isOverdrawn],
    carbon_points: ["bigint", ({ carbonPoints }) => carbonPoints],
    green_products: ["bigint", ({ greenProducts }) => greenProducts],
    last_record_id: ["uuid", ({ lastRecordId }) => lastRecordId],
    last_record_at: ["timestamptz", ({ lastRecordAt }) => lastRecordAt],
  },
  NEW_RECORDS.next,
);
const UPDATE_BALANCES = `UPDATE balances SET records = moved.records, other_records = moved.other_records,
                lifetime_points = moved.lifetime_points, available_points = moved.available_points,
                is_overdrawn = moved.is_overdrawn, carbon_points = moved.carbon_points,
                green_products = moved.green_products, last_record_id = moved.last_record_id,
                last_record_at = moved.last_record_at
         FROM ${MOVED_BALANCES.unnest} AS moved (${MOVED_BALANCES.names})
         WHERE balances.user_id = moved.user_id`;
// One statement each: a move is a tx of its own, and each statement of it is a round trip and wakes both sides.
const APPEND = statement("points.append", {}, `WITH appended AS (${INSERT_RECORDS}) ${UPDATE_BALANCES}`);
const USE = [0, 1, 2, 3, 4].map((i) => `$${MOVED_BALANCES.next + i}`).join(", ");
const APPEND_ONCE = statement(
  "points.append-once",
  { recordId: uuid },
  // The primary key decides between two requests at once: the second waits for the first.
  `WITH appended AS (${INSERT_RECORDS}), moved_balances AS (${UPDATE_BALANCES})
         INSERT INTO record_references (application_id, kind, reference, user_id, record_id) VALUES (${USE})
         ON CONFLICT DO NOTHING RETURNING record_id AS "recordId"`,
);
const CHANGE_STATUS = statement(
  "points.change-status",
  {},
  `INSERT INTO record_changes (user_id, record_id, status, changed_at) VALUES ($1, $2, $3, $4)`,
);

/** The integrator's own reference of what is no submission: used once in an application. */
export interface ReferenceUse {
  readonly kind: "adjustment" | "redemption" | "bonus";
  readonly reference: string;
}

/** Balances under the lock of a tx. */
export interface LockedBalances {
  readonly balances: Map<string, Balance>;
  /** Whether one of the applications has a day limit. */
  readonly isAnyLimited: boolean;
}

/**
 * Locks the balances of users until the tx ends, in ascending order. Users without balance are absent. Every tx that
 * moves points takes these locks first, and locks of rewards or codes after them.
 */
export async function lockBalances(
  tx: Tx,
  userIds: readonly string[],
  applicationIds: readonly string[],
): Promise<LockedBalances> {
  const rows = await tx.query(LOCK_BALANCES, [
    binaryArray("uuid", [...new Set(userIds)]),
    binaryArray("uuid", [...new Set(applicationIds)]),
  ]);
  return {
    balances: new Map(rows.map((row) => [row.userId, row])),
    isAnyLimited: rows[0]?.isAnyLimited ?? false,
  };
}

/**
 * Appends entries in the order given and moves the locked balances. Only this and `appendOnce` do either. Throws an
 * error for a user without balance, RangeError for points that are not there (`post`).
 */
export async function append(
  tx: Tx,
  locked: LockedBalances,
  entries: readonly Entry[],
  now: Date,
  newId: () => string,
): Promise<Posted[]> {
  if (entries.length === 0) return [];
  const { rows, values } = await postAll(tx, locked, entries, now, newId);
  await tx.query(APPEND, values);
  return rows.map(({ posted }) => posted);
}

/**
 * Appends one entry and notes the integrator's reference of it. Null: the application has used the reference already,
 * and the caller must roll back.
 */
export async function appendOnce(
  tx: Tx,
  locked: LockedBalances,
  entry: Entry,
  { kind, reference }: ReferenceUse,
  now: Date,
  newId: () => string,
): Promise<Posted | null> {
  const { rows, values } = await postAll(tx, locked, [entry], now, newId);
  const { posted } = rows[0]!;
  const use = [entry.applicationId, kind, reference, entry.userId, posted.id];
  return (await tx.query(APPEND_ONCE, [...values, ...use])).length > 0 ? posted : null;
}

/** Moves the balances in memory, and stores evidence that the entries refer to and that is not stored yet. */
async function postAll(
  tx: Tx,
  { balances }: LockedBalances,
  entries: readonly Entry[],
  now: Date,
  newId: () => string,
): Promise<{ rows: PostedEntry[]; values: unknown[] }> {
  const hashes = await storeEvidence(
    tx,
    entries.map(({ ruleUse }) => ruleUse.packed?.shared ?? []),
  );
  const rows = entries.map((entry, i): PostedEntry => {
    const balance = balances.get(entry.userId);
    if (!balance) throw new Error("a user without balance cannot be credited");
    const { balance: moved, posted } = post(balance, entry, now, newId());
    balances.set(entry.userId, moved);
    const evidence = hashes[i]!;
    return { entry, posted, evidence: evidence.length > 0 ? evidence : null };
  });
  const moved = [...new Set(entries.map(({ userId }) => userId))].map((userId) => balances.get(userId)!);
  return { rows, values: [...NEW_RECORDS.values(rows), ...MOVED_BALANCES.values(moved)] };
}

/** The users whose earned points some entries have moved, with the points of their balances now. */
export function usersMoved(
  { balances }: LockedBalances,
  entries: readonly Pick<Entry, "applicationId" | "userId" | "isLifetime">[],
): { applicationId: string; userId: string; lifetimePoints: number }[] {
  const moved = new Map(
    entries.flatMap(({ applicationId, userId, isLifetime }) => (isLifetime ? [[userId, applicationId]] : [])),
  );
  return [...moved].map(([userId, applicationId]) => {
    const { lifetimePoints } = balances.get(userId)!;
    return { applicationId, userId, lifetimePoints };
  });
}

/**
 * Records the later status of a record: it moves no points. The caller holds the user's balance lock and knows the
 * status before. The same status twice violates the primary key: that is a bug.
 */
export async function changeStatus(
  tx: Tx,
  { userId, recordId, status }: { userId: string; recordId: string; status: RecordStatus },
  now: Date,
): Promise<void> {
  await tx.query(CHANGE_STATUS, [userId, recordId, status, now]);
}
