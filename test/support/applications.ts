import assert from "node:assert/strict";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { clientIdFrom, clientSecretFrom } from "../../src/applications/application.ts";
import type { Application } from "../../src/applications/application.ts";
import type { Callers } from "../../src/applications/callers.ts";
import { addCredential, findCallingApplication } from "../../src/applications/credentials.store.ts";
import type { Scope } from "../../src/applications/scope.ts";
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
    closedAt: null,
    movedTo: null,
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

/** Adds a credential with some scopes (null: all) to an application, and returns the headers of its calls. */
export async function headersWith(
  { database }: { readonly database: Database },
  { applicationId, clientId }: { readonly applicationId: string; readonly clientId: string },
  scopes: readonly Scope[] | null,
): Promise<Record<string, string>> {
  const clientSecret = clientSecretFrom(randomBytes(32));
  const secretHash = createHash("sha256").update(clientSecret).digest();
  const terms = { name: "Of a test", scopes, expiresAt: null, createdAt: new Date() };
  const credential = { id: randomUUID(), applicationId, secretHash, ...terms };
  assert.ok(await database.tx((tx) => addCredential(tx, credential)));
  return { "x-client-id": clientId, "x-client-secret": clientSecret };
}
