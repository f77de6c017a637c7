import { timingSafeEqual, createHash } from "node:crypto";
import type { Database } from "../postgres/postgres.ts";
import type { Server } from "../http/server.ts";
import { Problem } from "../problems.ts";
import { EXPOSITION_TYPE, exposition } from "./exposition.ts";
import { readGauges } from "./store.ts";

/** `/metrics` for who has the token; without one configured there is no such page. */
export function metricsRoutes(server: Server, deps: { database: Database; token: string; now: () => Date }): void {
  const { database, token, now } = deps;
  if (token === "") return;
  const expected = digest(`Bearer ${token}`);
  server.get("/metrics", async (request, reply) => {
    // Like a page that is not there: whoever guesses learns nothing.
    if (!timingSafeEqual(digest(request.headers.authorization ?? ""), expected)) throw new Problem("notFound");
    const gauges = await readGauges(database, now());
    return reply.type(EXPOSITION_TYPE).header("cache-control", "no-store").send(exposition(gauges));
  });
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
