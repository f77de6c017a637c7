// The public API of the package, written by hand. The types of the OpenAPI document are generated in api.d.ts.
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

/** Options of a client. */
export interface RewardsOptions extends Omit<CallOptions, "signal" | "idempotencyKey" | "requestId"> {
  /** Address of the service, such as http://127.0.0.1:8080. */
  readonly baseUrl: string;
  /** The credentials of the application. In a browser leave them out: your own server must add them. */
  readonly clientId?: string | undefined;
  readonly clientSecret?: string | undefined;
  /** Replaces the global fetch, for logs, proxies or tests. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Random numbers from 0 to 1, for the jitter between attempts. */
  readonly random?: (() => number) | undefined;
  /** Replaces the wait between attempts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** Options of a call, the last argument of every method. */
export interface CallOptions {
  /** Aborts the call; its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of one attempt; default 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first; default 4. */
  readonly retriesMax?: number | undefined;
  /** Key of a POST; default random. If you store it before the call, you can repeat the call after a crash. */
  readonly idempotencyKey?: string | undefined;
  /** Appears in the log of the service and in its problem documents. */
  readonly requestId?: string | undefined;
}

/** Options of waiting for a final status; the default of `waitMs` is 2 minutes. */
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

/** Query of `transactions`, without pages. */
export type TransactionQuery = Pick<ListTransactionsQuery, "timeframe">;

/** A client of the service: all operations, and methods that combine several calls. */
export interface Rewards extends Omit<Api, "uploadReceipt"> {
  /**
   * Submit a receipt: POST /track/receipts. `receiptImage` may be a list of up to five photos of one long receipt. In a
   * sandbox `testBlobUri` may replace the image.
   */
  uploadReceipt(
    body: Omit<ReceiptUpload, "receiptImage"> & {
      readonly receiptImage?: ReceiptImage | readonly ReceiptImage[];
    } & UploadReceiptQuery,
    options?: CallOptions,
  ): Promise<ReceiptAccepted>;
  /** All transactions of a user, the newest first, fetched page by page. */
  transactions(
    userId: string,
    query?: TransactionQuery,
    options?: CallOptions,
  ): AsyncGenerator<TransactionRecord, void>;
  /** Polls until a receipt is Completed or Failed. Webhooks report the same without polling. */
  waitForReceipt(id: string, options?: WaitOptions): Promise<ReceiptStatus>;
  /** Polls until a meal is completed or failed. */
  waitForMeal(id: string, options?: WaitOptions): Promise<IntakeStatus>;
  /** Polls until a food is completed or failed. */
  waitForFood(id: string, options?: WaitOptions): Promise<IntakeStatus>;
}

export declare function createRewards(options: RewardsOptions): Rewards;

/** Base class of all errors of the SDK, except the reason of your AbortSignal and wrong use (TypeError). */
export declare class RewardsError extends Error {
  constructor(message: string, options?: ErrorOptions);
}

/** The `code` of a problem; "Unknown" for a response of a proxy. Later versions may add codes. */
export type ProblemCode = Problem["code"] | "Unknown" | (string & {});

/** The service refused the request with a problem document. */
export declare class ProblemError extends RewardsError {
  constructor(problem: ProblemDocument, retryAfterMs: number | null);
  readonly status: number;
  /** The code for programs. */
  readonly code: ProblemCode;
  /** Address of a page that explains the problem and the remedy. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  /** All validation errors by property path; empty if there are none. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The id to report to the operator of the service. */
  readonly requestId: string;
  /** With the code `InsufficientScope`: the scope that the client secret lacks; otherwise null. */
  readonly requiredScope: string | null;
  /** With the code `ApplicationMoved`: the address that all calls go to now; otherwise null. */
  readonly movedTo: string | null;
  /** The wait that the service asked for; null if it did not. */
  readonly retryAfterMs: number | null;
}

/** A problem document with any code. */
export type ProblemDocument = Omit<Problem, "code"> & { readonly code: ProblemCode };

/** There was no readable response after all attempts. */
export declare class ConnectionError extends RewardsError {}

/** All attempts timed out, or the wait for a final status did. */
export declare class TimeoutError extends RewardsError {}

/** A delivery is not from the service, is too old, or is not an event. */
export declare class WebhookError extends RewardsError {
  constructor(reason: WebhookError["reason"]);
  readonly reason: "missing_header" | "stale" | "wrong_signature" | "malformed_body";
}

/** Any event. */
export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

/** A verified delivery. `type` determines the type of `event`. Later versions may send other types. */
export type VerifiedDelivery = {
  [Type in keyof WebhookEvents]: {
    /** The id of the event, the same on every attempt. Store it, and ignore an event that you already have. */
    readonly id: string;
    /** The time of this attempt. */
    readonly sentAt: Date;
    /** The position of the event among those of its submission; not signed. Null where the header is missing. */
    readonly sequence: number | null;
    readonly type: Type;
    readonly event: WebhookEvents[Type];
  };
}[keyof WebhookEvents];

/** The headers of your server, in any letter case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface VerifyOptions {
  /** Maximum difference of the clocks; default 300 seconds. */
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
