import { fromMinor } from "../points/money.ts";
import { recordTotals } from "../points/record.ts";
import type { ComposedRecord } from "../points/record.ts";
import { kilograms, presentExcludedItems, presentItems } from "../points/transaction.ts";
import type { ExtractedData } from "../webhooks/event.ts";
import { correctionState } from "./corrections/corrected-record.ts";
import type { CorrectionEntry } from "./corrections/schema.ts";
import type { StoredCorrection } from "./corrections/store.ts";
import type { Dispute } from "./disputes/dispute.ts";
import { presentDispute } from "./disputing/present.ts";
import { shownReceipt } from "./disputing/shown.ts";
import type { Enriched } from "./enrichment.ts";
import type { Findings } from "./findings.ts";
import type { ReceiptReading } from "./parsing/parse.ts";
import type { Review } from "./holding/review.ts";
import { STAGES } from "./receipt.ts";
import type { Receipt } from "./receipt.ts";

/** The numbers of `receiptStatusDoc.status`. */
const FAILED_CODE = STAGES.length;

/** A stored image: its name in the store, and a signed link; null if it was deleted. */
export interface StoredImage {
  readonly blobUrl: string | null;
  readonly blobName: string;
}

/**
 * Returns the status document of a receipt: its status and the findings of each finished stage, also after a failure.
 * `images`: its images with their signed links, mostly one.
 */
export function presentStatus(
  receipt: Receipt,
  findings: Findings,
  images: readonly StoredImage[],
  corrections: readonly StoredCorrection[],
  disputes: readonly Dispute[],
) {
  const { id, userId, stage, errorCode, errorMessage, acceptedAt } = receipt;
  const isFailed = errorCode !== null;
  const lastUpdated = receipt.updatedAt.toISOString();
  /** The common members of every stage's data. The failure is shown at the stage after which it happened. */
  const stateOf = (stateType: Receipt["stage"] | "Failed", createdAt: Date) => ({
    stateType,
    receiptID: id,
    userID: userId,
    createdAt: createdAt.toISOString(),
    errorMessage: isFailed && stateType === stage ? errorMessage : "",
    receiptSource: receipt.source,
  });
  const { Extracted, Enriched, Validated, Scored, Completed, Failed } = findings;
  return {
    status: isFailed ? "Failed" : stage,
    receiptID: id,
    transactionId: receipt.reference,
    userId,
    lastUpdated,
    errorCode,
    errorMessage,
    ...(receipt.duplicateOf !== null && { duplicateOf: receipt.duplicateOf }),
    ...(receipt.review && { held: receipt.heldAt !== null, review: presentReview(receipt.review) }),
    ...(corrections.length > 0 && { corrections: corrections.map(presentCorrection) }),
    ...(disputes.length > 0 && { disputes: presentDisputes(receipt, findings, corrections, disputes) }),
    receiptStatusDoc: {
      status: isFailed ? FAILED_CODE : STAGES.indexOf(stage),
      lastUpdated,
      uploadStateData: {
        ...stateOf("Uploaded", acceptedAt),
        ...(images[0] ?? { blobUrl: null, blobName: receipt.imageKey }),
        ...(images.length > 1 && { images: [...images] }),
      },
      ...(Extracted && {
        extractedStateData: {
          ...stateOf("Extracted", Extracted.at),
          extractedData: extractedData(receipt, Extracted.data.reading),
        },
      }),
      ...(Enriched && { enrichStateData: { ...stateOf("Enriched", Enriched.at), ...enrichedData(Enriched.data) } }),
      ...(Validated && {
        validatedStateData: { ...stateOf("Validated", Validated.at), checks: Validated.data.checks },
      }),
      ...(Scored && { scoredStateData: { ...stateOf("Scored", Scored.at), ...scoredData(Scored.data) } }),
      ...(Scored &&
        Completed && {
          completedStateData: {
            ...stateOf("Completed", Completed.at),
            transactionID: Completed.data.transactionId,
            ...receiptTotals(Scored.data),
          },
        }),
      // The findings are read after the receipt, which may have failed meanwhile.
      ...(isFailed &&
        Failed && {
          failedStateData: { ...stateOf("Failed", Failed.at), errorMessage, checks: Failed.data.checks },
        }),
    },
  };
}

function presentReview({ because, heldAt, decision }: Review) {
  const { decision: decided = null, reason = null, decidedAt = null } = decision ?? {};
  return { because: [...because], heldAt, decision: decided, reason, decidedAt };
}

function presentDisputes(
  { id }: Receipt,
  findings: Findings,
  corrections: readonly StoredCorrection[],
  disputes: readonly Dispute[],
) {
  const shown = shownReceipt(id, findings, corrections);
  return disputes.map((dispute) => presentDispute(dispute, shown));
}

function presentCorrection({
  id,
  reason,
  correctedAt,
  recordId,
  points,
  before,
  after,
}: StoredCorrection): CorrectionEntry {
  return {
    correctionId: id,
    reason,
    correctedAt: correctedAt.toISOString(),
    transactionID: recordId,
    totalPoints: points,
    before,
    after: after && correctionState(after.record.body),
  };
}

/** Returns the text of the image in the form of status documents and events. */
export function extractedData(
  receipt: Pick<Receipt, "id" | "userId" | "source">,
  reading: ReceiptReading,
): ExtractedData {
  const money = (minor: number | null) => (minor === null ? null : fromMinor(minor, reading.currency ?? ""));
  return {
    userID: receipt.userId,
    receiptID: receipt.id,
    merchantName: reading.merchantName,
    merchantAddress: reading.merchantAddress,
    country: reading.country,
    currency: reading.currency,
    receiptType: reading.merchantKind,
    items: reading.lines.map((line) => ({
      description: line.description,
      quantity: line.quantity,
      totalPrice: money(line.amountMinor),
      accuracy: line.accuracy,
      cleanedName: line.cleanedName,
      category: line.kind === "item" ? null : line.kind,
    })),
    subTotal: money(reading.subTotalMinor),
    total: money(reading.totalMinor),
    accuracy: reading.accuracy,
    transactionDate: reading.date,
    transactionTime: reading.time,
    receiptSource: receipt.source,
  };
}

function enrichedData({ businessName, businessId, currency, isCurrencyAssumed, lines }: Enriched) {
  return {
    businessName,
    businessID: businessId,
    currency,
    currencyAssumed: isCurrencyAssumed,
    items: lines.map((line) => ({
      id: line.id,
      name: line.name,
      cleanedName: line.cleanedName,
      qty: line.quantity,
      totalPrice: fromMinor(line.amountMinor, currency),
      matchedIngredientName: line.matchedName,
      confidence: line.exclusionReason === null ? line.confidence : 0,
      exclusionReason: line.exclusionReason,
    })),
  };
}

function scoredData(record: ComposedRecord) {
  return {
    items: presentItems(record.body),
    excludedItems: presentExcludedItems(record.body),
    totals: receiptTotals(record),
  };
}

/** Returns the sums of a scored receipt; money in major units, CO2e in kg. */
export function receiptTotals({ body }: ComposedRecord) {
  const totals = recordTotals(body);
  return {
    totalAmount: fromMinor(body.totalAmountMinor, body.currency),
    currency: body.currency,
    totalPoints: totals.points,
    totalCarbonPoints: totals.carbonPoints,
    totalHealthPoints: totals.healthPoints,
    totalGreenProducts: totals.greenProducts,
    totalHealthyProducts: totals.healthyProducts,
    totalCo2e: kilograms(totals.co2eMg),
  };
}
