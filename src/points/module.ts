import type { Module, Platform } from "../module.ts";
import { DAY_MS } from "../time.ts";
import { adjustmentRoutes } from "./adjustments/routes.ts";
import { bonusRoutes } from "./bonuses/routes.ts";
import { expireAll } from "./expiry/expire.task.ts";
import { expiryRoutes } from "./expiry/routes.ts";
import type { Publish } from "./moved-event.ts";
import { reversalRoutes } from "./reversals/routes.ts";
import { pointsRoutes } from "./routes.ts";
import type { TermsByRule } from "./terms.ts";

const EXPIRY_SECONDS = DAY_MS / 1_000;

interface PointsDeps {
  readonly publish: Publish;
  readonly termsByRule: TermsByRule;
}

/** Creates the module of points. Submissions book their awards themselves, in their own txs. */
export function createPoints(platform: Platform, { publish, termsByRule }: PointsDeps): Module {
  const deps = { ...platform, publish };
  return {
    apiRoutes: (scope) => {
      pointsRoutes(scope, { ...platform, termsByRule });
      adjustmentRoutes(scope, deps);
      bonusRoutes(scope, deps);
      reversalRoutes(scope, deps);
      expiryRoutes(scope, deps);
    },
    startWork: (jobs) =>
      jobs.everyAsQueuedJob(EXPIRY_SECONDS, "points-expiry", async (signal) => {
        await expireAll({ ...deps, database: platform.background }, signal);
      }),
  };
}
