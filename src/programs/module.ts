import type { FoodGroups } from "../foods/catalogue/groups.ts";
import type { Module, Platform } from "../module.ts";
import { previewRoutes } from "./preview/routes.ts";
import { PREVIEW_QUEUE, createPreviews } from "./preview/previews.task.ts";
import { programRoutes } from "./routes.ts";
import { createTerms } from "./terms.task.ts";
import type { ProgramTerms } from "./terms.task.ts";

const PREVIEW_SWEEP_SECONDS = 30;
/** Of a run of previews: several, each with a time limit of its own. */
const PREVIEW_SECONDS_MAX = 6 * 3_600;

/** The module of programmes: the points rules of applications. */
export interface Programs extends Module {
  readonly terms: ProgramTerms;
}

/** Creates the module of programmes. */
export function createPrograms(platform: Platform, { foodGroups }: { readonly foodGroups: FoodGroups }): Programs {
  const { database, now } = platform;
  const previews = createPreviews({ ...platform, groupOf: foodGroups.groupOf });
  const known = { foodGroups: foodGroups.names, foods: foodGroups.foods };
  return {
    terms: createTerms({ database, groupOf: foodGroups.groupOf, now }),
    queues: { [PREVIEW_QUEUE]: { retryLimit: 0, expireInSeconds: PREVIEW_SECONDS_MAX, heartbeatSeconds: 10 } },
    apiRoutes: (scope) => {
      previewRoutes(scope, { ...platform, known, previews });
      programRoutes(scope, { ...platform, known });
    },
    startWork: async (jobs) => {
      await jobs.work(PREVIEW_QUEUE, { concurrency: 1, pollingIntervalSeconds: 2 }, (_data, signal) =>
        previews.run(signal),
      );
      jobs.everyInProcess(PREVIEW_SWEEP_SECONDS, "program-previews", previews.sweep);
    },
    drain: async () => previews.stop(),
  };
}
