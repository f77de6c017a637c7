// What the expiries of a user need of the user's records, added up. Pure: sums of some records and of the next ones in,
// sums of all of them out. So of a user with a million records the next expiry needs those since the stored sums.
import { DAY_MS } from "../../time.ts";
import type { ExpiryRule, PointsHistory } from "./expiry.ts";

/** Points of a group of records (`PointsHistory`) by the day of its first one: days since 1970 (UTC). */
export type Credits = readonly (readonly [day: number, points: number])[];
/** When points last came back that had been gone for a number of days: milliseconds since 1970. */
export type Returns = readonly (readonly [days: number, atMs: number])[];

/** Of the records of a user from one number on. Credits may be negative then: they take back earlier ones. */
export interface ExpirySums {
  readonly credits: Credits;
  readonly returns: Returns;
  /** The last record that earned, redeemed or gave points. */
  readonly activeAt: Date | null;
}

export const NO_SUMS: ExpirySums = { credits: [], returns: [], activeAt: null };

/** The longest notice, in days. Points that were gone for longer count as gone for as long. */
export const NOTICE_DAYS_MAX = 365;

/** The sums of some records together with those of the records after them. */
export function withLater(before: ExpirySums, later: ExpirySums): ExpirySums {
  return {
    credits: merged(before.credits, later.credits, (a, b) => a + b).filter(([, points]) => points !== 0),
    returns: merged(before.returns, later.returns, Math.max),
    activeAt: later.activeAt ?? before.activeAt,
  };
}

/** The history of a user by the sums of all records. */
export function historyOf(
  { credits, returns, activeAt }: ExpirySums,
  { noticeDays }: ExpiryRule,
  { availablePoints, lateAt }: Pick<PointsHistory, "availablePoints" | "lateAt">,
): PointsHistory {
  const credited = credits.reduce((sum, [, points]) => sum + points, 0);
  const givenBackMs = Math.max(...returns.map(([days, atMs]) => (days >= noticeDays ? atMs : -Infinity)));
  return {
    availablePoints,
    credits: credits.map(([day, points]) => ({ earnedOn: new Date(day * DAY_MS), points })),
    debits: Math.max(0, credited - availablePoints),
    activeAt,
    givenBackAt: givenBackMs > -Infinity ? new Date(givenBackMs) : null,
    lateAt,
  };
}

/** The pairs of both, ascending by their first member; `both`: of one that is in both. */
function merged(
  some: readonly (readonly [number, number])[],
  others: readonly (readonly [number, number])[],
  both: (a: number, b: number) => number,
): (readonly [number, number])[] {
  const byKey = new Map(some);
  for (const [key, value] of others) {
    const present = byKey.get(key);
    byKey.set(key, present === undefined ? value : both(present, value));
  }
  return [...byKey].toSorted(([a], [b]) => a - b);
}
