import type { FastifyReply, FastifyRequest } from "fastify";
import type { Frame, PageDocument } from "./document.ts";

/** Returns the frame of a page for a request; `locale` is the language in the session. */
export type FrameOf = (request: FastifyRequest, locale: string | null) => Frame;

/** Sends a page: never cached, and browsers don't pass on its address, which may contain a session. */
export function sendPage(reply: FastifyReply, status: number, page: PageDocument): FastifyReply {
  keepPrivate(reply);
  // Not compressed: it contains a session beside texts chosen by others, and its size would reveal guesses (BREACH).
  return reply
    .code(status)
    .header("content-security-policy", page.policy)
    .type("text/html; charset=utf-8")
    .send(page.html.text);
}

/** Redirects from a page. */
export function redirectFromPage(reply: FastifyReply, address: string): FastifyReply {
  keepPrivate(reply);
  return reply.redirect(address, 303);
}

/** Keeps a response out of caches, and its address out of the Referer header. */
export function keepPrivate(reply: FastifyReply): void {
  reply.header("referrer-policy", "no-referrer");
  reply.header("cache-control", "no-store");
}

/** Returns whether the client wants data and not a page. */
export function wantsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? "";
  return accept.includes("json") && !accept.includes("text/html");
}
