import type { Log } from "../log.ts";
import type { Database } from "../postgres/postgres.ts";
import { DAY_MS } from "../time.ts";
import { dropPages } from "./store.ts";

/** Receipts that one statement changes. */
const CHUNK = 500;

/**
 * Removes the text of receipts that were completed more than `textDays` ago, and returns their number. Later photos are
 * not compared with them any more; the same purchase, read the same, is still found.
 */
export async function sweepTexts(
  { database, textDays, now, log }: { database: Database; textDays: number; now: () => Date; log: Log },
  signal?: AbortSignal,
): Promise<number> {
  if (textDays === 0) return 0;
  const before = new Date(now().getTime() - textDays * DAY_MS);
  let removed = 0;
  for (let last = CHUNK; last === CHUNK && !signal?.aborted; removed += last) {
    last = await dropPages(database, before, CHUNK);
  }
  if (removed > 0) log.info({ removed }, "texts of old receipts removed");
  return removed;
}
