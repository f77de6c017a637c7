import cors from "@fastify/cors";
import type { FastifyCorsOptions } from "@fastify/cors";
import type { Server } from "./server.ts";

const ALLOWED: FastifyCorsOptions = {
  origin: true,
  methods: "GET, POST, PATCH, DELETE",
  allowedHeaders: "content-type, x-client-id, x-client-secret, x-request-id, idempotency-key",
  exposedHeaders:
    "x-request-id, link, idempotency-replayed, api-supported-versions, ratelimit, ratelimit-policy, retry-after, " +
    "deprecation, sunset",
  maxAge: 600,
  strictPreflight: false,
};
/** With `origin: false` the plugin sends no CORS header except `Vary`, which keeps caches from mixing responses. */
const REFUSED: FastifyCorsOptions = { origin: false };

/**
 * Allows pages of these origins to read responses. Other origins get no CORS headers; without any origins nobody does.
 * Such a page holds the client secret, so this is only for pages that the integrator's own staff use.
 */
export function allowOrigins(server: Server, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const allowed = new Set(origins);
  void server.register(cors, {
    delegator: (request, done) => done(null, allowed.has(request.headers.origin ?? "") ? ALLOWED : REFUSED),
  });
}
