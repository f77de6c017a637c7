import type { Files } from "../files.ts";
import type { Module, Platform } from "../module.ts";
import { DAY_MS } from "../time.ts";
import { sweepErased } from "./erase.task.ts";
import { userRoutes } from "./routes.ts";
import type { UserRouteDeps } from "./routes.ts";

const ERASED_SECONDS = DAY_MS / 1_000;

export interface UserParts extends Pick<UserRouteDeps, "nextExpiry" | "effectsOf" | "tierShown"> {
  /** The images of their receipts. */
  readonly files: Pick<Files, "remove">;
}

/** Creates the module of users. */
export function createUsers(platform: Platform, { files, nextExpiry, effectsOf, tierShown }: UserParts): Module {
  const { erasedReceiptDays } = platform.config;
  return {
    apiRoutes: (scope) => userRoutes(scope, { ...platform, nextExpiry, effectsOf, tierShown }),
    startWork: async (jobs) => {
      await jobs.everyAsQueuedJob(ERASED_SECONDS, "erased-users", async (signal) => {
        await sweepErased({ ...platform, files, erasedReceiptDays }, signal);
      });
    },
  };
}
