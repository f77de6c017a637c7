import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Application } from "../applications/application.ts";
import type { Callers } from "../applications/callers.ts";
import { acceptedCredential } from "../applications/credential.ts";
import type { CallingApplication, Credential } from "../applications/credential.ts";
import { refuseClosed } from "../applications/refuse-closed.ts";
import { Problem } from "../problems.ts";
import type { AuthThrottle } from "./auth-throttle.ts";
import { setRateLimitHeaders } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The calling application; set before any API route runs. */
    application: Application;
    /** The credential of the call; null for a call of this process. Set with `application`. */
    credential: Credential | null;
    /** Checks the credentials again, for a call that waits: throws as `authenticate`. Set with `application`. */
    authenticateAgain: () => Promise<void>;
  }
}

/** Compared with if the client id is unknown, so that it takes as long as a wrong secret. */
const DUMMY_HASH = Buffer.alloc(32);

/**
 * Sets `request.application`, `credential` and `authenticateAgain` from the two credential headers. Throws unauthorized
 * for missing, wrong, revoked or expired credentials and for those of two applications, tooManyRequests after too many
 * failures from one address, suspended, applicationMoving and applicationMoved.
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  callers: Callers,
  throttle: AuthThrottle,
): Promise<void> {
  const identified = await identify(request, callers, throttle.isOverLimit(request.ip));
  if (!identified) {
    const secondsLeft = throttle.countFailure(request.ip);
    if (secondsLeft === null) throw new Problem("unauthorized");
    setRateLimitHeaders(reply, { name: "failed-authentications", limit: throttle.perMinute, left: 0, secondsLeft });
    throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
  }
  const { application, credential } = identified;
  refuseClosed(application);
  if (application.suspendedAt !== null) throw new Problem("suspended");
  request.application = application;
  request.credential = credential;
  request.authenticateAgain = () => authenticate(request, reply, callers, throttle);
  callers.used(credential.id);
}

/** Returns what the two headers open, or null. Takes the same time for a wrong id and a wrong secret. */
async function identify(
  request: FastifyRequest,
  { find, now }: Callers,
  isThrottled: boolean,
): Promise<{ application: Application; credential: Credential } | null> {
  const clientId = request.headers["x-client-id"];
  const clientSecret = request.headers["x-client-secret"];
  if (typeof clientId !== "string" || typeof clientSecret !== "string" || clientId.includes("\0")) return null;
  const given = hash("sha256", clientSecret, "buffer");
  const at = now();
  const credentialIn = (application: CallingApplication) => acceptedCredential(application, given, timingSafeEqual, at);
  const application = await find(clientId, (cached) => credentialIn(cached) !== null, isThrottled);
  if (!application) {
    timingSafeEqual(given, DUMMY_HASH);
    return null;
  }
  const credential = credentialIn(application);
  return credential && { application, credential };
}
