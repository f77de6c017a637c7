import type { FastifyInstance } from "fastify";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { overlongArrays } from "./overlong-arrays.ts";
import type { ArrayShape } from "./overlong-arrays.ts";
import { stripNulls } from "./strip-nulls.ts";
import type { Shape } from "./strip-nulls.ts";

/** More than any valid body needs: metadata may have 32 levels, in a body of two. */
const DEPTH_MAX = 64;
/**
 * More than the largest valid body has (a full meal about 11,000). Each value may cause a validation error: without
 * this limit 1 MiB of empty ingredients caused a response of 30 MB after 2.6 s.
 */
const VALUES_MAX = 50_000;

const UNREADABLE = "The body is not one complete JSON object, or has a member __proto__ or constructor.prototype.";

/**
 * Adds a parser for JSON bodies that is stricter than JSON: the bytes must be UTF-8, the depth is checked before any
 * recursive code runs, `__proto__` is refused, and so are strings that PostgreSQL cannot store (NUL, half a surrogate
 * pair). Optional members that are null are removed before validation and before an Idempotency-Key compares bodies.
 */
export function readJsonBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser("error", "error");
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return done(new Problem("unsupportedMediaType"));
    if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
      return done(new Problem("unsupportedMediaType"));
    }
    // Many clients send a content type with every call, also without a body. Allowed if the route has no body.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    const text = decode(body as Buffer);
    if (text === null) return done(new Problem("malformedBody", { detail: "The body is not valid UTF-8." }));
    const { depth, values } = measureJson(text);
    if (depth > DEPTH_MAX) {
      return done(new Problem("malformedBody", { detail: `The body is nested more than ${DEPTH_MAX} levels deep.` }));
    }
    if (values > VALUES_MAX) {
      return done(new Problem("payloadTooLarge", { detail: `The body has more than ${VALUES_MAX} values.` }));
    }
    return parseJson(request, text, (error, value) => {
      if (error) return done(new Problem("malformedBody", { detail: UNREADABLE }));
      // Only an escape sequence can put such a character into a decoded string.
      const unstorable = text.includes("\\u") ? storageErrors(value) : {};
      const { body: shape } = request.routeOptions.schema ?? {};
      const errors = { ...unstorable, ...(shape === undefined ? {} : overlongArrays(value, shape as ArrayShape)) };
      if (Object.keys(errors).length > 0) return done(new Problem("validation", { errors }));
      // In a PATCH, null means "clear" and a missing member means "keep" (RFC 7396), so nulls must stay.
      const isNullAbsent = request.method !== "PATCH" && shape !== undefined && text.includes("null");
      return done(null, isNullAbsent ? stripNulls(value, shape as Shape) : value);
    });
  });
}

function decode(body: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

/** Returns the depth of brackets and an upper bound of the number of values, in one pass without recursion. */
export function measureJson(json: string): { depth: number; values: number } {
  let depth = 0;
  let deepest = 0;
  let values = 1;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (isInString) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) isInString = false;
    } else if (character === QUOTE) isInString = true;
    else if (character === BRACE || character === BRACKET) {
      values++;
      deepest = Math.max(deepest, ++depth);
    } else if (character === BRACE_END || character === BRACKET_END) depth--;
    else if (character === COMMA) values++;
  }
  return { depth: deepest, values };
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];

/** More than a person reads; 30,000 made a response of 1.4 MB. */
const STORAGE_ERRORS_MAX = 100;

/**
 * Returns an error for each string or key with NUL or half a surrogate pair, by path; the first ones if there are very
 * many. The depth is already limited.
 */
export function storageErrors(value: unknown): Errors {
  const errors: Errors = {};
  addStorageErrors(errors, value, "");
  return errors;
}

function addStorageErrors(errors: Errors, value: unknown, path: string): void {
  if (typeof value === "string") {
    if (value.includes("\0")) errors[path] = ["must not contain the character NUL"];
    else if (!value.isWellFormed()) errors[path] = ["must not contain half a surrogate pair"];
    return;
  }
  if (typeof value !== "object" || value === null) return;
  let left = STORAGE_ERRORS_MAX - Object.keys(errors).length;
  for (const [key, member] of Object.entries(value)) {
    if (left <= 0) return;
    const memberPath = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    if (key.includes("\0") || !key.isWellFormed()) {
      errors[path || "body"] = ["has a member whose name cannot be stored"];
    } else if (typeof member === "string" || typeof member === "object") {
      addStorageErrors(errors, member, memberPath);
    } else continue;
    left = STORAGE_ERRORS_MAX - Object.keys(errors).length;
  }
}
