import type { FastifySchemaValidationError } from "fastify/types/schema.js";
import { Problem } from "../problems.ts";
import { FOUR_DIGITS } from "./formats.ts";
import type { Errors } from "../problems.ts";

/**
 * Returns all errors of a body or query by property path (`ingredients[0].foodId`). The messages repeat no values.
 * `schemaErrors` come from Ajv with `allErrors`; `part` is the path of the whole body or query.
 */
export function errorsOf(schemaErrors: readonly FastifySchemaValidationError[], part: string): Errors {
  const errors: Errors = {};
  for (const error of schemaErrors) {
    const path = pathOf(error) || part;
    const message = messageOf(error);
    const messages = Object.hasOwn(errors, path) ? errors[path]! : [];
    if (message !== null && !messages.includes(message)) errors[path] = [...messages, message];
  }
  return errors;
}

/**
 * Throws one validation problem with all errors of a body, if there are any: those of its schema, which Fastify has
 * attached to the request, and those of a rule that a schema cannot express. The rule gets null for each member that
 * the schema refused: its size is then unbounded, and judging a `locale` of 600 kB took 43 s.
 */
export function refuseErrors(
  { body, validationError }: { body: unknown; validationError?: Error | undefined },
  rule: (body: unknown) => Errors,
): void {
  if (validationError !== undefined && !(validationError instanceof Problem)) throw validationError;
  const refused = validationError?.errors ?? {};
  const errors = { ...refused, ...rule(withNulls(body, refused)) };
  if (Object.keys(errors).length > 0) throw new Problem("validation", { errors });
}

/** Returns a body with null for each member in which an error is. */
function withNulls(body: unknown, refused: Errors): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
  const names = new Set(Object.keys(refused).map((path) => path.split(/[.[]/)[0]));
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, names.has(name) ? null : value]));
}

function pathOf(error: FastifySchemaValidationError): string {
  const path = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), "");
  const missing = error.keyword === "required" ? String(error.params["missingProperty"]) : "";
  return missing === "" ? path : path ? `${path}.${missing}` : missing;
}

function messageOf(error: FastifySchemaValidationError): string | null {
  const { keyword, params } = error;
  switch (keyword) {
    case "required":
      return "is required";
    case "pattern":
      return params["pattern"] === FOUR_DIGITS ? "must be four digits" : "must not be empty";
    case "minLength":
      return "must not be empty";
    case "maxLength":
      return `must not be longer than ${String(params["limit"])} characters`;
    case "enum":
      return `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
    case "type":
      // A nullable member also has the error of its other type; "must be null" next to it would mislead.
      return params["type"] === "null" ? null : `must be of type ${String(params["type"])}`;
    case "format":
      return FORMATS[String(params["format"])] ?? `must be a ${String(params["format"])}`;
    case "minimum":
      return `must be at least ${String(params["limit"])}`;
    case "exclusiveMinimum":
      return `must be more than ${String(params["limit"])}`;
    case "maximum":
      return `must be at most ${String(params["limit"])}`;
    case "minItems":
      return "must not be empty";
    case "maxItems":
      return `must not have more than ${String(params["limit"])} entries`;
    case "anyOf":
      return null;
    default:
      return error.message ?? "is not valid";
  }
}

const FORMATS: Record<string, string> = {
  "date-time": "must be a date and time with its zone, as in 2026-01-31T12:00:00Z",
  currency: "must be a currency code of three letters (ISO 4217)",
  email: "must be an e-mail address",
};
