import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { StorageFull } from "../adapters/files.ts";
import type { Files, Received } from "../adapters/files.ts";
import type { Database } from "../adapters/postgres.ts";
import { findApplication } from "../applications/store.ts";
import { acceptForms, readForm } from "../http/form.ts";
import { problemOf } from "../http/problems.ts";
import { isUnavailable } from "../http/server.ts";
import type { Server } from "../http/server.ts";
import { PROBLEMS, Problem } from "../problems.ts";
import type { AcceptReceipt, ReceiptInput } from "../receipts/routes.ts";
import { IMAGE_FIELD } from "../receipts/upload.ts";
import { redirectWith } from "../sessions/redirect.ts";
import { hashToken, tokenIn } from "../sessions/session.ts";
import type { Page } from "../sessions/session.ts";
import { completeSession, findOpenSession, findSentSession, insertConsent } from "../sessions/store.ts";
import { enrolUser } from "../users/store.ts";
import { normaliseEmail } from "../users/user.ts";
import { contentSecurityPolicy, messagePage } from "./document.ts";
import type { Frame } from "./document.ts";
import { enrolmentPage } from "./enrolment-page.ts";
import type { Html } from "./html.ts";
import { landingPage, problemPage, problemsPage } from "./landing-page.ts";
import { languageFor } from "./language.ts";
import { progressPage } from "./progress-page.ts";
import { progressOf } from "./progress.ts";
import type { ReceiptStatus } from "./progress.ts";
import { receiptFaultOf, receiptPage } from "./receipt-page.ts";
import type { ReceiptFault } from "./receipt-page.ts";

export interface PageDeps {
  database: Database;
  now: () => Date;
  newId: () => string;
  files: Pick<Files, "receive">;
  imageBytesMax: number;
  acceptReceipt: AcceptReceipt;
  receiptStatus: (applicationId: string, receiptId: string) => Promise<ReceiptStatus | null>;
  publicUrl: string;
  hostedPagesUrl: string;
  version: string;
}

const FORM_BYTES_MAX = 16 * 1024;
const ASSETS = { "pages.css": "text/css; charset=utf-8", "receipt.js": "text/javascript; charset=utf-8" } as const;

/** The hosted pages, the landing page and the pages of problems: plain HTML, open to everyone, never cached. */
export function pageRoutes(server: Server, deps: PageDeps): void {
  void server.register(async (scope) => {
    // Encapsulated: the forms and the error pages below are no business of the API.
    await acceptForms(scope);
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const basePath = new URL(deps.hostedPagesUrl).pathname.replace(/\/$/, "");
    const assets = assetRoutes(scope, basePath);
    const frameFor = (locale: string | null): Frame => ({ assets, basePath, language: languageFor(locale) });

    answerErrorsAsPages(scope, frameFor(null));
    enrolmentRoutes(scope, deps, frameFor);
    receiptRoutes(scope, deps, frameFor);
    serviceRoutes(scope, deps, frameFor(null));
  });
}

type FrameFor = (locale: string | null) => Frame;

function enrolmentRoutes(scope: Server, deps: PageDeps, frameFor: FrameFor): void {
  const { database, now, newId } = deps;

  const show = async (request: FastifyRequest, reply: FastifyReply, isUndecided: boolean) => {
    const { token, session, application } = await openVisit(deps, request, "enrolment");
    const frame = frameFor(session.locale);
    const action = `${frame.basePath}/enroll?sessionId=${token}`;
    const page = { brand: application, enrollment: session.request, action, isUndecided };
    return sendPage(reply, isUndecided ? 400 : 200, enrolmentPage(frame, page), application, session.redirectUri);
  };

  scope.get("/enroll", (request, reply) => show(request, reply, false));

  scope.post("/enroll", async (request, reply) => {
    const decision = request.body instanceof URLSearchParams ? request.body.get("decision") : null;
    if (decision !== "accept" && decision !== "decline") return show(request, reply, true);

    const { token, session, application } = await openVisit(deps, request, "enrolment");
    const frame = frameFor(session.locale);
    const { enrolment, consent, tag } = frame.language.phrases;
    const outcome = decision === "accept" ? "accepted" : "declined";
    const enrollment = { ...session.request, email: normaliseEmail(session.request.email) };
    const [applicationId, at] = [application.id, now()];
    const user = await database.tx(async (tx) => {
      const completion = { outcome, consentVersion: consent.version } as const;
      if (!(await completeSession(tx, hashToken(token), "enrolment", completion, at))) {
        throw new Problem("sessionNotFound");
      }
      if (outcome === "declined") return null;
      const enrolled = await enrolUser(tx, { id: newId(), applicationId, enrollment, now: at });
      const { version: textVersion } = consent;
      await insertConsent(tx, {
        userId: enrolled.id,
        id: newId(),
        applicationId,
        textVersion,
        language: tag,
        now: at,
      });
      return enrolled;
    });

    if (session.redirectUri === null) {
      return sendPage(reply, 200, messagePage(frame, { ...enrolment[outcome], brand: application }), application);
    }
    const ending = user ? ({ status: "completed", userId: user.id } as const) : ({ status: "declined" } as const);
    setPageHeaders(reply, application, session.redirectUri);
    return reply.redirect(redirectWith(session.redirectUri, { ...ending, sessionId: token }), 303);
  });
}

function receiptRoutes(scope: Server, deps: PageDeps, frameFor: FrameFor): void {
  const { database, now, receiptStatus } = deps;

  type Visit = Awaited<ReturnType<typeof openVisit<"receipt">>>;
  const showForm = (reply: FastifyReply, visit: Visit, fault: ReceiptFault | null) => {
    const status = fault === null ? 200 : fault === "too_large" ? 413 : 400;
    const { token, session, application } = visit;
    const frame = frameFor(session.locale);
    const action = `${frame.basePath}/receipts?sessionId=${token}`;
    const progressUrl = `${frame.basePath}/receipts/progress?sessionId=${token}`;
    const page = receiptPage(frame, { brand: application, action, progressUrl, fault });
    return sendPage(reply, status, page, application, session.redirectUri);
  };

  /** The receipt that was handed in through the session in the address, and how far it is. */
  const sentReceipt = async (request: FastifyRequest) => {
    const token = tokenIn(request.query);
    const session = token === null ? null : await findSentSession(database, hashToken(token), now());
    const application = session && (await findApplication(database, session.applicationId));
    const status = session && (await receiptStatus(session.applicationId, session.receiptId));
    if (token === null || !session || !application || !status) throw new Problem("sessionNotFound");
    const ending = status.status === "Failed" ? "failed" : "completed";
    const backUrl =
      session.redirectUri === null
        ? null
        : redirectWith(session.redirectUri, { status: ending, sessionId: token, receiptId: session.receiptId });
    return { token, session, application, status, backUrl };
  };

  const showProgress = async (request: FastifyRequest, reply: FastifyReply) => {
    const { token, session, application, status, backUrl } = await sentReceipt(request);
    const frame = frameFor(session.locale);
    const page = progressPage(frame, {
      brand: application,
      progress: progressOf(status),
      pageUrl: `${frame.basePath}/receipts/progress?sessionId=${token}`,
      statusUrl: `${frame.basePath}/receipts/status?sessionId=${token}`,
      backUrl,
    });
    return sendPage(reply, 200, page, application, session.redirectUri);
  };

  scope.get("/receipts", async (request, reply) => showForm(reply, await openVisit(deps, request, "receipt"), null));
  scope.get("/receipts/progress", showProgress);
  scope.get("/receipts/status", async (request, reply) => {
    const { session, status, backUrl } = await sentReceipt(request);
    reply.header("cache-control", "no-store");
    return { status: status.status, receiptID: session.receiptId, redirectUrl: backUrl };
  });

  scope.post("/receipts", async (request, reply) => {
    const visit = await openVisit(deps, request, "receipt");
    const { token, session, application } = visit;
    const image = await receiveImage(request, deps);
    if (typeof image === "string") return showForm(reply, visit, image);
    try {
      const outcome = await deps.acceptReceipt({
        ...session.request,
        application,
        image,
        receiptSource: "hosted_page",
        completeSession: (tx, receiptId) =>
          completeSession(tx, hashToken(token), "receipt", { outcome: "sent", receiptId }, now()),
      });
      if (outcome.kind === "session_used") throw new Problem("sessionNotFound");
      if (outcome.kind === "rejected") {
        const fault = receiptFaultOf(outcome.problem);
        if (fault === null) throw outcome.problem;
        return showForm(reply, visit, fault);
      }
    } finally {
      await rm(image.path, { force: true });
    }
    // The page itself and not a redirect to it: the way back to the application stands in the very answer.
    return showProgress(request, reply);
  });
}

/** The landing page and the pages that `type` in problem documents leads to. */
function serviceRoutes(scope: Server, { version, publicUrl }: PageDeps, frame: Frame): void {
  scope.get("/", (_request, reply) => sendPage(reply, 200, landingPage(frame, { version, publicUrl })));
  scope.get("/problems", (_request, reply) => sendPage(reply, 200, problemsPage(frame)));
  scope.get("/problems/:slug", (request, reply) => {
    const page = problemPage(frame, (request.params as { slug: string }).slug);
    if (!page) throw new Problem("notFound");
    return sendPage(reply, 200, page);
  });
}

/** Serves style and script; gives the addresses under which pages find them. */
function assetRoutes(scope: Server, basePath: string): Frame["assets"] {
  const addressOf = (name: keyof typeof ASSETS) => {
    const content = readFileSync(join(import.meta.dirname, "assets", name));
    const version = createHash("sha256").update(content).digest("hex").slice(0, 12);
    scope.get(`/assets/${name}`, (_request, reply) =>
      reply.type(ASSETS[name]).header("cache-control", "public, max-age=31536000, immutable").send(content),
    );
    return `${basePath}/assets/${name}?v=${version}`;
  };
  return { style: addressOf("pages.css"), receiptScript: addressOf("receipt.js") };
}

/** The session in the address with its application, if this page can still complete it; else a 404. */
async function openVisit<P extends Page>({ database, now }: PageDeps, request: FastifyRequest, page: P) {
  const token = tokenIn(request.query);
  const session = token === null ? null : await findOpenSession(database, hashToken(token), page, now());
  const application = session && (await findApplication(database, session.applicationId));
  if (token === null || !session || !application || application.suspendedAt) throw new Problem("sessionNotFound");
  return { token, session, application };
}

/** Takes the one file of the form to a temporary file, or says what the page says about it. */
async function receiveImage(request: FastifyRequest, deps: PageDeps): Promise<ReceiptInput["image"] | ReceiptFault> {
  const { files, imageBytesMax } = deps;
  const receive = async (stream: Readable) => {
    try {
      return await files.receive(stream, { bytesMax: imageBytesMax });
    } catch (error) {
      throw error instanceof StorageFull ? new Problem("storageFull") : error;
    }
  };
  try {
    const { file } = await readForm(request, { name: IMAGE_FIELD, receive, discard });
    if (file?.kind === "too_large") return "too_large";
    // A file field left empty is sent by browsers as an empty file.
    if (file && file.bytes > 0) return { path: file.path, bytes: file.bytes, sha256: Buffer.from(file.sha256, "hex") };
    if (file) await discard(file);
    return "missing";
  } catch (error) {
    const fault = error instanceof Problem ? receiptFaultOf(error) : null;
    if (fault === null) throw error;
    return fault;
  }
}

async function discard(received: Received): Promise<void> {
  if (received.kind === "ok") await rm(received.path, { force: true });
}

/** Sends a page. `redirectUri` is where a form on it, or its answer, may lead. */
function sendPage(
  reply: FastifyReply,
  status: number,
  page: Html,
  brand: { logoUrl: string | null } | null = null,
  redirectUri: string | null = null,
): FastifyReply {
  setPageHeaders(reply, brand, redirectUri);
  return reply.code(status).type("text/html; charset=utf-8").send(page.text);
}

function setPageHeaders(reply: FastifyReply, brand: { logoUrl: string | null } | null, redirectUri: string | null) {
  reply.header("content-security-policy", contentSecurityPolicy({ logoUrl: brand?.logoUrl ?? null, redirectUri }));
  reply.header("referrer-policy", "no-referrer");
  reply.header("cache-control", "no-store");
}

/** What goes wrong below a page is told in a page, unless the client asks for JSON: then in a problem document. */
function answerErrorsAsPages(scope: Server, frame: Frame): void {
  scope.setErrorHandler((error, request, reply) => {
    reply.header("cache-control", "no-store");
    const accept = request.headers.accept ?? "";
    // To the handler of the server, which answers with a problem document.
    if (accept.includes("json") && !accept.includes("text/html")) throw error;
    const problem = problemOf(error) ?? new Problem(isUnavailable(error) ? "unavailable" : "internal");
    if (problem.problem === "internal") request.log.error({ error }, "page failed");
    const { status } = PROBLEMS[problem.problem];
    const { sessionNotFound, unavailable, other } = frame.language.phrases.problem;
    const words = problem.problem === "sessionNotFound" ? sessionNotFound : status === 503 ? unavailable : other;
    return sendPage(reply, status, messagePage(frame, { ...words, brand: null }));
  });
}
