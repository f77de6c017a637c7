/** @import { ProblemDocument } from "./sdk.d.ts" */

/** What the SDK throws, but for the reason of an AbortSignal of yours and mistakes in using it (TypeError). */
export class RewardsError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The service answered that it cannot serve the request. */
export class ProblemError extends RewardsError {
  /** @param {ProblemDocument} problem @param {number | null} retryAfterMs */
  constructor(problem, retryAfterMs) {
    const faults = Object.entries(problem.errors ?? {}).map(([path, messages]) => `${path} ${messages.join(", ")}`);
    super([`${problem.status} ${problem.code}: ${problem.detail || problem.title}`, ...faults].join("\n  "));
    this.status = problem.status;
    this.code = problem.code;
    this.type = problem.type;
    this.title = problem.title;
    this.detail = problem.detail;
    this.errors = problem.errors ?? {};
    this.requestId = problem.requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer came, or none that can be read, after all attempts. */
export class ConnectionError extends RewardsError {}

/** The time was over: of an attempt, after all of them, or of waiting for an outcome. */
export class TimeoutError extends RewardsError {}

/** A delivery is not from the service, too old, or not an event. */
export class WebhookError extends RewardsError {
  /** @param {"missing_header" | "stale" | "wrong_signature" | "malformed_body"} reason */
  constructor(reason) {
    super(`the delivery is refused: ${reason}`);
    this.reason = reason;
  }
}
