import { createHash, randomBytes } from "node:crypto";
import { clientIdFrom, clientSecretFrom } from "../../src/applications/application.ts";
import type { Application } from "../../src/applications/application.ts";
import type { Callers } from "../../src/applications/callers.ts";
import { findCallingApplication } from "../../src/applications/credentials.store.ts";
import type { Database } from "../../src/postgres/postgres.ts";

/** An application with nothing set, and the client secret that opens it; `over` replaces members. */
export function newApplication(
  id: string,
  over: Partial<Application> = {},
): { application: Application; clientSecret: string } {
  const clientSecret = clientSecretFrom(randomBytes(32));
  const application: Application = {
    id,
    clientId: clientIdFrom(randomBytes(16)),
    secretHash: createHash("sha256").update(clientSecret).digest(),
    previousSecretHash: null,
    previousSecretUntil: null,
    name: "Test application",
    isSandbox: false,
    logoUrl: null,
    redirectUri: null,
    redirectAllowList: [],
    accentColour: null,
    suspendedAt: null,
    rateLimitPerMinute: null,
    pointsADay: null,
    mealsADay: null,
    foodPointsADay: null,
    ...over,
  };
  return { application, clientSecret };
}

/** What authentication asks and notes, without a cache: for a server that a test assembles itself. */
export function callersOf(find: Callers["find"]): Callers {
  return { find, now: () => new Date(), used: () => {} };
}

/** Finds the callers that a database has. */
export function callersIn(database: Database): Callers {
  return callersOf((clientId) => findCallingApplication(database, clientId, new Date()));
}
