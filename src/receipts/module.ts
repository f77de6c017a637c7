import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Files } from "../files.ts";
import type { Rating } from "../foods/module.ts";
import { createPictureComparer } from "../images/compare/comparer.ts";
import type { PictureComparer } from "../images/compare/comparer.ts";
import { createImageExaminer } from "../images/worker/examiner.ts";
import type { ImageExaminer } from "../images/worker/examiner.ts";
import type { Module, Platform } from "../module.ts";
import type { Meters } from "../meters.ts";
import { OcrFailure, createOcr } from "../ocr/ocr.ts";
import type { Ocr } from "../ocr/ocr.ts";
import type { OcrPage } from "../ocr/page.ts";
import { fetchImage } from "../outgoing/fetch-image.ts";
import type { ProgramTerms } from "../programs/terms.task.ts";
import type { QueueOptions } from "../queue/jobs.ts";
import { DAY_MS, HOUR_MS } from "../time.ts";
import { blobLinkKey } from "./blob-link.ts";
import { createComparison } from "./duplicates/compare.task.ts";
import { purchaseKey } from "./duplicates/duplicate-checks.ts";
import { createImageField } from "./image-field.task.ts";
import type { ImageField } from "./image-field.task.ts";
import { createCorrections } from "./corrections/correct.task.ts";
import { createPreviews } from "./corrections/preview.task.ts";
import { correctionRoutes } from "./corrections/routes.ts";
import { createDisputes } from "./disputing/dispute.task.ts";
import type { Disputes } from "./disputing/dispute.task.ts";
import { disputeRoutes } from "./disputing/routes.ts";
import { receiptListRoutes } from "./list/routes.ts";
import { RECEIPT_QUEUE } from "./receipt.ts";
import { readingRoutes } from "./reading/routes.ts";
import { createReviewing } from "./review/review.task.ts";
import { reviewRoutes } from "./review/routes.ts";
import { blobRoutes, statusRoutes } from "./routes.ts";
import { sampleImage } from "./samples/sample-image.task.ts";
import { accept } from "./accept.task.ts";
import type { AcceptReceipt, UploadLimits } from "./accept.task.ts";
import { createReceiptReaders } from "./stages/readers.ts";
import type { ReceiptLimits, StageDeps } from "./stages/stage.ts";
import { createResultReader, createStatusReader } from "./status.task.ts";
import type { ReadReceiptStatus } from "./status.task.ts";
import { readMerchants } from "./store.ts";
import { sweepImages } from "./sweep-images.task.ts";
import { sweepTexts } from "./sweep-texts.task.ts";
import { uploadRoutes } from "./upload.routes.ts";
import type { UploadRouteDeps } from "./upload.routes.ts";

/** A job only wakes the readers, which claim receipts by turn. Earlier releases read the job's own receipt. */
const QUEUE_OPTIONS: QueueOptions = {
  policy: "exclusive",
  retryLimit: 20,
  retryDelaySeconds: 1,
  retryDelayMaxSeconds: 5,
  expireInSeconds: 600,
  heartbeatSeconds: 10,
};
const TEMPORARY_FILES_SECONDS = HOUR_MS / 1_000;
const IMAGES_SECONDS = DAY_MS / 1_000;
const TEXTS_SECONDS = DAY_MS / 1_000;
/** Time at stop for uncounting the interrupted attempts. */
const UNCOUNT_MS = 1_000;

/** The module of receipts. */
export interface Receipts extends Module {
  readonly imageField: ImageField;
  readonly accept: AcceptReceipt;
  readonly readStatus: ReadReceiptStatus;
  /** For the hosted page. */
  readonly readResult: ReturnType<typeof createResultReader>;
  readonly disputes: Disputes;
  /** The names of the chains that it knows. */
  readonly shops: ReadonlySet<string>;
  /** Runs the stages of a receipt now, out of turn; for tests. Throws when it may be retried. */
  readonly runNow: (id: string) => Promise<void>;
}

/** The infrastructure of receipts, and their limits. */
export interface ReceiptAdapters {
  readonly files: Files;
  readonly examiner: ImageExaminer;
  readonly comparer: PictureComparer;
  readonly ocr: Pick<Ocr, "read" | "close">;
  /** OCR processes: receipts in progress at once. */
  readonly ocrProcesses: number;
  readonly fetchImage: UploadRouteDeps["fetchImage"];
  readonly limits: UploadLimits & ReceiptLimits;
}

/** Opens the infrastructure by the configuration. */
export function openReceiptAdapters(
  { config, log, meters }: Pick<Platform, "config" | "log" | "meters">,
  files: Files,
): ReceiptAdapters {
  const ocrProcesses = config.ocrProcesses || availableParallelism();
  const { ocrTimeoutMs: timeoutMs, ocrMemoryMb: memoryLimitMb } = config;
  return {
    files,
    examiner: createImageExaminer({ pixelsMax: config.imagePixelsMax, reserve: 1, log }),
    comparer: createPictureComparer({ log }),
    ocr: createOcr({
      processes: ocrProcesses,
      timeoutMs,
      memoryLimitMb,
      log,
      onReplaced: () => meters.count("rewards_processes_replaced_total", { kind: "ocr" }),
      modelsFolder: join(config.dataDir, "ocr-models"),
    }),
    ocrProcesses,
    fetchImage,
    limits: {
      waitingMax: config.receiptsWaitingMax,
      waitingPerApplicationMax: config.receiptsWaitingPerApplication,
      waitingPerUserMax: config.receiptsWaitingPerUser,
      imageBytesMax: config.imageBytesMax,
      imagePixelsMax: config.imagePixelsMax,
      perUserPerDayMax: config.receiptsPerUserPerDay,
      ageMaxDays: config.receiptMaxAgeDays,
    },
  };
}

/** Reads a stored image, and measures how long that takes. */
async function readStored(
  imageKey: string,
  { files, ocr }: Pick<ReceiptAdapters, "files" | "ocr">,
  meters: Meters,
): Promise<OcrPage> {
  await using image = await files.borrow(imageKey);
  const startedMs = performance.now();
  let outcome = "error";
  try {
    const page = await ocr.read({ path: image.path });
    outcome = "read";
    return page;
  } catch (error) {
    if (error instanceof OcrFailure) outcome = error.kind;
    throw error;
  } finally {
    meters.time("rewards_ocr_duration_seconds", { outcome }, (performance.now() - startedMs) / 1_000);
  }
}

export interface ReceiptsDeps extends ReceiptAdapters {
  readonly rating: Rating;
  readonly terms: ProgramTerms;
  readonly tiers: StageDeps["tiers"];
  readonly publish: StageDeps["publish"];
}

/** Creates the module of receipts: upload, the stages in the background, status and images. Closes its adapters. */
export function createReceipts(platform: Platform, deps: ReceiptsDeps): Receipts {
  const { database, log, now } = platform;
  const { files, examiner, comparer, ocr, publish, limits } = deps;
  const { testBlobHosts } = platform.config;
  const merchants = readMerchants();
  const linkKey = blobLinkKey(platform.installationKey);
  const imageField = createImageField(files, limits.imageBytesMax);
  const accepting = { ...platform, files, examineImage: examiner.examine, publish, limits };
  const acceptReceipt: AcceptReceipt = (input) => accept(accepting, input);
  const readStatus = createStatusReader({ ...platform, files, linkKey });
  const stages: StageDeps = {
    ...platform,
    ...deps.rating,
    ...deps.terms,
    tiers: deps.tiers,
    publish,
    limits,
    merchants,
    readImage: (imageKey) => readStored(imageKey, deps, platform.meters),
    purchaseKey: purchaseKey(platform.installationKey),
    compareWithEarlier: createComparison({ database, log, borrow: files.borrow, comparePictures: comparer.compare }),
  };
  const disputes = createDisputes(stages);
  const readers = createReceiptReaders(stages, deps.ocrProcesses);
  return {
    imageField,
    accept: acceptReceipt,
    readStatus,
    readResult: createResultReader(database, readStatus),
    disputes,
    shops: new Set(merchants.map(({ name }) => name)),
    runNow: readers.runNow,
    queues: { [RECEIPT_QUEUE]: QUEUE_OPTIONS },
    apiRoutes: (scope) => {
      const images = { imageField, limits, sampleImage, fetchImage: deps.fetchImage, testBlobHosts };
      uploadRoutes(scope, { ...platform, ...images, accept: acceptReceipt });
      statusRoutes(scope, { readStatus });
      const corrections = createCorrections(stages);
      const preview = createPreviews(stages, corrections.correct);
      const reviewing = createReviewing(stages);
      correctionRoutes(scope, { ...platform, ...corrections, ...reviewing, preview });
      reviewRoutes(scope, { ...platform, ...reviewing, files });
      disputeRoutes(scope, { ...platform, ...disputes });
      receiptListRoutes(scope, platform);
      readingRoutes(scope, { ...platform, merchants });
    },
    routes: (server) => blobRoutes(server, { files, linkKey, now }),
    startWork: async (jobs) => {
      const handling = { concurrency: 1, batchSize: 50, pollingIntervalSeconds: 2 };
      await jobs.work(RECEIPT_QUEUE, handling, async () => readers.wake());
      readers.start();
      jobs.everyInProcess(TEMPORARY_FILES_SECONDS, "temporary-files", async () => {
        await files.sweepTemporary(new Date(now().getTime() - HOUR_MS));
      });
      await jobs.everyAsQueuedJob(IMAGES_SECONDS, "images-without-receipt", async (signal) => {
        await sweepImages({ database: platform.background, files, now, log }, signal);
      });
      const { receiptTextDays: textDays } = platform.config;
      await jobs.everyAsQueuedJob(TEXTS_SECONDS, "texts-of-old-receipts", async (signal) => {
        await sweepTexts({ database: platform.background, textDays, now, log }, signal);
      });
    },
    drain: () => examiner.close(),
    stop: async (graceMs) => {
      await readers.stop(graceMs / 2);
      await Promise.all([ocr.close(), comparer.close()]);
      await readers.stop(UNCOUNT_MS);
    },
  };
}
