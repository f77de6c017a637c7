import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import type { LightMyRequestResponse } from "fastify";
import { pino } from "pino";
import { createFiles } from "../../src/files.ts";
import type { Database } from "../../src/postgres/postgres.ts";
import { findApplicationByClientId, insertApplication, setSuspended } from "../../src/applications/store.ts";
import { createIdempotency } from "../../src/http/idempotency.ts";
import { apiScope } from "../../src/http/api-scope.ts";
import { createServer } from "../../src/http/server.ts";
import * as storedResponses from "../../src/idempotency/store.ts";
import type { Server } from "../../src/http/server.ts";
import { uuidv7 } from "../../src/ids.ts";
import { enrolmentPageRoutes } from "../../src/pages/enrolment/routes.ts";
import { STAGES } from "../../src/pages/receipt/progress.ts";
import type { ReceiptStatus, Stage } from "../../src/pages/receipt/progress.ts";
import { receiptPageRoutes } from "../../src/pages/receipt/routes.ts";
import { pageScope } from "../../src/pages/routes.ts";
import { servicePageRoutes } from "../../src/pages/service/routes.ts";
import { Problem } from "../../src/problems.ts";
import type { AcceptReceipt, ReceiptInput } from "../../src/receipts/accept.task.ts";
import { createImageField } from "../../src/receipts/image-uploads.task.ts";
import { sessionRoutes } from "../../src/sessions/routes.ts";
import { userRoutes } from "../../src/users/routes.ts";
import { newApplication } from "./applications.ts";
import { createTestDatabase } from "./database.ts";

export const ADA = { email: "ada@example.com", firstName: "Ada", lastName: "Lovelace" };

/** A receipt that the pages handed over, with the bytes of its photo. */
export type HandedIn = Omit<ReceiptInput, "completeSession" | "image"> & { receiptId: string; bytes: Buffer };

type Status = Stage | "Completed" | "Failed";

export interface ApplicationUnderTest {
  credentials: Record<string, string>;
  suspend(): Promise<void>;
}

/** The hosted pages on a database of their own, with receipts that go no further than the test moves them. */
export interface PagesUnderTest {
  readonly server: Server;
  readonly database: Database;
  /** Of an enrolled user of the application that `call` speaks for: Ada. */
  readonly userId: string;
  readonly receipts: readonly HandedIn[];
  readonly sessionTtlSeconds: number;
  readonly imageBytesMax: number;
  now(): Date;
  advance(seconds: number): void;
  /** Calls the API: a POST when there is a body. */
  call(path: string, body?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  addApplication(settings: Partial<Settings>): Promise<ApplicationUnderTest>;
  /** Puts a receipt into a state, with what is known by then. */
  move(receiptId: string, status: Status, errorCode?: string): void;
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

/** `hostedPagesUrl` stands in the addresses of sessions; the application of `call` is a sandbox one with a logo. */
export async function startPages(
  options: { hostedPagesUrl?: string; areSamplesAllowed?: boolean } = {},
): Promise<PagesUnderTest> {
  const { hostedPagesUrl = "https://pages.example" } = options;
  const { database } = await createTestDatabase();
  const dir = mkdtempSync(join(tmpdir(), "rewards-pages-"));
  const lines: string[] = [];
  const log = pino({ level: "debug" }, new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
  let nowMs = Date.UTC(2026, 10, 21, 12);
  const now = () => new Date(nowMs);
  const newId = () => uuidv7(nowMs, randomBytes(10));

  const receipts: HandedIn[] = [];
  const statuses = new Map<string, ReceiptStatus>();
  const acceptReceipt: AcceptReceipt = async (receipt) => {
    const { completeSession, image, ...rest } = receipt;
    const bytes = readFileSync(image.path);
    if (bytes[0] !== 0xff && bytes[0] !== 0x89) {
      return { kind: "rejected", problem: new Problem("validation", { errors: { receiptImage: ["is no image"] } }) };
    }
    const receiptId = newId();
    if (!(await database.tx((tx) => completeSession?.(tx, receiptId) ?? Promise.resolve(false))))
      return { kind: "session_used" };
    receipts.push({ ...rest, receiptId, bytes });
    statuses.set(receiptId, statusDocument("Uploaded", null));
    return { kind: "accepted", receiptId };
  };

  const sessionTtlSeconds = 1800;
  const sessionDeps = { newTokenBytes: () => randomBytes(32), hostedPagesUrl, sessionTtlSeconds };
  const imageBytesMax = 1024 * 1024;
  const idempotency = createIdempotency({ database, storedResponses, now, newId });
  const server = createServer({ log, publicUrl: "https://api.example", newRequestId: newId });
  apiScope(
    server,
    (clientId) => findApplicationByClientId(database, clientId),
    (scope) => {
      userRoutes(scope, { database, idempotency, now, newId });
      sessionRoutes(scope, { idempotency, now, ...sessionDeps });
    },
  );
  const receiptStatus = async (_applicationId: string, receiptId: string) => statuses.get(receiptId) ?? null;
  pageScope(server, hostedPagesUrl, (scope, frameOf) => {
    enrolmentPageRoutes(scope, { database, now, newId }, frameOf);
    const imageField = createImageField(createFiles({ dir }), imageBytesMax);
    receiptPageRoutes(scope, { database, now, imageField, acceptReceipt, receiptStatus }, frameOf);
    const publicUrl = "https://api.example";
    const service = { version: "1.2.3", publicUrl, areSamplesAllowed: options.areSamplesAllowed ?? false };
    servicePageRoutes(scope, { database, now, newId, ...service, ...sessionDeps }, frameOf);
  });

  const addApplication = async (settings: Partial<Settings>): Promise<ApplicationUnderTest> => {
    const { application, clientSecret } = newApplication(newId(), settings);
    const { clientId } = application;
    await insertApplication(database, application, now());
    return {
      credentials: { "x-client-id": clientId, "x-client-secret": clientSecret },
      suspend: async () => {
        await setSuspended(database, clientId, now(), now());
      },
    };
  };
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
    sessionTtlSeconds,
    imageBytesMax,
    now,
    call,
    addApplication,
    userId: enrolled.json<{ user: { userID: string } }>().user.userID,
    advance: (seconds) => {
      nowMs += seconds * 1000;
    },
    move: (receiptId, status, errorCode) => {
      statuses.set(receiptId, statusDocument(status, errorCode ?? null));
    },
    temporaryFiles: () => readdirSync(join(dir, "tmp")),
    logLines: () => lines,
    stop: async () => {
      await server.close();
      await database.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The status document of a till receipt of three lines, as far as it is known in a state. */
function statusDocument(status: Status, errorCode: string | null): ReceiptStatus {
  const isKnown = (stage: Stage) =>
    status === "Completed" || STAGES.indexOf(stage) <= (status === "Failed" ? 1 : STAGES.indexOf(status));
  const rated = { healthImpactRating: 1, carbonImpactRating: 2, totalServicePoints: 9 };
  const items = ["BANANAS LOOSE", "OAT DRINK", "CARRIER BAG"].map((description) => ({ description, category: null }));
  return {
    status,
    errorCode,
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
