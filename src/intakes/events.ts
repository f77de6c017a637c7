import { fromMinor } from "../points/money.ts";
import { recordTotals } from "../points/record.ts";
import { kilograms } from "../points/transaction.ts";
import { newEvent } from "../webhooks/event.ts";
import type {
  CreditedIngredient,
  IntakeCompleted,
  IntakeFailed,
  IntakeReceived,
  IntakeScored,
  NewEvent,
  ScoredIngredient,
  WebhookEvent,
} from "../webhooks/event.ts";
import type { IntakeSource } from "./intake.ts";
import type { Submission } from "./schema.ts";
import type { FailedScoring, Scored } from "./score.ts";

/** The intake that an event reports on. */
export interface EventIntake {
  readonly id: string;
  readonly userId: string;
  readonly source: IntakeSource;
  readonly submission: Submission;
}

/** Prepares an event of an intake for the outbox, under an id (UUIDv7) that will be its `webhook-id`. */
export function outboxEvent(
  id: string,
  intake: EventIntake & { readonly applicationId: string; readonly traceparent?: string | undefined },
  event: WebhookEvent,
  createdAt: Date,
): NewEvent {
  const { applicationId, userId, id: subject, traceparent } = intake;
  return newEvent(id, { applicationId, userId, subject, traceparent }, event, createdAt);
}

/** The intake was stored. */
export function receivedEvent(intake: EventIntake, at: Date): IntakeReceived {
  const { loggedAt, country } = intake.submission;
  return { event: "intake.received", ...subject(intake), loggedAt, country, createdAt: at.toISOString() };
}

/** The intake was rated. */
export function scoredEvent(intake: EventIntake, scored: Scored, at: Date): IntakeScored {
  const { name, imageUrl, mealType, loggedAt, country } = intake.submission;
  const { body } = scored.record;
  return {
    event: "intake.scored",
    ...subject(intake),
    name,
    imageUrl,
    mealType,
    ingredients: scoredIngredients(scored),
    loggedAt,
    country,
    totalAmount: fromMinor(body.totalAmountMinor, body.currency),
    currency: body.currency,
    totalCo2e: kilograms(recordTotals(body).co2eMg),
    carbonImpactRating: scored.carbonRating,
    healthImpactRating: scored.healthRating,
    createdAt: at.toISOString(),
  };
}

/** The points of the intake were credited. */
export function completedEvent(intake: EventIntake, scored: Scored, at: Date): IntakeCompleted {
  const { body } = scored.record;
  const totals = recordTotals(body);
  return {
    event: "intake.completed",
    ...subject(intake),
    totalAmount: fromMinor(body.totalAmountMinor, body.currency),
    currency: body.currency,
    ingredients: creditedIngredients(scored),
    totalPoints: totals.points,
    totalGreenProducts: totals.greenProducts,
    totalHealthyProducts: totals.healthyProducts,
    totalCo2e: kilograms(totals.co2eMg),
    totalHealthPoints: totals.healthPoints,
    totalCarbonPoints: totals.carbonPoints,
    createdAt: at.toISOString(),
  };
}

/** The intake earned nothing. */
export function failedEvent(
  intake: EventIntake,
  failure: Pick<FailedScoring, "errorType" | "errorMessage">,
  at: Date,
): IntakeFailed {
  const { errorType, errorMessage } = failure;
  return { event: "intake.failed", ...subject(intake), errorType, errorMessage, failedAt: at.toISOString() };
}

function subject(intake: EventIntake) {
  const { id, userId, source, submission } = intake;
  return { source, transactionId: submission.reference, trackId: id, userId };
}

/** The rated ingredients of a scored intake, as events show them. */
function scoredIngredients({ record, portions }: Scored): ScoredIngredient[] {
  const { items, currency } = record.body;
  return items.map((item, i) => {
    const { weight, unit } = portions[i]!;
    return {
      foodId: item.externalId,
      name: item.name,
      imageUrl: item.imageUrl,
      weight,
      unit,
      quantity: item.quantity,
      amount: fromMinor(item.amountMinor, currency),
      currency,
      carbonImpactRating: item.carbonRating,
      healthImpactRating: item.healthRating,
      co2e: kilograms(item.co2eMg),
    };
  });
}

/** The rated ingredients with the points of each. */
function creditedIngredients(scored: Scored): CreditedIngredient[] {
  const { items } = scored.record.body;
  return scoredIngredients(scored).map((ingredient, i) => {
    const { healthPoints, carbonPoints, bonusPoints } = items[i]!;
    return {
      ...ingredient,
      totalPoints: healthPoints + carbonPoints + bonusPoints,
      totalCarbonPoints: carbonPoints,
      totalHealthPoints: healthPoints,
    };
  });
}
