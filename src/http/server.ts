import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, { LogController } from "fastify";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest, RawServerDefault } from "fastify";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Problem } from "../problems.ts";
import { authenticate } from "./auth.ts";
import type { FindApplication } from "./auth.ts";
import { readJsonBodies } from "./body.ts";
import { allowOrigins } from "./cors.ts";
import { announceDeprecations } from "./deprecation.ts";
import { createAuthThrottle } from "./auth-throttle.ts";
import { isEmail, parseInstant } from "./formats.ts";
import { handleNotFound } from "./not-found.ts";
import { problemOf, sendProblem } from "./problems.ts";
import { createRateLimit } from "./rate-limit.ts";
import { handleClientError } from "./client-error.ts";
import { errorsOf } from "./validation.ts";
import { API_VERSIONS, readApiVersion } from "./version.ts";
import type { ApiVersion } from "./version.ts";

/** The server, with request types taken from the routes' schemas. */
export type Server = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const BODY_BYTES_MAX = 1024 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
/** A path id longer than this names nothing of ours. */
const PARAM_LENGTH_MAX = 500;
/** How long the server waits for a client, in ms. */
export interface Timeouts {
  /** From the first byte of a request to its last: cuts off who drips, leaves room for a photo on a slow line. */
  readonly requestMs: number;
  readonly headersMs: number;
  /** A socket on which nothing moves for so long is ended. */
  readonly idleMs: number;
  /** How often it is looked who is over. */
  readonly checkMs: number;
}

const TIMEOUTS: Timeouts = { requestMs: 45_000, headersMs: 20_000, idleMs: 50_000, checkMs: 5_000 };
const WELL_FORMED_REQUEST_ID = /^[\w.:-]{1,100}$/;

/** Formats that schemas name. */
const FORMATS: Record<string, (text: string) => boolean> = {
  "date-time": (text) => parseInstant(text) !== null,
  email: isEmail,
  currency: (text) => /^[A-Za-z]{3}$/.test(text),
};

/** What a server is made of. */
export interface ServerOptions {
  log: FastifyBaseLogger;
  /** The configured public address, without a slash at its end. */
  publicUrl: string;
  /** Makes the id of a request that brings none. */
  newRequestId: () => string;
  /** Of whose pages browsers may read answers; none when left out. */
  corsOrigins?: readonly string[];
  /** Others than the usual ones. */
  timeouts?: Timeouts;
  /** Others than those of the interface. */
  versions?: readonly ApiVersion[];
}

/**
 * A server that knows how the service speaks (limits, request ids, problem documents) and nothing of what about.
 * Routes are added to it by `app.ts`; those of the API inside `apiScope`.
 */
export function createServer(options: ServerOptions): Server {
  const { publicUrl, newRequestId, timeouts = TIMEOUTS, versions = API_VERSIONS } = options;
  const supported = versions.map(({ version }) => version).join(", ");
  const server = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.idleMs,
    keepAliveTimeout: 72_000,
    http: {
      // Node's own refusal of a request without Host is no problem document: ours comes in the first hook.
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
      customOptions: {
        coerceTypes: false,
        useDefaults: false,
        removeAdditional: false,
        allErrors: true,
      },
      // After ajv-formats, whose own idea of an e-mail address would otherwise replace ours.
      onCreate: (ajv) => {
        for (const [name, isValid] of Object.entries(FORMATS)) ajv.addFormat(name, isValid);
      },
    },
    schemaErrorFormatter: (errors, part) => new Problem("validation", { errors: errorsOf(errors, part) }),
    clientErrorHandler: (error, socket) => handleClientError(error, socket, publicUrl, newRequestId(), supported),
    // A path that cannot be decoded, or with an id beyond all length, meets no hook and no route.
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply, supported);
      sendProblem(request, reply, problemOf(error) ?? new Problem("notFound"), publicUrl);
    },
    return503OnClosing: false,
  }).withTypeProvider<TypeBoxTypeProvider>();

  handleNotFound(server, publicUrl);
  readJsonBodies(server);
  server.decorate("apiVersions", versions);
  announceDeprecations(server, versions, `${publicUrl}/docs`);
  server.decorateRequest("application");
  server.addHook("onRequest", async (request, reply) => {
    setCommonHeaders(request, reply, supported);
    // RFC 9112, 3.2; HTTP/1.0 knew no Host.
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") throw new Problem("malformedRequest");
  });
  allowOrigins(server, options.corsOrigins ?? []);
  server.addHook("onResponse", async (request, reply) => {
    // Without the query: a hosted page's session stands there.
    const path = request.url.split("?", 1)[0];
    const line = { method: request.method, path, status: reply.statusCode, durationMs: Math.round(reply.elapsedTime) };
    if (reply.statusCode >= 500) request.log.warn(line, "request answered");
    else request.log.debug(line, "request answered");
  });
  server.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error) ?? new Problem(isUnavailable(error) ? "unavailable" : "internal", UNAVAILABLE);
    if (problem.problem === "internal") request.log.error({ err: error }, "request failed");
    if (problem.problem === "unavailable") request.log.warn({ err: error }, "request refused");
    sendProblem(request, reply, problem, publicUrl);
  });
  return server;
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply, supportedVersions: string): void {
  reply.header("x-request-id", request.id);
  reply.header("x-content-type-options", "nosniff");
  reply.header("api-supported-versions", supportedVersions);
}

/**
 * Adds routes that are part of the API: they want an api-version and credentials, in this order and before
 * anything else, and their answers are never cached. Every one answers with and without the prefix /issuers.
 * `failures` bounds how often wrong credentials may be sent, `limit` how often right ones; left out, nothing does.
 */
export function apiScope(
  server: Server,
  find: FindApplication,
  addRoutes: (scope: Server) => void,
  failures = createAuthThrottle(0, Date.now),
  limit = createRateLimit(0, Date.now),
): void {
  for (const prefix of ["", "/issuers"]) {
    void server.register(
      async (scope) => {
        scope.addHook("onRoute", ({ method, url, config }) => {
          const operation = config?.operation;
          const isDeclared =
            operation && `${prefix}${operation.path}` === url && (operation.method === method || method === "HEAD");
          if (!isDeclared) {
            throw new Error(`${String(method)} ${url} is no declared operation of the interface`);
          }
        });
        scope.addHook("onRequest", async (request, reply) => {
          reply.header("cache-control", "no-store");
          readApiVersion(request.url, server.apiVersions);
          await authenticate(request, reply, find, failures);
          limit(request.application, reply);
        });
        addRoutes(scope);
      },
      { prefix },
    );
  }
}

const UNAVAILABLE = { retryAfterSeconds: 2 };

/** The words of pg where it gives no code; the second of a query after the one in which the connection was lost. */
const LOST_CONNECTION =
  /connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/i;

/** Whether an error says that PostgreSQL cannot be reached or is on its way down or up. */
export function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (
    typeof code === "string" &&
    /^(08|57P0|53|25006|ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENOENT|EPIPE|ETIMEDOUT)/.test(code)
  ) {
    return true;
  }
  return typeof message === "string" && LOST_CONNECTION.test(message);
}

declare module "fastify" {
  interface FastifyInstance {
    /** The versions of the interface that are answered. */
    readonly apiVersions: readonly ApiVersion[];
  }
}
