import { numberedKeys } from "../numbered-keys.ts";
import { rm, truncate } from "node:fs/promises";
import { StorageFull, fileKey } from "../files.ts";
import type { Files } from "../files.ts";
import { foreignFormatOf } from "../images/foreign-format.ts";
import { PHOTO_SIDES } from "../images/sniff.ts";
import type { Examination, ImageExaminer } from "../images/worker/examiner.ts";
import type { Jobs } from "../queue/jobs.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { rollback } from "../postgres/rollback.ts";
import type { Application } from "../applications/application.ts";
import { parseInstant } from "../http/formats.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import { StorageUnavailable } from "../storage-failures.ts";
import { findUser, holdProblem, holdUser } from "../users/store.ts";
import { newEvent } from "../webhooks/event.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { editorsIn, tracesOfAll } from "./checks/traces.ts";
import type { ImageTraces } from "./checks/traces.ts";
import { claimImage } from "./duplicates/claims.store.ts";
import { uploadedEvent } from "./events.ts";
import { notAPhoto, notAnImage, tooCostly, tooManyPixels } from "./image-errors.ts";
import { KEPT_LONG_SIDE_PX, RECEIPT_IMAGES, RECEIPT_QUEUE } from "./receipt.ts";
import type { NewReceipt, ReceiptSource } from "./receipt.ts";
import type { SampleOutcome } from "./samples/outcomes.ts";
import { insertReceipt, readReceipt } from "./store.ts";
import { IMAGE_FIELDS } from "./upload.ts";
import { countWaiting } from "./turns.store.ts";

export interface AcceptDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, "send">;
  readonly files: Files;
  /** Rewrites an upload in the stored form, and examines both files; see images/worker/examination.ts. */
  readonly examineImage: ImageExaminer["examine"];
  readonly now: () => Date;
  readonly newId: () => string;
  /** Writes events to the outbox, with a job for their delivery. */
  readonly publish: (tx: Tx, events: NewEvent[]) => Promise<void>;
  readonly limits: UploadLimits;
}

/** The operator's limits on uploads. */
export interface UploadLimits {
  /** Accepted receipts that are not finished, of all processes together; above it uploads get 503. */
  readonly waitingMax: number;
  /** The same of one application, and of one user: the others' uploads are accepted. */
  readonly waitingPerApplicationMax: number;
  readonly waitingPerUserMax: number;
  readonly imageBytesMax: number;
  readonly imagePixelsMax: number;
}

/** A received temporary file, with the hash of its bytes in hex. */
export interface UploadedImage {
  readonly path: string;
  readonly sha256: string;
}

/** An upload of the API or of a hosted page. The amount is in major units. */
export interface ReceiptInput {
  readonly application: Application;
  readonly userId: string;
  readonly reference: string | null;
  readonly merchantName: string | null;
  readonly amount: number | null;
  /** RFC 3339 with a zone. */
  readonly transactionTimestamp: string | null;
  /** The last four digits of the card. */
  readonly cardLastFour?: string | null;
  /** Received temporary files: photos of one receipt, mostly one. The caller removes them. */
  readonly images: readonly [UploadedImage, ...UploadedImage[]];
  readonly receiptSource: ReceiptSource;
  /** Names the hosted session, which has one upload in progress at a time. */
  readonly session?: string;
  /** Its place in a trace (W3C). */
  readonly traceparent?: string | undefined;
  /** Set if the image is a sample. */
  readonly sample?: SampleOutcome;
  /** Called in the tx that accepts. False: the session is used already, and the tx is rolled back. */
  readonly completeSession?: (tx: Tx, receiptId: string) => Promise<boolean>;
  /** Called last in that tx, to store the response. False: its Idempotency-Key is taken, and the tx is rolled back. */
  readonly storeResponse?: (tx: Tx, receiptId: string) => Promise<boolean>;
}

/**
 * The result of an upload. `isByImage`: rejected because of the image, which was examined or refused by its header; it
 * counts as a failed attempt of a hosted session.
 */
export type Acceptance =
  | { readonly kind: "accepted"; readonly receiptId: string }
  | { readonly kind: "rejected"; readonly problem: Problem; readonly isByImage: boolean }
  | { readonly kind: "session_used" }
  | { readonly kind: "key_taken" };

/** Accepts a receipt: afterwards it is Uploaded, or it doesn't exist. */
export type AcceptReceipt = (input: ReceiptInput) => Promise<Acceptance>;

/** A photo is examined in a tenth of a second, so most of those that wait are done then. */
const EXAMINER_RETRY_SECONDS = 5;
/** About ten receipts are read in this time. */
const PENDING_RETRY_SECONDS = 10;
/** The store of images is asked every three seconds whether it is back. */
const STORE_RETRY_SECONDS = 5;
/** Size of the damaged image of the sample that cannot be read. */
const DAMAGED_BYTES = 64;

/** → Uploaded: stores the images, then the receipt with its claims, event and job in one tx. */
export async function accept(deps: AcceptDeps, input: ReceiptInput): Promise<Acceptance> {
  const { database, files, now, newId } = deps;
  // Before the images are decoded, which takes most of the time.
  if (files.isAway?.()) return { kind: "rejected", problem: storeAway(), isByImage: false };
  const problem = await inputProblem(deps, input);
  if (problem) return { kind: "rejected", problem, isByImage: false };
  const id = newId();
  const imageKey = fileKey(RECEIPT_IMAGES, id);
  const imageKeys = numberedKeys(imageKey, input.images.length);
  const traces = await storeImages(deps, input, imageKeys);
  if ("problem" in traces) return { kind: "rejected", ...traces };
  const receipt = newReceipt(input, { id, imageKey, traces, acceptedAt: now() });
  try {
    const acceptance = await database.requestTx<Acceptance>(input.application.id, async (tx) => {
      const conflict = await insert(deps, tx, receipt, input);
      return conflict ? rollback(conflict) : { kind: "accepted", receiptId: id };
    });
    if (acceptance.kind !== "accepted") await removeAll(files, imageKeys);
    return acceptance;
  } catch (error) {
    // The tx may be committed even if its confirmation was lost: images are removed only if there is no receipt.
    if (await isMissing(database, id)) await removeAll(files, imageKeys);
    throw error;
  }
}

/** Returns why a receipt cannot be accepted at all; null: it can. */
async function inputProblem({ database, limits }: AcceptDeps, input: ReceiptInput): Promise<Problem | null> {
  const { application, userId } = input;
  const isEnrolled = isUuid(userId) && (await findUser(database, application.id, userId)) !== null;
  if (!isEnrolled) return holdProblem("unknown");
  return waitingProblem(database, { applicationId: application.id, userId }, limits);
}

/** Returns a problem while too many receipts wait to be read; null: there is room. */
async function waitingProblem(
  database: Database,
  owner: { applicationId: string; userId: string },
  limits: UploadLimits,
): Promise<Problem | null> {
  const max = {
    all: limits.waitingMax,
    ofApplication: limits.waitingPerApplicationMax,
    ofUser: limits.waitingPerUserMax,
  };
  const waiting = await countWaiting(database, owner, max);
  const retry = { retryAfterSeconds: PENDING_RETRY_SECONDS };
  if (waiting.all >= max.all) return new Problem("unavailable", retry);
  if (waiting.ofApplication >= max.ofApplication) {
    return new Problem("unavailable", {
      ...retry,
      detail: `${max.ofApplication} receipts of the application are waiting.`,
    });
  }
  if (waiting.ofUser >= max.ofUser) {
    return new Problem("unavailable", { ...retry, detail: `${max.ofUser} receipts of the user are waiting.` });
  }
  return null;
}

/** Why an image cannot be stored; see `Acceptance`. */
interface Refusal {
  readonly problem: Problem;
  readonly isByImage: boolean;
}

/**
 * Stores the images in their final form, one after the other: all of them or none. Returns the traces of their making,
 * the most suspicious ones, or why they cannot be stored.
 */
async function storeImages(
  deps: AcceptDeps,
  input: ReceiptInput,
  imageKeys: readonly string[],
): Promise<Refusal | ImageTraces> {
  const found: ImageTraces[] = [];
  try {
    for (const [i, image] of input.images.entries()) {
      const traces = await storeImage(deps, input, { ...image, key: imageKeys[i]!, field: IMAGE_FIELDS[i]! });
      if ("problem" in traces) return traces;
      found.push(traces);
    }
    return tracesOfAll(found);
  } finally {
    if (found.length < input.images.length) await removeAll(deps.files, imageKeys.slice(0, found.length));
  }
}

/** Removes images without a receipt. Those that cannot be removed now are removed by the sweep. */
async function removeAll(files: Pick<Files, "remove">, imageKeys: readonly string[]): Promise<void> {
  for (const key of imageKeys) {
    await files.remove(key).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailable)) throw error;
    });
  }
}

/** Stores an image in its final form. Returns the traces of its making, or why it cannot be stored. */
async function storeImage(
  { files, examineImage, limits }: AcceptDeps,
  input: ReceiptInput,
  image: UploadedImage & { readonly key: string; readonly field: string },
): Promise<Refusal | ImageTraces> {
  const { imagePixelsMax } = limits;
  const path = files.temporaryPath();
  try {
    const imageLimits = { pixelsMax: imagePixelsMax, longSideMaxPx: KEPT_LONG_SIDE_PX };
    const sender = { applicationId: input.application.id, session: input.session ?? null };
    const examined = await examineImage(image.path, path, imageLimits, sender);
    if (examined.kind !== "ok") {
      const foreignFormat = await foreignFormatOf(image.path);
      return refusalOf(examined.kind, { pixelsMax: imagePixelsMax, foreignFormat, field: image.field });
    }
    // Fails in the reader, like an image that is damaged on the disk.
    if (input.sample === "internal_error") await truncate(path, DAMAGED_BYTES);
    await files.put(image.key, path);
    const { metadata, evenShare, moirePeak } = examined.traces;
    return { editors: editorsIn(metadata), evenShare, moirePeak };
  } catch (error) {
    if (error instanceof StorageFull) return { problem: new Problem("storageFull"), isByImage: false };
    if (error instanceof StorageUnavailable) {
      // It may be stored all the same, and nobody has heard of it.
      await removeAll(files, [image.key]);
      return { problem: storeAway(), isByImage: false };
    }
    throw error;
  } finally {
    await rm(path, { force: true });
  }
}

function storeAway(): Problem {
  return new Problem("unavailable", { retryAfterSeconds: STORE_RETRY_SECONDS });
}

function refusalOf(
  kind: Exclude<Examination["kind"], "ok">,
  { pixelsMax, foreignFormat, field }: { pixelsMax: number; foreignFormat: string | null; field: string },
): Refusal {
  // What was late may be late because of the image, so the attempt counts as well.
  if (kind === "busy" || kind === "late") {
    const problem = new Problem("unavailable", { retryAfterSeconds: EXAMINER_RETRY_SECONDS });
    return { problem, isByImage: kind === "late" };
  }
  if (kind === "too_large") return { problem: tooManyPixels(pixelsMax), isByImage: true };
  const errors = {
    not_a_photo: () => notAPhoto(PHOTO_SIDES, field),
    too_costly: () => tooCostly(field),
    not_an_image: () => notAnImage(foreignFormat, field),
    unreadable: () => notAnImage(foreignFormat, field),
  }[kind]();
  return { problem: new Problem("validation", { errors }), isByImage: true };
}

function newReceipt(
  input: ReceiptInput,
  stored: Pick<NewReceipt, "id" | "imageKey" | "traces" | "acceptedAt">,
): NewReceipt {
  const { application, userId, merchantName, amount, cardLastFour = null } = input;
  const [image, ...more] = input.images;
  const instantMs = input.transactionTimestamp === null ? null : parseInstant(input.transactionTimestamp);
  const transactionTimestamp = instantMs === null ? null : new Date(instantMs).toISOString();
  return {
    ...stored,
    applicationId: application.id,
    userId,
    reference: input.reference ?? stored.id,
    source: input.receiptSource,
    declared: {
      merchantName,
      amount,
      transactionTimestamp,
      cardLastFour,
      ...(input.sample === "held" && { isHeldSample: true }),
      ...(input.traceparent !== undefined && { traceparent: input.traceparent }),
    },
    isSample: input.sample !== undefined,
    imageSha256: Buffer.from(image.sha256, "hex"),
    moreImages: more.map(({ sha256 }) => sha256),
  };
}

/** Stores a receipt with its event and job. Returns the conflict that the tx must be rolled back for; null: none. */
async function insert(
  { publish, jobs, newId }: AcceptDeps,
  tx: Tx,
  receipt: NewReceipt,
  input: ReceiptInput,
): Promise<Acceptance | null> {
  const { id, applicationId, userId, imageSha256, acceptedAt } = receipt;
  // The user may have been erased since the upload began.
  const problem = holdProblem(await holdUser(tx, applicationId, userId));
  if (problem) return { kind: "rejected", problem, isByImage: false };
  // As if another receipt of the user had the same bytes.
  if (input.sample === "already_exists") {
    await claimImage(tx, { applicationId, imageSha256, userId, receiptId: newId() });
  }
  if (input.completeSession && !(await input.completeSession(tx, id))) return { kind: "session_used" };
  await insertReceipt(tx, receipt);
  const event = uploadedEvent(receipt, acceptedAt);
  const { traceparent } = input;
  await publish(tx, [newEvent(newId(), { applicationId, userId, subject: id, traceparent }, event, acceptedAt)]);
  await jobs.send(tx, RECEIPT_QUEUE, { id }, { singletonKey: id });
  const isStored = (await input.storeResponse?.(tx, id)) ?? true;
  return isStored ? null : { kind: "key_taken" };
}

/** Whether there is surely no receipt of this id. */
async function isMissing(database: Database, id: string): Promise<boolean> {
  return (await readReceipt(database, id).catch(() => undefined)) === null;
}
