import type { Operation } from "../http/operation.ts";
import { problemExample } from "../http/problem-example.ts";
import { PROBLEMS } from "../problem-types.ts";
import type { ProblemName } from "../problem-types.ts";

const VERSION_PROBLEMS = [
  "apiVersionUnspecified",
  "apiVersionInvalid",
  "apiVersionAmbiguous",
  "apiVersionUnsupported",
] as const;
const CALLER_PROBLEMS = [
  "unauthorized",
  "suspended",
  "applicationMoving",
  "applicationMoved",
  "insufficientScope",
] as const;

/** All problems that an operation can return: its own, and those that follow from its method and parameters. */
export function problemsOf(operation: Operation): ProblemName[] {
  const { method, isOpen, params, query, body, form, problems = [] } = operation;
  const names: ProblemName[] = ["malformedRequest", "requestTimeout", "headersTooLarge", "internal"];
  if (!isOpen) names.push(...VERSION_PROBLEMS, ...CALLER_PROBLEMS, "tooManyRequests", "unavailable");
  if (params) names.push("notFound");
  if (query || body || form) names.push("validation");
  if (body || form) names.push("malformedBody", "unsupportedMediaType", "payloadTooLarge");
  if (method === "POST") names.push("validation", "idempotencyKeyReused", "idempotencyAnswerLost");
  names.push(...problems);
  const order = Object.keys(PROBLEMS);
  return [...new Set(names)].sort((a, b) => order.indexOf(a) - order.indexOf(b));
}

/** The problem responses of an operation by status, each with an example of every possible problem. */
export function problemResponses(operation: Operation, problemRef: object): Record<string, object> {
  const byStatus = Map.groupBy(problemsOf(operation), (name) => PROBLEMS[name].status);
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => {
      const entries = names.map((name) => PROBLEMS[name]);
      return [
        String(status),
        {
          description: entries.map(({ code, title }) => `\`${code}\`: ${title}.`).join("\n\n"),
          headers: {
            ...commonHeaders(operation),
            ...(status === 401 && { "www-authenticate": { $ref: "#/components/headers/www-authenticate" } }),
            ...(STATUSES_TO_RETRY.has(status) && { "retry-after": { $ref: "#/components/headers/retry-after" } }),
          },
          content: {
            "application/problem+json": {
              schema: { ...problemRef, properties: { code: { enum: entries.map(({ code }) => code) } } },
              examples: Object.fromEntries(
                entries.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]),
              ),
            },
          },
        },
      ];
    }),
  );
}

/** Headers of every response of an operation. */
export function commonHeaders({ isOpen }: Operation): Record<string, { $ref: string }> {
  const names = ["x-request-id", "api-supported-versions", ...(isOpen ? [] : ["ratelimit", "ratelimit-policy"])];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const STATUSES_TO_RETRY = new Set([429, 503]);

/** An example of each problem that the operations can return, by its code. */
export function problemExamples(
  publicUrl: string,
  operations: readonly Operation[],
): Record<string, { summary: string; value: object }> {
  const names = new Set(operations.flatMap(problemsOf));
  return Object.fromEntries(
    [...names].map((name) => [
      PROBLEMS[name].code,
      { summary: PROBLEMS[name].title, value: problemExample(publicUrl, name) },
    ]),
  );
}
