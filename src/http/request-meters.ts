import type { Meters } from "../meters.ts";
import { inProcessCaller } from "./call-as.ts";
import type { Server } from "./server.ts";

/** Others are counted as one: a client may send any word. */
const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"]);
const NONE = "none";

/** Counts and measures requests from the network, after their response. */
export function measureRequests(server: Server, meters: Meters): void {
  server.addHook("onResponse", (request, reply, done) => {
    if (!inProcessCaller()) {
      const method = METHODS.has(request.method) ? request.method : "other";
      const route = request.routeOptions.url ?? NONE;
      meters.count("rewards_http_requests_total", { method, route, status: classOf(reply.statusCode) });
      meters.time("rewards_http_request_duration_seconds", { method, route }, reply.elapsedTime / 1_000);
    }
    done();
  });
}

/** Counts a request that was refused before it had a route. */
export function countRefused(meters: Meters, status: number): void {
  meters.count("rewards_http_requests_total", { method: NONE, route: NONE, status: classOf(status) });
}

function classOf(status: number): string {
  return `${Math.floor(status / 100)}xx`;
}
