import { randomBytes } from "node:crypto";
import { createFixedWindowCounter } from "../http/fixed-window-counter.ts";
import type { Module, Platform } from "../module.ts";
import type { MoveDeps } from "../points/moved-event.ts";
import { expireReservations } from "./redemptions/expire.task.ts";
import { redemptionRoutes } from "./redemptions/routes.ts";
import { rewardRoutes } from "./routes.ts";
import { MADE_CODE_BYTES } from "./codes/code.ts";
import { voucherRoutes } from "./vouchers/routes.ts";

const SWEEP_SECONDS = 15;
/** Limits the memory. Only authenticated calls are counted. */
const APPLICATIONS_MAX = 10_000;

/** Creates the module of rewards: the catalogue, redemptions, and vouchers. `publish` stores an event. */
export function createRewards(platform: Platform, { publish, tiers }: Pick<MoveDeps, "publish" | "tiers">): Module {
  const deps = {
    ...platform,
    publish,
    tiers,
    newCodeBytes: () => randomBytes(MADE_CODE_BYTES),
    unknownCodes: createFixedWindowCounter(APPLICATIONS_MAX, Date.now),
  };
  return {
    apiRoutes: (scope) => {
      rewardRoutes(scope, deps);
      redemptionRoutes(scope, deps);
      voucherRoutes(scope, deps);
    },
    startWork: async (jobs) => {
      jobs.everyInProcess(SWEEP_SECONDS, "expired-reservations", async (signal) => {
        await expireReservations(deps, signal);
      });
    },
  };
}
