import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isAcceptedSecret } from "../applications/application.ts";
import type { Application } from "../applications/application.ts";
import { Problem } from "../problems.ts";
import type { FailureLimit } from "./auth-throttle.ts";
import { announceLimit } from "./rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls; set before any API route runs. */
    application: Application;
  }
}

/** Looks an application up by its public client id; `isRight` says whether one has the secret that was presented. */
export type FindApplication = (
  clientId: string,
  isRight: (application: Application) => boolean,
) => Promise<Application | null>;

/** Compared with when no such client exists, so that an unknown id takes the way of a wrong secret. */
const NOBODYS_HASH = Buffer.alloc(32);

/**
 * Sets `request.application` from the two credential headers.
 * Missing, wrong or crossed credentials are one and the same 401, and a 429 for an address that has failed too often;
 * a suspended application is a 403.
 */
export async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  find: FindApplication,
  failures: FailureLimit,
): Promise<void> {
  const application = await identify(request, find);
  if (!application) {
    const secondsLeft = failures.note(request.ip);
    if (secondsLeft === null) throw new Problem("unauthorized");
    announceLimit(reply, { name: "failed-authentications", limit: failures.perMinute, left: 0, secondsLeft });
    throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
  }
  if (application.suspendedAt !== null) throw new Problem("suspended");
  request.application = application;
}

/** The application whose id and secret the headers hold, in the same time whichever of them is wrong. */
async function identify(request: FastifyRequest, find: FindApplication): Promise<Application | null> {
  const clientId = request.headers["x-client-id"];
  const clientSecret = request.headers["x-client-secret"];
  if (typeof clientId !== "string" || typeof clientSecret !== "string" || clientId.includes("\0")) return null;
  const given = createHash("sha256").update(clientSecret).digest();
  const now = new Date();
  const isRight = (application: Application) => isAcceptedSecret(application, given, timingSafeEqual, now);
  const application = await find(clientId, isRight);
  if (application) return isRight(application) ? application : null;
  timingSafeEqual(given, NOBODYS_HASH);
  return null;
}
