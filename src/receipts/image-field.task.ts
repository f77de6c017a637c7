import { rm } from "node:fs/promises";
import { StorageFull } from "../files.ts";
import type { Files, Received } from "../files.ts";
import type { FileField } from "../http/form.ts";
import { Problem } from "../problems.ts";
import { IMAGE_FIELD } from "./upload.ts";

/** The image field of an upload form, of the API and of the hosted page. Stores the image in a temporary file. */
export type ImageField = FileField<Received>;

/** Maximum number of received images at once: each may have the largest size on the disk. */
const HELD_MAX = 64;

/**
 * Creates the image field. Every received image must be discarded. `receive` throws the problem storageFull, and
 * unavailable while `heldMax` images are not discarded.
 */
export function createImageField(files: Pick<Files, "receive">, bytesMax: number, heldMax = HELD_MAX): ImageField {
  const held = new Set<string>();
  let receiving = 0;
  return {
    name: IMAGE_FIELD,
    receive: async (stream) => {
      if (held.size + receiving >= heldMax) throw new Problem("unavailable", { retryAfterSeconds: 2 });
      receiving++;
      try {
        const received = await files.receive(stream, { bytesMax });
        if (received.kind === "ok") held.add(received.path);
        return received;
      } catch (error) {
        throw error instanceof StorageFull ? new Problem("storageFull") : error;
      } finally {
        receiving--;
      }
    },
    discard: async (received) => {
      if (received.kind !== "ok") return;
      held.delete(received.path);
      await rm(received.path, { force: true });
    },
  };
}
