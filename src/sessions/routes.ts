import type { Application } from "../applications/application.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { refuseErrors } from "../http/validation.ts";
import { userInBody } from "../users/store.ts";
import { normaliseRedirectUri } from "./redirect.ts";
import { openEnrolmentSession, openReceiptSession } from "./operations.ts";
import { enrollmentOf, hashToken, receiptRequestOf, sessionErrors, sessionToken, sessionUrl } from "./session.ts";
import { insertSession } from "./store.ts";

export interface SessionRouteDeps {
  idempotency: Idempotency;
  now: () => Date;
  /** 32 fresh bytes from a cryptographic source: what a token is made of. */
  newTokenBytes: () => Buffer;
  /** The configured address of the hosted pages, without a slash at its end. */
  hostedPagesUrl: string;
  sessionTtlSeconds: number;
}

/** The endpoints that open a session of a hosted page; each answers the address to lead the user to. */
export function sessionRoutes(server: Server, deps: SessionRouteDeps): void {
  const { idempotency, now, newTokenBytes, hostedPagesUrl, sessionTtlSeconds } = deps;

  /** What every session has, whatever its page. */
  const newSession = (application: Application, body: { redirectUri?: string; locale?: string }) => {
    const token = sessionToken(newTokenBytes());
    const session = {
      tokenHash: hashToken(token),
      applicationId: application.id,
      redirectUri: body.redirectUri === undefined ? application.redirectUri : normaliseRedirectUri(body.redirectUri),
      locale: body.locale ?? null,
      now: now(),
      lifetimeSeconds: sessionTtlSeconds,
    };
    return { token, session };
  };

  // The rules of redirects depend on the application, which no schema knows: both kinds of errors go in one answer.
  const enrolment = { ...routeOf(openEnrolmentSession), attachValidation: true };
  server.post(openEnrolmentSession.path, enrolment, async (request, reply) => {
    const { application, body, validationError } = request;
    refuseErrors(validationError, sessionErrors(body, application));
    return idempotency.once(request, reply, async (tx) => {
      const { token, session } = newSession(application, body);
      await insertSession(tx, { ...session, page: "enrolment", request: enrollmentOf(body) });
      return { response: { redirectUrl: sessionUrl(hostedPagesUrl, "enrolment", token) }, userId: null };
    });
  });

  const receipt = { ...routeOf(openReceiptSession), attachValidation: true };
  server.post(openReceiptSession.path, receipt, async (request, reply) => {
    const { application, body, validationError } = request;
    refuseErrors(validationError, sessionErrors(body, application));
    return idempotency.once(request, reply, async (tx) => {
      const { id: userId } = await userInBody(tx, application.id, body.userId);
      const { token, session } = newSession(application, body);
      await insertSession(tx, { ...session, page: "receipt", request: receiptRequestOf(body) });
      return { response: { redirectUrl: sessionUrl(hostedPagesUrl, "receipt", token) }, userId };
    });
  });
}
