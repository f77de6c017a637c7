import type { FastifyReply, FastifyRequest } from "fastify";
import { isTraceparent } from "../tracing/tracing.ts";
import type { Span, Tracing } from "../tracing/tracing.ts";
import type { Server } from "./server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Its span; null without tracing, and until its credentials and body have been checked. */
    span: Span | null;
  }
}

/**
 * Makes a span of each request. It continues the trace of the header `traceparent` if the caller has credentials:
 * strangers decide neither what is recorded nor under which id.
 */
export function traceRequests(server: Server, tracing: Tracing, now: () => number): void {
  const start = (request: FastifyRequest, reply: FastifyReply): Span => {
    const route = request.routeOptions.url ?? "no route";
    const caller = request.application as FastifyRequest["application"] | null | undefined;
    const { traceparent } = request.headers;
    return tracing.start(`${request.method} ${route}`, {
      kind: "server",
      parent: caller && isTraceparent(traceparent) ? traceparent : null,
      startMs: now() - reply.elapsedTime,
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        ...(caller && { "rewards.application.id": caller.id }),
      },
    });
  };
  const isTraced = ({ routeOptions: { url = "" } }: FastifyRequest): boolean => !/^\/(?:health\/|metrics$)/.test(url);

  server.addHook("preHandler", (request, reply, done) => {
    if (isTraced(request)) request.span = start(request, reply);
    done();
  });
  server.addHook("onResponse", (request, reply, done) => {
    if (isTraced(request)) {
      const span = request.span ?? start(request, reply);
      span.set({ "http.response.status_code": reply.statusCode });
      span.end(reply.statusCode >= 500 ? "failed" : "ok");
    }
    done();
  });
}
