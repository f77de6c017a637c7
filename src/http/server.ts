import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, { LogController } from "fastify";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PROBLEMS } from "../problem-types.ts";
import { Problem } from "../problems.ts";
import { logRequests, logResponse } from "./access-log.ts";
import { readJsonBodies } from "./body.ts";
import { handleClientError } from "./client-error.ts";
import { allowOrigins } from "./cors.ts";
import { isEmail, parseInstant } from "./formats.ts";
import { lazyValidators } from "./lazy-validators.ts";
import { requireLeastRate } from "./least-rate.ts";
import type { LeastRate } from "./least-rate.ts";
import { handleNotFound } from "./not-found.ts";
import { NO_METERS } from "../meters.ts";
import type { Meters } from "../meters.ts";
import { createHttpServer } from "./pipelining.ts";
import type { Refusal } from "./pipelining.ts";
import { countRefused, measureRequests } from "./request-meters.ts";
import { problemOf, sendProblem } from "./send-problem.ts";
import { isUnavailable } from "./unavailable.ts";
import type { Tracing } from "../tracing/tracing.ts";
import { traceRequests } from "./trace-requests.ts";
import { errorsOf } from "./validation.ts";
import { basePathsOf, routedUrl } from "./target.ts";
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
  /** Bodies that arrive more slowly are ended before `requestMs`. */
  readonly leastRate?: LeastRate;
}

const TIMEOUTS: Timeouts = { requestMs: 45_000, headersMs: 20_000, idleMs: 50_000, checkMs: 5_000 };
/** A phone on GPRS sends twice as much, and may be in a tunnel for half of a window. */
const LEAST_RATE: LeastRate = { bytesPerSecond: 2_000, windowMs: 10_000 };
const WELL_FORMED_REQUEST_ID = /^[\w.:-]{1,100}$/;
const SUPPORTED_VERSIONS = API_VERSIONS.join(", ");
/** As Node's own error of a request that took too long. */
const TOO_SLOW = Object.assign(new Error("the body arrives too slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
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
  /** The configured address of the hosted pages, if it is another one. */
  hostedPagesUrl?: string;
  /** Creates the id of a request that comes without one. */
  newRequestId: () => string;
  /** Origins whose pages may read responses (CORS); none by default. */
  corsOrigins?: readonly string[];
  /** Of requests with a status below 400, one in this number has a line in the log; 0: none. Default: 1. */
  requestsPerLine?: number;
  /** Measures requests; by default nothing does. */
  meters?: Meters;
  /** Makes a span of each request; by default there is none. */
  tracing?: Tracing;
  /** Other timeouts than the default ones, for tests. */
  timeouts?: Timeouts;
  /** Another limit of all pending requests than the default one, for tests. */
  pendingMax?: number;
}

/**
 * Creates the server with everything that is the same for all domains: limits, request ids, problem documents, logs.
 * `app.ts` adds the routes; those of the API through `apiScope`.
 */
export function createServer(options: ServerOptions): Server {
  const { publicUrl, newRequestId, corsOrigins = [], timeouts = TIMEOUTS } = options;
  const basePaths = basePathsOf([publicUrl, options.hostedPagesUrl ?? publicUrl]);
  const server = createFastify(options, basePaths);
  refuseTakenBasePaths(server, basePaths);
  requireLeastRate(server.server, timeouts.leastRate ?? LEAST_RATE, (socket) =>
    handleClientError(TOO_SLOW, socket, publicUrl, newRequestId(), SUPPORTED_VERSIONS),
  );
  handleNotFound(server, publicUrl);
  readJsonBodies(server);
  server.decorateRequest("application");
  server.decorateRequest("credential");
  server.decorateRequest("authenticateAgain");
  server.addHook("onRequest", async (request, reply) => {
    setCommonHeaders(request, reply);
    // RFC 9112, 3.2. HTTP/1.0 has no Host. A second one is for another reader than the first: Node drops it.
    const hosts = hostsIn(request.raw.rawHeaders);
    if (hosts === 1 || (hosts === 0 && request.raw.httpVersion !== "1.1")) return;
    reply.header("connection", "close");
    throw new Problem("malformedRequest");
  });
  allowOrigins(server, corsOrigins);
  logRequests(server, options.requestsPerLine);
  if (options.meters) measureRequests(server, options.meters);
  server.decorateRequest("span", null);
  if (options.tracing) traceRequests(server, options.tracing, Date.now);
  handleErrors(server, publicUrl);
  return server;
}

/** Returns the number of Host headers in a list of names and values by turns. */
function hostsIn(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, i) => i % 2 === 0 && name.length === 4 && name.toLowerCase() === "host").length;
}

/** Throws at start when a path of the configured addresses begins like a route: requests would be ambiguous. */
function refuseTakenBasePaths(server: Server, basePaths: readonly string[]): void {
  server.addHook("onRoute", ({ url }) => {
    const taken = basePaths.find((path) => path.split("/")[1] === url.split("/")[1]);
    if (taken === undefined) return;
    throw new Error(`PUBLIC_URL and HOSTED_PAGES_URL must not have the path ${taken}: the service has its own ${url}`);
  });
}

function createFastify(options: ServerOptions, bases: string[]): Server {
  const { log, publicUrl, newRequestId, timeouts = TIMEOUTS, pendingMax, meters = NO_METERS } = options;
  return Fastify({
    rewriteUrl: ({ url = "" }) => routedUrl(url, bases),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: 72_000,
    serverFactory: (handle, settings) =>
      createHttpServer(handle, settings, busyRefusal({ publicUrl, newRequestId, log, meters }), pendingMax),
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
    schemaController: { compilersFactory: { buildValidator: lazyValidators() } },
    ajv: {
      customOptions: { coerceTypes: false, useDefaults: false, removeAdditional: false, allErrors: true },
      // After ajv-formats, whose e-mail format would otherwise replace ours.
      onCreate: (ajv) => {
        for (const [name, isValid] of Object.entries(FORMATS)) ajv.addFormat(name, isValid);
      },
    },
    schemaErrorFormatter: (errors, part) => new Problem("validation", { errors: errorsOf(errors, part) }),
    clientErrorHandler: (error, socket) => {
      const requestId = newRequestId();
      const status = handleClientError(error, socket, publicUrl, requestId, SUPPORTED_VERSIONS);
      if (status === null) return;
      countRefused(meters, status);
      log.info({ reqId: requestId, method: null, route: null, status, error: error.code }, "request");
    },
    // A path that cannot be decoded, or with an overlong id, reaches no hook and no route.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      sendProblem(request, reply, problemOf(error) ?? new Problem("notFound"), publicUrl);
      logResponse(request, reply);
      countRefused(meters, reply.statusCode);
    },
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();
}

/** The response to requests that are refused before Fastify: there are too many. */
function busyRefusal({
  publicUrl,
  newRequestId,
  log,
  meters,
}: Pick<ServerOptions, "publicUrl" | "newRequestId" | "log"> & { readonly meters: Meters }): Refusal {
  const { status, slug, title, meaning, code } = PROBLEMS.unavailable;
  const type = `${publicUrl}/problems/${slug}`;
  return ({ method }) => {
    const requestId = newRequestId();
    countRefused(meters, status);
    log.info({ reqId: requestId, method, route: null, status }, "request");
    return {
      body: JSON.stringify({ type, title, status, detail: meaning, instance: "", code, requestId }),
      headers: {
        "content-type": "application/problem+json",
        "x-request-id": requestId,
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "api-supported-versions": SUPPORTED_VERSIONS,
      },
    };
  };
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("x-request-id", request.id);
  reply.header("x-content-type-options", "nosniff");
  reply.header("api-supported-versions", SUPPORTED_VERSIONS);
}

function handleErrors(server: Server, publicUrl: string): void {
  server.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error) ?? new Problem(isUnavailable(error) ? "unavailable" : "internal", UNAVAILABLE);
    if (problem.problem === "internal") request.log.error({ err: error }, "request failed");
    if (problem.problem === "unavailable") request.log.warn({ err: error }, "request refused");
    sendProblem(request, reply, problem, publicUrl);
  });
}
