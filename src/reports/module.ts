import type { FoodGroups } from "../foods/catalogue/groups.ts";
import type { Module, Platform } from "../module.ts";
import { createShares } from "../shares.ts";
import { DAY_MS, HOUR_MS, SECOND_MS } from "../time.ts";
import { dayOf } from "./figures/collected.ts";
import { foldAll } from "./fold.task.ts";
import { rebuildFigures } from "./rebuild.task.ts";
import { applicationsWithGaps } from "./rebuild.store.ts";
import { reportRoutes } from "./routes.ts";

/** Reports of all applications at a time, one for each, and time that one waits for its turn. */
const AT_ONCE = 2;
const WAIT_MS = 10_000;
/** Differences of this time are read one by one by each report. */
const FOLD_SECONDS = 30;
/** After an upgrade, processes of the release before may go on for this time. */
const GAP_MS = HOUR_MS;
const GAP_SECONDS = HOUR_MS / SECOND_MS;

export interface ReportParts extends Pick<FoodGroups, "groupOf"> {
  /** Names of the shops that are counted by name. */
  readonly shops: ReadonlySet<string>;
}

/** Creates the module of reports. What changes a figure counts itself, in its own tx. */
export function createReports(platform: Platform, parts: ReportParts): Module {
  const { background, log, now } = platform;
  // What happened before midnight is added up after it.
  const counting = () => ({ meters: platform.meters, since: dayOf(new Date(now().getTime() - DAY_MS)) });
  const { shops } = parts;
  const shares = createShares({ max: AT_ONCE, perHolder: 1, waitMsMax: WAIT_MS });
  return {
    apiRoutes: (scope) => reportRoutes(scope, { ...platform, ...parts, shares }),
    startWork: async (jobs) => {
      jobs.everyInProcess(FOLD_SECONDS, "report-figures", (signal) => foldAll(background, shops, signal, counting()));
      await jobs.everyAsQueuedJob(GAP_SECONDS, "report-gaps", async (signal) => {
        const applications = await applicationsWithGaps(background, new Date(now().getTime() - GAP_MS));
        if (applications.length === 0) return;
        const rebuilt = await rebuildFigures(background, { applications, shops, isStored: true, signal });
        if (rebuilt.kind === "rebuilt") {
          log.info({ applications: applications.length, records: rebuilt.records }, "figures of the past computed");
        }
      });
    },
  };
}
