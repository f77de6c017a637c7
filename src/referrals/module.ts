import { randomBytes } from "node:crypto";
import { createFixedWindowCounter } from "../http/fixed-window-counter.ts";
import { WINDOW_SECONDS } from "../rate-window.ts";
import type { Module, Platform } from "../module.ts";
import { CODE_BYTES } from "./code.ts";
import { referralRoutes } from "./routes.ts";
import { createCodeUse } from "./use.task.ts";
import type { CodeUse } from "./use.task.ts";

/** Limits the memory. Only authenticated calls are counted here. */
const APPLICATIONS_MAX = 10_000;

/** The module of referrals: the codes of users, and their use. */
export interface Referrals extends Module {
  readonly codes: CodeUse;
}

/** Creates the module of referrals. */
export function createReferrals(platform: Platform): Referrals {
  const unknownCodes = createFixedWindowCounter(APPLICATIONS_MAX, Date.now);
  return {
    codes: createCodeUse({ ...platform, unknownCodes, windowSeconds: WINDOW_SECONDS }),
    apiRoutes: (scope) => referralRoutes(scope, { ...platform, randomCode: () => randomBytes(CODE_BYTES) }),
  };
}
