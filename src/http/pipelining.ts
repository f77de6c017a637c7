import { createServer } from "node:http";
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerOptions } from "node:http";
import type { Server as HttpServer } from "node:http";
import type { Socket } from "node:net";

/**
 * Most pending requests of one connection. Clients of HTTP/1.1 send the next one after the response; who
 * sends hundreds at once (pipelining) is no client.
 */
const PENDING_MAX = 32;

/**
 * Most pending requests of the process. Each of them takes memory and, when its turn comes, time of all others: 5,000
 * lists requested at once held up everything for six seconds.
 */
const PENDING_ALL_MAX = 2_000;
const RETRY_SECONDS = "1";

/** The settings of a server that Fastify would apply to its own. */
interface Settings {
  readonly http?: ServerOptions | null;
  readonly keepAliveTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionTimeout?: number;
}

/** Writes the body of a 503 for a request that Fastify does not get. */
export type Refusal = (request: IncomingMessage) => { readonly body: string; readonly headers: OutgoingHttpHeaders };

/**
 * Creates the HTTP server. It closes a connection that pipelines too much: Node passes on all requests of the 64 KiB it
 * has read at once, about 1,500, so that four connections without credentials stopped everything for seconds, took all
 * database connections, and a gigabyte of memory. While too many requests are pending in all, it refuses others before
 * anything is done for them, but not probes.
 */
export function createHttpServer(
  handle: RequestListener,
  settings: Settings,
  refuse: Refusal,
  pendingAllMax = PENDING_ALL_MAX,
): HttpServer {
  const pending = new WeakMap<Socket, number>();
  let pendingAll = 0;
  const server = createServer(settings.http ?? {}, (request, response) => {
    const { socket } = request;
    // Requests that were read before the connection was closed.
    if (socket.destroyed) return;
    const count = (pending.get(socket) ?? 0) + 1;
    if (count > PENDING_MAX) {
      socket.destroy();
      return;
    }
    if (pendingAll >= pendingAllMax && !request.url?.startsWith("/health/")) {
      const { body, headers } = refuse(request);
      // The rest of its body is not worth keeping the connection, nor is its next request.
      response.writeHead(503, { ...headers, "retry-after": RETRY_SECONDS, connection: "close" }).end(body);
      return;
    }
    pending.set(socket, count);
    pendingAll++;
    response.once("close", () => {
      pending.set(socket, (pending.get(socket) ?? 1) - 1);
      pendingAll--;
    });
    handle(request, response);
  });
  server.on("connection", stopParsingOnceDestroyed);
  server.keepAliveTimeout = settings.keepAliveTimeout ?? server.keepAliveTimeout;
  server.requestTimeout = settings.requestTimeout ?? server.requestTimeout;
  server.setTimeout(settings.connectionTimeout ?? 0);
  return server;
}

/** What Node's parser of a connection calls for each request; its result 2 ends the parsing, as for an upgrade. */
interface Parsing {
  readonly parser?: { onIncoming?: (request: IncomingMessage, isKeptAlive: boolean) => number } | null;
}
const END_PARSING = 2;

/**
 * Ends the parsing of a connection that is closed. Node would otherwise go on through the bytes it has read: 1,300
 * requests, each with its objects, took 40 ms. Not documented by Node: without such a parser nothing is changed.
 */
function stopParsingOnceDestroyed(socket: Socket): void {
  const { parser } = socket as Parsing;
  const onIncoming = parser?.onIncoming;
  if (!parser || typeof onIncoming !== "function") return;
  parser.onIncoming = (request, isKeptAlive) => (socket.destroyed ? END_PARSING : onIncoming(request, isKeptAlive));
}
