import packageJson from "../../package.json" with { type: "json" };
import { createAuthThrottle } from "../http/auth-throttle.ts";
import type { Module, Platform } from "../module.ts";
import type { Sessions } from "../sessions/module.ts";
import type { EffectsOf } from "../users/enrolment.ts";
import { disputePageRoutes } from "./dispute/routes.ts";
import type { DisputePageDeps } from "./dispute/routes.ts";
import { enrolmentPageRoutes } from "./enrolment/routes.ts";
import { receiptPageRoutes } from "./receipt/routes.ts";
import type { ReceiptPageDeps } from "./receipt/routes.ts";
import { pageScope, refuseUnknownTokens } from "./routes.ts";
import { servicePageRoutes } from "./service/routes.ts";

/** The part of the receipts' module that the page of a receipt uses. */
export interface PageReceipts {
  readonly imageField: ReceiptPageDeps["imageField"];
  readonly accept: ReceiptPageDeps["acceptReceipt"];
  readonly readResult: ReceiptPageDeps["receiptStatus"];
  readonly disputes: DisputePageDeps["disputes"];
}

/** Creates the module of the hosted pages and of the service's own pages. */
export function createPages(
  platform: Platform,
  { receipts, sessions, effectsOf }: { receipts: PageReceipts; sessions: Sessions; effectsOf: EffectsOf },
): Module {
  const { areSamplesAllowed, authFailuresPerMinute } = platform.config;
  const { imageField, accept: acceptReceipt, readResult: receiptStatus, disputes } = receipts;
  const links = { isToken: sessions.isToken, throttle: createAuthThrottle(authFailuresPerMinute, Date.now) };
  return {
    routes: (server) =>
      pageScope(server, platform.hostedPagesUrl, (scope, frameOf) => {
        refuseUnknownTokens(scope, links);
        const { complete: completeSession } = sessions;
        enrolmentPageRoutes(scope, { ...platform, completeSession, effectsOf }, frameOf);
        const photos = { imageField, acceptReceipt, receiptStatus, completeSession, limits: platform.config };
        receiptPageRoutes(scope, { ...platform, ...photos }, frameOf);
        disputePageRoutes(scope, { ...platform, disputes }, frameOf);
        const service = { version: packageJson.version, areSamplesAllowed, effectsOf, ...sessions.opening };
        servicePageRoutes(scope, { ...platform, ...service }, frameOf);
      }),
  };
}
