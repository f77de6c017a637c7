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
import { packArray } from "./explained/packed-array.ts";
import type { PackedInputs } from "./explained/packed-inputs.ts";
import { createCollected } from "../reports/figures/collected.ts";
import { deltaColumns, insertDeltas } from "../reports/figures/deltas.store.ts";
import { packBody } from "./packed-body.ts";
import { DAY_MS } from "../time.ts";
import { countRecord, isAwardOfSubmission } from "./figures/record-figures.ts";

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
    lastAwardAt: orNull(timestamptz),
    isAnyLimited: bool,
  },
  // Ascending by user: unordered updates of the same users dead-locked 51 times in a run, ordered never.
  // `isAnyLimited` is one value for all rows: joined to each row it took twice as long.
  `SELECT user_id AS "userId", records::float8 AS records, other_records::float8 AS "otherRecords",
                lifetime_points::float8 AS "lifetimePoints", available_points::float8 AS "availablePoints",
                is_overdrawn AS "isOverdrawn", carbon_points::float8 AS "carbonPoints",
                green_products::float8 AS "greenProducts", last_record_id AS "lastRecordId", last_record_at AS "lastRecordAt",
                last_award_at AS "lastAwardAt",
                EXISTS (SELECT 1 FROM applications WHERE id = ANY ($2)
                        AND num_nonnulls(points_a_day, meals_a_day, food_points_a_day) > 0) AS "isAnyLimited"
         FROM balances WHERE user_id = ANY ($1) ORDER BY user_id FOR UPDATE`,
);

/** An entry with its place in the ledger. */
interface PostedEntry {
  readonly entry: Entry;
  readonly posted: Posted;
  /** Hashes of the evidence that its inputs refer to; null: none. */
  readonly evidence: Buffer | null;
  /** The body of an award; null: of no award, or it is stored as JSON. */
  readonly packed: Buffer | null;
  /** What explains an award; null: of no award, or it is stored as text. */
  readonly inputs: Buffer | null;
}

function textOf(packed: PackedInputs | undefined): string | null {
  return packed ? JSON.stringify(packed.own) : null;
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
  body: ["jsonb", ({ entry, packed }) => (packed ? null : JSON.stringify(entry.body))],
  packed: ["bytea", ({ packed }) => packed],
  rule: ["text", ({ entry }) => entry.ruleUse.rule],
  rule_inputs: ["jsonb", ({ entry }) => entry.ruleUse.inputs],
  explained: ["text", ({ entry, inputs }) => (inputs ? null : textOf(entry.ruleUse.packed))],
  inputs: ["bytea", ({ inputs }) => inputs],
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
    last_award_at: ["timestamptz", ({ lastAwardAt }) => lastAwardAt],
  },
  NEW_RECORDS.next,
);
const UPDATE_BALANCES = `UPDATE balances SET records = moved.records, other_records = moved.other_records,
                lifetime_points = moved.lifetime_points, available_points = moved.available_points,
                is_overdrawn = moved.is_overdrawn, carbon_points = moved.carbon_points,
                green_products = moved.green_products, last_record_id = moved.last_record_id,
                last_record_at = moved.last_record_at, last_award_at = moved.last_award_at
         FROM ${MOVED_BALANCES.unnest} AS moved (${MOVED_BALANCES.names})
         WHERE balances.user_id = moved.user_id`;
const DELTAS = deltaColumns(MOVED_BALANCES.next);
// One statement each: a move is a tx of its own, and each statement of it is a round trip and wakes both sides.
const POST = `appended AS (${INSERT_RECORDS}), counted AS (${insertDeltas(DELTAS)})`;
const APPEND = statement("points.append", {}, `WITH ${POST} ${UPDATE_BALANCES}`);
const USE = [0, 1, 2, 3, 4].map((i) => `$${DELTAS.next + i}`).join(", ");
const APPEND_ONCE = statement(
  "points.append-once",
  { recordId: uuid },
  // The primary key decides between two requests at once: the second waits for the first.
  `WITH ${POST}, moved_balances AS (${UPDATE_BALANCES})
         INSERT INTO record_references (application_id, kind, reference, user_id, record_id) VALUES (${USE})
         ON CONFLICT DO NOTHING RETURNING record_id AS "recordId"`,
);
const LAST_AWARDS = statement(
  "points.last-awards",
  { userId: uuid, at: timestamptz },
  `SELECT users.id AS "userId", last.created_at AS at FROM unnest($1::uuid[]) AS users (id) CROSS JOIN LATERAL (
           SELECT created_at FROM records WHERE user_id = users.id AND operation = 1 AND source <> 'manual'
           ORDER BY sequence DESC LIMIT 1) AS last`,
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
  const lastAwards = await forgottenAwards(tx, balances, entries, now);
  const collected = createCollected();
  const rows = entries.map((entry, i): PostedEntry => {
    const balance = balances.get(entry.userId);
    if (!balance) throw new Error("a user without balance cannot be credited");
    const { balance: moved, posted } = post(balance, entry, now, newId());
    balances.set(entry.userId, moved);
    const { createdAt } = posted;
    const { bases = [], extras = [], isOpening = false } = entry;
    const counted = { ...entry, createdAt, bases, extras, isOpening };
    const lastAwardAt = balance.lastAwardAt ?? lastAwards.get(entry.userId) ?? null;
    countRecord(collected.on(entry.applicationId, createdAt), counted, lastAwardAt);
    const evidence = hashes[i]!;
    const own = entry.ruleUse.packed?.own;
    // Extras stay text: the verification adds them up in SQL.
    const inputs = own === undefined || entry.amounts.bonusPoints !== 0 ? null : packArray(own);
    const packed = isAwardOfSubmission(entry) ? packBody(entry.body, entry.submissionId) : null;
    return { entry, posted, evidence: evidence.length > 0 ? evidence : null, packed, inputs };
  });
  const moved = [...new Set(entries.map(({ userId }) => userId))].map((userId) => balances.get(userId)!);
  const values = [NEW_RECORDS.values(rows), MOVED_BALANCES.values(moved), DELTAS.values(collected.all())];
  return { rows, values: values.flat() };
}

/**
 * The last awards of users whose balances do not have their time, since a release before that column booked them; only
 * of those who may have been active this month. One lookup for each user, once.
 */
async function forgottenAwards(
  tx: Tx,
  balances: LockedBalances["balances"],
  entries: readonly Entry[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  // A week that began in the month before.
  const sinceMs = Math.min(monthMs, now.getTime() - 7 * DAY_MS);
  const userIds = new Set<string>();
  for (const entry of entries) {
    const balance = balances.get(entry.userId);
    if (!balance || balance.lastAwardAt !== null || !isAwardOfSubmission(entry)) continue;
    const hasAwards = balance.records > balance.otherRecords;
    if (hasAwards && (balance.lastRecordAt?.getTime() ?? 0) >= sinceMs) userIds.add(entry.userId);
  }
  if (userIds.size === 0) return new Map();
  const found = await tx.query(LAST_AWARDS, [binaryArray("uuid", [...userIds])]);
  return new Map(found.map(({ userId, at }) => [userId, at]));
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
