import type { Module, Platform } from "../module.ts";
import { adjustmentRoutes } from "./adjustments/routes.ts";
import type { Publish } from "./moved-event.ts";
import { reversalRoutes } from "./reversals/routes.ts";
import { pointsRoutes } from "./routes.ts";

/** Creates the module of points. Submissions book their awards themselves, in their own txs. */
export function createPoints(platform: Platform, { publish }: { readonly publish: Publish }): Module {
  const deps = { ...platform, publish };
  return {
    apiRoutes: (scope) => {
      pointsRoutes(scope, platform);
      adjustmentRoutes(scope, deps);
      reversalRoutes(scope, deps);
    },
  };
}
