import { findApplication, listApplications } from "../applications/store.ts";
import { createAuthThrottle } from "../http/auth-throttle.ts";
import type { Server } from "../http/server.ts";
import type { Module, Platform } from "../module.ts";
import { readAssets } from "./assets.routes.ts";
import { addAuditEntry, addAuditOutcome } from "./audit.store.ts";
import { homeRoutes } from "./home/routes.ts";
import type { Section, ServiceSection } from "./page.ts";
import { createPasswords } from "./password.task.ts";
import { receiptRoutes } from "./receipts/routes.ts";
import { reviewRoutes } from "./review/routes.ts";
import { consoleScope, frameFor } from "./scope.routes.ts";
import type { GuardDeps } from "./scope.routes.ts";
import { findSession, sessionSeen } from "./sessions.store.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { hashOf, sessionCookie } from "./token.ts";

/** Failed sign-ins that one address may make in a minute, whatever it may fail at the API. */
const FAILURES_PER_MINUTE = 20;
/** How often the use of a session is written. */
const SEEN_EVERY_MS = 60_000;

/** Adds the pages of a section. */
type SectionRoutes = (scope: Server) => void;

/**
 * Creates the console: pages for the people who run a programme, on the API of the service. Without the setting
 * `CONSOLE` there is nothing of it.
 */
export function createConsole(platform: Platform): Module {
  const { config, database, now, newId, installationKey, publicUrl } = platform;
  if (!config.hasConsole) return {};
  const address = new URL(publicUrl);
  const basePath = address.pathname.replace(/\/$/, "");
  const cookie = sessionCookie(address.protocol === "https:");
  const assets = readAssets();
  const sections: Partial<Record<Section | ServiceSection, SectionRoutes>> = {
    receipts: receiptRoutes,
    review: reviewRoutes,
  };
  const deps: GuardDeps = {
    basePath,
    assetsUrl: `${basePath}${assets.path}`,
    pictureOrigins: [new URL(publicUrl).origin, new URL(platform.hostedPagesUrl).origin],
    sections: new Set(Object.keys(sections)),
    installationKey,
    cookie,
    newId,
    now,
    findSession: async (token) => {
      const found = await findSession(database, hashOf(token), now());
      const isOld = found && now().getTime() - found.seenAt.getTime() > SEEN_EVERY_MS;
      if (isOld) await sessionSeen(database, hashOf(token), now());
      return found;
    },
    findApplication: (id) => findApplication(database, id),
    listApplications: () => listApplications(database),
    addAuditEntry: (entry) => addAuditEntry(database, entry),
    addAuditOutcome: (id, status) => addAuditOutcome(database, id, status),
  };
  const passwords = createPasswords();
  const throttle = createAuthThrottle(FAILURES_PER_MINUTE, () => now().getTime());
  const frameOf: Parameters<typeof signInRoutes>[1]["frameOf"] = (request, chosen) => frameFor(deps, request, chosen);
  return {
    routes: (server) =>
      consoleScope(server, deps, (scope) => {
        assets.routes(scope);
        signInRoutes(scope, { database, now, newId, passwords, throttle, cookie, basePath, frameOf });
        homeRoutes(scope);
        for (const add of Object.values(sections)) add(scope);
      }),
  };
}
