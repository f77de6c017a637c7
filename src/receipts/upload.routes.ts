import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Received } from "../files.ts";
import { foreignFormatOf } from "../images/foreign-format.ts";
import { PHOTO_SIDES, sniffFile } from "../images/sniff.ts";
import type { Database, Tx } from "../postgres/postgres.ts";
import { acceptForms, readForm } from "../http/form.ts";
import type { FormFields } from "../http/form.ts";
import type { Idempotency } from "../idempotency/idempotency.task.ts";
import { routeOf } from "../http/operation.ts";
import type { Server } from "../http/server.ts";
import type { KeyedRequest } from "../idempotency/key.ts";
import { isUuid } from "../ids.ts";
import { Problem } from "../problems.ts";
import type { Errors } from "../problems.ts";
import { findUser } from "../users/store.ts";
import { notAPhoto, notAnImage, tooManyPixels } from "./image-errors.ts";
import type { ImageField } from "./image-field.task.ts";
import { uploadReceipt } from "./operations.ts";
import type { SampleOutcome } from "./samples/outcomes.ts";
import { readTestBlob } from "./samples/test-blob.ts";
import type { TestBlob } from "./samples/test-blob.ts";
import type { AcceptReceipt, UploadLimits } from "./accept.task.ts";
import { IMAGE_FIELD, readUpload } from "./upload.ts";
import type { Upload } from "./upload.ts";

export interface UploadRouteDeps {
  readonly database: Database;
  readonly newId: () => string;
  readonly imageField: ImageField;
  readonly limits: UploadLimits;
  readonly idempotency: Idempotency;
  readonly accept: AcceptReceipt;
  /** Draws the photo of a sample. Another seed gives other bytes. */
  readonly sampleImage: (outcome: SampleOutcome, seed: number) => Promise<Buffer>;
  /** Fetches an image for a sandbox application; null: there is none. */
  readonly fetchImage: (url: string) => Promise<Readable | null>;
  readonly testBlobHosts: readonly string[];
}

type ReceivedImage = Extract<Received, { kind: "ok" }>;

/** A valid upload: its form, and its image or the test image that replaces it. */
interface ReadUpload {
  readonly upload: Upload;
  readonly image: ReceivedImage | Exclude<TestBlob, { kind: "none" | "error" }>;
}

interface UploadedBody {
  readonly receiptID: string;
  readonly message: string;
}

/** Upload of receipts, in the API. */
export function uploadRoutes(server: Server, deps: UploadRouteDeps): void {
  void server.register(async (scope) => {
    await acceptForms(scope);
    scope.post(uploadReceipt.path, routeOf(uploadReceipt), async (request, reply) => {
      try {
        return await handleUpload(deps, request, reply);
      } catch (error) {
        // Receiving the rest of the form is not worth keeping the connection.
        if (!request.raw.complete) reply.header("connection", "close");
        throw error;
      }
    });
  });
}

async function handleUpload(
  deps: UploadRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UploadedBody> {
  const { idempotency, imageField } = deps;
  const { fields, file } = await readForm(request, imageField.of(request.application.id, "api"));
  const temporary: Received[] = file ? [file] : [];
  try {
    const { upload, image } = await validUpload(deps, request, fields, file);
    const keyed = idempotency.keyed(request, contentOf(fields, file));
    const stored = keyed && (await idempotency.replay<UploadedBody>(keyed, reply));
    if (stored) return stored;
    const received = image.kind === "ok" ? image : await testImage(deps, image, request.application.id);
    if (received !== file) temporary.push(received);
    const sample = image.kind === "sample" ? image.outcome : null;
    return await accepted(deps, request, reply, { upload, image: received, sample, keyed });
  } finally {
    for (const received of temporary) await imageField.discard(received);
  }
}

/** Returns a valid upload, or throws the problem with every error in it. */
async function validUpload(
  deps: UploadRouteDeps,
  { application, query }: FastifyRequest,
  fields: FormFields,
  file: Received | null,
): Promise<ReadUpload> {
  const form = readUpload(fields);
  const errors: Errors = "errors" in form ? form.errors : {};
  const blob = readTestBlob((query as Record<string, unknown>)["testBlobUri"], {
    isSandbox: application.isSandbox,
    hosts: deps.testBlobHosts,
  });
  if (blob.kind === "error") errors["testBlobUri"] = [blob.error];
  // A test image replaces the uploaded one, which may then be anything.
  if (blob.kind === "none") Object.assign(errors, await imageErrors(deps.limits, file, errors));
  const userId = fields.get("userId")?.[0]?.text ?? "";
  if (!("userId" in errors) && !(isUuid(userId) && (await findUser(deps.database, application.id, userId)))) {
    errors["userId"] = ["names no enrolled user"];
  }
  if (Object.keys(errors).length > 0 || "errors" in form) throw new Problem("validation", { errors });
  const image = blob.kind === "sample" || blob.kind === "address" ? blob : file;
  if (!image || image.kind === "too_large") throw new Error("an upload without errors has an image");
  return { upload: form, image };
}

/** Accepts a valid upload, and returns its response or throws why it cannot be accepted. */
async function accepted(
  { idempotency, accept }: UploadRouteDeps,
  { application, span }: FastifyRequest,
  reply: FastifyReply,
  valid: { upload: Upload; image: ReceivedImage; sample: SampleOutcome | null; keyed: KeyedRequest | null },
): Promise<UploadedBody> {
  const { upload, image, sample, keyed } = valid;
  const { userId, reference, declared } = upload;
  const outcome = await accept({
    application,
    userId,
    reference,
    ...declared,
    image: { path: image.path, bytes: image.bytes, sha256: Buffer.from(image.sha256, "hex") },
    receiptSource: "api",
    traceparent: span?.traceparent,
    ...(sample && { sample }),
    ...(keyed && {
      storeResponse: (tx: Tx, receiptId: string) =>
        idempotency.keep(tx, keyed, 200, { response: uploadedBody(receiptId), userId }),
    }),
  });
  if (outcome.kind === "key_taken") return idempotency.replayTaken<UploadedBody>(keyed!, reply);
  if (outcome.kind === "rejected") throw outcome.problem;
  if (outcome.kind === "session_used") throw new Error("an upload by the API has no session");
  return uploadedBody(outcome.receiptId);
}

function uploadedBody(receiptID: string): UploadedBody {
  return { receiptID, message: "The receipt was received and is being processed." };
}

/** Returns the content of a form, without the boundary and order of its parts: a repeated upload has other ones. */
function contentOf(fields: FormFields, file: Received | null): string {
  const texts = [...fields].map(([name, values]) => [name, ...values.map(({ text }) => text)]);
  return JSON.stringify([texts.toSorted(([a], [b]) => (a! < b! ? -1 : 1)), file?.kind === "ok" ? file.sha256 : null]);
}

/** Returns the errors of the uploaded image by its size and header; none if `found` has one of the image already. */
async function imageErrors(limits: UploadLimits, file: Received | null, found: Errors): Promise<Errors> {
  const { imageBytesMax, imagePixelsMax } = limits;
  if (IMAGE_FIELD in found) return {};
  if (!file) return { [IMAGE_FIELD]: ["is required"] };
  if (file.kind === "too_large") {
    throw new Problem("payloadTooLarge", { detail: `The image has more than ${imageBytesMax} bytes.` });
  }
  const sniffed = await sniffFile(file.path, { pixelsMax: imagePixelsMax });
  if (sniffed.kind === "too_large") throw tooManyPixels(imagePixelsMax);
  if (sniffed.kind === "not_a_photo") return notAPhoto(PHOTO_SIDES);
  return sniffed.kind === "ok" ? {} : notAnImage(await foreignFormatOf(file.path));
}

/** Draws or fetches the image that a sandbox application requested in place of its upload. */
async function testImage(
  deps: UploadRouteDeps,
  blob: Exclude<TestBlob, { kind: "none" | "error" }>,
  applicationId: string,
): Promise<ReceivedImage> {
  const stream =
    blob.kind === "sample"
      ? Readable.from([await deps.sampleImage(blob.outcome, seedFrom(deps.newId()))])
      : await deps.fetchImage(blob.url);
  const received =
    stream &&
    (await deps.imageField
      .of(applicationId, "api")
      .receive(stream)
      .catch((error: unknown) => {
        // A response that breaks off counts as no image.
        if (blob.kind === "address" && !(error instanceof Problem)) return null;
        throw error;
      }));
  if (received?.kind !== "ok") {
    throw new Problem("validation", { errors: { testBlobUri: ["leads to no image within the limits"] } });
  }
  return received;
}

/** Every upload of a sample has another picture: the same bytes twice would be a duplicate. */
function seedFrom(id: string): number {
  return Number.parseInt(id.slice(-8), 16);
}
