import type { Module, Platform } from "../module.ts";
import { metricsRoutes } from "./routes.ts";
import { verifyLedgerOnceADay } from "./verify-ledger.task.ts";

/** Each hour one process looks whether the ledger was verified today. */
const VERIFICATION_CHECK_SECONDS = 3_600;

/** Creates the module of metrics: `/metrics`, and the daily verification of the ledger. */
export function createMetrics({ config, background: database, log, now }: Platform): Module {
  return {
    routes: (server) => metricsRoutes(server, { database, token: config.metricsToken, now }),
    startWork: (jobs) =>
      jobs.everyAsQueuedJob(VERIFICATION_CHECK_SECONDS, "ledger-verification", (signal) =>
        verifyLedgerOnceADay({ database, log, now }, signal),
      ),
  };
}
