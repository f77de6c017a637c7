import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import { Problem } from "../problems.ts";
import type { Server } from "./server.ts";

/** The texts of each field in the order they came; the client decides how often a field comes. */
export type FormFields = ReadonlyMap<string, readonly FormValue[]>;

/** `isCut`: longer than any value may be, and cut off there. */
export interface FormValue {
  readonly text: string;
  readonly isCut: boolean;
}

/** How the one file of a form is taken: its field, what reads its bytes to the end, and what undoes that. */
export interface FileField<Received> {
  readonly name: string;
  readonly receive: (stream: Readable) => Promise<Received>;
  readonly discard: (received: Received) => Promise<void>;
}

const LIMITS = {
  fieldNameSize: 100,
  // The longest text of the interface is an address of 2,048 characters.
  fieldSize: 8 * 1024,
  fields: 50,
  files: 1,
  parts: 51,
  headerPairs: 20,
  // Who receives the file measures it.
  fileSize: Number.MAX_SAFE_INTEGER,
};

/** Lets the routes of this scope, and no others, take multipart forms. */
export async function acceptForms(scope: Server): Promise<void> {
  await scope.register(multipart, { limits: LIMITS, throwFileSizeLimit: false });
}

/**
 * Reads a multipart form, its fields in any order; its file is received as it arrives, one of another name read past.
 * Whatever goes wrong, what was received is discarded. Throws the Problems unsupportedMediaType, malformedBody and
 * payloadTooLarge, and what `receive` throws.
 */
export async function readForm<Received>(
  request: FastifyRequest,
  fileField: FileField<Received>,
): Promise<{ fields: FormFields; file: Received | null }> {
  if (!request.isMultipart()) throw new Problem("unsupportedMediaType");
  const fields = new Map<string, FormValue[]>();
  let file: { received: Received } | null = null;
  try {
    for await (const part of request.parts()) {
      if (part.type === "field") fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), formValue(part)]);
      else if (part.fieldname === fileField.name) file = { received: await fileField.receive(part.file) };
      else part.file.resume();
    }
  } catch (error) {
    if (file) await fileField.discard(file.received);
    await readPast(request.raw);
    throw problemOfForm(error);
  }
  return { fields, file: file && file.received };
}

/** So long is read past what a client goes on sending. */
const REST_MS = 2_000;

/**
 * The rest of a body would stand in the way of the connection's next request; and who is still sending when the line is closed may lose
 * an answer that has reached it already (TCP resets what was not read).
 */
async function readPast(body: IncomingMessage): Promise<void> {
  body.unpipe();
  body.resume();
  await finished(body, { writable: false, signal: AbortSignal.timeout(REST_MS) }).catch(() => undefined);
}

/** A value is text; of a part that calls itself JSON, a string or a number is. */
function formValue({ value, valueTruncated }: { value: unknown; valueTruncated: boolean }): FormValue {
  return {
    text: typeof value === "string" || typeof value === "number" ? String(value) : "",
    isCut: valueTruncated,
  };
}

function problemOfForm(error: unknown): unknown {
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  // A failed system call is no error of the form.
  if (error instanceof Problem || syscall !== undefined) return error;
  if (typeof code === "string" && /^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) {
    const detail = `The form has more than ${LIMITS.fields} fields or more than one file.`;
    return new Problem("payloadTooLarge", { detail });
  }
  return new Problem("malformedBody", { detail: "The body is not one complete multipart form." });
}
