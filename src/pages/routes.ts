import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { IMMUTABLE, staticAsset, sendStaticAsset } from "../http/static-asset.ts";
import { acceptForms } from "../http/form.ts";
import { IMAGE_FIELDS } from "../receipts/upload.ts";
import { sendPage, wantsJson } from "../html/page.ts";
import type { FrameOf } from "../html/page.ts";
import { problemOf } from "../http/send-problem.ts";
import type { AuthThrottle } from "../http/auth-throttle.ts";
import { isUnavailable } from "../http/unavailable.ts";
import type { Server } from "../http/server.ts";
import { PROBLEMS } from "../problem-types.ts";
import { Problem } from "../problems.ts";
import { tokenIn } from "../sessions/session.ts";
import { messagePage } from "../html/document.ts";
import type { Assets } from "../html/document.ts";
import { languageFor } from "../html/language.ts";
import { RECEIPT_SCRIPTS } from "./receipt/page.ts";
import { styleSheet } from "../html/style.ts";

const FORM_BYTES_MAX = 16 * 1024;

/**
 * Adds routes that respond with pages: plain HTML, open to everyone, never cached, in the language of the visitor. They
 * can accept forms, and show errors as pages. `hostedPagesUrl` is the configured address.
 */
export function pageScope(
  server: Server,
  hostedPagesUrl: string,
  addRoutes: (scope: Server, frameOf: FrameOf) => void,
): void {
  void server.register(async (scope) => {
    // Encapsulated: the API has neither these forms nor these error pages.
    await acceptForms(scope, IMAGE_FIELDS.length);
    scope.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    const basePath = new URL(hostedPagesUrl).pathname.replace(/\/$/, "");
    const assets = assetRoutes(scope, basePath);
    const frameOf: FrameOf = (request, session) => {
      const { lang } = request.query as Record<string, unknown>;
      const chosen = typeof lang === "string" ? lang : null;
      const language = languageFor({ chosen, session, accepted: request.headers["accept-language"] });
      return { assets, basePath, language };
    };
    handleErrorsAsPages(scope, frameOf);
    addRoutes(scope, frameOf);
  });
}

/** Reads the styles and serves the scripts, compressed once; returns what pages need of both. */
function assetRoutes(scope: Server, basePath: string): Assets {
  const read = (name: string) => readFileSync(join(import.meta.dirname, "assets", name), "utf8");
  const scripts = RECEIPT_SCRIPTS.map((name) => ({ name, text: read(name) }));
  // The scripts import each other by name, so their folder is named by a hash of them all.
  const hash = createHash("sha256");
  for (const { text } of scripts) hash.update(text);
  const folder = `/assets/${hash.digest("hex").slice(0, 12)}`;
  for (const { name, text } of scripts) {
    const script = staticAsset(text);
    scope.get(`${folder}/${name}`, (request, reply) =>
      sendStaticAsset(request, reply, script, { type: "text/javascript; charset=utf-8", cacheControl: IMMUTABLE }),
    );
  }
  return {
    style: styleSheet(read("../../html/assets/theme.css") + read("pages.css")),
    receiptStyle: styleSheet(read("fields.css") + read("receipt.css")),
    progressStyle: styleSheet(read("receipt-progress.css")),
    disputeStyle: styleSheet(read("fields.css") + read("dispute.css")),
    scriptsUrl: `${basePath}${folder}`,
  };
}

/**
 * Limits the tokens that the service has not made, by address, as wrong credentials of the API. A link of this release
 * is known by its MAC, and is good also for people who share the address of an attacker. Those of releases before 0.4,
 * which live for a day at most, are looked up as before until the limit is reached.
 */
export function refuseUnknownTokens(
  scope: Server,
  { isToken, throttle }: { isToken: (token: string) => boolean; throttle: AuthThrottle },
): void {
  scope.addHook("onRequest", async (request) => {
    const token = tokenIn(request.query);
    if (token === null || isToken(token)) return;
    const secondsLeft = throttle.countFailure(request.ip);
    if (secondsLeft !== null) throw new Problem("tooManyRequests", { retryAfterSeconds: secondsLeft });
  });
}

/** Shows errors as pages, unless the client asks for JSON: then as problem documents. */
function handleErrorsAsPages(scope: Server, frameOf: FrameOf): void {
  scope.setErrorHandler((error, request, reply) => {
    reply.header("cache-control", "no-store");
    // To the error handler of the server, which sends a problem document.
    if (wantsJson(request)) throw error;
    const problem = problemOf(error) ?? new Problem(isUnavailable(error) ? "unavailable" : "internal");
    // The token of the address opens the same page there. A form is not sent on to another site.
    if (problem.movedTo !== undefined && request.method === "GET") {
      return reply.redirect(`${problem.movedTo.replace(/\/+$/, "")}${request.url}`, 307);
    }
    if (problem.problem === "internal") request.log.error({ err: error }, "page failed");
    if (problem.retryAfterSeconds !== undefined) reply.header("retry-after", problem.retryAfterSeconds);
    const { status } = PROBLEMS[problem.problem];
    const frame = frameOf(request, null);
    const { sessionNotFound, unavailable, other } = frame.language.phrases.problem;
    const isBusy = status === 503 || status === 429;
    const words = problem.problem === "sessionNotFound" ? sessionNotFound : isBusy ? unavailable : other;
    return sendPage(reply, status, messagePage(frame, { ...words, brand: null }));
  });
}
