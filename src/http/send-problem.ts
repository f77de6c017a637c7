import type { FastifyReply, FastifyRequest } from "fastify";
import { PROBLEMS } from "../problem-types.ts";
import { Problem } from "../problems.ts";
import type { ProblemName } from "../problem-types.ts";

/** Problems by the code of an error of Fastify itself. */
const FASTIFY_PROBLEMS: Record<string, ProblemName> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "payloadTooLarge",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "unsupportedMediaType",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "malformedBody",
  FST_ERR_CTP_EMPTY_JSON_BODY: "malformedBody",
  FST_ERR_CTP_INVALID_JSON_BODY: "malformedBody",
  FST_ERR_BAD_URL: "notFound",
  FST_ERR_ASYNC_CONSTRAINT: "notFound",
  FST_ERR_MAX_PARAM_LENGTH: "notFound",
  FST_ERR_NOT_FOUND: "notFound",
};

/** Returns the problem of an error that a route threw; undefined for an unexpected error. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error;
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string") return undefined;
  const name = FASTIFY_PROBLEMS[code];
  return name === undefined ? undefined : new Problem(name);
}

/** Sends the problem document of RFC 9457. `baseUrl` is the configured public address. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem, baseUrl: string): void {
  const entry = PROBLEMS[problem.problem];
  if (problem.retryAfterSeconds !== undefined) reply.header("retry-after", problem.retryAfterSeconds);
  if (problem.problem === "unauthorized") reply.header("www-authenticate", 'ClientSecret realm="rewards"');
  reply
    .code(entry.status)
    .header("cache-control", "no-store")
    .type("application/problem+json")
    // Not the serializer of the route, whose schema describes successful responses only.
    .serializer(JSON.stringify)
    .send({
      type: `${baseUrl}/problems/${entry.slug}`,
      title: entry.title,
      status: entry.status,
      detail: problem.message,
      instance: request.url.split("?", 1)[0],
      code: entry.code,
      requestId: request.id,
      ...(problem.errors && { errors: problem.errors }),
      ...(problem.availablePoints !== undefined && { availablePoints: problem.availablePoints }),
      ...(problem.requiredScope !== undefined && { requiredScope: problem.requiredScope }),
      ...(problem.movedTo !== undefined && { movedTo: problem.movedTo }),
    });
}
