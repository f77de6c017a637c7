import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { Problem } from "../problems.ts";
import type { Server } from "./server.ts";

/** The values of each field in order of arrival; a client may send a field several times. */
export type FormFields = ReadonlyMap<string, readonly FormValue[]>;

/** `isCut`: the value was longer than `fieldSize` and was cut off. */
export interface FormValue {
  readonly text: string;
  readonly isCut: boolean;
}

/** The files of a form: names of their fields, and functions that read the bytes of one to the end and undo that. */
export interface FileFields<Received> {
  readonly names: readonly string[];
  readonly receive: (stream: Readable) => Promise<Received>;
  readonly discard: (received: Received) => Promise<void>;
}

/** A file of a form that was received. */
export interface FormFile<Received> {
  readonly name: string;
  readonly received: Received;
}

const FIELDS_MAX = 50;
const LIMITS = {
  fieldNameSize: 100,
  // The longest text of the interface is an address of 2,048 characters.
  fieldSize: 8 * 1024,
  fields: FIELDS_MAX,
  headerPairs: 20,
  // The receiver of the file checks its size.
  fileSize: Number.MAX_SAFE_INTEGER,
};

/** Accepts multipart forms with at most `filesMax` files on the routes of this scope only. */
export async function acceptForms(scope: Server, filesMax: number): Promise<void> {
  const limits = { ...LIMITS, files: filesMax, parts: FIELDS_MAX + filesMax };
  await scope.register(multipart, { limits, throwFileSizeLimit: false });
}

/**
 * Reads a multipart form with its fields in any order. Its files are passed to `receive` while they arrive; those of
 * other fields are skipped. After any error the received files are discarded. Throws the problems unsupportedMediaType,
 * malformedBody and payloadTooLarge, and the errors of `receive`.
 */
export async function readForm<Received>(
  request: FastifyRequest,
  fileFields: FileFields<Received>,
): Promise<{ fields: FormFields; files: readonly FormFile<Received>[] }> {
  if (!request.isMultipart()) throw new Problem("unsupportedMediaType");
  const fields = new Map<string, FormValue[]>();
  const files: FormFile<Received>[] = [];
  try {
    for await (const part of request.parts()) {
      if (part.type === "field") fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), formValue(part)]);
      else if (!fileFields.names.includes(part.fieldname)) part.file.resume();
      else files.push({ name: part.fieldname, received: await fileFields.receive(part.file) });
    }
  } catch (error) {
    for (const { received } of files) await fileFields.discard(received);
    await drain(request.raw);
    throw problemOfForm(error);
  }
  return { fields, files };
}

/** Maximum time to read and drop the rest of a body, and maximum pause in it: a body that drips is not waited for. */
const DRAIN_MS_MAX = 2_000;
const DRAIN_PAUSE_MS_MAX = 200;

/**
 * Reads and drops the rest of a body. Unread bytes would block the next request on the connection, and a client that
 * still sends when the connection closes may lose the response (TCP sends a reset for unread bytes).
 */
async function drain(body: IncomingMessage): Promise<void> {
  const paused = new AbortController();
  const timer = setTimeout(() => paused.abort(), DRAIN_PAUSE_MS_MAX);
  body.unpipe();
  body.on("data", () => timer.refresh());
  body.resume();
  const signal = AbortSignal.any([paused.signal, AbortSignal.timeout(DRAIN_MS_MAX)]);
  await finished(body, { writable: false, signal }).catch(() => undefined);
  clearTimeout(timer);
}

/** Converts a value to text. A part with content type JSON may be a string or a number; other values become "". */
function formValue({ value, valueTruncated }: { value: unknown; valueTruncated: boolean }): FormValue {
  return {
    text: typeof value === "string" || typeof value === "number" ? String(value) : "",
    isCut: valueTruncated,
  };
}

function problemOfForm(error: unknown): unknown {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // A failed system call is not an error of the form.
  if (error instanceof Problem || syscall !== undefined) return error;
  if (typeof code === "string" && /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) {
    const detail = `The form has more than ${FIELDS_MAX} fields or too many files.`;
    return new Problem("payloadTooLarge", { detail });
  }
  return new Problem("malformedBody", { detail: "The body is not one complete multipart form." });
}
