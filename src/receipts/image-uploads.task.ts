import { rm } from "node:fs/promises";
import { StorageFull, idOfKey } from "../files.ts";
import type { Files, Received } from "../files.ts";
import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import type { FileField } from "../http/form.ts";
import { timeOfId } from "../ids.ts";
import { Problem } from "../problems.ts";
import { DAY_MS } from "../time.ts";
import { RECEIPT_IMAGES } from "./receipt.ts";
import { knownImages } from "./store.ts";
import { IMAGE_FIELD } from "./upload.ts";

/** How the image of a form is taken, by the API as by the hosted page: to a temporary file, until it is discarded. */
export type ImageField = FileField<Received>;

/** Images in hand at once: each may be of the largest size on the disk. */
const HELD_MAX = 64;

/** Makes it. What it receives must be discarded. Throws the Problems storageFull and, while too many are held, unavailable. */
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

/**
 * Removes images that no receipt has: their process died between storing one and accepting its receipt. What is younger
 * than a day may still be on its way; the age is that of the id in the key, so no file is looked at. Gives their number.
 */
export async function sweepImages(
  deps: { database: Database; files: Pick<Files, "keysIn" | "remove">; now: () => Date; log: Log },
  signal?: AbortSignal,
): Promise<number> {
  const { database, files, now, log } = deps;
  const before = now().getTime() - DAY_MS;
  let removed = 0;
  for await (const keys of files.keysIn(RECEIPT_IMAGES)) {
    if (signal?.aborted) return removed;
    const old = keys.filter((key) => timeOfId(idOfKey(key)) < before);
    const known = old.length === 0 ? new Set() : await knownImages(database, old.map(idOfKey));
    for (const key of old.filter((candidate) => !known.has(candidate))) {
      await files.remove(key);
      removed++;
    }
  }
  if (removed > 0) log.info({ removed }, "images without a receipt removed");
  return removed;
}
