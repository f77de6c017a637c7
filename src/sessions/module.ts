import { randomBytes } from "node:crypto";
import type { Module, Platform } from "../module.ts";
import { createSessionEnding } from "./ending.task.ts";
import type { SessionEnding, SessionEndingDeps } from "./ending.task.ts";
import { sessionRoutes } from "./routes.ts";
import type { SessionRouteDeps } from "./routes.ts";
import { TOKEN_RANDOM_BYTES, isSessionToken, sessionToken, tokenKey } from "./session.ts";

/** The module of sessions. */
export interface Sessions extends Module {
  /** How a session is opened, for pages that open one themselves. */
  readonly opening: Pick<SessionRouteDeps, "hostedPagesUrl" | "newToken" | "sessionTtlSeconds">;
  /** Whether this installation has made a token. Those of releases before 0.4 are not known by themselves. */
  readonly isToken: (token: string) => boolean;
  /** How a session is completed, with its event. */
  readonly complete: SessionEnding["complete"];
}

const SWEEP_SECONDS = 15;

export interface SessionParts extends Pick<SessionEndingDeps, "publish">, Pick<SessionRouteDeps, "isKnownCode"> {}

/** Creates the module of the sessions of hosted pages. `publish` stores events. */
export function createSessions(platform: Platform, { publish, isKnownCode }: SessionParts): Sessions {
  const { config, hostedPagesUrl } = platform;
  const { sessionTtlSeconds } = config;
  const key = tokenKey(platform.installationKey);
  const newToken = () => sessionToken(randomBytes(TOKEN_RANDOM_BYTES), key);
  const opening = { hostedPagesUrl, newToken, sessionTtlSeconds };
  const ending = createSessionEnding({ ...platform, publish });
  return {
    opening,
    isToken: (token) => isSessionToken(token, key),
    complete: ending.complete,
    apiRoutes: (scope) => sessionRoutes(scope, { ...platform, ...opening, isKnownCode }),
    startWork: async (queues) => queues.everyInProcess(SWEEP_SECONDS, "expired-sessions", ending.sweepExpired),
  };
}
