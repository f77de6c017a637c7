import { createHash, randomBytes } from "node:crypto";
import { clientIdFrom, clientSecretFrom } from "../../src/applications/application.ts";
import type { Application } from "../../src/applications/application.ts";

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
