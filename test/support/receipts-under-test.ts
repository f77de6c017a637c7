import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { Readable } from "node:stream";
import { pino } from "pino";
import { StorageFull, createFiles } from "../../src/files.ts";
import type { FolderFiles } from "../../src/files.ts";
import type { PictureComparer } from "../../src/images/compare/comparer.ts";
import { comparePictures } from "../../src/images/compare/features.ts";
import { examineImage } from "../../src/images/worker/examination.ts";
import type { ImageExaminer } from "../../src/images/worker/examiner.ts";
import type { Database, Tx } from "../../src/postgres/postgres.ts";
import type { Jobs } from "../../src/queue/jobs.ts";
import { insertApplication } from "../../src/applications/store.ts";
import type { Rating } from "../../src/foods/module.ts";
import { readCatalogue } from "../../src/foods/catalogue/store.ts";
import { createRater } from "../../src/foods/rating/rate.ts";
import { readEnv, toConfig } from "../../src/config.ts";
import { apiScope } from "../../src/http/api-scope.ts";
import { createServer } from "../../src/http/server.ts";
import type { Server } from "../../src/http/server.ts";
import { createIdempotencyKeys } from "../../src/idempotency/module.ts";
import { uuidv7 } from "../../src/ids.ts";
import type { Module } from "../../src/module.ts";
import type { OcrImage } from "../../src/ocr/ocr.ts";
import type { OcrPage } from "../../src/ocr/page.ts";
import { createPressure } from "../../src/queue/pressure.ts";
import { createReceipts } from "../../src/receipts/module.ts";
import type { AcceptReceipt } from "../../src/receipts/accept.task.ts";
import { sweepImages } from "../../src/receipts/sweep-images.task.ts";
import { randomness } from "../../src/receipts/samples/seeded-noise.ts";
import type { NewEvent } from "../../src/webhooks/event.ts";
import { appendEvents } from "../../src/webhooks/outbox.store.ts";
import { withBody } from "../../src/webhooks/stored-body.ts";
import { callersIn, newApplication } from "./applications.ts";
import { checkResponsesOf, conformanceAt } from "./conformance.ts";
import { createTestDatabase, silent } from "./database.ts";
import { receiptsClient } from "./receipts-client.ts";
import type { TestClient } from "./receipts-client.ts";
import { NO_PROGRAMS } from "./terms.ts";
import { NO_METERS } from "../../src/meters.ts";
import { shippedMatcherOf } from "../../src/foods/matching/learned/store.ts";

const IMAGE_BYTES_MAX = 2 * 1024 * 1024;
const IMAGE_PIXELS_MAX = 8_000_000;
const NO_LIMITS = {
  waitingMax: 1_000_000,
  waitingPerApplicationMax: 1_000_000,
  waitingPerUserMax: 1_000_000,
  perUserPerDayMax: 0,
  ageMaxDays: 0,
};
const PROGRAMS = { terms: NO_PROGRAMS, tiers: NO_PROGRAMS.tiers };
const PUBLIC_URL = "http://rewards.test";

export const NOW = new Date("2026-10-25T09:00:00.000Z");

/** The module of receipts on a private database, without a queue: a test decides when a receipt is processed. */
export interface ReceiptsUnderTest {
  readonly server: Server;
  readonly database: Database;
  readonly files: FolderFiles;
  readonly dir: string;
  readonly accept: AcceptReceipt;
  readonly clock: { now: Date };
  /** Receipt ids of the sent jobs. */
  readonly sentJobs: string[];
  /** Reads the next images, in place of the OCR. */
  read: (imageKey: string) => Promise<OcrPage>;
  isDiskFull: boolean;
  /** Sets the operator's limits. A limit that is left out is lifted. */
  limit(limits: Partial<typeof NO_LIMITS>): void;
  /** Test images by their address, in chunks. */
  readonly testImages: Map<string, Iterable<Buffer> | AsyncIterable<Buffer>>;
  /** Writing events of this type fails, as if the process ended there. */
  refuseEvent: string | null;
  /** Called in the tx of a stage before it writes an event. */
  beforeEvent: (type: string) => Promise<void>;
  /** Runs the job of a receipt. */
  process(id: string): Promise<void>;
  /** Stops the module: waits for the jobs in progress. */
  stop(): Promise<void>;
  sweepImages(): Promise<number>;
  client(isSandbox?: boolean): Promise<TestClient>;
  /** Returns the events of a receipt, in order. */
  eventsOf(id: string): Promise<Record<string, unknown>[]>;
  temporaryFiles(): string[];
  storedFiles(): string[];
  close(): Promise<void>;
}

/** Examines uploads in this process. */
const EXAMINED_HERE: ImageExaminer = {
  examine: (inputPath, outputPath, limits) => examineImage(inputPath, outputPath, limits),
  close: async () => {},
};

/** Compares stored pictures in this process. */
const COMPARED_HERE: PictureComparer = {
  compare: async ({ from, to, map, places }) => {
    try {
      return { kind: "compared", places: await comparePictures(from, to, map, places) };
    } catch (error) {
      return { kind: "failed", reason: String(error) };
    }
  },
  close: async () => {},
};

const DEFAULTS = {
  examiner: EXAMINED_HERE,
  comparer: COMPARED_HERE,
  imageBytesMax: IMAGE_BYTES_MAX,
  imagePixelsMax: IMAGE_PIXELS_MAX,
};

/** Starts the module of receipts, by default with small limits of images. */
export async function startReceipts(options: Partial<typeof DEFAULTS> = {}): Promise<ReceiptsUnderTest> {
  const { examiner, comparer, ...imageLimits } = { ...DEFAULTS, ...options };
  const testDatabase = await createTestDatabase({ connectionsMax: 8 });
  const { database } = testDatabase;
  const dir = mkdtempSync(join(tmpdir(), "rewards-receipts-"));
  const files = fillableFiles(dir, () => underTest.isDiskFull);
  const clock = { now: NOW };
  const now = () => clock.now;
  const newId = seededIds(clock);
  const { jobs, sentJobs } = fakeJobs();
  const { idempotency } = createIdempotencyKeys({ database, now, newId });
  const limits = { ...NO_LIMITS, ...imageLimits };
  const config = toConfig(readEnv({ TEST_BLOB_HOSTS: "images.example.org" }));
  const addresses = { publicUrl: PUBLIC_URL, hostedPagesUrl: PUBLIC_URL };
  const storage = { database, background: database, jobs, pressure: createPressure(() => now().getTime()) };
  const platform = { config, ...addresses, ...storage, idempotency, installationKey: randomBytes(32), now, newId };
  const receipts = createReceipts(
    { ...platform, log: silent, meters: NO_METERS, tracing: null },
    {
      rating: testRating(),
      ...PROGRAMS,
      publish: (tx, events) => publish(underTest, tx, events),
      files,
      examiner,
      comparer,
      ocr: { read: (image) => underTest.read(imageKeyOf(dir, image)), close: async () => {} },
      ocrProcesses: 0, // none is claimed by turn: a test decides when a receipt is processed
      fetchImage: async (url) => {
        const image = underTest.testImages.get(url);
        return image ? Readable.from(image) : null;
      },
      limits,
    },
  );
  await receipts.startWork!(jobs);
  const server = await serve(receipts, database, newId);

  const underTest: ReceiptsUnderTest = {
    server,
    database,
    files,
    dir,
    accept: receipts.accept,
    clock,
    sentJobs,
    read: () => Promise.reject(new Error("nothing to read")),
    refuseEvent: null,
    beforeEvent: async () => {},
    isDiskFull: false,
    limit: (changes) => void Object.assign(limits, NO_LIMITS, changes),
    testImages: new Map(),
    process: receipts.runNow,
    stop: () => receipts.stop!(60_000),
    sweepImages: () => sweepImages({ database, files, now, log: silent }),
    client: async (isSandbox = false) => {
      const { application, clientSecret } = newApplication(newId(), { isSandbox });
      await insertApplication(database, application, clock.now);
      return receiptsClient(underTest, application, clientSecret, newId);
    },
    eventsOf: (id) => eventsOf(database, id),
    temporaryFiles: () => readdirSync(join(dir, "tmp")),
    storedFiles: () => readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jpg")),
    close: async () => {
      await Promise.all([server.close(), receipts.stop!(0)]);
      await testDatabase.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return underTest;
}

async function publish(
  { refuseEvent, beforeEvent }: Pick<ReceiptsUnderTest, "refuseEvent" | "beforeEvent">,
  tx: Tx,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.some(({ type }) => type === refuseEvent)) throw new Error("refused");
  for (const { type } of events) await beforeEvent(type);
  await appendEvents(tx, events, { firstWaitSeconds: 0, lease: null });
}

/** Makes ids of one seed. A sample photo is drawn from its id: the same photo in every run, none misread by chance. */
function seededIds(clock: { readonly now: Date }): () => string {
  const random = randomness(1);
  return () =>
    uuidv7(
      clock.now.getTime(),
      Uint8Array.from({ length: 10 }, () => Math.floor(256 * random())),
    );
}

/** Files on a disk that is full while `isFull` says so. */
function fillableFiles(dir: string, isFull: () => boolean): FolderFiles {
  const disk = createFiles({ dir });
  return {
    ...disk,
    put: async (key, path) => {
      if (isFull()) throw new StorageFull("full");
      await disk.put(key, path);
    },
  };
}

/** Starts a server with the routes of one module. Its responses are held to the OpenAPI document. */
async function serve(module: Module, database: Database, newId: () => string): Promise<Server> {
  const server = createServer({ log: pino({ level: "silent" }), publicUrl: PUBLIC_URL, newRequestId: newId });
  apiScope(server, callersIn(database), (scope) => module.apiRoutes!(scope));
  module.routes!(server);
  await server.ready();
  checkResponsesOf(server, conformanceAt(PUBLIC_URL));
  return server;
}

/** Jobs without a queue: records the sent ones. Nothing runs. */
function fakeJobs() {
  const sentJobs: string[] = [];
  const jobs: Pick<Jobs, "send" | "work" | "everyInProcess" | "everyAsQueuedJob"> = {
    send: async (_tx, _queue, data) => {
      sentJobs.push((data as { id: string }).id);
      return true;
    },
    work: async () => {},
    everyInProcess: () => {},
    everyAsQueuedJob: async () => {},
  };
  return { jobs: jobs as Jobs, sentJobs };
}

/** Rates by the shipped catalogue alone, without an application's own foods. */
function testRating(): Rating {
  const catalogue = readCatalogue();
  const rater = createRater(catalogue, shippedMatcherOf(catalogue));
  return { raterFor: async () => () => rater, catalogueVersion: catalogue.version };
}

function imageKeyOf(dir: string, image: OcrImage): string {
  if (!("path" in image)) throw new Error("receipts are read from their stored images");
  return relative(dir, image.path);
}

async function eventsOf(database: Database, id: string): Promise<Record<string, unknown>[]> {
  const statement = {
    name: "test.events-of",
    text: `SELECT user_id AS "userId", subject, body, packed, created_at AS "createdAt" FROM events
           WHERE subject = $1 ORDER BY position`,
  };
  const rows = await database.query<Parameters<typeof withBody>[0]>(statement, [id]);
  return rows.map((row) => JSON.parse(withBody(row).body) as Record<string, unknown>);
}
