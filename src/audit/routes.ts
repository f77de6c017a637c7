import { routeOf } from "../http/operation.ts";
import { knownValues } from "../http/query.ts";
import type { Server } from "../http/server.ts";
import type { Database } from "../postgres/postgres.ts";
import { Problem } from "../problems.ts";
import { listAuditEntries } from "./operations.ts";
import { presentEntry } from "./present.ts";
import { readAuditQuery } from "./query.ts";
import { listEntriesOf } from "./store.ts";

/** Adds the list of what was changed in an application. */
export function auditRoutes(server: Server, { database, publicUrl }: { database: Database; publicUrl: string }): void {
  server.get(listAuditEntries.path, routeOf(listAuditEntries), async (request, reply) => {
    const parameters = knownValues(request);
    const query = readAuditQuery(parameters);
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const found = await listEntriesOf(database, request.application.id, { ...query, limit: query.limit + 1 });
    const entries = found.slice(0, query.limit).map(presentEntry);
    const next = found.length > query.limit ? entries.at(-1)!.id : null;
    if (next !== null) {
      parameters.set("before", next);
      reply.header("link", `<${publicUrl}${request.url.split("?", 1)[0]}?${parameters}>; rel="next"`);
    }
    return { entries, next };
  });
}
