import { idOfKey } from "../files.ts";
import type { Files } from "../files.ts";
import { timeOfId } from "../ids.ts";
import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import { DAY_MS } from "../time.ts";
import { RECEIPT_IMAGES } from "./receipt.ts";
import { imageKeysOf } from "./store.ts";

/**
 * Removes images without a receipt, and returns their number: their process died between storing the image and
 * accepting the receipt. Images younger than a day are left alone, since their receipt may still be stored. The age is
 * that of the id in the key, so no file is opened.
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
    const withReceipt = old.length === 0 ? new Set() : await imageKeysOf(database, old.map(idOfKey));
    for (const key of old.filter((candidate) => !withReceipt.has(candidate))) {
      await files.remove(key);
      removed++;
    }
  }
  if (removed > 0) log.info({ removed }, "images without a receipt removed");
  return removed;
}
