import type { FastifyReply, FastifyRequest } from "fastify";
import type { Database } from "../../postgres/postgres.ts";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { FrameOf } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import { redirectWith } from "../../sessions/redirect.ts";
import { PAGE_PATHS } from "../../sessions/session.ts";
import type { SessionEnding } from "../../sessions/ending.task.ts";
import { insertConsent } from "../../sessions/store.ts";
import type { EffectsOf } from "../../users/enrolment.ts";
import { enrolUser } from "../../users/store.ts";
import { normaliseEmail } from "../../users/user.ts";
import { messagePage } from "../../html/document.ts";
import { consentText } from "../../html/phrases.ts";
import { openVisit } from "../store.ts";
import type { OpenVisit } from "../store.ts";
import { enrolmentPage } from "./page.ts";

export interface EnrolmentPageDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly completeSession: SessionEnding["complete"];
  readonly effectsOf: EffectsOf;
}

type Visit = OpenVisit<"enrolment">;

/** Adds the consent page and its form. */
export function enrolmentPageRoutes(scope: Server, deps: EnrolmentPageDeps, frameOf: FrameOf): void {
  const { database, now, newId, completeSession, effectsOf } = deps;

  const show = (request: FastifyRequest, reply: FastifyReply, visit: Visit, isUndecided: boolean) => {
    const { token, session, application } = visit;
    const frame = frameOf(request, session.locale);
    const page = enrolmentPage(frame, {
      brand: application,
      enrollment: session.request,
      address: `${frame.basePath}${PAGE_PATHS.enrolment}?sessionId=${token}`,
      redirectUri: session.redirectUri,
      isUndecided,
    });
    return sendPage(reply, isUndecided ? 400 : 200, page);
  };

  scope.get(PAGE_PATHS.enrolment, async (request, reply) =>
    show(request, reply, await openVisit(database, request.query, "enrolment", now()), false),
  );

  scope.post(PAGE_PATHS.enrolment, async (request, reply) => {
    const visit = await openVisit(database, request.query, "enrolment", now());
    const decision = request.body instanceof URLSearchParams ? request.body.get("decision") : null;
    if (decision !== "accept" && decision !== "decline") return show(request, reply, visit, true);

    const { token, tokenHash, session, application } = visit;
    const frame = frameOf(request, session.locale);
    const { enrolment, consent, tag } = frame.language.phrases;
    const outcome = decision === "accept" ? "accepted" : "declined";
    const enrollment = { ...session.request, email: normaliseEmail(session.request.email) };
    const [applicationId, at] = [application.id, now()];
    const completion = { outcome, consentVersion: consent.version } as const;
    const effects = await effectsOf(applicationId, "page");
    const userId = await database.requestTx(applicationId, async (tx) => {
      const enrol = async (): Promise<string | null> => {
        if (outcome === "declined") return null;
        // A code that nobody has any more keeps nobody from enrolling: it was known when the session was opened.
        const { user } = await enrolUser(tx, { id: newId(), applicationId, enrollment, now: at }, effects);
        await insertConsent(tx, {
          userId: user.id,
          id: newId(),
          applicationId,
          textVersion: consent.version,
          language: tag,
          text: consentText(consent, application.name),
          now: at,
        });
        return user.id;
      };
      const ended = await completeSession(tx, { tokenHash, page: "enrolment", completion, at }, enrol);
      if (!ended) throw new Problem("sessionNotFound");
      return ended.userId;
    });

    if (session.redirectUri === null) {
      return sendPage(reply, 200, messagePage(frame, { ...enrolment[outcome], brand: application }));
    }
    const ending = userId === null ? ({ status: "declined" } as const) : ({ status: "completed", userId } as const);
    return redirectFromPage(reply, redirectWith(session.redirectUri, { ...ending, sessionId: token }));
  });
}
