import type { Module, Platform } from "../module.ts";
import { createHolders } from "../holders.ts";
import { createHttpSender } from "../outgoing/http-sender.ts";
import type { Tx } from "../postgres/postgres.ts";
import { HOUR_MS } from "../time.ts";
import { isAllowedAddress } from "./address.ts";
import { createDelivery } from "./delivery/deliver.task.ts";
import { createOutbox } from "./outbox.task.ts";
import type { Outbox } from "./outbox.task.ts";
import { endpointRoutes } from "./endpoints/routes.ts";
import { findEndpoint } from "./endpoints/store.ts";
import { feedRoutes } from "./feed/routes.ts";
import { deliveryLogRoutes } from "./log/routes.ts";
import { makeParts, removeOldEvents } from "./parts/parts.task.ts";
import { REPLAY_QUEUE, createReplays } from "./replays/replay.task.ts";
import { dropReplaysBefore } from "./replays/store.ts";
import { leaseMsFor } from "./retry.ts";

const DELIVER_QUEUE = "deliver-webhooks";
const REPLAY_SWEEP_SECONDS = 15;
/** Also the time after which a part of events is made that could not be. They are made days ahead. */
const RETENTION_SWEEP_SECONDS = HOUR_MS / 1_000;

/** The module of webhooks: other domains write their events to its outbox. */
export interface Webhooks extends Module {
  readonly outbox: Outbox;
}

/** Creates the module of webhooks: endpoints, delivery and its log. */
export function createWebhooks(platform: Platform): Webhooks {
  const { config, background, jobs, log, now } = platform;
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
    giveWay: platform.pressure.giveWay,
    random: Math.random,
    scheduleSeconds,
    attemptTimeoutMs: config.webhookTimeoutMs,
    disableAfterSeconds: config.webhookDisableAfterSeconds,
  });
  const replays = createReplays({
    ...platform,
    findEndpoint: (tx, id) => findEndpoint(tx, id, null),
    leaseMs: leaseMsFor(config.webhookTimeoutMs),
    hint,
  });
  const waiting = createHolders();
  return {
    outbox: createOutbox({ scheduleSeconds, hint, newId: platform.newId, delivery }),
    queues: {
      [DELIVER_QUEUE]: { retryLimit: 0, expireInSeconds: 60 },
      [REPLAY_QUEUE]: { retryLimit: 0, expireInSeconds: 3_600, heartbeatSeconds: 10 },
    },
    apiRoutes: (scope) => {
      const previousSecretMs = config.webhookOldSecretMs;
      endpointRoutes(scope, { ...platform, allowNets, sender, previousSecretMs, replays, hint });
      // A log of millions, filtered for what is rare in it, is long work.
      deliveryLogRoutes(scope, { ...platform, database: background, hint });
      feedRoutes(scope, { ...platform, waiting });
    },
    startWork: async (queues) => {
      await sender.prepare();
      const handling = { concurrency: 1, batchSize: 50, pollingIntervalSeconds: 2 };
      await queues.work(DELIVER_QUEUE, handling, async () => delivery.wake());
      await queues.work(REPLAY_QUEUE, { concurrency: 1, pollingIntervalSeconds: 2 }, (_data, signal) =>
        replays.run(signal),
      );
      queues.everyInProcess(REPLAY_SWEEP_SECONDS, "unfinished-replays", replays.sweep);
      const { webhookRetentionMs: retentionMs } = config;
      const parts = { database: background, log, retentionMs };
      queues.everyInProcess(RETENTION_SWEEP_SECONDS, "event-parts", async () => {
        await makeParts(parts, now());
      });
      await queues.everyAsQueuedJob(RETENTION_SWEEP_SECONDS, "old-events", async (signal) => {
        await removeOldEvents(parts, now(), signal);
        await dropReplaysBefore(background, new Date(now().getTime() - retentionMs));
      });
      delivery.start();
    },
    drain: async () => replays.stop(),
    stop: async (graceMs) => {
      await delivery.stop(graceMs);
      await sender.close();
    },
  };
}
