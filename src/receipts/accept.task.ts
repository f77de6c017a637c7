import { rm, truncate } from "node:fs/promises";
import { StorageFull, fileKey } from "../files.ts";
import type { Files } from "../files.ts";
import { foreignFormatOf } from "../images/foreign-format.ts";
import type { Examined } from "../images/worker/examination.ts";
import type { ImageLimits } from "../images/normalise.ts";
import type { Jobs } from "../queue/jobs.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import type { Application } from "../applications/application.ts";
import { parseInstant } from "../http/formats.ts";
import { KeyTaken } from "../idempotency/key.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import { findUser } from "../users/store.ts";
import { newEvent } from "../webhooks/event.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { editorsIn } from "./checks/traces.ts";
import type { ImageTraces } from "./checks/traces.ts";
import { claimImage } from "./duplicates/claims.store.ts";
import { uploadedEvent } from "./events.ts";
import { notAnImage, tooManyPixels } from "./image-errors.ts";
import { KEPT_LONG_SIDE_PX, RECEIPT_IMAGES, RECEIPT_QUEUE } from "./receipt.ts";
import type { NewReceipt, ReceiptSource } from "./receipt.ts";
import type { SampleOutcome } from "./samples/outcomes.ts";
import { countWaiting, insertReceipt, readReceipt } from "./store.ts";

export interface AcceptanceDeps {
  database: Database;
  jobs: Pick<Jobs, "send">;
  files: Files;
  /** Rewrites an upload as the picture that is kept, and says what both show of their making; see images/worker/examination.ts. */
  examineImage: (inputPath: string, outputPath: string, limits: ImageLimits) => Promise<Examined>;
  now: () => Date;
  newId: () => string;
  /** Writes events to the outbox, and the hint that they are due. */
  publish: (tx: Tx, events: NewEvent[]) => Promise<void>;
  /** Receipts accepted and not finished, of all processes together; beyond it: 503. */
  waitingMax: number;
  imagePixelsMax: number;
}

/** A receipt as the API or a hosted page hands it in. The amount is in major units. */
export interface ReceiptInput {
  readonly application: Application;
  readonly userId: string;
  readonly reference: string | null;
  readonly merchantName: string | null;
  readonly amount: number | null;
  /** RFC 3339 with a zone. */
  readonly transactionTimestamp: string | null;
  /** A received temporary file, which stays the caller's to remove. */
  readonly image: { readonly path: string; readonly bytes: number; readonly sha256: Buffer };
  readonly receiptSource: ReceiptSource;
  /** The image is this sample. */
  readonly sample?: SampleOutcome;
  /** Called inside the tx that accepts; false rolls it back. */
  readonly completeSession?: (tx: Tx, receiptId: string) => Promise<boolean>;
  /** Called inside that tx at its end, to keep the answer of a request's Idempotency-Key. */
  readonly storeResponse?: (tx: Tx, receiptId: string) => Promise<void>;
}

/** What became of it. */
export type Acceptance =
  | { readonly kind: "accepted"; readonly receiptId: string }
  | { readonly kind: "rejected"; readonly problem: Problem }
  | { readonly kind: "session_used" }
  | { readonly kind: "key_taken" };

/** Accepts a receipt: it is then Uploaded, or not there. */
export type AcceptReceipt = (input: ReceiptInput) => Promise<Acceptance>;

/** About ten receipts are read meanwhile. */
const WAITING_RETRY_SECONDS = 10;
/** What is left of the image of the sample that cannot be read. */
const DAMAGED_BYTES = 64;

/** Makes what accepts a receipt: the image stored first, then the receipt with its claims, its event and its job in one tx. */
export function createAcceptance(deps: AcceptanceDeps): AcceptReceipt {
  const { database, files, jobs, now, newId } = deps;

  /** Stores the image in the form that is kept and gives what the original says of its making, or why it cannot be stored. */
  const storeImage = async (input: ReceiptInput, imageKey: string): Promise<Problem | ImageTraces> => {
    const path = files.temporaryPath();
    try {
      const limits = { pixelsMax: deps.imagePixelsMax, longSideMaxPx: KEPT_LONG_SIDE_PX };
      const examined = await deps.examineImage(input.image.path, path, limits);
      if (examined.kind === "too_large") return tooManyPixels(deps.imagePixelsMax);
      if (examined.kind !== "ok") {
        return new Problem("validation", { errors: notAnImage(await foreignFormatOf(input.image.path)) });
      }
      // Stored damaged, it fails in the reader, as an image would that the disk has spoilt.
      if (input.sample === "internal_error") await truncate(path, DAMAGED_BYTES);
      await files.put(imageKey, path);
      const { metadata, evenShare, moirePeak } = examined.traces;
      return { editors: editorsIn(metadata), evenShare, moirePeak };
    } catch (error) {
      if (error instanceof StorageFull) return new Problem("storageFull");
      throw error;
    } finally {
      await rm(path, { force: true });
    }
  };

  const insert = async (tx: Tx, receipt: NewReceipt, input: ReceiptInput): Promise<void> => {
    const { id, applicationId, userId, imageSha256, acceptedAt } = receipt;
    // As if another receipt of the user had these bytes already.
    if (input.sample === "already_exists") {
      await claimImage(tx, { applicationId, imageSha256, userId, receiptId: newId() });
    }
    if (input.completeSession && !(await input.completeSession(tx, id))) throw new SessionUsed();
    await insertReceipt(tx, receipt);
    const event = uploadedEvent(receipt, acceptedAt);
    await deps.publish(tx, [newEvent(newId(), { applicationId, userId, subject: id }, event, acceptedAt)]);
    await jobs.send(tx, RECEIPT_QUEUE, { id }, { singletonKey: id });
    await input.storeResponse?.(tx, id);
  };

  return async (input) => {
    if ((await countWaiting(database, deps.waitingMax)) >= deps.waitingMax) {
      return { kind: "rejected", problem: new Problem("unavailable", { retryAfterSeconds: WAITING_RETRY_SECONDS }) };
    }
    const { application, userId, merchantName, amount, receiptSource } = input;
    if (!isUuid(userId) || !(await findUser(database, application.id, userId))) {
      const errors = { userId: ["names no enrolled user"] };
      return { kind: "rejected", problem: new Problem("validation", { errors }) };
    }
    const id = newId();
    const imageKey = fileKey(RECEIPT_IMAGES, id);
    const traces = await storeImage(input, imageKey);
    if (traces instanceof Problem) return { kind: "rejected", problem: traces };
    const instantMs = input.transactionTimestamp === null ? null : parseInstant(input.transactionTimestamp);
    const transactionTimestamp = instantMs === null ? null : new Date(instantMs).toISOString();
    const receipt: NewReceipt = {
      id,
      applicationId: application.id,
      userId,
      reference: input.reference ?? id,
      source: receiptSource,
      declared: { merchantName, amount, transactionTimestamp },
      isSample: input.sample !== undefined,
      imageKey,
      imageSha256: input.image.sha256,
      traces,
      acceptedAt: now(),
    };
    try {
      await database.tx((tx) => insert(tx, receipt, input));
    } catch (error) {
      // A commit that nobody saw may still have happened: only what is surely not there loses its image.
      const isUndone = error instanceof SessionUsed || error instanceof KeyTaken;
      if (isUndone || (await isMissing(database, id))) await files.remove(imageKey);
      if (error instanceof SessionUsed) return { kind: "session_used" };
      if (error instanceof KeyTaken) return { kind: "key_taken" };
      throw error;
    }
    return { kind: "accepted", receiptId: id };
  };
}

class SessionUsed extends Error {}

async function isMissing(database: Database, id: string): Promise<boolean> {
  return (await readReceipt(database, id).catch(() => undefined)) === null;
}
