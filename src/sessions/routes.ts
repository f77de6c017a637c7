import type { Application } from "../applications/application.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { Problem } from "../problems.ts";
import { refuseErrors } from "../http/validation.ts";
import { holdUserInBody } from "../users/store.ts";
import { normaliseRedirectUri, redirectRulesOf } from "./redirect.ts";
import { getSession, openEnrolmentSession, openReceiptSession } from "./operations.ts";
import { enrollmentOf, hashToken, receiptRequestOf, sessionErrors, sessionUrl } from "./session.ts";
import { presentSession } from "./status.ts";
import { findSession, insertSession } from "./store.ts";

export interface SessionRouteDeps {
  database: Database;
  idempotency: Idempotency;
  now: () => Date;
  newId: () => string;
  /** Returns the token of a new session. */
  newToken: () => string;
  /** The configured address of the hosted pages, without a slash at its end. */
  hostedPagesUrl: string;
  sessionTtlSeconds: number;
  /** Whether a user of the application has a referral code. */
  isKnownCode: (tx: Tx, applicationId: string, code: string) => Promise<boolean>;
}

/** Adds the endpoints that open a session of a hosted page and return its address, and the one that looks it up. */
export function sessionRoutes(server: Server, deps: SessionRouteDeps): void {
  const { database, idempotency, now, newId, newToken, hostedPagesUrl, sessionTtlSeconds, isKnownCode } = deps;

  /** Creates the parts that sessions of all pages have. */
  const newSession = (application: Application, body: { redirectUri?: string; locale?: string }) => {
    const token = newToken();
    const session = {
      id: newId(),
      tokenHash: hashToken(token),
      applicationId: application.id,
      redirectUri: body.redirectUri === undefined ? application.redirectUri : normaliseRedirectUri(body.redirectUri),
      locale: body.locale ?? null,
      now: now(),
      lifetimeSeconds: sessionTtlSeconds,
    };
    return { token, session };
  };

  // The rules for redirects depend on the application, not on the schema: one response has both kinds of errors.
  const enrolment = { ...routeOf(openEnrolmentSession), attachValidation: true };
  server.post(openEnrolmentSession.path, enrolment, async (request, reply) => {
    const { application, body } = request;
    refuseErrors(request, (accepted) => sessionErrors(accepted, redirectRulesOf(application)));
    return idempotency.once(request, reply, async (tx) => {
      const { referralCode } = body;
      // Here, where the application sees it: the person on the page could do nothing about it.
      if (referralCode !== undefined && !(await isKnownCode(tx, application.id, referralCode))) {
        throw new Problem("validation", { errors: { referralCode: ["is no code of a user"] } });
      }
      const { token, session } = newSession(application, body);
      await insertSession(tx, { ...session, page: "enrolment", request: enrollmentOf(body), userId: null });
      const redirectUrl = sessionUrl(hostedPagesUrl, "enrolment", token);
      return { response: { redirectUrl, id: session.id }, userId: null };
    });
  });

  const receipt = { ...routeOf(openReceiptSession), attachValidation: true };
  server.post(openReceiptSession.path, receipt, async (request, reply) => {
    const { application, body } = request;
    refuseErrors(request, (accepted) => sessionErrors(accepted, redirectRulesOf(application)));
    return idempotency.once(request, reply, async (tx) => {
      const { userId } = body;
      await holdUserInBody(tx, application.id, userId);
      const { token, session } = newSession(application, body);
      await insertSession(tx, { ...session, page: "receipt", request: receiptRequestOf(body), userId });
      const redirectUrl = sessionUrl(hostedPagesUrl, "receipt", token);
      return { response: { redirectUrl, id: session.id }, userId };
    });
  });

  server.get(getSession.path, routeOf(getSession), async (request) => {
    const { id } = request.params;
    const session = isUuid(id) ? await findSession(database, request.application.id, id) : null;
    if (!session) throw new Problem("notFound");
    return presentSession(session, now());
  });
}
