import { rm, truncate } from "node:fs/promises";
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { StorageFull, fileKey } from "../adapters/files.ts";
import type { Files, Received } from "../adapters/files.ts";
import { foreignFormatOf } from "../adapters/foreign-format.ts";
import { strangestPatch } from "../adapters/image-compression.ts";
import { strongestWave } from "../adapters/image-grid.ts";
import { readTraces } from "../adapters/image-metadata.ts";
import { normaliseImage, sniffFile } from "../adapters/images.ts";
import type { Jobs } from "../adapters/jobs.ts";
import type { Database, Tx } from "../adapters/postgres.ts";
import type { Application } from "../applications/application.ts";
import { acceptForms, readForm } from "../http/form.ts";
import type { FormFields } from "../http/form.ts";
import { parseInstant } from "../http/formats.ts";
import { KeyTaken } from "../http/idempotency.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import type { Faults } from "../problems.ts";
import { findUser } from "../users/store.ts";
import { newEvent } from "../webhooks/event.ts";
import type { NewEvent } from "../webhooks/event.ts";
import { blobLink, isBlobLinkValid } from "./blob-link.ts";
import { claimImage } from "./claims/store.ts";
import { uploadedEvent } from "./events.ts";
import { KEPT_LONG_SIDE_PX, RECEIPT_IMAGES, RECEIPT_QUEUE } from "./receipt.ts";
import type { NewReceipt, ReceiptSource } from "./receipt.ts";
import type { SampleOutcome } from "./samples/outcomes.ts";
import { getReceiptStatus, uploadReceipt } from "./schema.ts";
import { presentStatus } from "./status.ts";
import * as store from "./store.ts";
import { readTestBlob } from "./samples/test-blob.ts";
import type { TestBlob } from "./samples/test-blob.ts";
import { editorsIn } from "./checks/traces.ts";
import type { ImageTraces } from "./checks/traces.ts";
import { IMAGE_FIELD, readUpload } from "./upload.ts";

export interface ReceiptDeps {
  database: Database;
  jobs: Pick<Jobs, "send">;
  files: Files;
  now: () => Date;
  newId: () => string;
  /** Writes events to the outbox, and the hint that they are due. */
  publish: (tx: Tx, events: NewEvent[]) => Promise<void>;
  /** Receipts accepted and not finished, of all processes together; beyond it: 503. */
  waitingMax: number;
  imageBytesMax: number;
  imagePixelsMax: number;
  publicUrl: string;
  /** Of the links to images; see `blobLinkKey`. */
  linkKey: Uint8Array;
}

export interface ReceiptRouteDeps extends ReceiptDeps {
  idempotency: Idempotency;
  accept: AcceptReceipt;
  status: ReceiptStatusOf;
  /** A sample's picture as a phone takes it; another seed gives other bytes. */
  sampleImage: (outcome: SampleOutcome, seed: number) => Promise<Buffer>;
  /** Fetches an image for a sandbox application; null when there is none to be had. */
  fetchImage: (url: string) => Promise<Readable | null>;
  testBlobHosts: readonly string[];
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
  readonly keepAnswer?: (tx: Tx, receiptId: string) => Promise<void>;
}

export type Acceptance =
  | { readonly kind: "accepted"; readonly receiptId: string }
  | { readonly kind: "rejected"; readonly problem: Problem }
  | { readonly kind: "session_used" }
  | { readonly kind: "key_taken" };

export type AcceptReceipt = (input: ReceiptInput) => Promise<Acceptance>;
export type ReceiptStatusOf = (
  applicationId: string,
  receiptId: string,
) => Promise<ReturnType<typeof presentStatus> | null>;

/** Uploads in hand at once: each may hold an image of the largest size on the disk. */
const UPLOADS_MAX = 64;
/** About ten receipts are read meanwhile. */
const WAITING_RETRY_SECONDS = 10;
/** What is left of the image of the sample that cannot be read. */
const DAMAGED_BYTES = 64;

/** Upload and status of receipts, inside the API. */
export function receiptRoutes(server: Server, deps: ReceiptRouteDeps): void {
  const { database, idempotency } = deps;
  let uploads = 0;

  const upload = async (request: FastifyRequest, reply: FastifyReply): Promise<UploadedBody> => {
    const { application } = request;
    const { fields, file } = await readForm(request, {
      name: IMAGE_FIELD,
      receive: (stream) => receiveImage(deps, stream),
      discard: removeReceived,
    });
    const temporary: Received[] = file ? [file] : [];
    try {
      const form = readUpload(fields);
      const faults: Faults = "faults" in form ? form.faults : {};
      const blob = readTestBlob((request.query as Record<string, unknown>)["testBlobUri"], {
        isSandbox: application.isSandbox,
        hosts: deps.testBlobHosts,
      });
      if (blob.kind === "fault") faults["testBlobUri"] = [blob.fault];
      // In place of the uploaded image, whatever that is.
      if (blob.kind === "none") Object.assign(faults, await imageFaults(deps, file, faults));
      const userId = fields.get("userId")?.[0]?.text ?? "";
      if (!("userId" in faults) && !(isUuid(userId) && (await findUser(database, application.id, userId)))) {
        faults["userId"] = ["names no enrolled user"];
      }
      if (Object.keys(faults).length > 0 || "faults" in form) throw new Problem("validation", { faults });

      const keyed = idempotency.keyed(request, contentOf(fields, file));
      const before = keyed && (await idempotency.replay<UploadedBody>(keyed, reply));
      if (before) return before;

      const given = blob.kind === "sample" || blob.kind === "address" ? await testImage(deps, blob) : file;
      if (given?.kind !== "ok") throw new Error("an upload without faults has an image");
      if (given !== file) temporary.push(given);
      const { reference, declared } = form;
      const outcome = await deps.accept({
        application,
        userId,
        reference,
        ...declared,
        image: { path: given.path, bytes: given.bytes, sha256: Buffer.from(given.sha256, "hex") },
        receiptSource: "api",
        ...(blob.kind === "sample" && { sample: blob.outcome }),
        ...(keyed && {
          keepAnswer: (tx: Tx, receiptId: string) =>
            idempotency.keep(tx, keyed, 200, { answer: uploadedBody(receiptId), userId }),
        }),
      });
      if (outcome.kind === "key_taken") return await idempotency.replayTaken<UploadedBody>(keyed!, reply);
      if (outcome.kind === "rejected") throw outcome.problem;
      if (outcome.kind === "session_used") throw new Error("an upload by the API has no session");
      return uploadedBody(outcome.receiptId);
    } finally {
      for (const received of temporary) await removeReceived(received);
    }
  };

  void server.register(async (scope) => {
    await acceptForms(scope);
    scope.post(uploadReceipt.path, routeOf(uploadReceipt), async (request, reply) => {
      if (uploads >= UPLOADS_MAX) throw new Problem("unavailable", { retryAfterSeconds: 2 });
      uploads++;
      try {
        return await upload(request, reply);
      } catch (error) {
        // What the client still sends of the form is not worth a connection.
        if (!request.raw.complete) reply.header("connection", "close");
        throw error;
      } finally {
        uploads--;
      }
    });
  });

  server.get(getReceiptStatus.path, routeOf(getReceiptStatus), async (request) => {
    const status = await deps.status(request.application.id, request.params.id);
    if (!status) throw new Problem("notFound");
    return status;
  });
}

/** The images behind the signed links of status documents; the link is all that it takes. */
export function blobRoutes(server: Server, { files, linkKey, now }: ReceiptDeps): void {
  server.get("/files/*", async (request, reply) => {
    const imageKey = (request.params as { "*": string })["*"];
    const { expires, signature } = request.query as Record<string, unknown>;
    if (typeof expires !== "string" || typeof signature !== "string") throw new Problem("notFound");
    if (!isBlobLinkValid(linkKey, imageKey, { expires, signature }, now())) throw new Problem("notFound");
    const image = await files.open(imageKey);
    if (!image) throw new Problem("notFound");
    return reply.type("image/jpeg").header("cache-control", "private, no-store").send(image);
  });
}

/** Makes what accepts a receipt: the image stored first, then the receipt with its claims, its event and its job in one tx. */
export function createAcceptance(deps: ReceiptDeps): AcceptReceipt {
  const { database, files, jobs, now, newId } = deps;

  /** Stores the image in the form that is kept and gives what the original says of its making, or why it cannot be stored. */
  const storeImage = async (input: ReceiptInput, imageKey: string): Promise<Problem | ImageTraces> => {
    const path = files.temporaryPath();
    try {
      const limits = { pixelsMax: deps.imagePixelsMax, longSideMaxPx: KEPT_LONG_SIDE_PX };
      const normalised = await normaliseImage(input.image.path, path, limits);
      if (normalised.kind === "too_large") return tooManyPixels(deps);
      if (normalised.kind !== "ok") return new Problem("validation", { faults: await notAnImage(input.image.path) });
      const { metadata, evenShare } = await readTraces(input.image.path, path);
      const wave = await strongestWave(path);
      // In the file as it came: what is kept was compressed once more.
      const patch = await strangestPatch(input.image.path);
      // Stored damaged, it fails in the reader, as an image would that the disk has spoilt.
      if (input.sample === "internal_error") await truncate(path, DAMAGED_BYTES);
      await files.put(imageKey, path);
      return { editors: editorsIn(metadata), evenShare, wave, ...(patch && { patch: patch.evidence }) };
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
    await store.insertReceipt(tx, receipt);
    const event = uploadedEvent(receipt, acceptedAt);
    await deps.publish(tx, [newEvent(newId(), { applicationId, userId, subject: id }, event, acceptedAt)]);
    await jobs.send(tx, RECEIPT_QUEUE, { id }, { singletonKey: id });
    await input.keepAnswer?.(tx, id);
  };

  return async (input) => {
    if ((await store.countWaiting(database, deps.waitingMax)) >= deps.waitingMax) {
      return { kind: "rejected", problem: new Problem("unavailable", { retryAfterSeconds: WAITING_RETRY_SECONDS }) };
    }
    const { application, userId, merchantName, amount, receiptSource } = input;
    if (!isUuid(userId) || !(await findUser(database, application.id, userId))) {
      const faults = { userId: ["names no enrolled user"] };
      return { kind: "rejected", problem: new Problem("validation", { faults }) };
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

/** Makes what shows the status document of a receipt to its application. */
export function createReceiptStatus(deps: ReceiptDeps): ReceiptStatusOf {
  const { database, publicUrl, linkKey, now } = deps;
  return async (applicationId, receiptId) => {
    const receipt = isUuid(receiptId) ? await store.findReceipt(database, applicationId, receiptId) : null;
    if (!receipt) return null;
    const findings = await store.readFindings(database, receipt);
    return presentStatus(receipt, findings, blobLink({ baseUrl: publicUrl, linkKey }, receipt.imageKey, now()));
  };
}

class SessionUsed extends Error {}

interface UploadedBody {
  readonly receiptID: string;
  readonly message: string;
}

function uploadedBody(receiptID: string): UploadedBody {
  return { receiptID, message: "The receipt was received and is being processed." };
}

/** What a form says, whatever the boundary between its parts and their order: a repeated upload has another boundary. */
function contentOf(fields: FormFields, file: Received | null): string {
  const texts = [...fields].map(([name, values]) => [name, ...values.map(({ text }) => text)]);
  return JSON.stringify([texts.toSorted(([a], [b]) => (a! < b! ? -1 : 1)), file?.kind === "ok" ? file.sha256 : null]);
}

async function notAnImage(path: string): Promise<Faults> {
  const format = await foreignFormatOf(path);
  const hint = format === null ? "" : `; this is ${format}, which has to be converted before it is sent`;
  return { [IMAGE_FIELD]: [`must be a complete JPEG or PNG image${hint}`] };
}

async function isMissing(database: Database, id: string): Promise<boolean> {
  return (await store.readReceipt(database, id).catch(() => undefined)) === null;
}

async function receiveImage({ files, imageBytesMax }: ReceiptDeps, stream: Readable): Promise<Received> {
  try {
    return await files.receive(stream, { bytesMax: imageBytesMax });
  } catch (error) {
    throw error instanceof StorageFull ? new Problem("storageFull") : error;
  }
}

async function removeReceived(received: Received): Promise<void> {
  if (received.kind === "ok") await rm(received.path, { force: true });
}

/** What is wrong with the uploaded image by its size and its header; a fault that is known already stays. */
async function imageFaults(deps: ReceiptDeps, file: Received | null, known: Faults): Promise<Faults> {
  if (IMAGE_FIELD in known) return {};
  if (!file) return { [IMAGE_FIELD]: ["is required"] };
  if (file.kind === "too_large") {
    throw new Problem("payloadTooLarge", { detail: `The image has more than ${deps.imageBytesMax} bytes.` });
  }
  const sniffed = await sniffFile(file.path, { pixelsMax: deps.imagePixelsMax });
  if (sniffed.kind === "too_large") throw tooManyPixels(deps);
  return sniffed.kind === "ok" ? {} : notAnImage(file.path);
}

function tooManyPixels({ imagePixelsMax }: ReceiptDeps): Problem {
  return new Problem("payloadTooLarge", { detail: `The image has more than ${imagePixelsMax} pixels.` });
}

/** The image that a sandbox application asked for. */
async function testImage(deps: ReceiptRouteDeps, blob: TestBlob): Promise<Received> {
  const stream =
    blob.kind === "sample"
      ? Readable.from([await deps.sampleImage(blob.outcome, seedFrom(deps.newId()))])
      : await deps.fetchImage(blob.url);
  const received =
    stream &&
    (await receiveImage(deps, stream).catch((error: unknown) => {
      // An address whose answer breaks off leads to no image either.
      if (blob.kind === "address" && !(error instanceof Problem)) return null;
      throw error;
    }));
  if (received?.kind !== "ok") {
    throw new Problem("validation", { faults: { testBlobUri: ["leads to no image within the limits"] } });
  }
  return received;
}

/** Every upload of a sample is a picture of its own: the same bytes twice would be the same receipt twice. */
function seedFrom(id: string): number {
  return Number.parseInt(id.slice(-8), 16);
}
