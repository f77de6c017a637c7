// When points expire. Pure: the history of a user's points in, the expiries of what is left of them out.
import { DAY_MS } from "../../time.ts";
import { OPERATION, RECORD_STATUS } from "../codes.ts";
import { NO_AMOUNTS, NO_RULE, bodyWithoutItems } from "../entry.ts";
import type { Entry } from "../entry.ts";

/** What an application decided about expiry, and when. */
export interface ExpiryRule {
  readonly months: number;
  /** `earning`: each point from its own record, first in, first out. `activity`: all, from the last activity. */
  readonly from: "earning" | "activity";
  readonly noticeDays: number;
  readonly setAt: Date;
}

/**
 * The points of a user, each record together with the records that reverse, correct or refund it: what is left of such
 * a group is a credit or a debit. So a refund restores the dates of its points, and a reversal takes its own.
 */
export interface PointsHistory {
  readonly availablePoints: number;
  /** By the day (UTC) of the record that earned them, ascending. */
  readonly credits: readonly { readonly earnedOn: Date; readonly points: number }[];
  /** All points spent, taken or expired. */
  readonly debits: number;
  /** The last record that earned, redeemed or gave points. */
  readonly activeAt: Date | null;
  /** The last time that points came back which were gone for the days of a notice or longer. */
  readonly givenBackAt: Date | null;
  /** The last time that points were announced whose time had passed. */
  readonly lateAt: Date | null;
}

/** Points that expire together. */
export interface Expiry {
  readonly expiresAt: Date;
  readonly points: number;
}

/**
 * The expiries of all points of a user, ascending. Debits take the oldest points first. Nothing expires earlier than
 * the days of a notice after expiry was set, after points came back, or after a late announcement: nobody loses points
 * without a notice.
 */
export function expiriesOf(history: PointsHistory, rule: ExpiryRule): Expiry[] {
  const { availablePoints, credits, activeAt, givenBackAt, lateAt } = history;
  const heldFrom = Math.max(rule.setAt.getTime(), givenBackAt?.getTime() ?? 0, lateAt?.getTime() ?? 0);
  const heldUntil = dayFrom(heldFrom + rule.noticeDays * DAY_MS);
  const expiryOf = (from: Date) => Math.max(monthsLater(from, rule.months).getTime(), heldUntil);
  if (availablePoints <= 0) return [];
  if (rule.from === "activity") {
    return activeAt ? [{ expiresAt: new Date(expiryOf(activeAt)), points: availablePoints }] : [];
  }
  const expiries = new Map<number, number>();
  let debits = history.debits;
  for (const { earnedOn, points } of credits) {
    const used = Math.min(debits, points);
    debits -= used;
    if (used === points) continue;
    const expiresAt = expiryOf(earnedOn);
    expiries.set(expiresAt, (expiries.get(expiresAt) ?? 0) + points - used);
  }
  return [...expiries].map(([expiresAt, points]) => ({ expiresAt: new Date(expiresAt), points }));
}

/** The points that have expired by `at`. */
export function expiredBy(expiries: readonly Expiry[], at: Date): number {
  return expiries.reduce((sum, { expiresAt, points }) => sum + (expiresAt <= at ? points : 0), 0);
}

/**
 * Whether points have expired by `at` that nobody was notified of, because no job ran in the days of their notice. They
 * are announced first. `announced`: the times of expiries that were.
 */
export function isLate(
  expiries: readonly Expiry[],
  { noticeDays }: ExpiryRule,
  announced: ReadonlySet<number>,
  at: Date,
): boolean {
  return noticeDays > 0 && expiries.some(({ expiresAt }) => expiresAt <= at && !announced.has(expiresAt.getTime()));
}

/** The expiries after `at` that are to be announced by then. */
export function announcedBy(expiries: readonly Expiry[], { noticeDays }: ExpiryRule, at: Date): Expiry[] {
  const until = new Date(at.getTime() + noticeDays * DAY_MS);
  return expiries.filter(({ expiresAt }) => expiresAt > at && expiresAt <= until);
}

/**
 * The end of the day (UTC) that is `months` calendar months later; a month without that day ends it. Whole days: points
 * last through the day, and those of one day expire together.
 */
export function monthsLater(from: Date, months: number): Date {
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay) + 1));
}

/** A user without a record before this time has nothing that expires, or is to be announced, by `at`. */
export function oldestToExpire({ months, noticeDays }: ExpiryRule, at: Date): Date {
  // N months have at least 30 N - 3 days: the time may be some days too late, and then more users are looked at.
  return new Date(at.getTime() + (noticeDays - (30 * months - 3)) * DAY_MS);
}

/** The entry of an expiry. `id` (UUIDv7) is its own. */
export function expiring(
  { applicationId, userId }: { readonly applicationId: string; readonly userId: string },
  points: number,
  id: string,
  at: Date,
): Entry {
  return {
    applicationId,
    userId,
    operation: OPERATION.expire,
    status: RECORD_STATUS.completed,
    source: "manual",
    submissionId: id,
    relatedId: null,
    isLifetime: false,
    amounts: { ...NO_AMOUNTS, otherPoints: -points },
    body: bodyWithoutItems("", at),
    ruleUse: NO_RULE,
    mayOverdraw: false,
  };
}

function dayFrom(ms: number): number {
  return Math.ceil(ms / DAY_MS) * DAY_MS;
}
