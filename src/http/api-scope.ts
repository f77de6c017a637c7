import type { FastifyRequest } from "fastify";
import { refuseClosed } from "../applications/refuse-closed.ts";
import { mayDo } from "../applications/scope.ts";
import { createApplicationShare } from "./application-share.ts";
import { createAuthThrottle } from "./auth-throttle.ts";
import { auditChanges } from "./audit-changes.ts";
import type { AuditTrail } from "./audit-changes.ts";
import { authenticate } from "./auth.ts";
import type { Callers } from "../applications/callers.ts";
import { inProcessCaller } from "./call-as.ts";
import { Problem } from "../problems.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Server } from "./server.ts";
import { requireApiVersion } from "./version.ts";

/**
 * Adds the routes of the API, once at `/` and once below `/issuers`. Each request needs an api-version, then valid
 * credentials with the scope of the operation, before anything else is checked and before its body is read. Responses
 * are never cached.
 * `authThrottle` limits failed authentications and `rateLimit` authenticated calls; by default neither is limited. Each
 * application has a share of the requests in progress. Calls of this process (`callAs`) have their application already.
 * What keys change is written to `trail`.
 */
export function apiScope(
  server: Server,
  callers: Callers,
  addRoutes: (scope: Server) => void,
  authThrottle = createAuthThrottle(0, Date.now),
  rateLimit: RateLimit = () => {},
  trail: AuditTrail | null = null,
): void {
  const share = createApplicationShare();
  for (const prefix of ["", "/issuers"]) {
    void server.register(
      async (scope) => {
        refuseUndeclaredRoutes(scope, prefix);
        if (trail) scope.addHook("onRoute", (route) => auditChanges(route, trail));
        scope.addHook("onRequest", async (request, reply) => {
          reply.header("cache-control", "no-store");
          requireApiVersion(request.url);
          const caller = inProcessCaller();
          if (caller) {
            refuseClosed(caller);
            // The console has checked who asks. Its calls count towards the application's share, not its rate.
            request.application = caller;
            request.credential = null;
            request.authenticateAgain = () => Promise.resolve();
          } else {
            await authenticate(request, reply, callers, authThrottle);
            rateLimit(request.application, reply);
            requireScope(request);
          }
          share(request, reply);
        });
        addRoutes(scope);
      },
      { prefix },
    );
  }
}

/** Throws insufficientScope for a credential that may not do what the operation does. */
function requireScope({ credential, routeOptions }: FastifyRequest): void {
  // Each route has one: `refuseUndeclaredRoutes`.
  const requiredScope = routeOptions.config.operation!.scope!;
  if (credential === null || mayDo(credential.scopes, requiredScope)) return;
  const detail = `The client secret of the call does not have the scope ${requiredScope}.`;
  throw new Problem("insufficientScope", { detail, requiredScope });
}

/** What a route may want of a parameter: `:id(^…$)`. */
const PARAMETER_PATTERN = /\(\^.*?\$\)/g;

/** Throws at start when a route has no declared operation with a scope: the OpenAPI document would not have it. */
function refuseUndeclaredRoutes(scope: Server, prefix: string): void {
  scope.addHook("onRoute", ({ method, url: routed, config }) => {
    const operation = config?.operation;
    const url = routed.replaceAll(PARAMETER_PATTERN, "");
    const isDeclared =
      operation?.scope && `${prefix}${operation.path}` === url && (operation.method === method || method === "HEAD");
    if (!isDeclared) throw new Error(`${String(method)} ${url} is not a declared operation`);
  });
}
