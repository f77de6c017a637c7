import type { FastifyRequest } from "fastify";
import type { Database } from "../../postgres/postgres.ts";
import type { Application } from "../../applications/application.ts";
import { findNewestSandbox } from "../../applications/store.ts";
import { redirectFromPage, sendPage } from "../../html/page.ts";
import type { FrameOf } from "../../html/page.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import { hashToken, sessionUrl } from "../../sessions/session.ts";
import type { HostedPage } from "../../sessions/session.ts";
import { insertSession } from "../../sessions/store.ts";
import type { EffectsOf } from "../../users/enrolment.ts";
import { enrolUser } from "../../users/store.ts";
import type { Frame } from "../../html/document.ts";
import { languageFor } from "../../html/language.ts";
import { SAMPLES_PATH, SAMPLE_FIELD, landingPage } from "./landing-page.ts";
import { problemPage, problemsPage } from "./problem-pages.ts";

export interface ServicePageDeps {
  readonly database: Database;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Returns 32 new bytes from a cryptographic source. */
  readonly newToken: () => string;
  readonly version: string;
  readonly publicUrl: string;
  readonly hostedPagesUrl: string;
  readonly sessionTtlSeconds: number;
  /** Whether anyone who reaches the landing page may open sample sessions of a sandbox application. */
  readonly areSamplesAllowed: boolean;
  readonly effectsOf: EffectsOf;
}

/** The person of the samples; the domain is reserved for examples. */
const SAMPLE_PERSON = { email: "sample.person@example.com", firstName: "Sample", lastName: "Person", country: "GB" };

/** The links on the landing page; paths without a route are left out. */
const LINKS = [
  { path: "/docs", text: "Reference of the API" },
  { path: "/openapi.json", text: "OpenAPI document" },
  { path: "/problems", text: "All problems that a call can return" },
  { path: "/health/ready", text: "Health" },
];

/** Adds the landing page with its samples, and the pages that `type` in problem documents links to, in English. */
export function servicePageRoutes(scope: Server, deps: ServicePageDeps, frameOf: FrameOf): void {
  const { database, version, publicUrl, hostedPagesUrl, areSamplesAllowed } = deps;
  const inEnglish = (request: FastifyRequest): Frame => ({ ...frameOf(request, null), language: languageFor({}) });

  scope.get("/", async (request, reply) => {
    const sandbox = areSamplesAllowed ? await findNewestSandbox(database) : null;
    const samples = { areAllowed: areSamplesAllowed, application: sandbox?.name ?? null };
    const links = LINKS.filter(({ path }) => scope.hasRoute({ method: "GET", url: path }));
    return sendPage(
      reply,
      200,
      landingPage(inEnglish(request), { version, publicUrl, hostedPagesUrl, samples, links }),
    );
  });

  scope.post(SAMPLES_PATH, async (request, reply) => {
    const sandbox = areSamplesAllowed && !isFromElsewhere(request) ? await findNewestSandbox(database) : null;
    const page = request.body instanceof URLSearchParams ? request.body.get(SAMPLE_FIELD) : null;
    if (!sandbox || (page !== "enrolment" && page !== "receipt")) throw new Problem("notFound");
    return redirectFromPage(reply, await openSample(deps, sandbox, page));
  });

  scope.get("/problems", (request, reply) => sendPage(reply, 200, problemsPage(inEnglish(request))));
  scope.get("/problems/:slug", (request, reply) => {
    const page = problemPage(inEnglish(request), (request.params as { slug: string }).slug, publicUrl);
    if (!page) throw new Problem("notFound");
    return sendPage(reply, 200, page);
  });
}

/** Returns whether a page of another site sent the request, by the header of browsers. */
function isFromElsewhere(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** Opens a session as the sandbox application itself would; returns its address. */
async function openSample(deps: ServicePageDeps, sandbox: Application, page: HostedPage): Promise<string> {
  const { database, now, newId, newToken, hostedPagesUrl, sessionTtlSeconds, effectsOf } = deps;
  const [applicationId, at, token] = [sandbox.id, now(), newToken()];
  const { redirectUri } = sandbox;
  const visit = { id: newId(), tokenHash: hashToken(token), applicationId, redirectUri, locale: null, now: at };
  const session = { ...visit, lifetimeSeconds: sessionTtlSeconds };
  const effects = await effectsOf(applicationId, "page");
  await database.tx(async (tx) => {
    if (page === "enrolment") return insertSession(tx, { ...session, page, request: SAMPLE_PERSON, userId: null });
    const sample = { id: newId(), applicationId, enrollment: SAMPLE_PERSON, now: at };
    const { user } = await enrolUser(tx, sample, effects);
    const nothingKnown = { reference: null, merchantName: null, amount: null, transactionTimestamp: null };
    return insertSession(tx, { ...session, page, request: { userId: user.id, ...nothingKnown }, userId: user.id });
  });
  return sessionUrl(hostedPagesUrl, page, token);
}
