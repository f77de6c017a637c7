import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import packageJson from "../package.json" with { type: "json" };
import { createBatcher } from "./queue/batcher.ts";
import { fetchImage } from "./outgoing/fetch-image.ts";
import { createFiles } from "./files.ts";
import type { Files } from "./files.ts";
import { createHttpSender } from "./outgoing/http-sender.ts";
import { createImageExaminer } from "./images/worker/examiner.ts";
import { openJobs } from "./queue/jobs.ts";
import { createOcr } from "./ocr/ocr.ts";
import { isRowError } from "./postgres/postgres.ts";
import type { Database, Tx } from "./postgres/postgres.ts";
import { createRandom } from "./random.ts";
import { sampleImage } from "./receipts/samples/sample-image.task.ts";
import { cached } from "./applications/cache.ts";
import { findApplicationByClientId, installationKey } from "./applications/store.ts";
import type { Config } from "./config.ts";
import { isReachable } from "./database.ts";
import type { LookupItem } from "./foods/lookup/lookup.ts";
import { createResolver } from "./foods/lookup/resolve.ts";
import { foodRoutes } from "./foods/routes.ts";
import { lookUp, readCatalogue } from "./foods/store.ts";
import { createAuthThrottle } from "./http/auth-throttle.ts";
import { healthRoutes } from "./http/health.ts";
import { createIdempotency } from "./http/idempotency.ts";
import { createRateLimit } from "./http/rate-limit.ts";
import { apiScope } from "./http/api-scope.ts";
import { createServer } from "./http/server.ts";
import type { Server } from "./http/server.ts";
import { KEPT_MS } from "./idempotency/key.ts";
import * as storedResponses from "./idempotency/store.ts";
import { uuidv7 } from "./ids.ts";
import { intakeRoutes } from "./intakes/routes.ts";
import { SCORE_QUEUE, createIntakeStages } from "./intakes/score.task.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { verifyLedgerAndReport } from "./metrics/verify-ledger.task.ts";
import { openApiRoutes } from "./openapi/routes.ts";
import { enrolmentPageRoutes } from "./pages/enrolment/routes.ts";
import { receiptPageRoutes } from "./pages/receipt/routes.ts";
import { pageScope } from "./pages/routes.ts";
import { servicePageRoutes } from "./pages/service/routes.ts";
import { pointsRoutes } from "./points/routes.ts";
import { createAcceptance } from "./receipts/accept.task.ts";
import { blobLinkKey } from "./receipts/blob-link.ts";
import { createImageField, sweepImages } from "./receipts/image-uploads.task.ts";
import { createComparison } from "./receipts/duplicates/compare.task.ts";
import { RECEIPT_QUEUE } from "./receipts/receipt.ts";
import { blobRoutes, createReceiptStatus, receiptRoutes } from "./receipts/routes.ts";
import { RECEIPT_QUEUE_OPTIONS, createReceiptStages } from "./receipts/stages/run.ts";
import { readMerchants } from "./receipts/store.ts";
import { sessionRoutes } from "./sessions/routes.ts";
import { DAY_MS, HOUR_MS } from "./time.ts";
import { userRoutes } from "./users/routes.ts";
import { isAllowedAddress } from "./webhooks/address.ts";
import { endpointRoutes } from "./webhooks/endpoints/routes.ts";
import { deliveryLogRoutes } from "./webhooks/log/routes.ts";
import { dropEventsBefore } from "./webhooks/log/store.ts";
import { leaseMsFor } from "./webhooks/retry.ts";
import { createDelivery, createOutbox } from "./webhooks/delivery.task.ts";

const DELIVER_QUEUE = "deliver-webhooks";
const ACCEPT_BATCH_MAX = 200;
const SWEEP_SECONDS = 5;
const DAY_SECONDS = DAY_MS / 1_000;
const HOUR_SECONDS = HOUR_MS / 1_000;
const KEYS_SWEEP_SECONDS = 600;
/** At stop: for writing down that a receipt was handed back. */
const HAND_BACK_MS = 1_000;

/** The assembled service on one database. Nothing runs in the background until `startWork`. */
export interface App {
  readonly server: Server;
  /** Takes up background work: scoring, reading receipts, delivering webhooks. */
  startWork(): Promise<void>;
  /** Takes no new request or work, finishes or hands back what is in hand. */
  stop(graceMs: number): Promise<void>;
}

/** Builds adapters, stages and routes and hands each what it needs. `publicUrl` is the configured address. */
export async function createApp(options: {
  config: Config;
  publicUrl: string;
  database: Database;
  log: FastifyBaseLogger;
  isWorker: boolean;
  now?: () => Date;
  /** Where images are kept; without: below DATA_DIR. */
  files?: Files;
}): Promise<App> {
  const { config, publicUrl, database, log, isWorker } = options;
  const now = options.now ?? (() => new Date());
  const random = createRandom();
  const newId = () => uuidv7(now().getTime(), random(10));
  const hostedPagesUrl = config.hostedPagesUrl ?? publicUrl;
  let isStopping = false;

  const catalogue = readCatalogue();
  const resolver = createResolver(catalogue);
  const jobs = openJobs({ database, isWorker, log });
  await jobs.start();
  await jobs.declare(SCORE_QUEUE, { retryLimit: 20, retryDelaySeconds: 1, expireInSeconds: 300, heartbeatSeconds: 10 });
  await jobs.declare(RECEIPT_QUEUE, RECEIPT_QUEUE_OPTIONS);
  await jobs.declare(DELIVER_QUEUE, { retryLimit: 0, expireInSeconds: 60 });

  const key = await installationKey(database);
  const sender = createHttpSender({
    isAllowedAddress: (address, target) => isAllowedAddress(address, target, config.webhookAllowNets),
    now,
  });
  const delivery = createDelivery({
    database,
    sender,
    now,
    random: Math.random,
    log,
    scheduleSeconds: config.webhookScheduleSeconds,
    installationKey: key,
    attemptTimeoutMs: config.webhookTimeoutMs,
    disableAfterSeconds: config.webhookDisableAfterSeconds,
  });
  const hintDelivery = async (tx: Tx): Promise<void> => {
    await jobs.send(tx, DELIVER_QUEUE, {});
  };
  const outbox = createOutbox({ scheduleSeconds: config.webhookScheduleSeconds, hint: hintDelivery });
  const background = {
    database,
    jobs,
    raterFor: async (asked: readonly LookupItem[]) => {
      const known = await lookUp(database, asked);
      return (applicationId: string) => resolver.knowing(known, applicationId);
    },
    catalogueVersion: catalogue.version,
    now,
    newId,
    log,
  };
  const intakes = createIntakeStages({ ...background, outbox, mealWindowMs: config.mealWindowDays * DAY_MS });
  const accepting = createBatcher({
    flush: intakes.accept,
    // One bad row must not cost its batch.
    isPoison: isRowError,
    batchMax: ACCEPT_BATCH_MAX,
    waitingMax: config.intakesWaitingMax,
  });

  const files = options.files ?? createFiles({ dir: join(config.dataDir, "files") });
  const ocrProcesses = config.ocrProcesses || availableParallelism();
  const ocr = createOcr({
    processes: ocrProcesses,
    timeoutMs: config.ocrTimeoutMs,
    memoryLimitMb: config.ocrMemoryMb,
    log,
  });
  const receipts = createReceiptStages({
    ...background,
    publish: outbox.append,
    merchants: readMerchants(),
    readImage: (imageKey) => ocr.read({ path: files.pathOf(imageKey) }),
    compareWithEarlier: createComparison({ database, log, pathOf: files.pathOf }),
    perUserPerDayMax: config.receiptsPerUserPerDay,
    ageMaxDays: config.receiptMaxAgeDays,
  });
  const imageField = createImageField(files, config.imageBytesMax);
  const examiner = createImageExaminer();
  const receiptDeps = {
    database,
    jobs,
    files,
    examineImage: examiner.examine,
    now,
    newId,
    publicUrl,
    publish: outbox.append,
    waitingMax: config.receiptsWaitingMax,
    imageField,
    imageBytesMax: config.imageBytesMax,
    imagePixelsMax: config.imagePixelsMax,
    linkKey: blobLinkKey(key),
  };
  const acceptReceipt = createAcceptance(receiptDeps);
  const receiptStatus = createReceiptStatus(receiptDeps);

  const server = createServer({ log, publicUrl, newRequestId: newId, corsOrigins: config.corsOrigins });
  const findApplication = cached((clientId) => findApplicationByClientId(database, clientId), Date.now);
  const authThrottle = createAuthThrottle(config.authFailuresPerMinute, Date.now);
  const limit = createRateLimit(config.rateLimitPerMinute, Date.now);
  const idempotency = createIdempotency({ database, storedResponses, now, newId });
  metricsRoutes(server, { database, token: config.metricsToken, now });
  healthRoutes(server, async () => !isStopping && (await isReachable(database)));
  const sessionDeps = {
    hostedPagesUrl,
    newTokenBytes: () => randomBytes(32),
    sessionTtlSeconds: config.sessionTtlSeconds,
  };
  const addApiRoutes = (scope: Server) => {
    userRoutes(scope, { database, idempotency, now, newId });
    intakeRoutes(scope, { database, accepting, idempotency, now, newId });
    pointsRoutes(scope, { database, publicUrl, now });
    foodRoutes(scope, { database, idempotency, publicUrl, catalogue, resolver, now, newId });
    receiptRoutes(scope, {
      ...receiptDeps,
      idempotency,
      accept: acceptReceipt,
      status: receiptStatus,
      sampleImage,
      fetchImage,
      testBlobHosts: config.testBlobHosts,
    });
    endpointRoutes(scope, {
      database,
      idempotency,
      now,
      newId,
      installationKey: key,
      allowNets: config.webhookAllowNets,
      sender,
      previousSecretMs: config.webhookOldSecretMs,
      leaseMs: leaseMsFor(config.webhookTimeoutMs),
      hint: hintDelivery,
    });
    deliveryLogRoutes(scope, { database, idempotency, now, publicUrl, hint: hintDelivery });
    sessionRoutes(scope, {
      idempotency,
      now,
      ...sessionDeps,
    });
  };
  apiScope(server, findApplication, addApiRoutes, authThrottle, limit);
  blobRoutes(server, receiptDeps);
  openApiRoutes(server, { publicUrl });
  pageScope(server, hostedPagesUrl, (scope, frameOf) => {
    enrolmentPageRoutes(scope, { database, now, newId }, frameOf);
    receiptPageRoutes(scope, { database, now, imageField, acceptReceipt, receiptStatus }, frameOf);
    const service = { version: packageJson.version, publicUrl, areSamplesAllowed: config.areSamplesAllowed };
    servicePageRoutes(scope, { database, now, newId, ...service, ...sessionDeps }, frameOf);
  });

  return {
    server,
    startWork: async () => {
      await jobs.work(SCORE_QUEUE, { concurrency: 2, pollingIntervalSeconds: 2 }, (data, _signal, attempt) =>
        intakes.runJob(data, attempt),
      );
      await jobs.work(RECEIPT_QUEUE, { concurrency: ocrProcesses, pollingIntervalSeconds: 2 }, receipts.runJob);
      await jobs.work(DELIVER_QUEUE, { concurrency: 1, batchSize: 50, pollingIntervalSeconds: 2 }, async () =>
        delivery.wake(),
      );
      jobs.every(SWEEP_SECONDS, "unfinished-intakes", intakes.sweep);
      jobs.every(SWEEP_SECONDS, "unfinished-receipts", receipts.sweep);
      jobs.every(HOUR_SECONDS, "temporary-files", async () => {
        await files.sweepTemporary(new Date(now().getTime() - HOUR_MS));
      });
      await jobs.everyAsJob(KEYS_SWEEP_SECONDS, "idempotency-keys", async (signal) => {
        await storedResponses.sweep(database, new Date(now().getTime() - KEPT_MS), signal);
      });
      await jobs.everyAsJob(HOUR_SECONDS, "old-events", async (signal) => {
        await dropEventsBefore(database, new Date(now().getTime() - config.webhookRetentionMs), signal);
      });
      await jobs.everyAsJob(DAY_SECONDS, "images-without-receipt", async (signal) => {
        await sweepImages({ database, files, now, log }, signal);
      });
      await jobs.everyAsJob(DAY_SECONDS, "ledger-verification", (signal) =>
        verifyLedgerAndReport({ database, log, now }, signal),
      );
      delivery.start();
    },
    stop: async (graceMs) => {
      isStopping = true;
      await server.close();
      await examiner.close();
      await accepting.idle();
      await intakes.idle();
      await jobs.stop(graceMs / 2);
      await ocr.close();
      await receipts.idle(HAND_BACK_MS);
      await delivery.stop(graceMs / 2);
      await sender.close();
    },
  };
}
