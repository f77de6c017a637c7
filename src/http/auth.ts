import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { isAcceptedSecret } from "../applications/application.ts";
import type { Application } from "../applications/application.ts";
import { Problem } from "../problems.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls; set before any API route runs. */
    application: Application;
  }
}

/** Looks an application up by its public client id. */
export type FindApplication = (clientId: string) => Promise<Application | null>;

/** Compared with when no such client exists, so that an unknown id takes the way of a wrong secret. */
const NOBODYS_HASH = Buffer.alloc(32);

/**
 * Sets `request.application` from the two credential headers.
 * Missing, wrong or crossed credentials are one and the same 401; a suspended application is a 403.
 */
export async function authenticate(request: FastifyRequest, find: FindApplication): Promise<void> {
  const clientId = request.headers["x-client-id"];
  const clientSecret = request.headers["x-client-secret"];
  if (typeof clientId !== "string" || typeof clientSecret !== "string" || clientId.includes("\0")) {
    throw new Problem("unauthorized");
  }
  const application = await find(clientId);
  const given = createHash("sha256").update(clientSecret).digest();
  const isRight = application
    ? isAcceptedSecret(application, given, timingSafeEqual)
    : timingSafeEqual(given, NOBODYS_HASH);
  if (!application || !isRight) throw new Problem("unauthorized");
  if (application.suspendedAt !== null) throw new Problem("suspended");
  request.application = application;
}
