// Records that move points outside of submissions: their response and their event.
import type { Static } from "typebox";
import type { PointsEvent } from "../webhooks/event.ts";
import type { Outbox } from "../webhooks/outbox.task.ts";
import type { MovedResponse } from "./adjustments/schema.ts";
import { BONUS_TYPE, OPERATION, RECORD_STATUS } from "./codes.ts";
import type { TierKeeper } from "./tiers/keeper.store.ts";

/** The new record, and the balance just after it. */
export type Moved = Static<typeof MovedResponse>;

/** Stores an event in the tx of its change. */
export type Publish = Outbox["publish"];

export interface MoveDeps {
  readonly publish: Publish;
  /** Lets users rise and fall by what is moved. */
  readonly tiers: TierKeeper;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** The event of a record; null for a record without one. */
export function movedEvent({ transaction, balance }: Moved): PointsEvent | null {
  const members = {
    userId: transaction.userID,
    transactionID: transaction.id,
    externalTransactionID: transaction.transaction.externalTransactionID,
    totalPoints: transaction.totalPoints,
    ...balance,
    createdAt: transaction.createdAt,
  };
  const { operation, bonus, reason = "", relatedTransactionID = "" } = transaction;
  // Without names: what is stored of another person could not be erased with them.
  if (operation === OPERATION.earn && bonus.type !== BONUS_TYPE.none) {
    return { event: "bonus.awarded", ...members, reason, type: bonus.type, profileId: bonus.profileId };
  }
  // A correction of a receipt has an event of its own.
  if (operation === OPERATION.adjust && relatedTransactionID !== "") return null;
  if (operation === OPERATION.adjust) return { event: "points.adjusted", ...members, reason };
  if (operation === OPERATION.reverse) return { event: "points.reversed", ...members, relatedTransactionID, reason };
  if (operation === OPERATION.expire) return { event: "points.expired", ...members };
  const { reward } = transaction;
  if (operation === OPERATION.redeem) {
    const status = transaction.status === RECORD_STATUS.pending ? "pending" : "completed";
    return { event: "points.redeemed", ...members, status, reward };
  }
  if (operation === OPERATION.refund) {
    return { event: "points.refunded", ...members, relatedTransactionID, reason, reward };
  }
  return null;
}
