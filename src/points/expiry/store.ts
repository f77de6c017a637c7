import type { Tx } from "../../postgres/postgres.ts";
import {
  float8,
  int2,
  json,
  neverNull,
  oneOf,
  orNull,
  statement,
  text,
  timestamptz,
  uuid,
  bool,
} from "../../postgres/statement.ts";
import { lockBalances } from "../ledger.store.ts";
import { move } from "../move.store.ts";
import type { MoveDeps } from "../moved-event.ts";
import { DAY_MS } from "../../time.ts";
import { POINTS_MOVED_MAX } from "../adjustments/schema.ts";
import type { NextExpiry } from "../../users/schema.ts";
import { announcedBy, expiredBy, expiring, expiriesOf, isLate, newestHistory } from "./expiry.ts";
import type { Expiry, ExpiryRule, PointsHistory } from "./expiry.ts";

const RULE = {
  months: neverNull(int2),
  from: oneOf(["earning", "activity"]),
  noticeDays: int2,
  setAt: timestamptz,
};
const RULE_COLUMNS = `settings.expiry_months AS months, settings.expiry_from AS "from",
  settings.expiry_notice_days AS "noticeDays", settings.updated_at AS "setAt"`;
const RULES = statement(
  "expiry.rules",
  { applicationId: uuid, ...RULE },
  `SELECT application_id AS "applicationId", ${RULE_COLUMNS} FROM points_settings AS settings
         WHERE expiry_months IS NOT NULL ORDER BY application_id`,
);
const PAGE = statement(
  "expiry.page",
  { userId: uuid, email: text, isOld: bool },
  // By address, since that is indexed by application. Erased users have none.
  `SELECT held.user_id AS "userId", held.email,
                available_points > 0 AND coalesce(first.created_at < $4 OR test_clocks.user_id IS NOT NULL, false) AS "isOld"
         FROM user_emails AS held JOIN balances USING (user_id) LEFT JOIN test_clocks USING (user_id)
         LEFT JOIN records AS first ON first.user_id = held.user_id AND first.sequence = 1
         WHERE held.application_id = $1 AND held.email > $2 ORDER BY held.email LIMIT $3`,
);
const HISTORIES = statement(
  "expiry.histories",
  {
    userId: uuid,
    ...RULE,
    availablePoints: float8,
    credits: json<[day: string, points: number][]>(),
    activeAt: orNull(timestamptz),
    givenBackAt: orNull(timestamptz),
    lateAt: orNull(timestamptz),
    aheadMs: float8,
    announced: json<number[]>(),
    isWhole: bool,
  },
  // The newest $2 records of each user. What relates to one of them is newer, and so among them. What relates to an
  // older one changes no credit of these. Points that came back delay an expiry only if they came back later than a
  // notice before it, and it is at least 28 days a month after its record.
  `WITH owned AS (
           SELECT users.id AS user_id, balances.available_points, balances.records, settings.* FROM users
           JOIN points_settings AS settings ON settings.application_id = users.application_id
           JOIN balances ON balances.user_id = users.id
           WHERE users.id = ANY ($1) AND users.erased_at IS NULL AND expiry_months IS NOT NULL
         ), moved AS (
           SELECT owned.user_id, min(created_at) AS earned_at, sum(total_points) AS points,
                  bool_or(related_id IS NULL) AS is_whole,
                  max(created_at) FILTER (WHERE operation IN (1, 2)
                    OR operation = 3 AND related_id IS NULL AND total_points > 0) AS active_at
           FROM owned JOIN records ON records.user_id = owned.user_id AND sequence > owned.records - $2::bigint
           GROUP BY owned.user_id, coalesce(related_id, id)
         ), days AS (
           SELECT user_id, (earned_at AT TIME ZONE 'UTC')::date AS earned_on, min(earned_at) AS from_at,
                  coalesce(sum(points) FILTER (WHERE points > 0 AND is_whole), 0) AS credits, max(active_at) AS active_at
           FROM moved GROUP BY user_id, earned_on
         ), histories AS (
           SELECT user_id, min(from_at) AS from_at, max(active_at) AS active_at,
                  coalesce(jsonb_agg(jsonb_build_array(earned_on, credits) ORDER BY earned_on) FILTER (WHERE credits > 0),
                           '[]') AS credits
           FROM days GROUP BY user_id
         )
         SELECT user_id AS "userId", ${RULE_COLUMNS}, available_points::float8 AS "availablePoints", credits,
                active_at AS "activeAt", coalesce(ahead_ms, 0)::float8 AS "aheadMs", settings.records <= $2 AS "isWhole",
                (SELECT max(back.created_at) FROM records AS back
                 JOIN records AS root ON root.user_id = back.user_id AND root.id = back.related_id
                 WHERE back.user_id = settings.user_id AND back.total_points > 0
                   AND back.created_at >= from_at - make_interval(days => greatest(0, expiry_notice_days + 1 - 28 * expiry_months))
                   AND back.created_at >= root.created_at + make_interval(days => expiry_notice_days)) AS "givenBackAt",
                (SELECT max(late_at) FROM expiry_notices WHERE expiry_notices.user_id = settings.user_id) AS "lateAt",
                (SELECT coalesce(jsonb_agg(round(1000 * extract(epoch FROM expires_at))), '[]') FROM expiry_notices
                 WHERE expiry_notices.user_id = settings.user_id) AS announced
         FROM owned AS settings JOIN histories USING (user_id) LEFT JOIN test_clocks USING (user_id)`,
);
const ANNOUNCE = statement(
  "expiry.announce",
  {},
  // Those of the past are kept for the days of a notice: points that were gone for less come back as announced.
  `WITH past AS (DELETE FROM expiry_notices WHERE user_id = $1 AND expires_at < $3)
         INSERT INTO expiry_notices (user_id, expires_at, late_at) SELECT $1, unnest($2::timestamptz[]), $4`,
);
const AHEAD = statement(
  "expiry.ahead",
  { aheadMs: float8 },
  `SELECT ahead_ms::float8 AS "aheadMs" FROM test_clocks WHERE user_id = $1`,
);
const SET_AHEAD = statement(
  "expiry.set-ahead",
  {},
  `INSERT INTO test_clocks (user_id, ahead_ms) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET ahead_ms = excluded.ahead_ms`,
);

interface Owner {
  readonly applicationId: string;
  readonly userId: string;
}

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

/** The rules of all applications whose points expire. */
export async function expiryRules(tx: Tx): Promise<(ExpiryRule & { readonly applicationId: string })[]> {
  return tx.query(RULES);
}

/**
 * The next users of an application by address, after that of `after`. `isOld`: some of their points may be due; users
 * whose first record is younger than `oldest` have none.
 */
export async function usersByAddress(
  tx: Tx,
  applicationId: string,
  { after, limit, oldest }: { readonly after: string; readonly limit: number; readonly oldest: Date },
): Promise<{ userId: string; email: string; isOld: boolean }[]> {
  return tx.query(PAGE, [applicationId, after, limit, oldest]);
}

/** Records of a user that the first step reads. Each further step reads WIDER times as many. */
const FIRST_RECORDS = 1_000;
const WIDER = 8;

/**
 * The expiries of those of these users whose points expire. Erased users are absent. Debits take the oldest points, so
 * the points that are left are the newest: records are read from the newest back until their credits are as many as the
 * points there are.
 */
export async function expiriesOfUsers(
  tx: Tx,
  userIds: readonly string[],
  newest: number = FIRST_RECORDS,
): Promise<UserExpiries[]> {
  const found: UserExpiries[] = [];
  let left = userIds;
  for (let records = newest; left.length > 0; records *= WIDER) {
    const unfinished: string[] = [];
    for (const { userId, aheadMs, announced, credits, isWhole, ...row } of await tx.query(HISTORIES, [left, records])) {
      const earned = credits.map(([day, points]) => ({ earnedOn: new Date(day), points }));
      const history = newestHistory({ ...row, credits: earned }, row, isWhole);
      if (history === null) unfinished.push(userId);
      else
        found.push({
          userId,
          rule: row,
          history,
          expiries: expiriesOf(history, row),
          aheadMs,
          announced: new Set(announced),
        });
    }
    left = unfinished;
  }
  return found;
}

/** Whether something of a user is to be booked or announced at a time of the service. */
export function isDue({ expiries, rule, aheadMs, announced }: UserExpiries, now: Date): boolean {
  const at = new Date(now.getTime() + aheadMs);
  return expiredBy(expiries, at) > 0 || announcedBy(expiries, rule, at).some(isNew(announced));
}

/**
 * Books what has expired of a user's points as one record with `points.expired`, and publishes `points.expiring` for
 * each expiry that is to be announced. All is computed under the balance lock from the records themselves, so it can be
 * repeated at any time: what was booked is a debit and does not expire again. The caller holds the user.
 * If an expiry is past that was not announced, it is announced now and nothing expires before the days of a notice; but
 * not after the jump of a test clock (`isJump`), since no night was missed then.
 */
export async function settle(
  tx: Tx,
  owner: Owner,
  deps: MoveDeps & { readonly isJump?: boolean },
): Promise<{ expiredPoints: number }> {
  const locked = await lockBalances(tx, [owner.userId], []);
  const [found] = await expiriesOfUsers(tx, [owner.userId]);
  const balance = locked.balances.get(owner.userId);
  if (!found || !balance) return { expiredPoints: 0 };
  const { rule, announced, aheadMs, history } = found;
  const now = deps.now();
  const at = new Date(now.getTime() + aheadMs);
  const late = !deps.isJump && isLate(found.expiries, rule, announced, at);
  // All that would have expired by then expires together, the days of a notice from now.
  const expiries = late ? expiriesOf({ ...history, lateAt: at }, rule) : found.expiries;
  // Events are ordered by the service's own time, and deliveries are due by it.
  const publish: MoveDeps["publish"] = (inTx, about, event) => deps.publish(inTx, about, event, now);
  const expiredPoints = Math.min(expiredBy(expiries, at), POINTS_MOVED_MAX);
  if (expiredPoints > 0) {
    await move(tx, locked, expiring(owner, expiredPoints, deps.newId(), at), { ...deps, publish, now: () => at });
  }
  const toAnnounce = (late ? expiries.slice(0, 1) : announcedBy(expiries, rule, at)).filter(isNew(announced));
  if (toAnnounce.length > 0) {
    const dates = toAnnounce.map(({ expiresAt }) => expiresAt);
    const forgotten = new Date(at.getTime() - (rule.noticeDays + 2) * DAY_MS);
    await tx.query(ANNOUNCE, [owner.userId, dates, forgotten, late ? at : null]);
  }
  const { userId } = owner;
  const availablePoints = balance.availablePoints - expiredPoints;
  for (const { points, expiresAt } of toAnnounce) {
    const event = { event: "points.expiring" as const, userId, points, availablePoints };
    await publish(tx, { ...owner, subject: deps.newId() }, { ...event, expiresAt: expiresAt.toISOString() }, now);
  }
  return { expiredPoints };
}

/** What expires next of a user's points; null: nothing. */
export async function nextExpiry(tx: Tx, userId: string): Promise<NextExpiry> {
  const next = (await expiriesOfUsers(tx, [userId]))[0]?.expiries[0];
  return next ? { points: next.points, expiresAt: next.expiresAt.toISOString() } : null;
}

/** Milliseconds that a user's time is ahead of the service's. */
export async function aheadMsOf(tx: Tx, userId: string): Promise<number> {
  return (await tx.query(AHEAD, [userId]))[0]?.aheadMs ?? 0;
}

/** Moves a user's time ahead of the service's. The caller holds the user. */
export async function setAhead(tx: Tx, userId: string, aheadMs: number): Promise<void> {
  await tx.query(SET_AHEAD, [userId, aheadMs]);
}

function isNew(announced: ReadonlySet<number>): (expiry: Expiry) => boolean {
  return ({ expiresAt }) => !announced.has(expiresAt.getTime());
}
