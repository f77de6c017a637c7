import type { AuditTrail } from "../http/audit-changes.ts";
import type { Module, Platform } from "../module.ts";
import { DAY_MS } from "../time.ts";
import { auditRoutes } from "./routes.ts";
import { addChange, addChangeOutcome, sweepChanges } from "./store.ts";
import { KEPT_DAYS } from "./retention.ts";
import { createAuditTrail } from "./trail.task.ts";

const SWEEP_SECONDS = 24 * 3600;

/** The module of the audit log. */
export interface Audit extends Module {
  readonly trail: AuditTrail;
}

/** Creates the module of the audit log. */
export function createAudit(platform: Platform): Audit {
  const { database, background, now } = platform;
  const trail = createAuditTrail({
    ...platform,
    add: (change) => addChange(database, change),
    addOutcome: (id, outcome) => addChangeOutcome(database, id, outcome),
  });
  return {
    trail,
    apiRoutes: (scope) => auditRoutes(scope, platform),
    startWork: (jobs) =>
      jobs.everyAsQueuedJob(SWEEP_SECONDS, "old-audit-entries", async (signal) => {
        await sweepChanges(background, new Date(now().getTime() - (KEPT_DAYS + 1) * DAY_MS), signal);
      }),
    drain: trail.drain,
  };
}
