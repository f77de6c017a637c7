import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import sharp from "sharp";
import { StorageFull, createFiles } from "../../src/files.ts";
import type { Files } from "../../src/files.ts";
import { examineImage } from "../../src/images/worker/examination.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import { sampleImage } from "../../src/receipts/samples/sample-image.task.ts";
import type { Application } from "../../src/applications/application.ts";
import { findApplicationByClientId, insertApplication } from "../../src/applications/store.ts";
import { parseCatalogue } from "../../src/foods/catalogue/catalogue.ts";
import { createRater } from "../../src/foods/rating/rate.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import { apiScope } from "../../src/http/api-scope.ts";
import { createServer } from "../../src/http/server.ts";
import * as storedResponses from "../../src/idempotency/store.ts";
import type { Server } from "../../src/http/server.ts";
import { uuidv7 } from "../../src/ids.ts";
import type { ExcludedItem, Item } from "../../src/points/schema.ts";
import { toMerchantDictionary } from "../../src/receipts/parsing/header/merchants.ts";
import type { OcrPage, TextBox } from "../../src/ocr/page.ts";
import { createAcceptance } from "../../src/receipts/accept.task.ts";
import type { AcceptReceipt } from "../../src/receipts/accept.task.ts";
import { createImageField, sweepImages } from "../../src/receipts/image-uploads.task.ts";
import { createComparison } from "../../src/receipts/duplicates/compare.task.ts";
import { blobRoutes, createReceiptStatus, receiptRoutes } from "../../src/receipts/routes.ts";
import { createReceiptStages } from "../../src/receipts/stages/run.ts";
import type { ReceiptStageDeps } from "../../src/receipts/stages/run.ts";
import { enrolUser } from "../../src/users/store.ts";
import type { ExtractedData, ReceiptCheck } from "../../src/webhooks/event.ts";
import { appendEvents } from "../../src/webhooks/store.ts";
import { newApplication } from "./applications.ts";
import { checkResponsesOf, conformanceTo, documentAt } from "./conformance.ts";
import { createTestDatabase, silent } from "./database.ts";

const DATA = join(import.meta.dirname, "../../reference");
const IMAGE_BYTES_MAX = 2 * 1024 * 1024;
const IMAGE_PIXELS_MAX = 8_000_000;

export const NOW = new Date("2026-10-25T09:00:00.000Z");

/** The receipts on a private database, without a queue: a test says when a receipt is processed. */
export interface ReceiptsUnderTest {
  readonly server: Server;
  readonly database: Database;
  readonly files: Files;
  readonly dir: string;
  readonly accept: AcceptReceipt;
  readonly clock: { now: Date };
  /** Ids that jobs were sent for. */
  readonly hinted: string[];
  /** What the next images are read as; an error is thrown. */
  read: (imageKey: string) => Promise<OcrPage>;
  isDiskFull: boolean;
  /** Sets what an operator may; without arguments: nothing is limited. */
  limit(limits: { waitingMax?: number; perUserPerDayMax?: number; ageMaxDays?: number }): void;
  /** What addresses of test images lead to, piece by piece. */
  readonly testImages: Map<string, Iterable<Buffer> | AsyncIterable<Buffer>>;
  /** Of this type events cannot be written, as when the process dies there. */
  refuseEvent: string | null;
  process(id: string): Promise<void>;
  /** As `process`, as a job of the queue. */
  runJob(data: { id: string }): Promise<void>;
  /** Resolves when no job is in hand. */
  idle(graceMs: number): Promise<void>;
  sweep(): Promise<void>;
  sweepImages(): Promise<number>;
  client(isSandbox?: boolean): Promise<TestClient>;
  /** Types of the events of a receipt, in order. */
  eventsOf(id: string): Promise<Record<string, unknown>[]>;
  temporaryFiles(): string[];
  storedFiles(): string[];
  close(): Promise<void>;
}

export interface TestClient {
  readonly application: Application;
  readonly headers: Record<string, string>;
  enrol(): Promise<string>;
  /** Uploads; a member of `fields` is one field, or several. */
  upload(form: Form, query?: string): Promise<LightMyRequestResponse>;
  /** Uploads what is expected to be accepted; gives the receipt's id. */
  accepted(form: Form, query?: string): Promise<string>;
  status(id: string): Promise<Status>;
}

export interface Form {
  readonly fields: Record<string, string | string[]>;
  readonly image?: Buffer;
}

/** What tests read of a status document. */
export interface Status {
  readonly status: string;
  readonly transactionId: string;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly receiptStatusDoc: {
    readonly status: number;
    readonly uploadStateData: { blobUrl: string | null; blobName: string; receiptSource: string; errorMessage: string };
    readonly extractedStateData?: { errorMessage: string; extractedData: ExtractedData };
    readonly enrichStateData?: { errorMessage: string; businessName: string; businessID: string };
    readonly validatedStateData?: { checks: ReceiptCheck[] };
    readonly scoredStateData?: { items: Item[]; excludedItems: ExcludedItem[]; totals: object };
    readonly completedStateData?: { transactionID: string; totalPoints: number };
    readonly failedStateData?: { checks: ReceiptCheck[] };
  };
}

export async function startReceipts(): Promise<ReceiptsUnderTest> {
  const testDatabase = await createTestDatabase({ connectionsMax: 8 });
  const { database } = testDatabase;
  const dir = mkdtempSync(join(tmpdir(), "rewards-receipts-"));
  const disk = createFiles({ dir });
  const files: Files = {
    ...disk,
    put: async (key, path) => {
      if (underTest.isDiskFull) throw new StorageFull("full");
      await disk.put(key, path);
    },
  };
  const clock = { now: NOW };
  const hinted: string[] = [];
  const now = () => clock.now;
  const newId = () => uuidv7(clock.now.getTime(), randomBytes(10));
  const catalogue = parseCatalogue({
    foods: dataFile("foods.csv"),
    words: dataFile("till-abbreviations.csv"),
    brands: dataFile("brands.csv"),
  });
  const shared = {
    examineImage,
    database,
    files,
    now,
    newId,
    jobs: {
      send: async (_tx: unknown, _queue: string, data: object) => {
        hinted.push((data as { id: string }).id);
        return true;
      },
    },
    publish: async (tx: Parameters<typeof appendEvents>[0], events: Parameters<typeof appendEvents>[1]) => {
      if (events.some(({ type }) => type === underTest.refuseEvent)) throw new Error("refused");
      await appendEvents(tx, events, 0);
    },
    waitingMax: 1_000_000,
    imageField: createImageField(files, IMAGE_BYTES_MAX),
    imageBytesMax: IMAGE_BYTES_MAX,
    imagePixelsMax: IMAGE_PIXELS_MAX,
    publicUrl: "http://rewards.test",
    linkKey: randomBytes(32),
  };
  // Made once: its index takes most of a second of the processor.
  const rater = createRater(catalogue);
  const stageDeps: ReceiptStageDeps = {
    ...shared,
    readImage: (imageKey) => underTest.read(imageKey),
    compareWithEarlier: createComparison({ database, log: silent, pathOf: files.pathOf }),
    perUserPerDayMax: 0,
    ageMaxDays: 0,
    merchants: toMerchantDictionary(dataFile("merchants.jsonl")),
    raterFor: async () => () => rater,
    catalogueVersion: catalogue.version,
    log: silent,
  };
  const stages = createReceiptStages(stageDeps);
  const accept = createAcceptance(shared);
  const server = createServer({
    log: pino({ level: "silent" }),
    publicUrl: "http://rewards.test",
    newRequestId: newId,
  });
  apiScope(
    server,
    (clientId) => findApplicationByClientId(database, clientId),
    (scope) =>
      receiptRoutes(scope, {
        ...shared,
        idempotency: createIdempotency({ database, storedResponses, now, newId }),
        accept,
        status: createReceiptStatus(shared),
        sampleImage,
        fetchImage: async (url) => {
          const image = underTest.testImages.get(url);
          return image ? Readable.from(image) : null;
        },
        testBlobHosts: ["images.example.org"],
      }),
  );
  blobRoutes(server, shared);
  await server.ready();
  checkResponsesOf(server, conformanceTo(documentAt("http://rewards.test")));

  const underTest: ReceiptsUnderTest = {
    server,
    database,
    files,
    dir,
    accept,
    clock,
    hinted,
    read: () => Promise.reject(new Error("nothing to read")),
    refuseEvent: null,
    isDiskFull: false,
    limit: ({ waitingMax = 1_000_000, perUserPerDayMax = 0, ageMaxDays = 0 }) => {
      shared.waitingMax = waitingMax;
      stageDeps.perUserPerDayMax = perUserPerDayMax;
      stageDeps.ageMaxDays = ageMaxDays;
    },
    testImages: new Map(),
    process: stages.processReceipt,
    runJob: stages.runJob,
    idle: stages.idle,
    sweep: stages.sweep,
    sweepImages: () => sweepImages({ database, files, now, log: silent }),
    client: async (isSandbox = false) => {
      const { application, clientSecret } = newApplication(newId(), { isSandbox });
      await insertApplication(database, application, clock.now);
      return client(underTest, application, clientSecret, newId);
    },
    eventsOf: async (id) => {
      const statement = {
        name: "test.events-of",
        text: "SELECT body FROM events WHERE subject = $1 ORDER BY position",
      };
      const rows = await database.query<{ body: string }>(statement, [id]);
      return rows.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    },
    temporaryFiles: () => readdirSync(join(dir, "tmp")),
    storedFiles: () => readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jpg")),
    close: async () => {
      await server.close();
      await testDatabase.drop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return underTest;
}

function client(
  { server, database, clock }: ReceiptsUnderTest,
  application: Application,
  secret: string,
  newId: () => string,
): TestClient {
  const headers = { "x-client-id": application.clientId, "x-client-secret": secret };
  const upload: TestClient["upload"] = async (form, query = "") => {
    const body = new FormData();
    for (const [name, values] of Object.entries(form.fields)) {
      for (const value of [values].flat()) body.append(name, value);
    }
    if (form.image) body.append("receiptImage", new Blob([new Uint8Array(form.image)]), "../../etc/receipt.jpg");
    const request = new Request("http://x", { method: "POST", body });
    return server.inject({
      method: "POST",
      url: `/track/receipts?api-version=1.0${query}`,
      headers: { ...headers, "content-type": request.headers.get("content-type")! },
      payload: Buffer.from(await request.arrayBuffer()),
    });
  };
  return {
    application,
    headers,
    enrol: async () => {
      const email = `${randomBytes(6).toString("hex")}@example.org`;
      const enrollment = { email, firstName: "Ada", lastName: "Lovelace" };
      return (await enrolUser(database, { id: newId(), applicationId: application.id, enrollment, now: clock.now })).id;
    },
    upload,
    accepted: async (form, query) => {
      const response = await upload(form, query);
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json<{ receiptID: string }>().receiptID;
    },
    status: async (id) => {
      const url = `/track/receipts/${id}/status?api-version=1.0`;
      const response = await server.inject({ url, headers });
      if (response.statusCode !== 200) throw new Error(response.body);
      return response.json<Status>();
    },
  };
}

function dataFile(name: string): string {
  return readFileSync(join(DATA, name), "utf8");
}

/** A till receipt as its rows of print. Totals 7.40. */
export const GROCERIES = [
  "        LARKMEADOW MARKET",
  "        14 Harbour Lane",
  "       Tel 01632 960142",
  "     24/10/2026   10:41",
  "",
  "RED LENTILS 500G             1.45",
  "WHOLEMEAL BREAD 800G         1.40",
  "BEEF MINCE 500G              4.25",
  "CARRIER BAG                  0.30",
  "",
  "TOTAL                       £7.40",
  "VISA CONTACTLESS             7.40",
];

let references = 0;

/** A complete form that GROCERIES does not contradict; a change of undefined leaves a field out. */
export function formFor(userId: string, changes: Record<string, string | string[] | undefined> = {}): Form["fields"] {
  const fields = {
    userId,
    transactionId: `t-${++references}`,
    amount: "7.40",
    merchantName: "Larkmeadow Market",
    transactionTimestamp: "2026-10-24T10:41:00+01:00",
    ...changes,
  };
  return Object.fromEntries(Object.entries(fields).filter((field) => field[1] !== undefined));
}

let pictures = 0;

/** A small PNG, no two alike. */
export function picture(): Promise<Buffer> {
  pictures++;
  const background = { r: pictures % 256, g: Math.floor(pictures / 256), b: 7 };
  return sharp({ create: { width: 40, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
}

const COLUMN_PX = 12;
const ROW_PX = 30;

/** What the OCR would see of rows of print: each piece of text between two gaps is a box. */
export function pageOf(rows: readonly string[]): OcrPage {
  const boxes = rows.flatMap((row, i) =>
    [...row.matchAll(/\S+(?: \S+)*/g)].map((match): TextBox => {
      const [left, right] = [match.index * COLUMN_PX, (match.index + match[0].length) * COLUMN_PX];
      const [top, bottom] = [(i + 1) * ROW_PX, (i + 1) * ROW_PX + 22];
      const corners = [
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ].map(([x, y]) => ({ x: x!, y: y! }));
      return { polygon: corners as unknown as TextBox["polygon"], text: match[0], score: 0.98 };
    }),
  );
  return { width: 600, height: (rows.length + 3) * ROW_PX, rotation: 0, boxes };
}
