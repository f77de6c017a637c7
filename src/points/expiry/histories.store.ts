// Reads the expiries of users: from their records, or from the sums that are kept of most of them.
import type { Tx } from "../../postgres/postgres.ts";
import {
  float8,
  int2,
  json,
  neverNull,
  oneOf,
  orNull,
  statement,
  timestamptz,
  uuid,
} from "../../postgres/statement.ts";
import type { RowOf } from "../../postgres/statement.ts";
import { Problem } from "../../problems.ts";
import { expiriesOf } from "./expiry.ts";
import type { Expiry, ExpiryRule, PointsHistory } from "./expiry.ts";
import { historyOf, withLater } from "./sums.ts";
import type { ExpirySums } from "./sums.ts";
import { SUMS, SUMS_OF_OWNED, keepSums } from "./sums.store.ts";

export const RULE = {
  months: neverNull(int2),
  from: oneOf(["earning", "activity"]),
  noticeDays: int2,
  setAt: timestamptz,
};
export const RULE_COLUMNS = `settings.expiry_months AS months, settings.expiry_from AS "from",
  settings.expiry_notice_days AS "noticeDays", settings.updated_at AS "setAt"`;
const HISTORY = {
  userId: uuid,
  ...RULE,
  availablePoints: float8,
  records: float8,
  summed: float8,
  upTo: float8,
  ...SUMS,
  keptCredits: orNull(SUMS.credits),
  keptReturns: orNull(SUMS.returns),
  keptActiveAt: SUMS.activeAt,
  lateAt: orNull(timestamptz),
  aheadMs: float8,
  announced: json<number[]>(),
};
const HISTORIES = statement(
  "expiry.histories",
  HISTORY,
  // The kept sums of each user, and those of at most $2 records after them.
  `WITH owned AS (
           SELECT users.id AS user_id, balances.available_points, balances.records, settings.*,
                  kept.credits AS kept_credits, kept.returns AS kept_returns, kept.active_at AS kept_active_at,
                  coalesce(kept.sequence, 0) AS summed,
                  least(balances.records, coalesce(kept.sequence, 0) + $2::bigint) AS up_to
           FROM users
           JOIN points_settings AS settings ON settings.application_id = users.application_id
           JOIN balances ON balances.user_id = users.id
           LEFT JOIN expiry_sums AS kept ON kept.user_id = users.id
           WHERE users.id = ANY ($1) AND users.erased_at IS NULL AND expiry_months IS NOT NULL AND balances.records > 0
         ), ${SUMS_OF_OWNED}
         SELECT user_id AS "userId", ${RULE_COLUMNS}, available_points::float8 AS "availablePoints",
                settings.records::float8 AS records, summed::float8 AS summed, up_to::float8 AS "upTo",
                coalesce(sums.credits, '[]') AS credits, coalesce(sums.returns, '[]') AS returns,
                sums.active_at AS "activeAt", kept_credits AS "keptCredits", kept_returns AS "keptReturns",
                kept_active_at AS "keptActiveAt", coalesce(ahead_ms, 0)::float8 AS "aheadMs",
                (SELECT max(late_at) FROM expiry_notices WHERE expiry_notices.user_id = settings.user_id) AS "lateAt",
                (SELECT coalesce(jsonb_agg(round(1000 * extract(epoch FROM expires_at))), '[]') FROM expiry_notices
                 WHERE expiry_notices.user_id = settings.user_id) AS announced
         FROM owned AS settings LEFT JOIN sums USING (user_id) LEFT JOIN test_clocks USING (user_id)`,
);

/** The points of a user with their expiries, in the user's own time. */
export interface UserExpiries {
  readonly userId: string;
  readonly rule: ExpiryRule;
  readonly history: PointsHistory;
  readonly expiries: readonly Expiry[];
  /** Milliseconds that the user's time is ahead of the service's. 0 but for users with a test clock. */
  readonly aheadMs: number;
  /** Expiries that were announced. */
  readonly announced: ReadonlySet<number>;
}

/** Records of a user that a statement reads after the kept sums. Of a user with more of them, sums are kept. */
export const RECORDS_READ = 1_000;
/** Records that a step adds up. */
const RECORDS_A_STEP = 8_000;

/** How long to add up the records of users, where kept sums do not have them yet: each step is one statement. */
export interface Summing {
  /** By performance.now(). What is over then ends with the problem unavailable. */
  readonly untilMs?: number;
  readonly signal?: AbortSignal;
  /** Tests have few records. */
  readonly recordsRead?: number;
  readonly recordsAStep?: number;
}

/**
 * The expiries of those of these users whose points expire. Users who are erased, or have no record, are absent.
 */
export async function expiriesOfUsers(
  tx: Tx,
  userIds: readonly string[],
  summing: Summing = {},
): Promise<UserExpiries[]> {
  const found: UserExpiries[] = [];
  for (const row of await tx.query(HISTORIES, [userIds, summing.recordsRead ?? RECORDS_READ])) {
    const whole = await addedUp(tx, row, summing);
    if (whole) found.push(expiriesOfRow(whole));
  }
  return found;
}

type Read = RowOf<typeof HISTORY>;

/**
 * Adds up the records that a row does not reach, and keeps the sums: few records are left to read. Null: nothing is
 * kept of the user, who is being erased.
 */
async function addedUp(tx: Tx, first: Read, summing: Summing): Promise<Read | null> {
  const { untilMs = Infinity, signal, recordsRead = RECORDS_READ, recordsAStep = RECORDS_A_STEP } = summing;
  for (let row = first; ;) {
    const isWhole = row.upTo >= row.records;
    if (!isWhole || row.upTo - row.summed > recordsRead) await keepSums(tx, row.userId, row.upTo, sumsOf(row));
    if (isWhole) return row;
    signal?.throwIfAborted();
    if (row !== first && performance.now() > untilMs) throw new Problem("unavailable", { retryAfterSeconds: 1 });
    const reached = row.upTo;
    const [next] = await tx.query(HISTORIES, [[row.userId], recordsAStep]);
    if (!next || next.summed < reached) return null;
    row = next;
  }
}

function sumsOf(row: Read): ExpirySums {
  const { keptCredits, keptReturns, keptActiveAt: activeAt } = row;
  return withLater({ credits: keptCredits ?? [], returns: keptReturns ?? [], activeAt }, row);
}

function expiriesOfRow(row: Read): UserExpiries {
  const history = historyOf(sumsOf(row), row, row);
  const { userId, aheadMs, announced } = row;
  const expiries = expiriesOf(history, row);
  return { userId, rule: row, history, expiries, aheadMs, announced: new Set(announced) };
}
