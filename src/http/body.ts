import type { FastifyInstance, FastifyRequest } from "fastify";
import { measureJson } from "../measure-json.ts";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { overlongArrays } from "./overlong-arrays.ts";
import type { ArrayShape } from "./overlong-arrays.ts";
import { stripNulls } from "./strip-nulls.ts";
import type { Shape } from "./strip-nulls.ts";

/** More than any valid body needs: metadata may have 32 levels, in a body of two. */
const DEPTH_MAX = 64;
/**
 * More than the largest valid body has: a full meal about 11,000, its metadata 8,000. Each value may cause a validation
 * error: without this limit 1 MiB of empty ingredients caused a response of 30 MB after 2.6 s.
 */
const VALUES_MAX = 20_000;
/**
 * More than fit into the 16 KiB of metadata, the only object whose members are free. An object of 40,000 names took up
 * to 300 ms: each of them is a new text for the engine, and each pass over them takes as long again.
 */
const MEMBERS_MAX = 4_000;
/** A larger body has a turn of its own, see `largeBodyTurns`. Most meals are smaller. */
const LARGE_BYTES = 64 * 1024;

const UNREADABLE = "The body is not one complete JSON object, or has a member __proto__ or constructor.prototype.";

/**
 * Adds a parser for JSON bodies that is stricter than JSON: the bytes must be UTF-8, the depth is checked before any
 * recursive code runs, `__proto__` is refused, and so are strings that PostgreSQL cannot store (NUL, half a surrogate
 * pair). Optional members that are null are removed before validation and before an Idempotency-Key compares bodies.
 */
export function readJsonBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser("error", "error");
  const inTurn = largeBodyTurns();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const charset = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return done(new Problem("unsupportedMediaType"));
    if ((request.headers["content-encoding"] ?? "identity") !== "identity") {
      return done(new Problem("unsupportedMediaType"));
    }
    // Many clients send a content type with every call, also without a body. Allowed if the route has no body.
    if (body.length === 0 && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    const read = () => readBody(parseJson, request, body as Buffer, done);
    if (body.length <= LARGE_BYTES) read();
    else inTurn(read);
    return undefined;
  });
}

type ParseJson = ReturnType<FastifyInstance["getDefaultJsonParser"]>;
type Done = (error: Error | null, body?: unknown) => void;

function readBody(parseJson: ParseJson, request: FastifyRequest, body: Buffer, done: Done): void {
  const text = decode(body);
  if (text === null) return done(new Problem("malformedBody", { detail: "The body is not valid UTF-8." }));
  const { depth, values, members } = measureJson(text, { depth: DEPTH_MAX, values: VALUES_MAX, members: MEMBERS_MAX });
  if (depth > DEPTH_MAX) {
    return done(new Problem("malformedBody", { detail: `The body is nested more than ${DEPTH_MAX} levels deep.` }));
  }
  if (values > VALUES_MAX) {
    return done(new Problem("payloadTooLarge", { detail: `The body has more than ${VALUES_MAX} values.` }));
  }
  if (members > MEMBERS_MAX) {
    return done(new Problem("payloadTooLarge", { detail: `An object has more than ${MEMBERS_MAX} members.` }));
  }
  void parseJson(request, text, (error, value) => {
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
}

/**
 * Returns a function that runs one work in each round of the event loop. To parse and validate a body of 1 MB takes
 * some 10 ms. When several had arrived together, everything else waited for all of them: `/health/live` took 465 ms
 * behind eight. Now the requests between them are served.
 */
function largeBodyTurns(): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  const next = () => {
    const work = waiting.shift();
    if (waiting.length > 0) setImmediate(next);
    work?.();
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(next);
  };
}

function decode(body: Buffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return null;
  }
}

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
