import type { IncomingMessage, Server as NodeServer, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** The rate at which a body has to arrive, as an average over each `windowMs` that its request lasts. */
export interface LeastRate {
  readonly bytesPerSecond: number;
  readonly windowMs: number;
}

/** A request whose body is not complete, and what its connection had received when the current window began. */
interface Arrival {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  sinceMs: number;
  bytes: number;
}

/** Checks in each window: a body that is too slow is ended this part of a window late at most. */
const CHECKS_PER_WINDOW = 8;

/**
 * Ends requests whose body arrives more slowly than `rate`, whatever its type, with `refuse`. Without it a client that
 * sends a byte now and then keeps what its request holds until the time limit of requests. Time in which the service
 * itself does not read what has arrived doesn't count.
 */
export function requireLeastRate(server: NodeServer, rate: LeastRate, refuse: (socket: Socket) => void): void {
  const arrivals = new Set<Arrival>();
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    const { headers } = request;
    if (headers["transfer-encoding"] === undefined && !(Number(headers["content-length"]) > 0)) return;
    const arrival = { request, response, sinceMs: performance.now(), bytes: request.socket.bytesRead };
    arrivals.add(arrival);
    // After the end of the body, of the response, or of the connection.
    for (const emitter of [request, response]) emitter.once("close", () => arrivals.delete(arrival));
    request.once("end", () => arrivals.delete(arrival));
  });
  const timer = setInterval(() => {
    for (const arrival of arrivals) check(arrival, rate, refuse);
  }, rate.windowMs / CHECKS_PER_WINDOW);
  timer.unref();
  server.once("close", () => clearInterval(timer));
}

function check(arrival: Arrival, rate: LeastRate, refuse: (socket: Socket) => void): void {
  const { request, response, sinceMs, bytes } = arrival;
  const nowMs = performance.now();
  const { bytesRead } = request.socket;
  const isUnread = request.readableLength > 0;
  if (!isUnread && nowMs - sinceMs < rate.windowMs) return;
  const isSlow = bytesRead - bytes < (rate.bytesPerSecond * (nowMs - sinceMs)) / 1_000;
  arrival.sinceMs = nowMs;
  arrival.bytes = bytesRead;
  if (isUnread || request.complete || !isSlow) return;
  // Without a socket the response waits behind another one on the connection, which a refusal would corrupt.
  if (response.socket && !response.headersSent) refuse(request.socket);
  else request.socket.destroy();
}
