import type { Module, Platform } from "../module.ts";
import { DAY_MS } from "../time.ts";
import { metricsRoutes } from "./routes.ts";
import { verifyLedgerAndReport } from "./verify-ledger.task.ts";

const VERIFICATION_SECONDS = DAY_MS / 1_000;

/** Creates the module of metrics: `/metrics`, and the daily verification of the ledger. */
export function createMetrics({ config, background: database, log, now }: Platform): Module {
  return {
    routes: (server) => metricsRoutes(server, { database, token: config.metricsToken, now }),
    startWork: (jobs) =>
      jobs.everyAsQueuedJob(VERIFICATION_SECONDS, "ledger-verification", (signal) =>
        verifyLedgerAndReport({ database, log, now }, signal),
      ),
  };
}
