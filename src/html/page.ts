import type { FastifyReply, FastifyRequest } from "fastify";
import type { Frame, PageDocument } from "./document.ts";

/** What a page is put into, for who asks and what is known of their language (a session's `locale`). */
export type FrameOf = (request: FastifyRequest, locale: string | null) => Frame;

/** Answers with a page: never cached, and its address (a session may stand there) told to nobody. */
export function sendPage(reply: FastifyReply, status: number, page: PageDocument): FastifyReply {
  keepPrivate(reply);
  // Not compressed: a session stands in it beside what others chose, whose guesses the size would answer (BREACH).
  return reply
    .code(status)
    .header("content-security-policy", page.policy)
    .type("text/html; charset=utf-8")
    .send(page.html.text);
}

/** Leads on from a page. */
export function redirectFromPage(reply: FastifyReply, address: string): FastifyReply {
  keepPrivate(reply);
  return reply.redirect(address, 303);
}

/** Keeps an answer out of caches, and its address out of what browsers tell others. */
export function keepPrivate(reply: FastifyReply): void {
  reply.header("referrer-policy", "no-referrer");
  reply.header("cache-control", "no-store");
}

/** Whether the client wants data and not a page. */
export function wantsJson(request: FastifyRequest): boolean {
  const accept = request.headers.accept ?? "";
  return accept.includes("json") && !accept.includes("text/html");
}
