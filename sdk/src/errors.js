/** @import { ProblemDocument } from "./sdk.d.ts" */

/** Base class of all errors of the SDK, except the reason of your AbortSignal and wrong use (TypeError). */
export class RewardsError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service refused the request with a problem document. */
export class ProblemError extends RewardsError {
  /** @param {ProblemDocument} problem @param {number | null} retryAfterMs */
  constructor(problem, retryAfterMs) {
    const errors = Object.entries(problem.errors ?? {}).map(([path, messages]) => `${path} ${messages.join(", ")}`);
    super([`${problem.status} ${problem.code}: ${problem.detail || problem.title}`, ...errors].join("\n  "));
    this.status = problem.status;
    this.code = problem.code;
    this.type = problem.type;
    this.title = problem.title;
    this.detail = problem.detail;
    this.errors = problem.errors ?? {};
    this.requestId = problem.requestId;
    this.requiredScope = problem.requiredScope ?? null;
    this.movedTo = problem.movedTo ?? null;
    this.retryAfterMs = retryAfterMs;
  }
}

/** There was no readable response after all attempts. */
export class ConnectionError extends RewardsError {}

/** All attempts timed out, or the wait for a final status did. */
export class TimeoutError extends RewardsError {}

/** A delivery is not from the service, is too old, or is not an event. */
export class WebhookError extends RewardsError {
  /** @param {"missing_header" | "stale" | "wrong_signature" | "malformed_body"} reason */
  constructor(reason) {
    super(`the delivery is refused: ${reason}`);
    this.reason = reason;
  }
}
