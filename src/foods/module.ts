import type { Server } from "../http/server.ts";
import { aliasRoutes, customWordRoutes } from "./aliases/routes.ts";
import type { AliasRouteDeps } from "./aliases/routes.ts";
import { matchRoutes } from "./lookup/routes.ts";
import type { MatchRouteDeps } from "./lookup/routes.ts";

export type FoodRouteDeps = AliasRouteDeps & MatchRouteDeps;

/** Adds the routes below `/catalogue`. */
export function foodRoutes(server: Server, deps: FoodRouteDeps): void {
  matchRoutes(server, deps);
  aliasRoutes(server, deps);
  customWordRoutes(server, deps);
}
