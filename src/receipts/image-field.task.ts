import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { StorageFull } from "../files.ts";
import type { Files, Received } from "../files.ts";
import type { FileField } from "../http/form.ts";
import { Problem } from "../problems.ts";
import type { ReceiptSource } from "./receipt.ts";
import { createUploadPlaces } from "./upload-places.ts";
import { IMAGE_FIELD } from "./upload.ts";

/**
 * The image field of upload forms, of the API and of the hosted page. Stores the image in a temporary file, which takes
 * a place until it is discarded.
 */
export interface ImageField {
  /** The field of an upload for this application. */
  of(applicationId: string, source: ReceiptSource): FileField<Received>;
  discard(received: Received): Promise<void>;
}

/** Number of received images at once: each may have the largest size on the disk. One application gets half of them. */
const PLACES = 128;
const RETRY_SECONDS = 2;

/**
 * Creates the image field. Every received image must be discarded. `receive` throws the problem storageFull, and
 * unavailable while its application has its share of the `places`. The place is taken when the first bytes of the file
 * are there: a client that sends only headers takes none.
 */
export function createImageField(files: Pick<Files, "receive">, bytesMax: number, places = PLACES): ImageField {
  const uploads = createUploadPlaces(places);
  const held = new Map<string, () => void>();

  async function receive(stream: Readable, applicationId: string, source: ReceiptSource): Promise<Received> {
    await firstBytes(stream);
    const freePlace = uploads.take(applicationId, source);
    if (!freePlace) throw new Problem("unavailable", { retryAfterSeconds: RETRY_SECONDS });
    let isHeld = false;
    try {
      const received = await files.receive(stream, { bytesMax });
      if (received.kind === "ok") {
        held.set(received.path, freePlace);
        isHeld = true;
      }
      return received;
    } catch (error) {
      throw error instanceof StorageFull ? new Problem("storageFull") : error;
    } finally {
      if (!isHeld) freePlace();
    }
  }

  async function discard(received: Received): Promise<void> {
    if (received.kind !== "ok") return;
    try {
      await rm(received.path, { force: true });
    } finally {
      held.get(received.path)?.();
      held.delete(received.path);
    }
  }

  return {
    of: (applicationId, source) => ({
      name: IMAGE_FIELD,
      receive: (stream) => receive(stream, applicationId, source),
      discard,
    }),
    discard,
  };
}

/** Waits until a stream has bytes, or has ended in any way: then reading it says how. */
function firstBytes(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.readableLength > 0 || stream.readableEnded || stream.destroyed) return resolve();
    const events = ["readable", "end", "error", "close"];
    const done = () => {
      for (const event of events) stream.removeListener(event, done);
      resolve();
    };
    for (const event of events) stream.on(event, done);
  });
}
