/**
 * The closed catalogue of what the API may answer instead of success (RFC 9457).
 * Each entry has a page at /problems/<slug>; `code` is the word a program switches on.
 */
export const PROBLEMS = {
  validation: {
    code: "ValidationFailed",
    slug: "validation-failed",
    status: 400,
    title: "The request is not valid",
    meaning:
      "Something in the body, the query or the path breaks the interface. `errors` names every fault by its property.",
    remedy: "Mend each property named in `errors` and send the request again.",
  },
  malformedBody: {
    code: "MalformedBody",
    slug: "malformed-body",
    status: 400,
    title: "The body cannot be read",
    meaning: "The body is not one complete JSON object in UTF-8, or not a complete multipart form.",
    remedy: "Send one JSON object (or one multipart form) in UTF-8 whose length agrees with its headers.",
  },
  malformedRequest: {
    code: "MalformedRequest",
    slug: "malformed-request",
    status: 400,
    title: "The request cannot be read",
    meaning:
      "What arrived is not one HTTP request: its first line, its headers or the length of its body are contradictory, or it names no host.",
    remedy: "Use an HTTP client that keeps to RFC 9112.",
  },
  apiVersionUnspecified: {
    code: "ApiVersionUnspecified",
    slug: "api-version-unspecified",
    status: 400,
    title: "The api-version is missing",
    meaning: "Every call carries the query parameter api-version.",
    remedy: "Add ?api-version=1.0 to the address.",
  },
  apiVersionInvalid: {
    code: "InvalidApiVersion",
    slug: "invalid-api-version",
    status: 400,
    title: "The api-version is malformed",
    meaning: "The query parameter api-version is not of the form major.minor.",
    remedy: "Use ?api-version=1.0.",
  },
  apiVersionAmbiguous: {
    code: "AmbiguousApiVersion",
    slug: "ambiguous-api-version",
    status: 400,
    title: "The api-version is given more than once",
    meaning: "The query parameter api-version stands in the address more than once.",
    remedy: "Give it once.",
  },
  apiVersionUnsupported: {
    code: "UnsupportedApiVersion",
    slug: "unsupported-api-version",
    status: 400,
    title: "The api-version is not supported",
    meaning: "The service does not speak this version of its interface.",
    remedy: "Use one of the versions in the header api-supported-versions.",
  },
  unauthorized: {
    code: "Unauthorized",
    slug: "unauthorized",
    status: 401,
    title: "The credentials are missing or wrong",
    meaning: "The headers x-client-id and x-client-secret do not name an application and its secret.",
    remedy: "Send the credentials that were printed when the application was made, or rotate its secret.",
  },
  suspended: {
    code: "ApplicationSuspended",
    slug: "application-suspended",
    status: 403,
    title: "The application is suspended",
    meaning: "The operator of the service has suspended this application.",
    remedy: "Ask the operator.",
  },
  notFound: {
    code: "NotFound",
    slug: "not-found",
    status: 404,
    title: "There is no such thing here",
    meaning: "The path names nothing, or nothing that belongs to this application.",
    remedy: "Check the path and the id in it.",
  },
  sessionNotFound: {
    code: "SessionNotFound",
    slug: "session-not-found",
    status: 404,
    title: "The session is unknown, expired or used",
    meaning: "A hosted page's session lives for a short time and ends with its first completion.",
    remedy: "Ask for a new session.",
  },
  methodNotAllowed: {
    code: "MethodNotAllowed",
    slug: "method-not-allowed",
    status: 405,
    title: "This path does not answer that method",
    meaning: "The path exists, but not with this HTTP method.",
    remedy: "Use one of the methods in the header Allow.",
  },
  requestTimeout: {
    code: "RequestTimeout",
    slug: "request-timeout",
    status: 408,
    title: "The request took too long",
    meaning: "The request did not arrive whole in the time a request may take.",
    remedy: "Send it again over a better line.",
  },
  idempotencyAnswerLost: {
    code: "IdempotencyAnswerLost",
    slug: "idempotency-answer-lost",
    status: 409,
    title: "The answer to this Idempotency-Key can no longer be read",
    meaning:
      "The request was carried out before, and is not carried out again. Its answer was encrypted under the client secret of then, which has been replaced.",
    remedy: "Take what the request made as done and read it; send what is new with a new key.",
  },
  payloadTooLarge: {
    code: "PayloadTooLarge",
    slug: "payload-too-large",
    status: 413,
    title: "The body is too large",
    meaning: "The body, the image or its number of pixels is over the limit.",
    remedy: "JSON may have 1 MiB; an image 10 MiB and 50 megapixels.",
  },
  unsupportedMediaType: {
    code: "UnsupportedMediaType",
    slug: "unsupported-media-type",
    status: 415,
    title: "The content type is not supported",
    meaning:
      "JSON endpoints take application/json in UTF-8, the receipt upload multipart/form-data; neither compressed.",
    remedy: "Send the content type that the endpoint takes.",
  },
  idempotencyKeyReused: {
    code: "IdempotencyKeyReused",
    slug: "idempotency-key-reused",
    status: 422,
    title: "The Idempotency-Key belongs to another request",
    meaning: "Within the last 24 hours this application sent the same key with another body, or to another address.",
    remedy: "Send a new key with every new request, and the same key only when the very same request is repeated.",
  },
  tooManyRequests: {
    code: "TooManyRequests",
    slug: "too-many-requests",
    status: 429,
    title: "Too many requests",
    meaning: "This address or application has sent more than its share for the moment.",
    remedy: "Wait as long as Retry-After says.",
  },
  headersTooLarge: {
    code: "HeadersTooLarge",
    slug: "headers-too-large",
    status: 431,
    title: "The headers are too large",
    meaning: "The request line and the headers together are over 16 KiB.",
    remedy: "Send fewer or shorter headers.",
  },
  internal: {
    code: "InternalError",
    slug: "internal-error",
    status: 500,
    title: "Something went wrong on our side",
    meaning: "The service met a fault of its own. Nothing was half-done.",
    remedy: "Try again later; tell the operator the requestId if it stays.",
  },
  unavailable: {
    code: "Unavailable",
    slug: "unavailable",
    status: 503,
    title: "The service cannot take this now",
    meaning:
      "It is starting, stopping, without its database, or has more work in hand than it can hold. Nothing was half-done.",
    remedy:
      "Send the same request again after the time in Retry-After, with the same Idempotency-Key: where the database went away it may have been carried out.",
  },
  storageFull: {
    code: "StorageFull",
    slug: "storage-full",
    status: 507,
    title: "There is no room for the image",
    meaning: "The place where images are kept is full. Nothing was stored.",
    remedy: "Tell the operator and send the receipt again later.",
  },
} as const;

export type ProblemName = keyof typeof PROBLEMS;

/** Property path (`ingredients[0].name`) to what is wrong with it; never repeats a value that was sent. */
export type Errors = Record<string, string[]>;

/** A request we cannot serve. Thrown anywhere below a route; http/problems.ts alone turns it into an answer. */
export class Problem extends Error {
  readonly problem: ProblemName;
  readonly errors: Errors | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: ProblemName, about: { detail?: string; errors?: Errors; retryAfterSeconds?: number } = {}) {
    super(about.detail ?? PROBLEMS[problem].meaning);
    this.name = "Problem";
    this.problem = problem;
    this.errors = about.errors;
    this.retryAfterSeconds = about.retryAfterSeconds;
  }
}
