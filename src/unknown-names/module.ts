import type { Foods } from "../foods/module.ts";
import type { Module, Platform } from "../module.ts";
import type { TermsByRule } from "../points/terms.ts";
import { createShares } from "../shares.ts";
import { DAY_MS } from "../time.ts";
import { unknownNameRoutes } from "./routes.ts";
import { trimUnknownNames } from "./store.ts";
import { foldAllCounts } from "./sums/fold.task.ts";

/** Lists and previews of all applications at a time, and time that one waits for its turn. */
const AT_ONCE = 2;
const WAIT_MS = 10_000;
const KEPT_DAYS = 90;
/** Differences of this time are read one by one by each list. */
const FOLD_SECONDS = 30;
const TRIM_SECONDS = DAY_MS / 1_000;
/** For each application: names, rows of all names, rows of one name. */
const KEPT = { namesMax: 10_000, rowsMax: 200_000, rowsOfNameMax: 10_000 };

/** Creates the module of unknown names. Submissions store theirs themselves, in their own txs. */
export function createUnknownNames(
  platform: Platform,
  deps: Pick<Foods, "catalogue" | "resolver"> & { readonly termsByRule: TermsByRule },
): Module {
  const shares = createShares({ max: AT_ONCE, perHolder: 1, waitMsMax: WAIT_MS });
  return {
    apiRoutes: (scope) => unknownNameRoutes(scope, { ...platform, ...deps, shares }),
    startWork: async (jobs) => {
      jobs.everyInProcess(FOLD_SECONDS, "unknown-name-sums", (signal) => foldAllCounts(platform.background, signal));
      await jobs.everyAsQueuedJob(TRIM_SECONDS, "unknown-names", async (signal) => {
        const since = new Date(platform.now().getTime() - KEPT_DAYS * DAY_MS);
        await trimUnknownNames(platform.background, { since, ...KEPT }, signal);
        // At once: each list would count the names again that have lost rows.
        await foldAllCounts(platform.background, signal);
      });
    },
  };
}
