import { fromMinor } from "../points/money.ts";
import { recordTotals } from "../points/record.ts";
import { kilograms, presentExcludedItems, presentItems } from "../points/transaction.ts";
import type { RecordRow } from "../points/transaction.ts";
import { completedIntake } from "./kept.ts";
import type { CompletedDetails, KeptDetails } from "./kept.ts";
import type { Submission } from "./schema.ts";
import type { FailedScoring } from "./score.ts";
import type { IntakeStatus } from "./status-schema.ts";
import type { FoundIntake } from "./store.ts";

/** The stored details of a failed intake. */
type FailedDetails = Pick<FailedScoring, "excluded">;

/**
 * Creates the status document of a meal or food, in the same form as a receipt's. `record` is the record that it
 * earned; null until it is completed.
 */
export function presentStatus(intake: FoundIntake, record: RecordRow | null): IntakeStatus {
  const { id, userId, source, acceptedAt, finishedAt } = intake;
  const kept = { submission: intake.submission, details: intake.details as KeptDetails };
  const completed = record && completedIntake(source, kept, record.body);
  const submission = completed?.submission ?? (intake.submission as Submission);
  const isFailed = intake.state === "failed";
  return {
    status: intake.state === "accepted" ? "received" : intake.state,
    id,
    trackId: id,
    transactionId: submission.reference,
    userId,
    source,
    createdAt: acceptedAt.toISOString(),
    lastUpdated: (finishedAt ?? acceptedAt).toISOString(),
    errorType: intake.errorType,
    errorMessage: intake.errorMessage,
    submission,
    ...(isFailed && { excludedItems: [...(intake.details as FailedDetails).excluded] }),
    ...(record &&
      completed && {
        scored: scoredData(record, completed.details),
        completed: completedData(record),
      }),
  };
}

function scoredData({ body }: RecordRow, { portions, carbonRating, healthRating }: CompletedDetails) {
  return {
    items: presentItems(body).map((item, i) => ({ ...item, portion: portions[i]! })),
    excludedItems: presentExcludedItems(body),
    totalAmount: fromMinor(body.totalAmountMinor, body.currency),
    currency: body.currency,
    totalCo2e: kilograms(recordTotals(body).co2eMg),
    carbonImpactRating: carbonRating,
    healthImpactRating: healthRating,
  };
}

function completedData(record: RecordRow) {
  const totals = recordTotals(record.body);
  return {
    transactionID: record.id,
    totalPoints: totals.points,
    totalHealthPoints: totals.healthPoints,
    totalCarbonPoints: totals.carbonPoints,
    totalGreenProducts: totals.greenProducts,
    totalHealthyProducts: totals.healthyProducts,
    createdAt: record.createdAt.toISOString(),
  };
}
