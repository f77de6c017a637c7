// An adjustment: points that a person or program of the integrator gives or takes, with the reason.
import type { PointsAdjusted } from "../../webhooks/points-event-schema.ts";
import type { Posted } from "../balance.ts";
import { OPERATION, RECORD_STATUS } from "../codes.ts";
import { NO_AMOUNTS, NO_RULE, bodyWithoutItems, totalPoints } from "../entry.ts";
import type { Entry } from "../entry.ts";

export interface Adjustment {
  /** Signed, not 0. */
  readonly points: number;
  readonly reason: string;
  /** The integrator's own, unique among the adjustments of the application. */
  readonly reference: string;
  /** Whether the points count as earned, in lifetimePoints. */
  readonly countsAsEarned: boolean;
}

/** The entry of an adjustment. `id` (UUIDv7) is its own. */
export function adjusting(
  { applicationId, userId }: { readonly applicationId: string; readonly userId: string },
  { points, reason, reference, countsAsEarned }: Adjustment,
  id: string,
  at: Date,
): Entry {
  return {
    applicationId,
    userId,
    operation: OPERATION.adjust,
    status: RECORD_STATUS.completed,
    source: "manual",
    submissionId: id,
    relatedId: null,
    isLifetime: countsAsEarned,
    amounts: { ...NO_AMOUNTS, otherPoints: points },
    body: { ...bodyWithoutItems(reference, at), reason },
    ruleUse: NO_RULE,
    mayOverdraw: false,
  };
}

/** The event of an adjustment that is booked among others, without reading it again. */
export function adjustedEvent(entry: Entry, posted: Posted): PointsAdjusted {
  return {
    event: "points.adjusted",
    userId: entry.userId,
    transactionID: posted.id,
    externalTransactionID: entry.body.reference,
    totalPoints: totalPoints(entry.amounts),
    availablePoints: posted.availablePoints,
    lifetimePoints: posted.lifetimePoints,
    createdAt: posted.createdAt.toISOString(),
    reason: entry.body.reason ?? "",
  };
}
