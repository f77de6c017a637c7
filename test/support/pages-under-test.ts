import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { createApp } from "../../src/app.ts";
import { insertApplication, setSuspended } from "../../src/applications/store.ts";
import { readEnv, toConfig } from "../../src/config.ts";
import type { Server } from "../../src/http/server.ts";
import { uuidv7 } from "../../src/ids.ts";
import type { PageReceipts } from "../../src/pages/module.ts";
import { STAGES } from "../../src/pages/receipt/progress.ts";
import type { ReceiptStatus, Stage } from "../../src/pages/receipt/progress.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import { Problem } from "../../src/problems.ts";
import type { ReceiptInput } from "../../src/receipts/accept.task.ts";
import { DISPUTES_MAX } from "../../src/receipts/disputes/dispute.ts";
import { shownValue } from "../../src/receipts/disputing/proposal.ts";
import type { Dispute } from "../../src/receipts/disputes/dispute.ts";
import type { ShownReceipt } from "../../src/receipts/disputing/shown.ts";
import { newApplication } from "./applications.ts";
import { createTestDatabase } from "./database.ts";
import { newDataDir } from "./kept-files.ts";

export const ADA = { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" };

/** A receipt that a page has submitted, with the bytes of its photo. */
export type SubmittedReceipt = Omit<ReceiptInput, "completeSession" | "images"> & {
  receiptId: string;
  bytes: Buffer;
  /** Of the further photos. */
  more: Buffer[];
};

type Status = Stage | "Held" | "Completed" | "Failed";

export interface ApplicationUnderTest {
  credentials: Record<string, string>;
  suspend(): Promise<void>;
}

/** The whole service on a database of its own; but the pages' receipts are only advanced by the test. */
export interface PagesUnderTest {
  readonly server: Server;
  readonly database: Database;
  /** Id of Ada, an enrolled user of the application that `call` uses. */
  readonly userId: string;
  readonly receipts: readonly SubmittedReceipt[];
  readonly sessionTtlSeconds: number;
  readonly imageBytesMax: number;
  now(): Date;
  advance(seconds: number): void;
  /** Calls the API: a POST if there is a body. */
  call(path: string, body?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  addApplication(settings: Partial<Settings>): Promise<ApplicationUnderTest>;
  /** Sets the state of a receipt, with the findings up to it. */
  move(receiptId: string, status: Status, errorCode?: string): void;
  /** Makes the receipts refuse every photo, as if too much work was waiting. */
  failUploads(isFailing: boolean): void;
  /** Sets the number of lines that the pages of disputes show; 3 at first. */
  setLines(count: number): void;
  /** The disputes that were opened on the pages. */
  disputes(): readonly Dispute[];
  /** Decides on the dispute with this index. */
  decide(index: number, decision: Pick<Dispute, "state" | "reason">): void;
  temporaryFiles(): string[];
  logLines(): readonly string[];
  stop(): Promise<void>;
}

interface Settings {
  name: string;
  isSandbox: boolean;
  logoUrl: string | null;
  redirectUri: string | null;
  redirectAllowList: string[];
  accentColour: string | null;
}

const SESSION_TTL_SECONDS = 1800;
const IMAGE_BYTES_MAX = 1024 * 1024;

/** Starts the service. The application of `call` is a sandbox one with a logo. */
export async function startPages(
  options: { hostedPagesUrl?: string; areSamplesAllowed?: boolean } = {},
): Promise<PagesUnderTest> {
  const { hostedPagesUrl = "https://pages.example", areSamplesAllowed = false } = options;
  const { database } = await createTestDatabase();
  const dataDir = newDataDir("rewards-pages-");
  const lines: string[] = [];
  const log = pino({ level: "debug" }, new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
  let nowMs = Date.UTC(2026, 10, 21, 12);
  const now = () => new Date(nowMs);
  const newId = () => uuidv7(nowMs, randomBytes(10));
  const { receipts, pageReceipts, controls } = fakeReceipts(database, newId);
  const env = {
    DATA_DIR: dataDir,
    HOSTED_PAGES_URL: hostedPagesUrl,
    SESSION_TTL_SECONDS: String(SESSION_TTL_SECONDS),
    IMAGE_BYTES_MAX: String(IMAGE_BYTES_MAX),
    SAMPLE_PAGES: String(areSamplesAllowed),
  };
  const config = toConfig(readEnv(env));
  const app = await createApp({
    config,
    publicUrl: "https://api.example",
    database,
    log,
    isWorker: false,
    now,
    pageReceipts,
  });
  const { server } = app;

  const addApplication: PagesUnderTest["addApplication"] = (settings) =>
    applicationUnderTest(database, newApplication(newId(), settings), now);
  const own = await addApplication({
    name: "Green Basket",
    isSandbox: true,
    logoUrl: "https://logo.example/basket.svg",
  });
  const call: PagesUnderTest["call"] = (path, body, headers = {}) =>
    server.inject({
      method: body ? "POST" : "GET",
      url: `${path}?api-version=1.0`,
      headers: { ...own.credentials, ...headers },
      ...(body && { payload: body }),
    });
  const enrolled = await call("/users/enroll", ADA);

  return {
    server,
    database,
    receipts,
    sessionTtlSeconds: SESSION_TTL_SECONDS,
    imageBytesMax: IMAGE_BYTES_MAX,
    now,
    call,
    addApplication,
    userId: enrolled.json<{ user: { userID: string } }>().user.userID,
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
    ...controls,
    temporaryFiles: () => readdirSync(join(dataDir, "files/tmp")),
    logLines: () => lines,
    stop: async () => {
      await app.stop(1_000);
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function applicationUnderTest(
  database: Database,
  { application, clientSecret }: ReturnType<typeof newApplication>,
  now: () => Date,
): Promise<ApplicationUnderTest> {
  const { clientId } = application;
  await insertApplication(database, application, now());
  return {
    credentials: { "x-client-id": clientId, "x-client-secret": clientSecret },
    suspend: async () => {
      await setSuspended(database, clientId, now(), now());
    },
  };
}

/** Receipts without OCR and stages: accepted as they are, and advanced by the test alone. */
function fakeReceipts(database: Database, newId: () => string) {
  const receipts: SubmittedReceipt[] = [];
  const statuses = new Map<string, ReceiptStatus>();
  let isFailing = false;
  let shown = SHOWN;
  /** Of the receipt that was sent last. */
  let disputes: Dispute[] = [];
  const pageReceipts: Pick<PageReceipts, "accept" | "readResult" | "disputes"> = {
    disputes: {
      read: async () => ({ shown, disputes, isFull: disputes.length >= DISPUTES_MAX }),
      open: async (_target, dispute) => {
        const id = newId();
        const decision = { state: "open", decidedAt: null, reason: null, correctionId: null } as const;
        disputes.push({ ...dispute, ...decision, id, shown: shownValue(shown, dispute), openedAt: new Date(0) });
        return "opened";
      },
    },
    accept: async ({ completeSession, images, ...rest }) => {
      if (isFailing) {
        const problem = new Problem("unavailable", { retryAfterSeconds: 1 });
        return { kind: "rejected", problem, isByImage: false };
      }
      const bytes = readFileSync(images[0].path);
      if (bytes[0] !== 0xff && bytes[0] !== 0x89) {
        const problem = new Problem("validation", { errors: { receiptImage: ["is no image"] } });
        return { kind: "rejected", problem, isByImage: true };
      }
      const receiptId = newId();
      const isCompleted = await database.tx((tx) => completeSession?.(tx, receiptId) ?? Promise.resolve(false));
      if (!isCompleted) return { kind: "session_used" };
      disputes = [];
      const more = images.slice(1).map(({ path }) => readFileSync(path));
      receipts.push({ ...rest, receiptId, bytes, more });
      statuses.set(receiptId, statusDocument("Uploaded", null));
      return { kind: "accepted", receiptId };
    },
    readResult: async (_applicationId, receiptId) => statuses.get(receiptId) ?? null,
  };
  const move: PagesUnderTest["move"] = (receiptId, status, errorCode) => {
    statuses.set(receiptId, statusDocument(status, errorCode ?? null));
  };
  const failUploads: PagesUnderTest["failUploads"] = (failing) => {
    isFailing = failing;
  };
  const setLines: PagesUnderTest["setLines"] = (count) => {
    const lines = Array.from({ length: count }, (_, i) => ({ ...SHOWN.lines[i % 3]!, id: `${LINE_ID}-${i + 1}` }));
    shown = { ...SHOWN, lines };
  };
  const decide: PagesUnderTest["decide"] = (index, decision) => {
    disputes[index] = { ...disputes[index]!, ...decision };
  };
  return { receipts, pageReceipts, controls: { move, failUploads, setLines, decide, disputes: () => disputes } };
}

/** A line's id is that of its receipt with its number. */
const LINE_ID = "019ab8f2-1c5d-7c3e-9f60-0123456789ab";

/** The receipt of the status document as the disputes' pages show it. */
const SHOWN: ShownReceipt = {
  merchantName: "Corner Shop",
  date: "2026-11-20",
  time: null,
  total: 4.1,
  currency: "GBP",
  lines: [
    { id: "r-1", name: "Bananas", quantity: 0.6, totalPrice: 0.8, points: 9 },
    { id: "r-2", name: "Oat drink", quantity: 2, totalPrice: 3.2, points: 5 },
    { id: "r-3", name: "Carrier bag", quantity: 1, totalPrice: 0.1, points: null },
  ],
};

/** The status document of a till receipt of three lines, with the findings up to a state. */
function statusDocument(state: Status, errorCode: string | null): ReceiptStatus {
  const status = state === "Held" ? "Validated" : state;
  const isKnown = (stage: Stage) =>
    status === "Completed" || STAGES.indexOf(stage) <= (status === "Failed" ? 1 : STAGES.indexOf(status));
  const rated = { healthImpactRating: 1, carbonImpactRating: 2, totalServicePoints: 9 };
  const items = ["BANANAS LOOSE", "OAT DRINK", "CARRIER BAG"].map((description) => ({ description, category: null }));
  return {
    status,
    errorCode,
    held: state === "Held",
    receiptStatusDoc: {
      uploadStateData: {},
      ...(isKnown("Extracted") && {
        extractedStateData: {
          extractedData: {
            merchantName: "CORNER SHOP LTD",
            currency: "GBP",
            total: 4.1,
            transactionDate: "2026-11-20",
            items,
          },
        },
      }),
      ...(isKnown("Enriched") && { enrichStateData: { businessName: "Corner Shop" } }),
      ...(isKnown("Validated") && { validatedStateData: {} }),
      ...(isKnown("Scored") && {
        scoredStateData: {
          items: [
            { name: "Bananas", ...rated },
            { name: "Oat drink", ...rated, healthImpactRating: 3, totalServicePoints: 5 },
          ],
          excludedItems: [{ name: "Carrier bag" }],
        },
      }),
      ...(status === "Completed" && { completedStateData: { totalPoints: 14 } }),
    },
  };
}
