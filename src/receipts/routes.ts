import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Files, Received } from "../files.ts";
import { foreignFormatOf } from "../images/foreign-format.ts";
import { sniffFile } from "../images/sniff.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { acceptForms, readForm } from "../http/form.ts";
import type { FormFields } from "../http/form.ts";
import type { Idempotency } from "../http/idempotency.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { findUser } from "../users/store.ts";
import type { AcceptReceipt } from "./accept.task.ts";
import { blobLink, isBlobLinkValid } from "./blob-link.ts";
import { notAnImage, tooManyPixels } from "./image-errors.ts";
import type { ImageField } from "./image-uploads.task.ts";
import type { SampleOutcome } from "./samples/outcomes.ts";
import { getReceiptStatus, uploadReceipt } from "./schema.ts";
import { presentStatus } from "./status.ts";
import * as store from "./store.ts";
import { readTestBlob } from "./samples/test-blob.ts";
import type { TestBlob } from "./samples/test-blob.ts";
import { IMAGE_FIELD, readUpload } from "./upload.ts";

/** What shows images and status documents. */
export interface ReceiptDeps {
  database: Database;
  files: Files;
  now: () => Date;
  publicUrl: string;
  /** Of the links to images; see `blobLinkKey`. */
  linkKey: Uint8Array;
}

export interface ReceiptRouteDeps extends ReceiptDeps {
  newId: () => string;
  imageField: ImageField;
  imageBytesMax: number;
  imagePixelsMax: number;
  idempotency: Idempotency;
  accept: AcceptReceipt;
  status: ReceiptStatusOf;
  /** A sample's picture as a phone takes it; another seed gives other bytes. */
  sampleImage: (outcome: SampleOutcome, seed: number) => Promise<Buffer>;
  /** Fetches an image for a sandbox application; null when there is none to be had. */
  fetchImage: (url: string) => Promise<Readable | null>;
  testBlobHosts: readonly string[];
}

export type ReceiptStatusOf = (
  applicationId: string,
  receiptId: string,
) => Promise<ReturnType<typeof presentStatus> | null>;

/** Upload and status of receipts, inside the API. */
export function receiptRoutes(server: Server, deps: ReceiptRouteDeps): void {
  const { database, idempotency, imageField } = deps;

  const upload = async (request: FastifyRequest, reply: FastifyReply): Promise<UploadedBody> => {
    const { application } = request;
    const { fields, file } = await readForm(request, imageField);
    const temporary: Received[] = file ? [file] : [];
    try {
      const form = readUpload(fields);
      const errors: Errors = "errors" in form ? form.errors : {};
      const blob = readTestBlob((request.query as Record<string, unknown>)["testBlobUri"], {
        isSandbox: application.isSandbox,
        hosts: deps.testBlobHosts,
      });
      if (blob.kind === "error") errors["testBlobUri"] = [blob.error];
      // In place of the uploaded image, whatever that is.
      if (blob.kind === "none") Object.assign(errors, await imageErrors(deps, file, errors));
      const userId = fields.get("userId")?.[0]?.text ?? "";
      if (!("userId" in errors) && !(isUuid(userId) && (await findUser(database, application.id, userId)))) {
        errors["userId"] = ["names no enrolled user"];
      }
      if (Object.keys(errors).length > 0 || "errors" in form) throw new Problem("validation", { errors });

      const keyed = idempotency.keyed(request, contentOf(fields, file));
      const before = keyed && (await idempotency.replay<UploadedBody>(keyed, reply));
      if (before) return before;

      const given = blob.kind === "sample" || blob.kind === "address" ? await testImage(deps, blob) : file;
      if (given?.kind !== "ok") throw new Error("an upload without errors has an image");
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
          storeResponse: (tx: Tx, receiptId: string) =>
            idempotency.keep(tx, keyed, 200, { response: uploadedBody(receiptId), userId }),
        }),
      });
      if (outcome.kind === "key_taken") return await idempotency.replayTaken<UploadedBody>(keyed!, reply);
      if (outcome.kind === "rejected") throw outcome.problem;
      if (outcome.kind === "session_used") throw new Error("an upload by the API has no session");
      return uploadedBody(outcome.receiptId);
    } finally {
      for (const received of temporary) await imageField.discard(received);
    }
  };

  void server.register(async (scope) => {
    await acceptForms(scope);
    scope.post(uploadReceipt.path, routeOf(uploadReceipt), async (request, reply) => {
      try {
        return await upload(request, reply);
      } catch (error) {
        // What the client still sends of the form is not worth a connection.
        if (!request.raw.complete) reply.header("connection", "close");
        throw error;
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

/** Makes what shows the status document of a receipt to its application. */
export function createReceiptStatus(deps: ReceiptDeps): ReceiptStatusOf {
  const { database, files, publicUrl, linkKey, now } = deps;
  return async (applicationId, receiptId) => {
    const receipt = isUuid(receiptId) ? await store.findReceipt(database, applicationId, receiptId) : null;
    if (!receipt) return null;
    const findings = await store.readFindings(database, receipt);
    const isThere = await files.has(receipt.imageKey);
    const blobUrl = isThere ? blobLink({ baseUrl: publicUrl, linkKey }, receipt.imageKey, now()) : null;
    return presentStatus(receipt, findings, blobUrl);
  };
}

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

/** What is wrong with the uploaded image by its size and its header; a error that is known already stays. */
async function imageErrors(deps: ReceiptRouteDeps, file: Received | null, known: Errors): Promise<Errors> {
  if (IMAGE_FIELD in known) return {};
  if (!file) return { [IMAGE_FIELD]: ["is required"] };
  if (file.kind === "too_large") {
    throw new Problem("payloadTooLarge", { detail: `The image has more than ${deps.imageBytesMax} bytes.` });
  }
  const sniffed = await sniffFile(file.path, { pixelsMax: deps.imagePixelsMax });
  if (sniffed.kind === "too_large") throw tooManyPixels(deps.imagePixelsMax);
  return sniffed.kind === "ok" ? {} : notAnImage(await foreignFormatOf(file.path));
}

/** The image that a sandbox application asked for. */
async function testImage(deps: ReceiptRouteDeps, blob: TestBlob): Promise<Received> {
  const stream =
    blob.kind === "sample"
      ? Readable.from([await deps.sampleImage(blob.outcome, seedFrom(deps.newId()))])
      : await deps.fetchImage(blob.url);
  const received =
    stream &&
    (await deps.imageField.receive(stream).catch((error: unknown) => {
      // An address whose answer breaks off leads to no image either.
      if (blob.kind === "address" && !(error instanceof Problem)) return null;
      throw error;
    }));
  if (received?.kind !== "ok") {
    throw new Problem("validation", { errors: { testBlobUri: ["leads to no image within the limits"] } });
  }
  return received;
}

/** Every upload of a sample is a picture of its own: the same bytes twice would be the same receipt twice. */
function seedFrom(id: string): number {
  return Number.parseInt(id.slice(-8), 16);
}
