import { presentExcludedItems, presentItems } from "../points/transaction.ts";
import type { ComposedRecord } from "../points/record.ts";
import type {
  ReceiptCompleted,
  ReceiptExtracted,
  ReceiptFailed,
  ReceiptUploaded,
  ReceiptValidated,
} from "../webhooks/event.ts";
import type { Check } from "./checks/check.ts";
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

/** The receipt has failed and earns nothing. */
export function failedEvent(receipt: Receipt, { errorCode, errorMessage }: Failure, at: Date): ReceiptFailed {
  const { stage } = receipt;
  if (stage === "Completed") throw new Error("a completed receipt cannot fail");
  return {
    event: "receipt_failed",
    ...subject(receipt, at),
    errorCode,
    errorMessage,
    stage,
    failedAt: at.toISOString(),
  };
}

function subject({ id, reference, userId }: NewReceipt, at: Date) {
  return { receiptId: id, receiptID: id, transactionId: reference, userId, createdAt: at.toISOString() };
}
