import type { FastifyInstance } from "fastify";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { withoutNulls } from "./strip-nulls.ts";
import type { Shape } from "./strip-nulls.ts";

/** Deeper than any body of the interface: metadata may have 32 levels, in a body of two. */
const DEPTH_MAX = 64;
/**
 * More than the largest body of the interface has (a full meal about 11,000). Every one of them may be a error to tell:
 * without this bound 1 MiB of empty ingredients was answered with 30 MB after 2.6 s.
 */
const VALUES_MAX = 50_000;

const UNREADABLE = "The body is not one complete JSON object, or has a member __proto__ or constructor.prototype.";

/**
 * Reads JSON bodies, stricter than JSON: bytes must be UTF-8, nesting is bounded before anything recursive
 * sees it, `__proto__` is refused, and no string may hold what PostgreSQL cannot (NUL, half a surrogate pair). A member
 * that is null is as if left out: so it meets validation, and so an Idempotency-Key compares it.
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
    // Many clients name a type on every call, also where there is nothing to send: fine where nothing is asked for.
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
      // Only an escape can bring such a character into a decoded string.
      const errors = text.includes("\\u") ? unstorable(value) : {};
      if (Object.keys(errors).length > 0) return done(new Problem("validation", { errors }));
      const { body: shape } = request.routeOptions.schema ?? {};
      // In a PATCH what is left out stays and null means to empty it (RFC 7396): taking one for the other loses data.
      const areNullsAbsent = request.method !== "PATCH" && shape !== undefined && text.includes("null");
      return done(null, areNullsAbsent ? withoutNulls(value, shape as Shape) : value);
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

/** How deep brackets nest outside of strings, and how many values there are at most; one pass, no recursion. */
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

/** Every string or key with a NUL or half a surrogate pair, by its path. The value's depth is bounded already. */
export function unstorable(value: unknown, path = ""): Errors {
  if (typeof value === "string") {
    if (value.includes("\0")) return { [path]: ["must not contain the character NUL"] };
    return value.isWellFormed() ? {} : { [path]: ["must not contain half a surrogate pair"] };
  }
  if (typeof value !== "object" || value === null) return {};
  const errors: Errors = {};
  for (const [key, member] of Object.entries(value)) {
    if (key.includes("\0") || !key.isWellFormed()) {
      errors[path || "body"] = ["has a member whose name cannot be stored"];
      continue;
    }
    const memberPath = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    Object.assign(errors, unstorable(member, memberPath));
  }
  return errors;
}
