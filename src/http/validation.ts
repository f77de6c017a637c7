import type { FastifySchemaValidationError } from "fastify/types/schema.js";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";

/**
 * Every error of a body or query by its property path (`ingredients[0].foodId`), in words that repeat no value.
 * `schemaErrors` is what Ajv found with `allErrors`.
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
 * Throws one problem with all that is wrong, if anything is: what broke the schema of a route that has it attached, and
 * what broke the rules that no schema knows.
 */
export function refuseErrors(validationError: Error | undefined, ruleErrors: Errors): void {
  if (validationError !== undefined && !(validationError instanceof Problem)) throw validationError;
  const errors = { ...validationError?.errors, ...ruleErrors };
  if (Object.keys(errors).length > 0) throw new Problem("validation", { errors });
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
    case "minLength":
      return "must not be empty";
    case "maxLength":
      return `must not be longer than ${String(params["limit"])} characters`;
    case "enum":
      return `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}`;
    case "type":
      // Beside what a member that may be null should be otherwise, this would mislead.
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
