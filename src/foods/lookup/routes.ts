import type { Database } from "../../postgres/postgres.ts";
import { routeOf } from "../../http/operation.ts";
import { knownValues } from "../../http/query.ts";
import type { Server } from "../../http/server.ts";
import { Problem } from "../../problems.ts";
import * as operations from "../operations.ts";
import { presentCandidate, readMatchQuery } from "./match-query.ts";
import { applyCustomWords } from "./resolve.ts";
import type { Resolver } from "./resolve.ts";
import { lookUp } from "./store.ts";

export interface MatchRouteDeps {
  database: Database;
  resolver: Resolver;
}

/** Adds the route that matches a name with foods. */
export function matchRoutes(server: Server, { database, resolver }: MatchRouteDeps): void {
  server.get(operations.matchName.path, routeOf(operations.matchName), async (request) => {
    const query = readMatchQuery(knownValues(request));
    if ("errors" in query) throw new Problem("validation", { errors: query.errors });
    const { name, merchantName, source, limit } = query;
    const applicationId = request.application.id;
    const item = { foodId: null, name, merchants: merchantName === null ? [] : [merchantName] };
    const found = await lookUp(database, [{ applicationId, ...item }]);
    const candidates = resolver.resolve(item, found, applicationId, { source, limit });
    return {
      candidates: candidates.map((each) => presentCandidate(each, resolver.rateFood(each.food))),
      readAs: applyCustomWords(found, applicationId, name).readAs,
    };
  });
}
