// The tables of a world as they are, for the invariants.
import type { Operation, RecordStatus } from "../../../src/points/codes.ts";
import type { RecordBody } from "../../../src/points/record.ts";
import { withBody } from "../../../src/points/stored-body.ts";
import type { StoredBody } from "../../../src/points/stored-body.ts";
import type { World } from "./world.ts";

export interface LedgerRow {
  readonly id: string;
  readonly userId: string;
  readonly sequence: number;
  readonly operation: Operation;
  /** An earning without a submission. */
  readonly isBonus: boolean;
  readonly status: RecordStatus;
  readonly points: number;
  /** Points of ratings. */
  readonly rated: number;
  readonly otherPoints: number;
  readonly co2eMg: number;
  readonly isLifetime: boolean;
  readonly submissionId: string;
  readonly relatedId: string | null;
  readonly createdAt: Date;
  /** Empty once its user is erased. */
  readonly body: RecordBody;
  readonly statuses: readonly number[];
  readonly references: readonly string[];
  readonly events: readonly string[];
}

export interface BalanceRow {
  readonly userId: string;
  readonly isErased: boolean;
  readonly records: number;
  readonly otherRecords: number;
  readonly lifetimePoints: number;
  readonly availablePoints: number;
  readonly isOverdrawn: boolean;
}

export interface RedemptionRow {
  readonly id: string;
  readonly userId: string;
  readonly recordId: string;
  readonly rewardId: string | null;
  readonly code: string | null;
  readonly state: "pending" | "completed" | "released" | "expired" | "refunded";
  readonly tookStock: boolean;
  readonly validTill: Date | null;
  readonly usedAt: Date | null;
}

export interface CodeRow {
  readonly code: string;
  readonly rewardId: string | null;
  readonly isFree: boolean;
  readonly userId: string | null;
  readonly redemptionId: string | null;
}

export interface RewardRow {
  readonly id: string;
  readonly stock: number | null;
  readonly freeCodes: number;
}

/** An announced expiry. */
export interface NoticeRow {
  readonly userId: string;
  readonly expiresAt: string;
}

export interface LateRow {
  readonly userId: string;
  readonly lateAt: Date;
}

/** All that the invariants compare. */
export interface Ledger {
  readonly rows: readonly LedgerRow[];
  readonly balances: readonly BalanceRow[];
  readonly redemptions: readonly RedemptionRow[];
  readonly codes: readonly CodeRow[];
  readonly rewards: readonly RewardRow[];
  readonly notices: readonly NoticeRow[];
  /** Announcements of points whose time had passed: none of the user's expire within a notice. */
  readonly late: readonly LateRow[];
  /** Events of records that belong to no submission, but not the announcements. */
  readonly movedEvents: number;
  readonly erased: ReadonlySet<string>;
}

export async function readLedger(world: World): Promise<Ledger> {
  const { database, userIds, applicationId } = world;
  const read = <Row extends object>(name: string, text: string, value: unknown) =>
    database.query<Row>({ name: `simulation.${name}`, text }, [value]);
  const balances = await read<BalanceRow>("balances", BALANCES, userIds);
  const [events] = await read<{ n: number }>("moved-events", MOVED_EVENTS, userIds);
  return {
    rows: (await read<LedgerRow & StoredBody>("records", RECORDS, userIds)).map(withBody),
    balances,
    redemptions: await read<RedemptionRow>("redemptions", REDEMPTIONS, applicationId),
    codes: await read<CodeRow>("codes", CODES, applicationId),
    rewards: await read<RewardRow>("rewards", REWARDS, applicationId),
    notices: await read<NoticeRow>("notices", NOTICES, userIds),
    late: await read<LateRow>("late", LATE, userIds),
    movedEvents: events!.n,
    erased: new Set(balances.filter(({ isErased }) => isErased).map(({ userId }) => userId)),
  };
}

const RECORDS = `SELECT id, user_id AS "userId", sequence::int AS sequence, operation,
    operation = 1 AND source = 'manual' AS "isBonus", status, total_points AS points,
    health_points + carbon_points + bonus_points AS rated, other_points AS "otherPoints", co2e_mg::float8 AS "co2eMg",
    is_lifetime AS "isLifetime", submission_id AS "submissionId", related_id AS "relatedId",
    created_at AS "createdAt", body, packed,
    ARRAY(SELECT status::int FROM record_changes AS changed
          WHERE changed.user_id = records.user_id AND record_id = records.id ORDER BY status) AS statuses,
    ARRAY(SELECT reference FROM record_references AS used
          WHERE used.user_id = records.user_id AND record_id = records.id) AS references,
    ARRAY(SELECT type FROM events WHERE events.user_id = records.user_id AND subject = submission_id
          ORDER BY position) AS events
  FROM records WHERE user_id = ANY ($1) ORDER BY user_id, sequence`;
const BALANCES = `SELECT user_id AS "userId", erased_at IS NOT NULL AS "isErased", records::int AS records,
    other_records::int AS "otherRecords", lifetime_points::int AS "lifetimePoints",
    available_points::int AS "availablePoints", is_overdrawn AS "isOverdrawn"
  FROM balances JOIN users ON users.id = balances.user_id WHERE user_id = ANY ($1)`;
const REDEMPTIONS = `SELECT id, user_id AS "userId", record_id AS "recordId", reward_id AS "rewardId", code, state,
    took_stock AS "tookStock", valid_till AS "validTill", used_at AS "usedAt"
  FROM redemptions WHERE application_id = $1`;
const CODES = `SELECT code, reward_id AS "rewardId", is_free AS "isFree", user_id AS "userId",
    redemption_id AS "redemptionId" FROM voucher_codes WHERE application_id = $1`;
const REWARDS = `SELECT id, stock, free_codes AS "freeCodes" FROM rewards WHERE application_id = $1`;
const NOTICES = `SELECT user_id AS "userId", body::json ->> 'expiresAt' AS "expiresAt" FROM events
  WHERE user_id = ANY ($1) AND type = 'points.expiring'`;
const LATE = `SELECT user_id AS "userId", late_at AS "lateAt" FROM expiry_notices
  WHERE user_id = ANY ($1) AND late_at IS NOT NULL`;
const MOVED_EVENTS = `SELECT count(*)::int AS n FROM events JOIN users ON users.id = events.user_id
  WHERE user_id = ANY ($1) AND erased_at IS NULL AND type <> 'points.expiring'
    AND (type LIKE 'points.%' OR type IN ('bonus.awarded', 'redemption.confirmed', 'voucher.used', 'receipt_corrected'))`;
