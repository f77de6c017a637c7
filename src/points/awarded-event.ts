import type { RewardsAwarded } from "../webhooks/event.ts";
import { recordTotals } from "./record.ts";
import type { ComposedRecord } from "./record.ts";

/** Creates the event of an award, with the balance just after it. `id` is the id of the transaction. */
export function awardedEvent(
  userId: string,
  booked: { id: string; record: ComposedRecord; availablePoints: number; lifetimePoints: number },
): RewardsAwarded {
  const { id, record, availablePoints, lifetimePoints } = booked;
  return {
    eventType: "rewards.awarded",
    data: {
      user: { id: userId, availablePoints, lifetimePoints },
      transaction: {
        transactionID: id,
        totalPoints: recordTotals(record.body).points,
        items: record.body.items.map((item) => ({
          name: item.name,
          carbonImpactRating: item.carbonRating,
          healthImpactRating: item.healthRating,
          totalServicePoints: item.healthPoints + item.carbonPoints + item.bonusPoints,
        })),
      },
    },
  };
}
