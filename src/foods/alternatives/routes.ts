import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import type { MatchRouteDeps } from "../lookup/routes.ts";
import type { AlternativesOf } from "./alternatives.ts";
import { findAlternatives } from "./operations.ts";
import { readAlternativesQuery } from "./query.ts";
import { findWithAlternatives } from "./store.ts";

/** Adds the route that finds better alternatives to a food. */
export function alternativesRoutes(server: Server, deps: MatchRouteDeps & { alternativesOf: AlternativesOf }): void {
  server.get(findAlternatives.path, routeOf(findAlternatives), async (request) => {
    const query = readAlternativesQuery(knownValues(request));
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const found = await findWithAlternatives(deps.database, request.application.id, query, deps);
    if ("errors" in found) throw new Problem("validation", { errors: found.errors });
    return found;
  });
}
