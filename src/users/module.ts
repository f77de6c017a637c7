import type { Files } from "../files.ts";
import type { Module, Platform } from "../module.ts";
import { DAY_MS } from "../time.ts";
import { sweepErased } from "./erase.task.ts";
import { userRoutes } from "./routes.ts";

const ERASED_SECONDS = DAY_MS / 1_000;

/** Creates the module of users. `files` has the images of their receipts. */
export function createUsers(platform: Platform, { files }: { files: Pick<Files, "remove"> }): Module {
  const { erasedReceiptDays } = platform.config;
  return {
    apiRoutes: (scope) => userRoutes(scope, platform),
    startWork: async (jobs) => {
      await jobs.everyAsQueuedJob(ERASED_SECONDS, "erased-users", async (signal) => {
        await sweepErased({ ...platform, files, erasedReceiptDays }, signal);
      });
    },
  };
}
