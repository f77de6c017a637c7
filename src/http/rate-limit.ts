import type { FastifyReply } from "fastify";
import type { Application } from "../applications/application.ts";
import type { CallCounts } from "../call-limits/counts.ts";
import { Problem } from "../problems.ts";
import { WINDOW_SECONDS } from "../rate-window.ts";

/** Counts a call of an application and sets the rate limit headers. Throws tooManyRequests over the limit. */
export type RateLimit = (application: Application, reply: FastifyReply) => void;

/**
 * Limits the calls of each application per minute: to its own limit, or to `perMinute`; 0 is no limit. A minute starts
 * with the first call. The headers are those of the IETF draft "RateLimit header fields for HTTP".
 */
export function createRateLimit(perMinute: number, counts: Pick<CallCounts, "count">): RateLimit {
  return ({ id, rateLimitPerMinute }, reply) => {
    const limit = rateLimitPerMinute ?? perMinute;
    if (limit === 0) return;
    const { isAdmitted, left, secondsLeft, retryAfterSeconds } = counts.count(id, limit);
    setRateLimitHeaders(reply, { name: "calls", limit, left, secondsLeft });
    if (!isAdmitted) throw new Problem("tooManyRequests", { retryAfterSeconds });
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
