import { rm } from "node:fs/promises";
import type { Readable } from "node:stream";
import { StorageFull } from "../files.ts";
import type { Files, Received } from "../files.ts";
import type { FileFields } from "../http/form.ts";
import { Problem } from "../problems.ts";
import type { ReceiptSource } from "./receipt.ts";
import { createUploadPlaces } from "./upload-places.ts";
import { IMAGE_FIELDS } from "./upload.ts";

/**
 * The image fields of upload forms, of the API and of the hosted page. Stores images in temporary files. Those of one
 * form together are bounded like a single one, and take one place until the last of them is discarded.
 */
export interface ImageField {
  /** The fields of one upload for this application. */
  of(applicationId: string, source: ReceiptSource): FileFields<Received>;
  discard(received: Received): Promise<void>;
}

/** Number of uploads at once: each may have the largest size on the disk. One application gets half of them. */
const PLACES = 128;
const RETRY_SECONDS = 2;

/**
 * Creates the image fields. Every received image must be discarded. `receive` throws the problem storageFull, and
 * unavailable while its application has its share of the `places`. The place is taken when the first bytes of the file
 * are there: a client that sends only headers takes none.
 */
export function createImageField(files: Pick<Files, "receive">, bytesMax: number, places = PLACES): ImageField {
  const uploads = createUploadPlaces(places);
  const held = new Map<string, () => void>();

  async function receive(stream: Readable, form: { bytesLeft: number; readonly place: Place }): Promise<Received> {
    await firstBytes(stream);
    if (!form.place.enter()) throw new Problem("unavailable", { retryAfterSeconds: RETRY_SECONDS });
    let isHeld = false;
    try {
      const received = await files.receive(stream, { bytesMax: form.bytesLeft });
      if (received.kind === "ok") {
        form.bytesLeft -= received.bytes;
        held.set(received.path, form.place.leave);
        isHeld = true;
      }
      return received;
    } catch (error) {
      throw error instanceof StorageFull ? new Problem("storageFull") : error;
    } finally {
      if (!isHeld) form.place.leave();
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
    of: (applicationId, source) => {
      const form = { bytesLeft: bytesMax, place: placeOf(() => uploads.take(applicationId, source)) };
      return { names: IMAGE_FIELDS, receive: (stream) => receive(stream, form), discard };
    },
    discard,
  };
}

/** A place that the images of one form share. */
interface Place {
  /** False: there is none. */
  enter(): boolean;
  leave(): void;
}

/** Takes a place when the first one enters, and frees it when the last one has left. */
function placeOf(take: () => (() => void) | null): Place {
  let [inside, free]: [number, (() => void) | null] = [0, null];
  return {
    enter: () => {
      if (inside === 0) free = take();
      if (!free) return false;
      inside++;
      return true;
    },
    leave: () => {
      inside--;
      if (inside > 0) return;
      free?.();
      free = null;
    },
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
