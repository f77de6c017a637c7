import type { Module, Platform } from "../module.ts";
import { pointsRoutes } from "./routes.ts";

/** Creates the module of points. Other domains book them, in their own txs. */
export function createPoints(platform: Platform): Module {
  return { apiRoutes: (scope) => pointsRoutes(scope, platform) };
}
