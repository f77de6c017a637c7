import { randomBytes } from "node:crypto";
import type { Module, Platform } from "../module.ts";
import { createSessionEnding } from "./ending.task.ts";
import type { SessionEnding, SessionEndingDeps } from "./ending.task.ts";
import { sessionRoutes } from "./routes.ts";
import type { SessionRouteDeps } from "./routes.ts";

/** The module of sessions. */
export interface Sessions extends Module {
  /** How a session is opened, for pages that open one themselves. */
  readonly opening: Pick<SessionRouteDeps, "hostedPagesUrl" | "newTokenBytes" | "sessionTtlSeconds">;
  /** How a session is completed, with its event. */
  readonly complete: SessionEnding["complete"];
}

const SWEEP_SECONDS = 15;

/** Creates the module of the sessions of hosted pages. `publish` stores events. */
export function createSessions(platform: Platform, { publish }: Pick<SessionEndingDeps, "publish">): Sessions {
  const { config, hostedPagesUrl } = platform;
  const { sessionTtlSeconds } = config;
  const opening = { hostedPagesUrl, newTokenBytes: () => randomBytes(32), sessionTtlSeconds };
  const ending = createSessionEnding({ ...platform, publish });
  return {
    opening,
    complete: ending.complete,
    apiRoutes: (scope) => sessionRoutes(scope, { ...platform, ...opening }),
    startWork: async (queues) => queues.everyInProcess(SWEEP_SECONDS, "expired-sessions", ending.sweepExpired),
  };
}
