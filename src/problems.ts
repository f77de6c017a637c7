import { PROBLEMS } from "./problem-types.ts";
import type { ProblemName } from "./problem-types.ts";
import type { Scope } from "./applications/scope.ts";

/** Property path (`ingredients[0].name`) to error messages. The messages never repeat values of the request. */
export type Errors = Record<string, string[]>;

/** What a problem document has beside the text of its problem. */
export interface ProblemDetails {
  readonly detail?: string;
  readonly errors?: Errors;
  readonly retryAfterSeconds?: number;
  readonly availablePoints?: number;
  readonly requiredScope?: Scope;
  readonly movedTo?: string;
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
  /** With `applicationMoved`: the new address. */
  readonly movedTo: string | undefined;

  constructor(problem: ProblemName, about: ProblemDetails = {}) {
    super(about.detail ?? PROBLEMS[problem].meaning);
    this.name = "Problem";
    this.problem = problem;
    this.errors = about.errors;
    this.retryAfterSeconds = about.retryAfterSeconds;
    this.availablePoints = about.availablePoints;
    this.requiredScope = about.requiredScope;
    this.movedTo = about.movedTo;
  }
}
