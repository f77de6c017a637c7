import type { Module, Platform } from "../module.ts";
import { DAY_MS } from "../time.ts";
import { adjustmentRoutes } from "./adjustments/routes.ts";
import { bonusRoutes } from "./bonuses/routes.ts";
import { expireAll } from "./expiry/expire.task.ts";
import { expiryRoutes } from "./expiry/routes.ts";
import type { Publish } from "./moved-event.ts";
import { reversalRoutes } from "./reversals/routes.ts";
import { pointsRoutes } from "./routes.ts";
import type { PointsRouteDeps } from "./routes.ts";
import { statisticsRoutes } from "./statistics/routes.ts";
import { keepSums } from "./sums/keep.task.ts";
import type { KeeperDeps, TierKeeper } from "./tiers/keeper.store.ts";
import { reviewTiers } from "./tiers/review.task.ts";
import type { ReviewDeps } from "./tiers/review.task.ts";

const DAILY_SECONDS = DAY_MS / 1_000;
/** Days begin at other times in other zones, and versions start at any time. */
const TIERS_SECONDS = 300;

interface PointsDeps extends Pick<PointsRouteDeps, "termsByRule" | "alternativesOf"> {
  readonly publish: Publish;
  readonly tiers: TierKeeper;
  /** For those who rise or fall by time. */
  readonly tierReview: Pick<KeeperDeps & ReviewDeps, "tiersNow" | "programsNow" | "publishAll">;
}

/** Creates the module of points. Submissions book their awards themselves, in their own txs. */
export function createPoints(platform: Platform, deps: PointsDeps): Module {
  const { termsByRule, alternativesOf, publish, tiers } = deps;
  const moving = { ...platform, publish, tiers };
  return {
    apiRoutes: (scope) => {
      pointsRoutes(scope, { ...platform, termsByRule, alternativesOf });
      adjustmentRoutes(scope, moving);
      bonusRoutes(scope, moving);
      reversalRoutes(scope, moving);
      expiryRoutes(scope, moving);
      statisticsRoutes(scope, platform);
    },
    startWork: async (jobs) => {
      await jobs.everyAsQueuedJob(DAILY_SECONDS, "points-expiry", async (signal) => {
        await expireAll({ ...moving, database: platform.background }, signal);
      });
      await jobs.everyAsQueuedJob(DAILY_SECONDS, "record-sums", async (signal) => {
        await keepSums({ ...platform, database: platform.background }, signal);
      });
      await jobs.everyAsQueuedJob(TIERS_SECONDS, "tier-reviews", async (signal) => {
        await reviewTiers({ ...platform, ...deps.tierReview, database: platform.background }, signal);
      });
    },
  };
}
