import type { FastifyInstance } from "fastify";
import { Problem } from "../problems.ts";
import type { Faults } from "../problems.ts";

/** Deeper than any body of the interface: metadata may have 32 levels, in a body of two. */
const DEPTH_MAX = 64;

/**
 * Reads JSON bodies, stricter than JSON: bytes must be UTF-8, nesting is bounded before anything recursive
 * sees it, `__proto__` is refused, and no string may hold what PostgreSQL cannot (NUL, half a surrogate pair).
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
    const text = decode(body as Buffer);
    if (text === null) return done(new Problem("malformedBody", { detail: "The body is not valid UTF-8." }));
    if (isDeeperThan(text, DEPTH_MAX)) {
      return done(new Problem("malformedBody", { detail: `The body is nested more than ${DEPTH_MAX} levels deep.` }));
    }
    return parseJson(request, text, (error, value) => {
      if (error) return done(new Problem("malformedBody", { detail: "The body is not one complete JSON object." }));
      // Only an escape can bring such a character into a decoded string.
      const faults = text.includes("\\u") ? unstorable(value) : {};
      if (Object.keys(faults).length > 0) return done(new Problem("validation", { faults }));
      return done(null, value);
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

/** Whether brackets outside of strings nest deeper than `depthMax`; one pass, no recursion. */
export function isDeeperThan(json: string, depthMax: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json.charCodeAt(i);
    if (isInString) {
      if (character === 0x5c) i++;
      else if (character === 0x22) isInString = false;
    } else if (character === 0x22) isInString = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++depth > depthMax) return true;
    } else if (character === 0x7d || character === 0x5d) depth--;
  }
  return false;
}

/** Every string or key with a NUL or half a surrogate pair, by its path. The value's depth is bounded already. */
export function unstorable(value: unknown, path = ""): Faults {
  if (typeof value === "string") {
    if (value.includes("\0")) return { [path]: ["must not contain the character NUL"] };
    return value.isWellFormed() ? {} : { [path]: ["must not contain half a surrogate pair"] };
  }
  if (typeof value !== "object" || value === null) return {};
  const faults: Faults = {};
  for (const [key, member] of Object.entries(value)) {
    if (key.includes("\0") || !key.isWellFormed()) {
      faults[path || "body"] = ["has a member whose name cannot be stored"];
      continue;
    }
    const memberPath = Array.isArray(value) ? `${path}[${key}]` : path ? `${path}.${key}` : key;
    Object.assign(faults, unstorable(member, memberPath));
  }
  return faults;
}
