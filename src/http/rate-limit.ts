import type { FastifyReply } from "fastify";
import type { Application } from "../applications/application.ts";
import { Problem } from "../problems.ts";
import { WINDOW_SECONDS, createWindows } from "./fixed-window-counter.ts";

/** Bounds the memory; only who presented a right secret is counted here. */
const APPLICATIONS_MAX = 10_000;

/** Counts a call of an application: says in the answer's headers what is left, and throws where nothing is. */
export type RateLimit = (application: Application, reply: FastifyReply) => void;

/**
 * Lets each application call so often in a minute that starts with its first call: its own limit, or `perMinute`; 0 is
 * no limit. The headers are those of the IETF's draft "RateLimit header fields for HTTP".
 */
export function createRateLimit(perMinute: number, nowMs: () => number): RateLimit {
  const windows = createWindows(APPLICATIONS_MAX, nowMs);
  return ({ id, rateLimitPerMinute }, reply) => {
    const limit = rateLimitPerMinute ?? perMinute;
    if (limit === 0) return;
    const { count, secondsLeft } = windows.count(id);
    announceLimit(reply, { name: "calls", limit, left: Math.max(0, limit - count), secondsLeft });
    if (count > limit) throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
  };
}

/** Sets the headers RateLimit-Policy and RateLimit. */
export function announceLimit(
  reply: FastifyReply,
  { name, limit, left, secondsLeft }: { name: string; limit: number; left: number; secondsLeft: number },
): void {
  reply.header("ratelimit-policy", `"${name}";q=${limit};w=${WINDOW_SECONDS}`);
  reply.header("ratelimit", `"${name}";r=${left};t=${secondsLeft}`);
}
