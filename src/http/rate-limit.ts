import type { FastifyReply } from "fastify";
import type { Application } from "../applications/application.ts";
import { Problem } from "../problems.ts";
import { WINDOW_SECONDS, createFixedWindowCounter } from "./fixed-window-counter.ts";

/** Limits the memory. Only authenticated calls are counted here. */
const APPLICATIONS_MAX = 10_000;

/** Counts a call of an application and sets the rate limit headers. Throws tooManyRequests over the limit. */
export type RateLimit = (application: Application, reply: FastifyReply) => void;

/**
 * Limits the calls of each application per minute: to its own limit, or to `perMinute`; 0 is no limit. A minute starts
 * with the first call. The headers are those of the IETF draft "RateLimit header fields for HTTP".
 */
export function createRateLimit(perMinute: number, nowMs: () => number): RateLimit {
  const counter = createFixedWindowCounter(APPLICATIONS_MAX, nowMs);
  return ({ id, rateLimitPerMinute }, reply) => {
    const limit = rateLimitPerMinute ?? perMinute;
    if (limit === 0) return;
    const { count, secondsLeft } = counter.count(id);
    setRateLimitHeaders(reply, { name: "calls", limit, left: Math.max(0, limit - count), secondsLeft });
    if (count > limit) throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
  };
}

/** Sets the headers RateLimit-Policy and RateLimit. */
export function setRateLimitHeaders(
  reply: FastifyReply,
  { name, limit, left, secondsLeft }: { name: string; limit: number; left: number; secondsLeft: number },
): void {
  reply.header("ratelimit-policy", `"${name}";q=${limit};w=${WINDOW_SECONDS}`);
  reply.header("ratelimit", `"${name}";r=${left};t=${secondsLeft}`);
}
