import type { FileStore } from "../files.ts";
import type { Module, Platform } from "../module.ts";
import type { Exposition } from "./exposition.task.ts";
import { createMetricsServer, metricsRoutes } from "./routes.ts";
import type { MetricsServer } from "./routes.ts";
import { createScrape } from "./scrape.task.ts";
import { verifyLedgerOnceADay } from "./verify-ledger.task.ts";

/** Each hour one process looks whether the ledger was verified today. */
const VERIFICATION_CHECK_SECONDS = 3_600;

/** The module of metrics. */
export interface Metrics extends Module {
  /** For a port of its own; null: there are no metrics. */
  readonly server: MetricsServer | null;
}

/** Creates the module of metrics: `/metrics`, and the daily verification of the ledger. */
export function createMetrics(
  platform: Platform,
  exposition: Exposition | null,
  images: Pick<FileStore, "isReachable">,
): Metrics {
  const { config, background: database, log, now } = platform;
  const metrics = exposition && {
    scrape: createScrape({ ...platform, exposition, images }),
    contentType: exposition.contentType,
    token: config.metricsToken,
  };
  const server = metrics && createMetricsServer(metrics);
  return {
    server,
    routes: (scope) => metrics && metricsRoutes(scope, metrics),
    startWork: (jobs) =>
      jobs.everyAsQueuedJob(VERIFICATION_CHECK_SECONDS, "ledger-verification", (signal) =>
        verifyLedgerOnceADay({ database, log, now }, signal),
      ),
    stop: async () => server?.close(),
  };
}
