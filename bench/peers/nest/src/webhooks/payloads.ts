import type { Intake } from "../entities/intake.entity.js";
import type { PointTransaction } from "../entities/point-transaction.entity.js";
import type { User } from "../entities/user.entity.js";
import type { ScoredFood } from "../scoring/scored-food.js";

function subject({ id, transactionId, userId }: Intake) {
  return { source: "food", transactionId, trackId: id, userId };
}

export function receivedPayload(intake: Intake): object {
  return {
    event: "intake.received",
    ...subject(intake),
    loggedAt: intake.createdAt,
    country: intake.submission.merchant.country ?? "",
    createdAt: intake.createdAt,
  };
}

export function scoredPayload(intake: Intake, scored: ScoredFood): object {
  const { totalPoints, totalCarbonPoints, totalHealthPoints, ...ingredient } = scored;
  return {
    event: "intake.scored",
    ...subject(intake),
    name: scored.name,
    imageUrl: scored.imageUrl,
    mealType: "",
    ingredients: [ingredient],
    loggedAt: intake.createdAt,
    country: intake.submission.merchant.country ?? "",
    totalAmount: scored.amount,
    currency: scored.currency,
    totalCo2e: scored.co2e,
    carbonImpactRating: scored.carbonImpactRating,
    healthImpactRating: scored.healthImpactRating,
    createdAt: new Date(),
  };
}

export function completedPayload(intake: Intake, scored: ScoredFood): object {
  return {
    event: "intake.completed",
    ...subject(intake),
    totalAmount: scored.amount,
    currency: scored.currency,
    ingredients: [scored],
    totalPoints: scored.totalPoints,
    totalGreenProducts: Number(scored.carbonImpactRating <= 2),
    totalHealthyProducts: Number(scored.healthImpactRating <= 2),
    totalCo2e: scored.co2e,
    totalHealthPoints: scored.totalHealthPoints,
    totalCarbonPoints: scored.totalCarbonPoints,
    createdAt: new Date(),
  };
}

export function failedPayload(intake: Intake): object {
  return {
    event: "intake.failed",
    ...subject(intake),
    errorType: intake.errorType,
    errorMessage: "No food was recognised.",
    failedAt: new Date(),
  };
}

export function awardedPayload(user: User, transaction: PointTransaction): object {
  return {
    eventType: "rewards.awarded",
    data: {
      user: { id: user.id, availablePoints: user.availablePoints, lifetimePoints: user.lifetimePoints },
      transaction: {
        transactionID: transaction.id,
        totalPoints: transaction.points,
        items: transaction.items.map(({ name, carbonImpactRating, healthImpactRating, totalPoints }) => ({
          name,
          carbonImpactRating,
          healthImpactRating,
          totalServicePoints: totalPoints,
        })),
      },
    },
  };
}
