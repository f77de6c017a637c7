import type { ReceiptErrorCode } from "../webhooks/event.ts";
import type { ImageTraces } from "./checks/traces.ts";

/** The queue whose jobs say which receipt has work waiting. */
export const RECEIPT_QUEUE = "process-receipts";

/** The folder of the images of receipts. */
export const RECEIPT_IMAGES = "receipts";

/** The longer side of an image as it is kept and read: print of the smallest receipts stays legible, and a stored image below 4 MB. */
export const KEPT_LONG_SIDE_PX = 4_000;

/** The stages that a receipt passes, in order: each names what is finished. */
export const STAGES = ["Uploaded", "Extracted", "Enriched", "Validated", "Scored", "Completed"] as const;
export type Stage = (typeof STAGES)[number];

/** How a receipt came in. */
export type ReceiptSource = "api" | "hosted_page";

/** What the integrator says of the purchase; null where it says nothing. The amount is in major units. */
export interface Declared {
  readonly merchantName: string | null;
  readonly amount: number | null;
  /** RFC 3339 in UTC with milliseconds. */
  readonly transactionTimestamp: string | null;
}

/** A receipt as accepted, with its image stored under `imageKey`. */
export interface NewReceipt {
  readonly id: string;
  readonly applicationId: string;
  readonly userId: string;
  /** The integrator's; the receipt's own id where it gave none. */
  readonly reference: string;
  readonly source: ReceiptSource;
  readonly declared: Declared;
  /** The image is a sample in place of the uploaded one: what was declared does not speak of it. */
  readonly isSample: boolean;
  readonly imageKey: string;
  /** Of the bytes as uploaded. */
  readonly imageSha256: Buffer;
  /** Null for what was accepted before they were looked for. */
  readonly traces: ImageTraces | null;
  readonly acceptedAt: Date;
}

/** A receipt where it stands: `stage` is the last finished one, also of a failed receipt. */
export interface Receipt extends NewReceipt {
  readonly stage: Stage;
  readonly attempts: number;
  readonly errorCode: ReceiptErrorCode | null;
  readonly errorMessage: string | null;
  readonly updatedAt: Date;
}

/** Why a receipt earns nothing. */
export interface Failure {
  readonly kind: "failed";
  readonly errorCode: ReceiptErrorCode;
  /** For people, and without anything of another receipt. */
  readonly errorMessage: string;
}

/** A failure as it is told. */
export function failure(errorCode: ReceiptErrorCode, errorMessage: string): Failure {
  return { kind: "failed", errorCode, errorMessage };
}

/** A error of ours, of which nothing is told. */
export const INTERNAL_FAILURE = failure("INTERNAL_ERROR", "the receipt could not be processed");

/** Whether nothing more will happen to a receipt. */
export function isFinished({ stage, errorCode }: Pick<Receipt, "stage" | "errorCode">): boolean {
  return stage === "Completed" || errorCode !== null;
}
