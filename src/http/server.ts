import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, { LogController } from "fastify";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../problems.ts";
import { readJsonBodies } from "./body.ts";
import { handleClientError } from "./client-error.ts";
import { allowOrigins } from "./cors.ts";
import { isEmail, parseInstant } from "./formats.ts";
import { handleNotFound } from "./not-found.ts";
import { createHttpServer } from "./pipelining.ts";
import { problemOf, sendProblem } from "./send-problem.ts";
import { isUnavailable } from "./unavailable.ts";
import { errorsOf } from "./validation.ts";
import { API_VERSIONS } from "./version.ts";

/** The HTTP server, with request types taken from the schemas of its routes. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const BODY_BYTES_MAX = 1024 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** Longer ids in a path are not ours: 404. */
const PARAM_LENGTH_MAX = 500;

/** How long the server waits for a client, in ms. */
export interface Timeouts {
  /** First to last byte of a request: stops clients that send byte by byte, leaves time for a photo on a slow line. */
  readonly requestMs: number;
  readonly headersMs: number;
  /** A connection without any traffic for this time is closed. */
  readonly idleMs: number;
  /** Interval of the check for expired requests. */
  readonly checkMs: number;
}

const TIMEOUTS: Timeouts = { requestMs: 45_000, headersMs: 20_000, idleMs: 50_000, checkMs: 5_000 };
const WELL_FORMED_REQUEST_ID = /^[\w.:-]{1,100}$/;
const SUPPORTED_VERSIONS = API_VERSIONS.join(", ");
const UNAVAILABLE = { retryAfterSeconds: 2 };

/** Formats used in schemas. */
const FORMATS: Record<string, (text: string) => boolean> = {
  "date-time": (text) => parseInstant(text) !== null,
  email: isEmail,
  currency: (text) => /^[A-Za-z]{3}$/.test(text),
};

export interface ServerOptions {
  log: FastifyBaseLogger;
  /** The configured public address, without a slash at its end. */
  publicUrl: string;
  /** Creates the id of a request that comes without one. */
  newRequestId: () => string;
  /** Origins whose pages may read responses (CORS); none by default. */
  corsOrigins?: readonly string[];
  /** Other timeouts than the default ones, for tests. */
  timeouts?: Timeouts;
}

/**
 * Creates the server with everything that is the same for all domains: limits, request ids, problem documents, logs.
 * `app.ts` adds the routes; those of the API through `apiScope`.
 */
export function createServer(options: ServerOptions): Server {
  const { publicUrl, corsOrigins = [] } = options;
  const server = createFastify(options);
  handleNotFound(server, publicUrl);
  readJsonBodies(server);
  server.decorateRequest("application");
  server.addHook("onRequest", async (request, reply) => {
    setCommonHeaders(request, reply);
    // RFC 9112, 3.2. HTTP/1.0 has no Host.
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") throw new Problem("malformedRequest");
  });
  allowOrigins(server, corsOrigins);
  logRequests(server);
  handleErrors(server, publicUrl);
  return server;
}

function createFastify({ log, publicUrl, newRequestId, timeouts = TIMEOUTS }: ServerOptions): Server {
  return Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: 72_000,
    serverFactory: (handle, settings) => createHttpServer(handle, settings),
    http: {
      // Node's own 400 for a missing Host is not a problem document; the first hook sends one instead.
      requireHostHeader: false,
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: timeouts.headersMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    exposeHeadRoutes: true,
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && WELL_FORMED_REQUEST_ID.test(given) ? given : newRequestId();
    },
    ajv: {
      customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false, allErrors: true },
      // After ajv-formats, whose e-mail format would otherwise replace ours.
      onCreate: (ajv) => {
        for (const [name, isValid] of Object.entries(FORMATS)) ajv.addFormat(name, isValid);
      },
    },
    schemaErrorFormatter: (errors, part) => new Problem("validation", { errors: errorsOf(errors, part) }),
    clientErrorHandler: (error, socket) =>
      handleClientError(error, socket, publicUrl, newRequestId(), SUPPORTED_VERSIONS),
    // A path that cannot be decoded, or with an overlong id, reaches no hook and no route.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      sendProblem(request, reply, problemOf(error) ?? new Problem("notFound"), publicUrl);
    },
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  reply.header("x-content-type-options", "nosniff");
  reply.header("api-supported-versions", SUPPORTED_VERSIONS);
}

function logRequests(server: Server): void {
  server.addHook("onResponse", async (request, reply) => {
    // Without the query: it holds the session of a hosted page.
    const path = request.url.split("?", 1)[0];
    const line = { method: request.method, path, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) };
    if (reply.statusCode >= 500) request.log.warn(line, "request completed");
    else request.log.debug(line, "request completed");
  });
}

function handleErrors(server: Server, publicUrl: string): void {
  server.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error) ?? new Problem(isUnavailable(error) ? "unavailable" : "internal", UNAVAILABLE);
    if (problem.problem === "internal") request.log.error({ err: error }, "request failed");
    if (problem.problem === "unavailable") request.log.warn({ err: error }, "request refused");
    sendProblem(request, reply, problem, publicUrl);
  });
}
