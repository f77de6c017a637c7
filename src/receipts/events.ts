import { presentExcludedItems, presentItems } from "../points/transaction.ts";
import type { ComposedRecord } from "../points/record.ts";
import type {
  ReceiptCompleted,
  ReceiptCorrected,
  ReceiptDisputed,
  ReceiptExtracted,
  ReceiptFailed,
  ReceiptHeld,
  ReceiptUploaded,
  ReceiptValidated,
} from "../webhooks/event.ts";
import type { Correction } from "./corrections/correction.ts";
import type { CorrectionResponse } from "./corrections/schema.ts";
import type { Check } from "./checks/check.ts";
import type { Dispute } from "./disputes/dispute.ts";
import type { ReceiptReading } from "./parsing/parse.ts";
import type { Failure, NewReceipt, Receipt } from "./receipt.ts";
import { extractedData, receiptTotals } from "./status.ts";

/** The receipt is stored. */
export function uploadedEvent(receipt: NewReceipt, at: Date): ReceiptUploaded {
  const { merchantName, amount, transactionTimestamp } = receipt.declared;
  return {
    event: "receipt_uploaded",
    ...subject(receipt, at),
    merchantName: merchantName ?? "",
    amount: amount ?? 0,
    transactionTimestamp: transactionTimestamp ?? "",
  };
}

/** The receipt is read. */
export function extractedEvent(receipt: NewReceipt, reading: ReceiptReading, at: Date): ReceiptExtracted {
  return { event: "receipt_extracted", ...subject(receipt, at), extractedData: extractedData(receipt, reading) };
}

/** The receipt has passed every check. */
export function validatedEvent(
  receipt: NewReceipt,
  businessName: string,
  checks: readonly Check[],
  at: Date,
): ReceiptValidated {
  return { event: "receipt_validated", ...subject(receipt, at), businessName, checks: [...checks] };
}

/** The receipt waits for a person's decision. */
export function heldEvent(receipt: NewReceipt, because: readonly string[], at: Date): ReceiptHeld {
  return { event: "receipt_held", ...subject(receipt, at), because: [...because] };
}

/** The points of the receipt are credited. */
export function completedEvent(receipt: NewReceipt, record: ComposedRecord, at: Date): ReceiptCompleted {
  return {
    event: "receipt_completed",
    ...subject(receipt, at),
    items: presentItems(record.body),
    excludedItems: presentExcludedItems(record.body),
    ...receiptTotals(record),
  };
}

/** What was misread is corrected. */
export function correctedEvent(
  receipt: NewReceipt,
  { correctionId, transaction, balance, waivedPoints, after }: CorrectionResponse,
  { reason, disputeIds = [] }: Correction,
  at: Date,
): ReceiptCorrected {
  return {
    event: "receipt_corrected",
    ...subject(receipt, at),
    correctionId,
    reason,
    transactionID: transaction?.id ?? null,
    relatedTransactionID: transaction?.relatedTransactionID ?? null,
    totalPoints: transaction?.totalPoints ?? 0,
    receiptPoints: after?.totalPoints ?? null,
    waivedPoints,
    availablePoints: balance?.availablePoints ?? null,
    lifetimePoints: balance?.lifetimePoints ?? null,
    disputeIds: [...disputeIds],
  };
}

/** A person has reported something on the receipt as wrong. */
export function disputedEvent(receipt: NewReceipt, dispute: Dispute, at: Date): ReceiptDisputed {
  const { id: disputeId, kind, lineId, shown, expected, price, note } = dispute;
  const said = { disputeId, kind, lineId, shown, expected, price, note };
  return { event: "receipt_disputed", ...subject(receipt, at), ...said };
}

/** The receipt has failed and earns nothing. */
export function failedEvent(
  receipt: Receipt,
  { errorCode, errorMessage, duplicateOf }: Failure,
  at: Date,
): ReceiptFailed {
  const { stage } = receipt;
  if (stage === "Completed") throw new Error("a completed receipt cannot fail");
  return {
    event: "receipt_failed",
    ...subject(receipt, at),
    errorCode,
    errorMessage,
    stage,
    failedAt: at.toISOString(),
    ...(duplicateOf && { duplicateOf }),
  };
}

function subject({ id, reference, userId }: NewReceipt, at: Date) {
  return { receiptId: id, receiptID: id, transactionId: reference, userId, createdAt: at.toISOString() };
}
