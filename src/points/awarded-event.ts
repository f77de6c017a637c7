import type { RewardsAwarded } from "../webhooks/event.ts";
import { recordTotals } from "./record.ts";
import type { ComposedRecord } from "./record.ts";
import { presentItems } from "./transaction.ts";

/** What was awarded, with the balance just after it; `recordId` is the transaction's id. */
export function awardedEvent(
  userId: string,
  recordId: string,
  record: ComposedRecord,
  balance: { availablePoints: number; lifetimePoints: number },
): RewardsAwarded {
  const { availablePoints, lifetimePoints } = balance;
  return {
    eventType: "rewards.awarded",
    data: {
      user: { id: userId, availablePoints, lifetimePoints },
      transaction: {
        transactionID: recordId,
        totalPoints: recordTotals(record.body).points,
        items: presentItems(record.body).map(
          ({ name, carbonImpactRating, healthImpactRating, totalServicePoints }) => ({
            name,
            carbonImpactRating,
            healthImpactRating,
            totalServicePoints,
          }),
        ),
      },
    },
  };
}
