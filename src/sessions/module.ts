import { randomBytes } from "node:crypto";
import type { Module, Platform } from "../module.ts";
import { sessionRoutes } from "./routes.ts";
import type { SessionRouteDeps } from "./routes.ts";

/** The module of sessions. */
export interface Sessions extends Module {
  /** How a session is opened, for pages that open one themselves. */
  readonly opening: Pick<SessionRouteDeps, "hostedPagesUrl" | "newTokenBytes" | "sessionTtlSeconds">;
}

/** Creates the module of the sessions of hosted pages. */
export function createSessions({ config, hostedPagesUrl, idempotency, now }: Platform): Sessions {
  const { sessionTtlSeconds } = config;
  const opening = { hostedPagesUrl, newTokenBytes: () => randomBytes(32), sessionTtlSeconds };
  return {
    opening,
    apiRoutes: (scope) => sessionRoutes(scope, { idempotency, now, ...opening }),
  };
}
