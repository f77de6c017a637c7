import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isAcceptedSecret } from "../applications/application.ts";
import type { Application } from "../applications/application.ts";
import type { FindApplication } from "../applications/cache.task.ts";
import { Problem } from "../problems.ts";
import type { AuthThrottle } from "./auth-throttle.ts";
import { setRateLimitHeaders } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The calling application; set before any API route runs. */
    application: Application;
    /** Checks the credentials again, for a call that waits: throws as `authenticate`. Set with `application`. */
    authenticateAgain: () => Promise<void>;
  }
}

/** Compared with if the client id is unknown, so that it takes as long as a wrong secret. */
const DUMMY_HASH = Buffer.alloc(32);

/**
 * Sets `request.application` (and `authenticateAgain`) from the two credential headers. Throws unauthorized for missing
 * or wrong credentials and for those of two applications, tooManyRequests after too many failures from one address, and
 * suspended.
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  find: FindApplication,
  throttle: AuthThrottle,
): Promise<void> {
  const application = await identify(request, find, throttle.isOverLimit(request.ip));
  if (!application) {
    const secondsLeft = throttle.countFailure(request.ip);
    if (secondsLeft === null) throw new Problem("unauthorized");
    setRateLimitHeaders(reply, { name: "failed-authentications", limit: throttle.perMinute, left: 0, secondsLeft });
    throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
  }
  if (application.suspendedAt !== null) throw new Problem("suspended");
  request.application = application;
  request.authenticateAgain = () => authenticate(request, reply, find, throttle);
}

/** Returns the application of the two headers, or null. Takes the same time for a wrong id and a wrong secret. */
async function identify(
  request: FastifyRequest,
  find: FindApplication,
  isThrottled: boolean,
): Promise<Application | null> {
  const clientId = request.headers["x-client-id"];
  const clientSecret = request.headers["x-client-secret"];
  if (typeof clientId !== "string" || typeof clientSecret !== "string" || clientId.includes("\0")) return null;
  const given = createHash("sha256").update(clientSecret).digest();
  const now = new Date();
  const hasSecret = (application: Application) => isAcceptedSecret(application, given, timingSafeEqual, now);
  const application = await find(clientId, hasSecret, isThrottled);
  if (application) return hasSecret(application) ? application : null;
  timingSafeEqual(given, DUMMY_HASH);
  return null;
}
