import type { Tx } from "../../postgres/postgres.ts";
import { isOpen } from "../../applications/closed.ts";
import { bool, float8, statement, text, uuid } from "../../postgres/statement.ts";
import { lockBalances } from "../ledger.store.ts";
import { move } from "../move.store.ts";
import type { MoveDeps } from "../moved-event.ts";
import { DAY_MS } from "../../time.ts";
import { POINTS_MOVED_MAX } from "../adjustments/schema.ts";
import type { NextExpiry } from "../../users/schema.ts";
import { announcedBy, expiredBy, expiring, expiriesOf, isLate } from "./expiry.ts";
import type { Expiry, ExpiryRule } from "./expiry.ts";
import { RECORDS_READ, RULE, RULE_COLUMNS, expiriesOfUsers } from "./histories.store.ts";
import type { UserExpiries } from "./histories.store.ts";

const RULES = statement(
  "expiry.rules",
  { applicationId: uuid, ...RULE },
  `SELECT application_id AS "applicationId", ${RULE_COLUMNS} FROM points_settings AS settings
         WHERE expiry_months IS NOT NULL AND ${isOpen("settings.application_id")} ORDER BY application_id`,
);
const PAGE = statement(
  "expiry.page",
  { userId: uuid, email: text, isOld: bool },
  // By address, since that is indexed by application. Erased users have none.
  `SELECT held.user_id AS "userId", held.email,
                available_points > 0 AND coalesce(first.created_at < $4 OR test_clocks.user_id IS NOT NULL, false)
                OR balances.records > ${RECORDS_READ} + CASE WHEN balances.records <= ${RECORDS_READ} THEN 0
                  ELSE coalesce((SELECT sequence FROM expiry_sums WHERE expiry_sums.user_id = held.user_id), 0) END AS "isOld"
         FROM user_emails AS held JOIN balances USING (user_id) LEFT JOIN test_clocks USING (user_id)
         LEFT JOIN records AS first ON first.user_id = held.user_id AND first.sequence = 1
         WHERE held.application_id = $1 AND held.email > $2 ORDER BY held.email LIMIT $3`,
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

/** The rules of all applications whose points expire. */
export async function expiryRules(tx: Tx): Promise<(ExpiryRule & { readonly applicationId: string })[]> {
  return tx.query(RULES);
}

/**
 * The next users of an application by address, after that of `after`. `isOld`: some of their points may be due, or many
 * of their records are to be added up; users whose first record is younger than `oldest` have none that are due.
 */
export async function usersByAddress(
  tx: Tx,
  applicationId: string,
  { after, limit, oldest }: { readonly after: string; readonly limit: number; readonly oldest: Date },
): Promise<{ userId: string; email: string; isOld: boolean }[]> {
  return tx.query(PAGE, [applicationId, after, limit, oldest]);
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

/** How long a request adds up records. What it has added up is kept for the next one. */
const REQUEST_MS = 1_000;

/**
 * What expires next of a user's points; null: nothing. Throws unavailable for a user with hundreds of thousands of
 * records that no job and no request has added up before.
 */
export async function nextExpiry(tx: Tx, userId: string): Promise<NextExpiry> {
  const summing = { untilMs: performance.now() + REQUEST_MS };
  const next = (await expiriesOfUsers(tx, [userId], summing))[0]?.expiries[0];
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
