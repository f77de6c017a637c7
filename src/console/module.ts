import { findApplication } from "../applications/store.ts";
import { createAuthThrottle } from "../http/auth-throttle.ts";
import type { Server } from "../http/server.ts";
import type { Module, Platform } from "../module.ts";
import { listApplicationsFor } from "./applications.store.ts";
import { readAssets } from "./assets.routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { addAuditEntry, addAuditOutcome } from "./audit.store.ts";
import { createCharts } from "./charts/charts.task.ts";
import type { Charts } from "./charts/charts.task.ts";
import { developerRoutes } from "./developers/routes.ts";
import { homeRoutes } from "./home/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import type { Section, ServiceSection } from "./page.ts";
import { namesRoutes } from "./names/routes.ts";
import { recordRoutes } from "./people/record.routes.ts";
import { peopleRoutes } from "./people/routes.ts";
import { programmeRoutes } from "./programme/routes.ts";
import { rewardPages } from "./rewards/routes.ts";
import { receiptRoutes } from "./receipts/routes.ts";
import { reviewRoutes } from "./review/routes.ts";
import { consoleScope, frameFor } from "./scope.routes.ts";
import type { GuardDeps } from "./scope.routes.ts";
import { findSession, sessionSeen } from "./sessions.store.ts";
import { accountRoutes } from "./account/routes.ts";
import { createEntrance } from "./sign-in/entrance.routes.ts";
import { createPasskeys } from "./sign-in/passkeys.task.ts";
import { createPasswords } from "./sign-in/passwords.task.ts";
import { providerRoutes } from "./sign-in/provider.routes.ts";
import { createProvider } from "./sign-in/provider.task.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { teamRoutes } from "./team/routes.ts";
import { hashOf, sessionCookie } from "./token.ts";

/** Failed sign-ins that one address may make in a minute, whatever it may fail at the API. */
const FAILURES_PER_MINUTE = 20;
/** How often the use of a session is written. */
const SEEN_EVERY_MS = 60_000;

/** Adds the pages of a section. */
type SectionRoutes = (scope: Server) => void;

/**
 * Creates the console: pages for the people who run a programme, on the API of the service. Only with the setting
 * `CONSOLE`: without it there is nothing of it, and these files are not even loaded.
 */
export function createConsole(platform: Platform): Module {
  const { config, database, log, now, newId, installationKey, publicUrl } = platform;
  const address = new URL(publicUrl);
  const basePath = address.pathname.replace(/\/$/, "");
  const cookie = sessionCookie(address.protocol === "https:");
  const assets = readAssets();
  const charts = createCharts(platform.log);
  const deps: GuardDeps = {
    basePath,
    origin: address.origin,
    assetsUrl: `${basePath}${assets.path}`,
    pictureOrigins: [new URL(publicUrl).origin, new URL(platform.hostedPagesUrl).origin],
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
    listApplications: (grants) => listApplicationsFor(database, grants),
    addAuditEntry: (entry) => addAuditEntry(database, entry),
    addAuditOutcome: (id, status) => addAuditOutcome(database, id, status),
  };
  const throttle = createAuthThrottle(FAILURES_PER_MINUTE, () => now().getTime());
  const entrance = createEntrance({
    database,
    now,
    newId,
    cookie,
    throttle,
    basePath,
    frameOf: (request, chosen) => frameFor(deps, request, chosen),
  });
  const passwords = createPasswords({ database, now });
  const { consoleProvider } = config;
  const provider = consoleProvider && createProvider(consoleProvider, `${publicUrl}/console/sign-in/provider/callback`);
  const passkeys = createPasskeys({ database, now, installationKey, address });
  return {
    routes: (server) =>
      consoleScope(server, deps, (scope) => {
        assets.routes(scope);
        signInRoutes(scope, { database, now, passwords, passkeys, entrance, providerName: provider?.name ?? null });
        if (provider) providerRoutes(scope, { database, now, log, installationKey, provider, entrance, publicUrl });
        accountRoutes(scope, { database, passwords, passkeys, entrance, cookie });
        homeRoutes(scope, { database, now });
        for (const add of Object.values(sectionsOf(platform, charts))) add(scope);
      }),
    stop: () => charts.stop(),
  };
}

/** The sections of the menu. */
function sectionsOf(platform: Platform, charts: Charts): Record<Section | ServiceSection, SectionRoutes> {
  const { database, now, newId, publicUrl } = platform;
  return {
    overview: (scope) => overviewRoutes(scope, { now, draw: charts.draw }),
    receipts: receiptRoutes,
    review: reviewRoutes,
    names: namesRoutes,
    people: (scope) => {
      peopleRoutes(scope, platform);
      recordRoutes(scope, platform);
    },
    programme: (scope) => programmeRoutes(scope, platform),
    rewards: (scope) => rewardPages(scope, platform),
    developers: (scope) => developerRoutes(scope, { database, now, newId, draw: charts.draw }),
    team: (scope) => teamRoutes(scope, { database, now, newId, publicUrl }),
    audit: (scope) => auditRoutes(scope, database),
  };
}
