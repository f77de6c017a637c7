import { idAbove } from "../ids.ts";
import { totalPoints } from "./entry.ts";
import type { Entry } from "./entry.ts";
import { isAwardOfSubmission } from "./figures/record-figures.ts";

/** The balance of a user: the sums of the user's records, their number, and the last of them. */
export interface Balance {
  readonly userId: string;
  readonly records: number;
  /** Records that are no earning events. */
  readonly otherRecords: number;
  readonly lifetimePoints: number;
  readonly availablePoints: number;
  readonly isOverdrawn: boolean;
  readonly carbonPoints: number;
  readonly greenProducts: number;
  readonly lastRecordId: string | null;
  readonly lastRecordAt: Date | null;
  /** The last receipt, meal or food that was credited; null also where a release before this column booked it. */
  readonly lastAwardAt: Date | null;
}

/** The place of a record in the ledger, and the balance just after it. */
export interface Posted {
  readonly id: string;
  /** Gapless for each user. */
  readonly sequence: number;
  readonly createdAt: Date;
  readonly lifetimePoints: number;
  readonly availablePoints: number;
}

/**
 * Adds an entry to a balance. Time, id and sequence of a balance's records ascend, whatever the clock does. Throws
 * RangeError when the points are not enough, or beyond 2^53: callers check both before, under the same lock.
 */
export function post(balance: Balance, entry: Entry, now: Date, newId: string): { balance: Balance; posted: Posted } {
  const { lastRecordAt, lastRecordId } = balance;
  const createdAt = lastRecordAt && lastRecordAt > now ? lastRecordAt : now;
  const id = idAbove(newId, lastRecordId);
  const points = totalPoints(entry.amounts);
  const availablePoints = balance.availablePoints + points;
  const lifetimePoints = balance.lifetimePoints + (entry.isLifetime ? points : 0);
  if (!Number.isSafeInteger(availablePoints) || !Number.isSafeInteger(lifetimePoints)) {
    throw new RangeError("a balance beyond 2^53");
  }
  if (points < 0 && availablePoints < 0 && !entry.mayOverdraw) throw new RangeError("a balance below zero");
  const sequence = balance.records + 1;
  const isAward = isAwardOfSubmission(entry);
  const after: Balance = {
    userId: balance.userId,
    records: sequence,
    otherRecords: balance.otherRecords + (isAward ? 0 : 1),
    lifetimePoints,
    availablePoints,
    isOverdrawn: availablePoints < 0,
    carbonPoints: balance.carbonPoints + entry.amounts.carbonPoints,
    greenProducts: balance.greenProducts + entry.amounts.greenProducts,
    lastRecordId: id,
    lastRecordAt: createdAt,
    lastAwardAt: isAward ? createdAt : balance.lastAwardAt,
  };
  return { balance: after, posted: { id, sequence, createdAt, lifetimePoints, availablePoints } };
}
