import type { Module, Platform } from "../module.ts";
import { createHttpSender } from "../outgoing/http-sender.ts";
import type { Tx } from "../postgres/postgres.ts";
import { HOUR_MS } from "../time.ts";
import { isAllowedAddress } from "./address.ts";
import { createDelivery } from "./delivery/deliver.task.ts";
import { createOutbox } from "./outbox.task.ts";
import type { Outbox } from "./outbox.task.ts";
import { endpointRoutes } from "./endpoints/routes.ts";
import { feedRoutes } from "./feed/routes.ts";
import type { Waiting } from "./feed/routes.ts";
import { deliveryLogRoutes } from "./log/routes.ts";
import { dropEventsBefore } from "./log/store.ts";
import { leaseMsFor } from "./retry.ts";

const DELIVER_QUEUE = "deliver-webhooks";
const RETENTION_SWEEP_SECONDS = HOUR_MS / 1_000;

/** The module of webhooks: other domains write their events to its outbox. */
export interface Webhooks extends Module {
  readonly outbox: Outbox;
}

/** Creates the module of webhooks: endpoints, delivery and its log. */
export function createWebhooks(platform: Platform): Webhooks {
  const { config, database, jobs, now } = platform;
  const { webhookScheduleSeconds: scheduleSeconds, webhookAllowNets: allowNets } = config;
  const hint = async (tx: Tx): Promise<void> => {
    await jobs.send(tx, DELIVER_QUEUE, {});
  };
  const sender = createHttpSender({
    isAllowedAddress: (address, target) => isAllowedAddress(address, target, allowNets),
    now,
  });
  const delivery = createDelivery({
    ...platform,
    sender,
    random: Math.random,
    scheduleSeconds,
    attemptTimeoutMs: config.webhookTimeoutMs,
    disableAfterSeconds: config.webhookDisableAfterSeconds,
  });
  const waiting: Waiting = { byApplication: new Map(), total: 0 };
  return {
    outbox: createOutbox({ scheduleSeconds, hint }),
    queues: { [DELIVER_QUEUE]: { retryLimit: 0, expireInSeconds: 60 } },
    apiRoutes: (scope) => {
      const leaseMs = leaseMsFor(config.webhookTimeoutMs);
      const previousSecretMs = config.webhookOldSecretMs;
      endpointRoutes(scope, { ...platform, allowNets, sender, previousSecretMs, leaseMs, hint });
      deliveryLogRoutes(scope, { ...platform, hint });
      feedRoutes(scope, { ...platform, waiting });
    },
    startWork: async (queues) => {
      const handling = { concurrency: 1, batchSize: 50, pollingIntervalSeconds: 2 };
      await queues.work(DELIVER_QUEUE, handling, async () => delivery.wake());
      await queues.everyAsQueuedJob(RETENTION_SWEEP_SECONDS, "old-events", async (signal) => {
        await dropEventsBefore(database, new Date(now().getTime() - config.webhookRetentionMs), signal);
      });
      delivery.start();
    },
    stop: async (graceMs) => {
      await delivery.stop(graceMs);
      await sender.close();
    },
  };
}
