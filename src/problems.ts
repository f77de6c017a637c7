import type { Scope } from "./applications/scope.ts";

/**
 * All problems that the API can return (RFC 9457). Each one has a page at /problems/<slug>; `code` is for programs.
 */
export const PROBLEMS = {
  validation: {
    code: "ValidationFailed",
    slug: "validation-failed",
    status: 400,
    title: "The request is not valid",
    meaning: "The body, the query or the path has errors. `errors` lists all of them by property.",
    remedy: "Correct the properties in `errors` and send the request again.",
  },
  malformedBody: {
    code: "MalformedBody",
    slug: "malformed-body",
    status: 400,
    title: "The body cannot be read",
    meaning: "The body is not one complete JSON object in UTF-8, or not a complete multipart form.",
    remedy: "Send one JSON object in UTF-8, or one multipart form, with a length that matches the headers.",
  },
  malformedRequest: {
    code: "MalformedRequest",
    slug: "malformed-request",
    status: 400,
    title: "The request cannot be read",
    meaning:
      "The bytes are not one valid HTTP request: the first line, the headers or the length of the body contradict each other, or the header Host is missing.",
    remedy: "Use an HTTP client that follows RFC 9112.",
  },
  apiVersionUnspecified: {
    code: "ApiVersionUnspecified",
    slug: "api-version-unspecified",
    status: 400,
    title: "The api-version is missing",
    meaning: "Every call needs the query parameter api-version.",
    remedy: "Add ?api-version=1.0 to the address.",
  },
  apiVersionInvalid: {
    code: "InvalidApiVersion",
    slug: "invalid-api-version",
    status: 400,
    title: "The api-version is malformed",
    meaning: "The query parameter api-version does not have the form major.minor.",
    remedy: "Use ?api-version=1.0.",
  },
  apiVersionAmbiguous: {
    code: "AmbiguousApiVersion",
    slug: "ambiguous-api-version",
    status: 400,
    title: "The api-version is given more than once",
    meaning: "The address has the query parameter api-version more than once.",
    remedy: "Send it once.",
  },
  apiVersionUnsupported: {
    code: "UnsupportedApiVersion",
    slug: "unsupported-api-version",
    status: 400,
    title: "The api-version is not supported",
    meaning: "The service does not support this version of its API.",
    remedy: "Use one of the versions in the response header api-supported-versions.",
  },
  unauthorized: {
    code: "Unauthorized",
    slug: "unauthorized",
    status: 401,
    title: "The credentials are missing or wrong",
    meaning: "The headers x-client-id and x-client-secret are not the id and the secret of an application.",
    remedy: "Send the credentials that were printed when the application was created, or rotate its secret.",
  },
  suspended: {
    code: "ApplicationSuspended",
    slug: "application-suspended",
    status: 403,
    title: "The application is suspended",
    meaning: "The operator of the service has suspended this application.",
    remedy: "Ask the operator.",
  },
  insufficientScope: {
    code: "InsufficientScope",
    slug: "insufficient-scope",
    status: 403,
    title: "The credential may not do this",
    meaning: "The client secret of the call does not have the scope of the operation, which `requiredScope` names.",
    remedy: "Use a secret of the application that has this scope, or ask the operator for one.",
  },
  sandboxOnly: {
    code: "SandboxOnly",
    slug: "sandbox-only",
    status: 403,
    title: "This is for sandbox applications only",
    meaning: "The application is live: the time of its users cannot be moved. Nothing was changed.",
    remedy: "Use a sandbox application (`app create --sandbox`) for tests.",
  },
  notFound: {
    code: "NotFound",
    slug: "not-found",
    status: 404,
    title: "There is no such thing here",
    meaning: "The path does not exist, or its id does not belong to this application.",
    remedy: "Check the path and the id in it.",
  },
  sessionNotFound: {
    code: "SessionNotFound",
    slug: "session-not-found",
    status: 404,
    title: "The session is unknown, expired or used",
    meaning: "The session of a hosted page expires after a short time, and ends when it is completed.",
    remedy: "Create a new session.",
  },
  methodNotAllowed: {
    code: "MethodNotAllowed",
    slug: "method-not-allowed",
    status: 405,
    title: "This path does not answer that method",
    meaning: "The path exists, but not with this HTTP method.",
    remedy: "Use one of the methods in the response header Allow.",
  },
  requestTimeout: {
    code: "RequestTimeout",
    slug: "request-timeout",
    status: 408,
    title: "The request took too long",
    meaning: "The request did not arrive completely within the time limit.",
    remedy: "Send it again over a faster connection.",
  },
  idempotencyAnswerLost: {
    code: "IdempotencyAnswerLost",
    slug: "idempotency-answer-lost",
    status: 409,
    title: "The answer to this Idempotency-Key can no longer be read",
    meaning:
      "The request was already carried out, and is not carried out again. The stored response was encrypted with a client secret that has been replaced.",
    remedy: "Read the result of the first request. Send a new request with a new key.",
  },
  pointsShort: {
    code: "PointsShort",
    slug: "points-short",
    status: 409,
    title: "There are not enough points",
    meaning: "The user has fewer points than this would take. `availablePoints` has the balance. Nothing was booked.",
    remedy: "Take at most the points that are there.",
  },
  referenceUsed: {
    code: "ReferenceUsed",
    slug: "reference-used",
    status: 409,
    title: "The reference is used already",
    meaning: "A record with this reference exists already in your application. Nothing was booked again.",
    remedy: "If it was the same request, there is nothing to do. Otherwise send a reference of its own.",
  },
  notADraft: {
    code: "ProgramNotADraft",
    slug: "program-not-a-draft",
    status: 409,
    title: "This version was published already",
    meaning: "A version of a programme is published once. Nothing was changed.",
    remedy: "Save its definition again as a new version, and publish that.",
  },
  notScheduled: {
    code: "ProgramNotScheduled",
    slug: "program-not-scheduled",
    status: 409,
    title: "This version has started, or was never published",
    meaning: "Only a published version can be withdrawn whose start is at least 10 seconds away. Nothing was changed.",
    remedy: "Publish another version in its place.",
  },
  alreadyReversed: {
    code: "AlreadyReversed",
    slug: "already-reversed",
    status: 409,
    title: "This is reversed already",
    meaning: "The transaction, or one of these items, was reversed before. Nothing was booked again.",
    remedy: "There is nothing to do. The reversal is in the user's transactions.",
  },
  notReversible: {
    code: "NotReversible",
    slug: "not-reversible",
    status: 409,
    title: "This transaction cannot be reversed",
    meaning: "Only what earned points, and adjustments, can be reversed. Nothing was booked.",
    remedy: "Refund a redemption instead. To correct another record, send an adjustment.",
  },
  rewardNotYetValid: {
    code: "RewardNotYetValid",
    slug: "reward-not-yet-valid",
    status: 409,
    title: "The reward cannot be redeemed yet",
    meaning: "Its `validFrom` is in the future. Nothing was booked.",
    remedy: "Redeem it from `validFrom` on. GET /users/{id}/rewards lists what a user can have now.",
  },
  rewardExpired: {
    code: "RewardExpired",
    slug: "reward-expired",
    status: 409,
    title: "The reward has expired",
    meaning: "Its `validTill` has passed. Nothing was booked.",
    remedy: "Show the user the rewards of GET /users/{id}/rewards.",
  },
  rewardOutOfStock: {
    code: "RewardOutOfStock",
    slug: "reward-out-of-stock",
    status: 409,
    title: "The reward is out of stock",
    meaning: "Its stock is used up, or no code of its pool is left. Nothing was booked.",
    remedy: "Raise its stock, load more codes, or offer another reward.",
  },
  rewardTier: {
    code: "RewardTier",
    slug: "reward-tier",
    status: 409,
    title: "The reward is for members of a higher tier",
    meaning:
      "Its `tier` is above the user's tier: that of your programme, or without tiers in it the `tier` of the request, which " +
      "is 0 when not sent. Nothing was booked.",
    remedy:
      "Offer another reward. The summary of the user has the tier and the points to the next one. If your programme has no " +
      "tiers, send the tier that the user has with you.",
  },
  redemptionState: {
    code: "RedemptionState",
    slug: "redemption-state",
    status: 409,
    title: "The redemption is not in this state",
    meaning:
      "A redemption is confirmed or released while it is pending, before its time is up; it is refunded, and its voucher used, once it is completed. Nothing was booked.",
    remedy: "Read the status of its transaction.",
  },
  voucherUsed: {
    code: "VoucherUsed",
    slug: "voucher-used",
    status: 409,
    title: "The voucher is used already",
    meaning: "A voucher is used once. A redemption whose voucher is used cannot be refunded. Nothing was changed.",
    remedy: "GET /vouchers/{code} has when and where it was used.",
  },
  voucherExpired: {
    code: "VoucherExpired",
    slug: "voucher-expired",
    status: 409,
    title: "The voucher has expired",
    meaning: "The `validTill` of its reward has passed. Nothing was changed.",
    remedy: "Refund the redemption if you want to give the points back.",
  },
  voucherVoid: {
    code: "VoucherVoid",
    slug: "voucher-void",
    status: 409,
    title: "The voucher is void",
    meaning: "Its redemption was refunded, released, or not confirmed in time. Nothing was changed.",
    remedy: "Ask the user for another voucher.",
  },
  notCorrectable: {
    code: "NotCorrectable",
    slug: "not-correctable",
    status: 409,
    title: "This receipt cannot be corrected",
    meaning:
      "Only a credited receipt, and one that failed because of what was read, can be corrected: at most 50 times, and not after its transaction was reversed. Nothing was changed.",
    remedy: "Wait until the receipt is completed or failed. To move points for another reason, send an adjustment.",
  },
  notRetryable: {
    code: "NotRetryable",
    slug: "not-retryable",
    status: 409,
    title: "This receipt cannot be processed again",
    meaning:
      "Only a receipt that failed as INTERNAL_ERROR, and whose image is still stored, can be processed again, at most 20 times.",
    remedy: "Correct a receipt that was misread. For another failure, submit another photo.",
  },
  notHeld: {
    code: "NotHeld",
    slug: "not-held",
    status: 409,
    title: "This receipt is not held for review",
    meaning: "It was decided already, or never held.",
    remedy: "Read its status. The list shows the held receipts with held=true.",
  },
  disputeNotOpen: {
    code: "DisputeNotOpen",
    slug: "dispute-not-open",
    status: 409,
    title: "This dispute is not open",
    meaning: "It was accepted or rejected already.",
    remedy: "Read the receipt's status. The list shows the receipts with open disputes with disputed=true.",
  },
  receiptTaken: {
    code: "ReceiptTaken",
    slug: "receipt-taken",
    status: 409,
    title: "Another receipt has this reference, image or purchase",
    meaning:
      "The receipt's reference, image or purchase, as corrected, belongs to another receipt of your application now. Nothing was changed.",
    remedy: "Find the other receipt in the list. One purchase earns points once.",
  },
  emailTaken: {
    code: "EmailTaken",
    slug: "email-taken",
    status: 409,
    title: "Another user has this e-mail address",
    meaning: "Within an application an e-mail address identifies one user. Nothing was changed.",
    remedy: "Enrol the address to receive the user who has it, or send another address.",
  },
  payloadTooLarge: {
    code: "PayloadTooLarge",
    slug: "payload-too-large",
    status: 413,
    title: "The body is too large",
    meaning: "The body, the image or its number of pixels exceeds the limit.",
    remedy: "The limits are 1 MiB for JSON, and 10 MiB and 50 megapixels for an image.",
  },
  unsupportedMediaType: {
    code: "UnsupportedMediaType",
    slug: "unsupported-media-type",
    status: 415,
    title: "The content type is not supported",
    meaning:
      "JSON operations need application/json in UTF-8, the receipt upload multipart/form-data. Neither may be compressed.",
    remedy: "Send the content type that the operation needs.",
  },
  idempotencyKeyReused: {
    code: "IdempotencyKeyReused",
    slug: "idempotency-key-reused",
    status: 422,
    title: "The Idempotency-Key belongs to another request",
    meaning: "Within the last 24 hours this application sent the same key with another body or to another address.",
    remedy: "Send a new key with every new request. Repeat a key only to repeat exactly the same request.",
  },
  tooManyRequests: {
    code: "TooManyRequests",
    slug: "too-many-requests",
    status: 429,
    title: "Too many requests",
    meaning: "This address or application has exceeded its rate limit.",
    remedy: "Wait for the number of seconds in Retry-After.",
  },
  headersTooLarge: {
    code: "HeadersTooLarge",
    slug: "headers-too-large",
    status: 431,
    title: "The headers are too large",
    meaning: "The request line and the headers together exceed 16 KiB.",
    remedy: "Send fewer or shorter headers.",
  },
  internal: {
    code: "InternalError",
    slug: "internal-error",
    status: 500,
    title: "Something went wrong on our side",
    meaning: "An unexpected error occurred in the service. No partial change was stored.",
    remedy: "Send the request again later. If the problem stays, report the requestId to the operator.",
  },
  unavailable: {
    code: "Unavailable",
    slug: "unavailable",
    status: 503,
    title: "The service cannot take this now",
    meaning:
      "The service is starting or stopping, has no database connection, or has too much pending work. No partial change was stored.",
    remedy:
      "Send the same request again after the time in Retry-After, with the same Idempotency-Key: if the database connection was lost, the request may have been carried out.",
  },
  storageFull: {
    code: "StorageFull",
    slug: "storage-full",
    status: 507,
    title: "There is no room for the image",
    meaning: "The storage for images is full. Nothing was stored.",
    remedy: "Inform the operator and send the receipt again later.",
  },
} as const;

export type ProblemName = keyof typeof PROBLEMS;

/** Property path (`ingredients[0].name`) to error messages. The messages never repeat values of the request. */
export type Errors = Record<string, string[]>;

/** What a problem document has beside the text of its problem. */
export interface ProblemDetails {
  readonly detail?: string;
  readonly errors?: Errors;
  readonly retryAfterSeconds?: number;
  readonly availablePoints?: number;
  readonly requiredScope?: Scope;
}

/** A problem of a request. Any code below a route may throw it; only http/send-problem.ts creates the response. */
export class Problem extends Error {
  readonly problem: ProblemName;
  readonly errors: Errors | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** With `pointsShort`: the balance. */
  readonly availablePoints: number | undefined;
  /** With `insufficientScope`. */
  readonly requiredScope: Scope | undefined;

  constructor(problem: ProblemName, about: ProblemDetails = {}) {
    super(about.detail ?? PROBLEMS[problem].meaning);
    this.name = "Problem";
    this.problem = problem;
    this.errors = about.errors;
    this.retryAfterSeconds = about.retryAfterSeconds;
    this.availablePoints = about.availablePoints;
    this.requiredScope = about.requiredScope;
  }
}
