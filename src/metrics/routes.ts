import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "../http/server.ts";
import { Problem } from "../problems.ts";
import type { Scrape } from "./scrape.task.ts";

export interface MetricsRouteDeps {
  readonly scrape: Scrape;
  readonly contentType: string;
  readonly token: string;
}

/** Adds `/metrics` for clients with the token. Without a configured token the path does not exist. */
export function metricsRoutes(server: Server, { scrape, contentType, token }: MetricsRouteDeps): void {
  if (token === "") return;
  const isAllowed = tokenCheck(token);
  server.get("/metrics", async (request, reply) => {
    // A 404 as for an unknown path: a client without the token learns nothing.
    if (!isAllowed(request.headers.authorization)) throw new Problem("notFound");
    return reply
      .type(contentType)
      .header("cache-control", "no-store")
      .send(await scrape());
  });
}

/** A server with `/metrics` and nothing else. */
export interface MetricsServer {
  /** Returns the port, which is another one for 0. */
  listen(host: string, port: number): Promise<number>;
  close(): Promise<void>;
}

const OWN_PORT_LIMITS = { headersTimeout: 5_000, requestTimeout: 5_000, maxHeaderSize: 8 * 1_024 };
const CONNECTIONS_MAX = 20;

/** Creates a server for a port of its own. It responds to everyone who reaches the port if there is no token. */
export function createMetricsServer({ scrape, contentType, token }: MetricsRouteDeps): MetricsServer {
  const isAllowed = token === "" ? () => true : tokenCheck(token);
  const respond = async ({ method, url, headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (method !== "GET" || url !== "/metrics" || !isAllowed(headers.authorization)) {
      response.writeHead(404).end();
      return;
    }
    const text = await scrape();
    response.writeHead(200, { "content-type": contentType, "cache-control": "no-store" }).end(text);
  };
  const server = createServer(OWN_PORT_LIMITS, (request, response) => {
    respond(request, response).catch(() => response.writeHead(500).end());
  });
  server.maxConnections = CONNECTIONS_MAX;
  return {
    listen: (host, port) =>
      new Promise((done, fail) => {
        server.once("error", fail);
        server.listen(port, host, () => done((server.address() as AddressInfo).port));
      }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Checks the header in a time that shows nothing of the token. */
function tokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(`Bearer ${token}`);
  return (authorization = "") => timingSafeEqual(digest(authorization), expected);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
