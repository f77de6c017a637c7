import type { FastifyReply, FastifyRequest } from "fastify";
import { inProcessCaller } from "./call-as.ts";
import { partsOf } from "../tracing/tracing.ts";
import type { Server } from "./server.ts";

/**
 * Writes one line for each request, after its response. It has the route's pattern and not the address, so that ids,
 * queries and tokens of hosted pages stay out of it. Probes are at debug, responses from 500 on at warn. Of those below
 * 400 one in `requestsPerLine` has a line, which says so; 0: none.
 */
export function logRequests(server: Server, requestsPerLine = 1): void {
  let unwritten = 0;
  // With a callback: an async hook would cost a promise for each request.
  server.addHook("onResponse", (request, reply, done) => {
    if (requestsPerLine === 1 || reply.statusCode >= 400) logResponse(request, reply);
    else if (++unwritten === requestsPerLine) {
      unwritten = 0;
      logResponse(request, reply, requestsPerLine);
    }
    done();
  });
}

/** Writes the line of a request, for `oneIn` of them. Those that Fastify refuses itself pass no hook. */
export function logResponse(request: FastifyRequest, reply: FastifyReply, oneIn = 1): void {
  const route = request.routeOptions.url ?? null;
  const { statusCode: status, raw } = reply;
  const length = reply.getHeader("content-length");
  const line = {
    method: request.method,
    route,
    status,
    durationMs: Math.round(reply.elapsedTime),
    // Null where no application was authenticated: a page, a probe, wrong credentials.
    applicationId: (request.application as FastifyRequest["application"] | null | undefined)?.id ?? null,
    credentialId: (request.credential as FastifyRequest["credential"] | undefined)?.id ?? null,
    // Null for a stream.
    bytes: length === undefined ? null : Number(length),
    // The client was gone before the response.
    ...(!raw.writableFinished && { aborted: true }),
    ...(oneIn > 1 && { oneIn }),
    ...(request.span && { traceId: partsOf(request.span.traceparent)?.traceId }),
  };
  if (status >= 500) request.log.warn(line, "request");
  // The page that made the call has a line of its own.
  else if (route?.startsWith("/health/") || inProcessCaller()) request.log.debug(line, "request");
  else request.log.info(line, "request");
}
