import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../postgres/postgres.ts";
import { firstIdAt, timeOfId } from "../ids.ts";
import { eventsAfter, lastEventId } from "../webhooks/feed.store.ts";
import type { StoredEvent } from "../webhooks/feed.store.ts";

const POLL_MS = 300;
/**
 * Each poll looks back this far. An event is visible when its tx has committed; one with a higher id may be
 * visible earlier.
 */
const OVERLAP_MS = 15_000;
const ROWS_MAX = 1_000;

/** Yields the events of an application from now on, each once, until `stopped`. Reads `rowsMax` at a time. */
export async function* newEvents(
  tx: Tx,
  applicationId: string,
  stopped: AbortSignal,
  rowsMax = ROWS_MAX,
): AsyncGenerator<StoredEvent> {
  const last = await lastEventId(tx, applicationId);
  let top = last === null ? 0 : timeOfId(last);
  const seen = new Set<string>();
  /** Yields the unseen events page by page: the overlap may have more than one page. */
  const poll = async function* (): AsyncGenerator<StoredEvent> {
    let after = firstIdAt(Math.max(0, top - OVERLAP_MS));
    for (;;) {
      const page = await eventsAfter(tx, applicationId, after, rowsMax);
      for (const event of page) {
        if (!seen.has(event.id)) yield event;
        seen.add(event.id);
        if (event.id > after) after = event.id;
      }
      if (page.length < rowsMax) return;
    }
  };
  // Skip what exists already: only mark it as seen.
  for await (const _ of poll());
  while (!stopped.aborted) {
    let isQuiet = true;
    for await (const event of poll()) {
      isQuiet = false;
      top = Math.max(top, timeOfId(event.id));
      yield event;
    }
    for (const id of seen) if (timeOfId(id) < top - OVERLAP_MS) seen.delete(id);
    if (isQuiet) await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => {});
  }
}
