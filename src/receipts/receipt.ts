import type { ReceiptErrorCode } from "../webhooks/event.ts";
import type { Review } from "./holding/review.ts";
import type { ImageTraces } from "./checks/traces.ts";

/** The queue of receipts with unfinished stages. */
export const RECEIPT_QUEUE = "process-receipts";

/** The folder of the images of receipts. */
export const RECEIPT_IMAGES = "receipts";

/**
 * Longer side of a stored image, or a tenth more. The print of the smallest receipts stays legible, and an image stays
 * below 4 MB.
 */
export const KEPT_LONG_SIDE_PX = 4_000;

/** The stages of a receipt, in order. Each names its finished work. */
export const STAGES = ["Uploaded", "Extracted", "Enriched", "Validated", "Scored", "Completed"] as const;
export type Stage = (typeof STAGES)[number];

/** Where a receipt came from. */
export type ReceiptSource = "api" | "hosted_page";

/** The purchase as the integrator declares it; null: not declared. The amount is in major units. */
export interface Declared {
  readonly merchantName: string | null;
  readonly amount: number | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly transactionTimestamp: string | null;
  /** The last four digits of the card. Missing in receipts of releases without it. */
  readonly cardLastFour?: string | null;
  /** Of the sample that is held for review, whatever the settings of its application. */
  readonly isHeldSample?: boolean;
  /** The place of the upload in a trace (W3C); missing: it is not traced. */
  readonly traceparent?: string;
}

/** An accepted receipt. Its image is stored under `imageKey`. */
export interface NewReceipt {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  /** The integrator's reference; the receipt's own id if it gave none. */
  readonly reference: string;
  readonly source: ReceiptSource;
  readonly declared: Declared;
  /** The image is a sample in place of the uploaded one, so the declared purchase is not about it. */
  readonly isSample: boolean;
  readonly imageKey: string;
  /** Hash of the uploaded bytes. */
  readonly imageSha256: Buffer;
  /** Null: accepted by a release that didn't examine images. */
  readonly traces: ImageTraces | null;
  readonly acceptedAt: Date;
}

/** A receipt with its state: `stage` is the last finished one, also of a failed receipt. */
export interface Receipt extends NewReceipt {
  readonly stage: Stage;
  readonly attempts: number;
  readonly errorCode: ReceiptErrorCode | null;
  readonly errorMessage: string | null;
  readonly updatedAt: Date;
  /** The earlier receipt of the same user that it repeats; null: it failed for another reason, or not at all. */
  readonly duplicateOf: string | null;
  /** How often it was set going again after it had ended, or was held. */
  readonly runs: number;
  /** Since then it waits for a decision; null: it does not. */
  readonly heldAt: Date | null;
  /** Null: it was never held. */
  readonly review: Review | null;
}

/** The reason why a receipt earns nothing. */
export interface Failure {
  readonly kind: "failed";
  readonly errorCode: ReceiptErrorCode;
  /** For people. Must not reveal anything about another receipt. */
  readonly errorMessage: string;
  /** The earlier receipt that this one repeats, if it is the same user's. */
  readonly duplicateOf?: string | null;
  /** The earlier receipt that it was found to be the same as, of any user: only for those who decide about receipts. */
  readonly similarTo?: string | null;
}

/** Creates a failure. */
export function failure(errorCode: ReceiptErrorCode, errorMessage: string): Failure {
  return { kind: "failed", errorCode, errorMessage };
}

/** An error of the service itself. Its details are only logged. */
export const INTERNAL_FAILURE = failure("INTERNAL_ERROR", "the receipt could not be processed");

/** Whether a receipt is completed or failed. */
export function isFinished({ stage, errorCode }: Pick<Receipt, "stage" | "errorCode">): boolean {
  return stage === "Completed" || errorCode !== null;
}
