import type { FastifyReply, FastifyRequest } from "fastify";
import type { Application } from "../applications/application.ts";
import { refuseClosed } from "../applications/refuse-closed.ts";
import { redirectFromPage, sendPage } from "../html/page.ts";
import { problemOf } from "../http/send-problem.ts";
import { createShares } from "../shares.ts";
import type { Shares } from "../shares.ts";
import type { Server } from "../http/server.ts";
import { callAs, streamAs } from "../http/call-as.ts";
import { isUnavailable } from "../http/unavailable.ts";
import { PROBLEMS } from "../problem-types.ts";
import { Problem } from "../problems.ts";
import type { ListedApplications, ShownApplication } from "./applications.store.ts";
import type { ConsoleApi } from "./api.ts";
import { auditedApi } from "./audited-api.ts";
import type { ApiDeps, Callers } from "./audited-api.ts";
import { fieldsOf } from "./form.ts";
import { consoleLanguageFor } from "./language.ts";
import { consolePage, plainPage } from "./page.ts";
import type { ConsoleFrame, View } from "./page.ts";
import { rightsIn } from "./roles.ts";
import type { Grant, Right } from "./roles.ts";
import { html } from "../html/html.ts";
import type { SignedIn } from "./sessions.store.ts";
import { formToken, isSameToken } from "./token.ts";
import type { SessionCookie } from "./token.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Of a console route: the right it needs, or "signed-in", or "open" before anybody has signed in. */
    console?: Right | "signed-in" | "open";
    /** Of a console route that responds with data or a stream: what only pages show is not read for it. */
    isData?: boolean;
  }
  interface FastifyRequest {
    /** Set on every console route that is not "open". */
    console: {
      readonly view: View;
      readonly api: ConsoleApi;
      readonly sessionToken: string;
      /** Frees the person's place among the pages that are being made. */
      readonly leave: () => void;
      /** Looks again whether the person is signed in and has the right, for a response that lasts. */
      isStillAllowed(): Promise<boolean>;
    };
  }
}

/** What the guard of the console reads and writes. */
export interface GuardDeps extends ApiDeps {
  readonly basePath: string;
  /** Of the public address. */
  readonly origin: string;
  readonly assetsUrl: string;
  readonly pictureOrigins: readonly string[];
  readonly installationKey: Uint8Array;
  readonly cookie: SessionCookie;
  findSession(token: string): Promise<SignedIn | null>;
  findApplication(id: string): Promise<Application | null>;
  /** Lists the first applications that somebody with these roles may see. */
  listApplications(grants: readonly Grant[]): Promise<ListedApplications>;
}

/** Bytes of a form: a programme's JSON is the largest. */
const FORM_BYTES_MAX = 512 * 1024;
/** More than the form of any part of a programme has: some read them again for each of their fields. */
const FORM_FIELDS_MAX = 10_000;
/**
 * Pages that are made at once. One makes up to a dozen calls of the API and some charts: with 200 pages that one person
 * asked for together, all reads of the application were taken, and its own requests refused.
 */
const AT_ONCE = { max: 24, perHolder: 6, waitMsMax: 5_000 };
const SIGN_IN_PATH = "/console/sign-in";

/**
 * Adds routes of the console. Each declares what it needs (`config.console`); one that declares nothing stops the
 * start. Without a session a page leads to signing in. An application that the person has no role in is not found, as
 * one that does not exist. Each form must come from a page of the same session.
 */
export function consoleScope(server: Server, deps: GuardDeps, addRoutes: (scope: Server) => void): void {
  const shares = createShares(AT_ONCE);
  void server.register(async (scope) => {
    scope.decorateRequest("console", null as never);
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => {
        const text = String(body);
        if (text.split("&", FORM_FIELDS_MAX + 1).length > FORM_FIELDS_MAX) return done(new Problem("payloadTooLarge"));
        // No text of the database can have it.
        if (/\0|%00/.test(text)) return done(new Problem("malformedBody"));
        return done(null, new URLSearchParams(text));
      },
    );
    scope.addHook("onRoute", ({ method, url, config }) => {
      if (config?.console === undefined) throw new Error(`${String(method)} ${url} declares no right`);
    });
    scope.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      reply.header("referrer-policy", "same-origin");
      // Of what is no page; a page has its own.
      reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
      if (request.routeOptions.config.console !== "open") return enter(scope, { ...deps, shares }, request, reply);
      return undefined;
    });
    // Made: what lasts, as a stream, has bounds of its own.
    scope.addHook("onSend", async (request) => leaveOf(request)());
    scope.addHook("preHandler", async (request) => {
      if (isReading(request)) return;
      requireOwnPage(request, deps.origin);
      if (request.routeOptions.config.console === "open") return;
      if (!isSameToken(fieldsOf(request).get("formToken"), request.console.view.formToken)) throw new OldForm();
    });
    scope.setErrorHandler((error, request, reply) => showProblem(deps, error, request, reply));
    addRoutes(scope);
  });
}

function leaveOf(request: FastifyRequest): () => void {
  return (request.console as FastifyRequest["console"] | null)?.leave ?? (() => {});
}

/** Returns the frame of pages for a request. */
export function frameFor(deps: GuardDeps, request: FastifyRequest, chosen: string | null): ConsoleFrame {
  const { basePath, assetsUrl, pictureOrigins } = deps;
  const language = consoleLanguageFor({ chosen, accepted: request.headers["accept-language"] });
  return { basePath, assetsUrl, pictureOrigins, language };
}

/** The form's token is missing, or is that of another session. */
class OldForm extends Error {}

/** The person may see the application, but not do this in it. */
class Forbidden extends Error {}

function isReading({ method }: FastifyRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Browsers send where a request comes from; a page of another site cannot change it. Some send the origin alone: old
 * ones, and all where there is no https. It is "null" from pages that keep back their address, as ours do.
 */
function requireOwnPage({ headers }: FastifyRequest, ownOrigin: string): void {
  const { origin = "null", host } = headers;
  const site = headers["sec-fetch-site"] ?? "none";
  if (site !== "same-origin" && site !== "none") throw new OldForm();
  if (origin !== "null" && origin !== ownOrigin && URL.parse(origin)?.host !== host) throw new OldForm();
}

/** Finds who is signed in and the application of the address, and checks the right that the route needs. */
async function enter(
  scope: Server,
  deps: GuardDeps & { readonly shares: Shares },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const token = deps.cookie.read(request.headers.cookie);
  const signedIn = token === null ? null : await deps.findSession(token);
  if (token === null || !signedIn) {
    if (!isReading(request)) throw new OldForm();
    const next = request.url === "/console" ? "" : `?next=${encodeURIComponent(request.url)}`;
    return redirectFromPage(reply, `${deps.basePath}${SIGN_IN_PATH}${next}`);
  }
  const { user } = signedIn;
  const leave = await deps.shares.take(user.id);
  if (!leave) throw new Problem("unavailable", { retryAfterSeconds: AT_ONCE.waitMsMax / 1_000 });
  // A browser that has gone gets no response.
  reply.raw.once("close", leave);
  if (reply.raw.closed) leave();
  request.console = { ...request.console, leave };
  const { application: id } = request.params as { application?: string };
  const application = id === undefined ? null : await findVisible(deps, signedIn, id);
  const rights = rightsIn(user.grants, application?.id ?? null);
  const { console: needed, isData } = request.routeOptions.config;
  // Only a page of an application has the switch. On an error in place of data it has the link to the first page alone.
  const hasSwitch = application !== null && isData !== true;
  const view: View = {
    ...frameFor(deps, request, user.locale),
    user,
    application: application && shownApplication(application),
    applications: hasSwitch ? await deps.listApplications(user.grants) : { shown: [], hasMore: true },
    rights,
    formToken: formToken(deps.installationKey, token),
    path: request.url,
  };
  const isAllowed = (held: ReadonlySet<Right>) =>
    needed === undefined || needed === "signed-in" || needed === "open" || held.has(needed);
  const isStillAllowed = async () => {
    const current = await deps.findSession(token);
    return current !== null && isAllowed(rightsIn(current.user.grants, application?.id ?? null));
  };
  const callers: Callers = {
    call: (as, wanted) => callAs(scope, as, wanted, request.id),
    stream: (as, wanted) => streamAs(scope, as, wanted, request.id),
  };
  const api = auditedApi(callers, deps, request, application);
  request.console = { view, api, sessionToken: token, leave, isStillAllowed };
  if (!isAllowed(rights)) throw new Forbidden();
  // What a page writes without a call of the API would not be refused otherwise, and it would be lost with a move.
  if (application && !isReading(request)) refuseClosed(application);
  return undefined;
}

async function findVisible(deps: GuardDeps, { user }: SignedIn, id: string): Promise<Application> {
  const application = /^[0-9a-f-]{36}$/.test(id) ? await deps.findApplication(id) : null;
  if (!application || !rightsIn(user.grants, application.id).has("see")) throw new Problem("notFound");
  return application;
}

function shownApplication({ id, name, isSandbox, suspendedAt, closedAt }: Application): ShownApplication {
  return { id, name, isSandbox, isSuspended: suspendedAt !== null, isClosed: closedAt !== null };
}

/** Shows an error as a page: within the frame where somebody is signed in. */
function showProblem(deps: GuardDeps, error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = problemOf(error) ?? new Problem(isUnavailable(error) ? "unavailable" : "internal");
  const isOwn = error instanceof OldForm || error instanceof Forbidden;
  const status = isOwn ? 403 : PROBLEMS[problem.problem].status;
  if (status >= 500 && status !== 503) request.log.error({ err: error }, "page failed");
  if (problem.retryAfterSeconds !== undefined) reply.header("retry-after", problem.retryAfterSeconds);
  const view = (request.console as FastifyRequest["console"] | null)?.view;
  const frame = view ?? frameFor(deps, request, null);
  const { problems } = frame.language.phrases.shell;
  const words =
    error instanceof OldForm
      ? problems.form
      : error instanceof Forbidden
        ? problems.forbidden
        : wordsOf(problem.problem, status, problems);
  const main = html`<p class="lead">${words.text}</p>
    ${problem.movedTo !== undefined && html`<p><code dir="ltr">${problem.movedTo}</code></p>`}
    <p><a class="button quiet" href="${frame.basePath}/console">${problems.home}</a></p>`;
  const page = { title: words.title, main };
  return sendPage(reply, status, view ? consolePage(view, { ...page, section: null }) : plainPage(frame, page));
}

type Words = View["language"]["phrases"]["shell"]["problems"];

function wordsOf(problem: Problem["problem"], status: number, problems: Words): Words["other"] {
  if (problem === "applicationMoving") return problems.closed;
  if (problem === "applicationMoved") return problems.moved;
  if (status === 404) return problems.notFound;
  return status === 429 || status === 503 ? problems.busy : problems.other;
}
