import type { Server } from "./server.ts";

const METHODS = "GET, POST, PATCH, DELETE";
const TAKEN = "content-type, x-client-id, x-client-secret, x-request-id, idempotency-key";
const SHOWN =
  "x-request-id, link, idempotency-replayed, api-supported-versions, ratelimit, ratelimit-policy, retry-after, deprecation, sunset";
const PREFLIGHT_SECONDS = 600;

/**
 * Lets pages of these origins read answers, and of no other: without any there is no header of CORS at all. Credentials
 * are headers that a page would have to hold, so this is for pages behind which nobody but the integrator's own people sit.
 */
export function allowOrigins(server: Server, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  server.addHook("onRequest", async (request, reply) => {
    // Also without an Origin: a cache must not give this answer to a page.
    reply.header("vary", "origin");
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return;
    reply.header("access-control-allow-origin", origin);
    reply.header("access-control-expose-headers", SHOWN);
    if (request.method !== "OPTIONS") return;
    reply.header("access-control-allow-methods", METHODS);
    reply.header("access-control-allow-headers", TAKEN);
    reply.header("access-control-max-age", PREFLIGHT_SECONDS);
  });
}
