// The public interface of the package; what follows from the service's OpenAPI document stands in api.d.ts.
import type {
  Api,
  IntakeStatus,
  ListTransactionsQuery,
  Problem,
  ReceiptAccepted,
  ReceiptStatus,
  ReceiptUpload,
  TransactionRecord,
  UploadReceiptQuery,
  WebhookEvents,
} from "./api.d.ts";

export type * from "./api.d.ts";

/** How a client is made. */
export interface RewardsOptions extends Omit<CallOptions, "signal" | "idempotencyKey" | "requestId"> {
  /** Address of the service, as http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** The application's credentials. Left out in a browser, where your own server adds them to what it passes on. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** In place of the global one: to record, to go through a proxy, to test. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** From 0 to 1: spreads the waits between attempts. */
  readonly random?: (() => number) | undefined;
  /** Waits between attempts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** What every method takes as its last argument. */
export interface CallOptions {
  /** Ends the call, with its reason as the error. */
  readonly signal?: AbortSignal | undefined;
  /** Of one attempt; 30 seconds unless said otherwise. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first; 4 unless said otherwise. */
  readonly retriesMax?: number | undefined;
  /** Of a POST, in place of a random one: store it before you call, and a call repeated after a crash is done once. */
  readonly idempotencyKey?: string | undefined;
  /** Stands in the service's log and in its problems. */
  readonly requestId?: string | undefined;
}

/** How long an outcome is waited for: 2 minutes unless said otherwise. */
export interface WaitOptions extends Omit<CallOptions, "idempotencyKey"> {
  readonly waitMs?: number | undefined;
}

/** JPEG or PNG: bytes, a Blob, a stream, or the path of a file (Node). */
export type ReceiptImage =
  | Blob
  | Uint8Array
  | ArrayBuffer
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | { readonly path: string };

/** What `transactions` is asked for; it turns the pages itself. */
export type TransactionQuery = Pick<ListTransactionsQuery, "timeframe">;

/** A client of the service: every operation of its interface, and what goes over several. */
export interface Rewards extends Omit<Api, "uploadReceipt"> {
  /** Hand in a receipt: POST /track/receipts. A sandbox may leave out the image and give a `testBlobUri`. */
  uploadReceipt(
    body: Omit<ReceiptUpload, "receiptImage"> & Partial<Pick<ReceiptUpload, "receiptImage">> & UploadReceiptQuery,
    options?: CallOptions,
  ): Promise<ReceiptAccepted>;
  /** All transactions of a user, the newest first, fetched page by page. */
  transactions(
    userId: string,
    query?: TransactionQuery,
    options?: CallOptions,
  ): AsyncGenerator<TransactionRecord, void>;
  /** Asks until a receipt is Completed or Failed. Webhooks tell the same without asking. */
  waitForReceipt(id: string, options?: WaitOptions): Promise<ReceiptStatus>;
  /** Asks until a meal is completed or failed. */
  waitForMeal(id: string, options?: WaitOptions): Promise<IntakeStatus>;
  /** Asks until a food is completed or failed. */
  waitForFood(id: string, options?: WaitOptions): Promise<IntakeStatus>;
}

export declare function createRewards(options: RewardsOptions): Rewards;

/** What the SDK throws, but for the reason of an AbortSignal of yours and mistakes in using it (TypeError). */
export declare class RewardsError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

/** A problem's `code`; "Unknown" where something between you and the service answered. Later versions may add some. */
export type ProblemCode = Problem["code"] | "Unknown" | (string & {});

/** The service answered that it cannot serve the request. */
export declare class ProblemError extends RewardsError {
  constructor(problem: ProblemDocument, retryAfterMs: number | null);
  readonly status: number;
  /** The word to switch on. */
  readonly code: ProblemCode;
  /** Address of a page that says what it means and what to do. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** Every fault of the request, by the path of its property; empty where it has none. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** What to tell the service's operator. */
  readonly requestId: string;
  /** What the service asked to wait; null where it did not. */
  readonly retryAfterMs: number | null;
}

/** A problem document as it came, whatever its code. */
export type ProblemDocument = Omit<Problem, "code"> & { readonly code: ProblemCode };

/** No answer came, or none that can be read, after all attempts. */
export declare class ConnectionError extends RewardsError {}

/** The time was over: of an attempt, after all of them, or of waiting for an outcome. */
export declare class TimeoutError extends RewardsError {}

/** A delivery is not from the service, too old, or not an event. */
export declare class WebhookError extends RewardsError {
  constructor(reason: WebhookError["reason"]);
  readonly reason: "missing_header" | "stale" | "wrong_signature" | "malformed_body";
}

/** Any event, as it is sent. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

/** A genuine delivery: `type` tells what `event` holds. Later versions may send types that are not listed. */
export type VerifiedDelivery = {
  [Type in keyof WebhookEvents]: {
    /** The event's id, the same on every attempt: note it, and pass over what you have. */
    readonly id: string;
    /** When this attempt was made. */
    readonly sentAt: Date;
    readonly type: Type;
    readonly event: WebhookEvents[Type];
  };
}[keyof WebhookEvents];

/** As your server has them, whatever the case of their names. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** How far the clocks may be apart; 300 seconds unless said otherwise. */
  readonly toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

export declare function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array | ArrayBuffer,
  secrets: string | readonly string[],
  options?: VerifyOptions,
): Promise<VerifiedDelivery>;
