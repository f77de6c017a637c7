// Points that are spent already, and what becomes of them when their record is corrected or reversed. Pure.
import { OPERATION } from "./codes.ts";
import type { RecordRow } from "./transaction.ts";

/** The balance that points are taken out of, and whether it may become negative. */
export interface Coverage {
  readonly availablePoints: number;
  readonly overdraws: boolean;
}

/**
 * The points that a correction moves beside those of its items, which are `points` together. Points that are not there
 * are waived: they stay with the user. Points that earlier corrections have waived are not given a second time: without
 * that a correction and its opposite gave a user points from nothing.
 */
export function waivedOrKept(points: number, earlierWaived: number, there: Coverage): number {
  return points >= 0 ? 0 - Math.min(earlierWaived, points) : waivedOf(points, there);
}

/** How many of the points that a record would take, a negative number, are not there. */
export function waivedOf(points: number, { availablePoints, overdraws }: Coverage): number {
  return overdraws || points >= 0 ? 0 : Math.min(Math.max(0 - (availablePoints + points), 0), 0 - points);
}

/**
 * The points that corrections of a record have waived and not kept since. What a reversal waived stays waived: its
 * items were taken back.
 */
export function waivedBy(later: readonly Pick<RecordRow, "operation" | "otherPoints">[]): number {
  const corrections = later.filter(({ operation }) => operation === OPERATION.adjust);
  return corrections.reduce((sum, { otherPoints }) => sum + otherPoints, 0);
}
