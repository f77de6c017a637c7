import { createServer } from "node:http";
import type { RequestListener, Server as HttpServer, ServerOptions } from "node:http";
import type { Socket } from "node:net";

/**
 * Most pending requests of one connection. Clients of HTTP/1.1 send the next one after the response; who
 * sends hundreds at once (pipelining) is no client.
 */
const PENDING_MAX = 32;

/** The settings of a server that Fastify would apply to its own. */
interface Settings {
  readonly http?: ServerOptions | null;
  readonly keepAliveTimeout?: number;
  readonly requestTimeout?: number;
  readonly connectionTimeout?: number;
}

/**
 * Creates the HTTP server. It closes a connection that pipelines too much: Node passes on all requests of the 64 KiB it
 * has read at once, about 1,500, so that four connections without credentials stopped everything for seconds, took all
 * database connections, and a gigabyte of memory.
 */
export function createHttpServer(handle: RequestListener, settings: Settings): HttpServer {
  const pending = new WeakMap<Socket, number>();
  const server = createServer(settings.http ?? {}, (request, response) => {
    const { socket } = request;
    // Requests that were read before the connection was closed.
    if (socket.destroyed) return;
    const count = (pending.get(socket) ?? 0) + 1;
    if (count > PENDING_MAX) {
      socket.destroy();
      return;
    }
    pending.set(socket, count);
    response.once("close", () => pending.set(socket, (pending.get(socket) ?? 1) - 1));
    handle(request, response);
  });
  server.keepAliveTimeout = settings.keepAliveTimeout ?? server.keepAliveTimeout;
  server.requestTimeout = settings.requestTimeout ?? server.requestTimeout;
  server.setTimeout(settings.connectionTimeout ?? 0);
  return server;
}
