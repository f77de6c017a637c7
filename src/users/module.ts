import type { Files } from "../files.ts";
import type { Module, Platform } from "../module.ts";
import { DAY_MS } from "../time.ts";
import { eraseUser, sweepErased } from "./erase.task.ts";
import type { StoredForms } from "./personal-data.store.ts";
import { personalRoutes } from "./personal/routes.ts";
import { userRoutes } from "./routes.ts";
import type { UserRouteDeps } from "./routes.ts";

const ERASED_SECONDS = DAY_MS / 1_000;

export interface UserParts extends Pick<UserRouteDeps, "nextExpiry" | "effectsOf" | "tierShown"> {
  /** The images of their receipts. */
  readonly files: Pick<Files, "remove">;
  /** How others store what an export shows. */
  readonly storedForms: StoredForms;
}

/** Creates the module of users. */
export function createUsers(platform: Platform, parts: UserParts): Module {
  const { files, nextExpiry, effectsOf, tierShown, storedForms } = parts;
  const { background: database, now } = platform;
  const { erasedReceiptDays } = platform.config;
  return {
    apiRoutes: (scope) => {
      userRoutes(scope, { ...platform, nextExpiry, effectsOf, tierShown });
      personalRoutes(scope, {
        database,
        storedForms,
        now,
        erase: (userId, isTimeOver) =>
          eraseUser({ database, files, erasedReceiptDays, ...(isTimeOver && { isTimeOver }) }, userId, now()),
      });
    },
    startWork: async (jobs) => {
      await jobs.everyAsQueuedJob(ERASED_SECONDS, "erased-users", async (signal) => {
        await sweepErased({ ...platform, files, erasedReceiptDays }, signal);
      });
    },
  };
}
