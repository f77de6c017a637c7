import { timingSafeEqual, createHash } from "node:crypto";
import type { Database } from "../postgres/postgres.ts";
import type { Server } from "../http/server.ts";
import { Problem } from "../problems.ts";
import { EXPOSITION_TYPE, exposition } from "./exposition.ts";
import { readGauges } from "./store.ts";

/** Adds `/metrics` for clients with the token. Without a configured token the path does not exist. */
export function metricsRoutes(server: Server, deps: { database: Database; token: string; now: () => Date }): void {
  const { database, token, now } = deps;
  if (token === "") return;
  const expected = digest(`Bearer ${token}`);
  server.get("/metrics", async (request, reply) => {
    // A 404 as for an unknown path: a client without the token learns nothing.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) throw new Problem("notFound");
    const gauges = await readGauges(database, now());
    return reply.type(EXPOSITION_TYPE).header("cache-control", "no-store").send(exposition(gauges));
  });
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
