import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../postgres/postgres.ts";
import { firstIdAt, timeOfId } from "../ids.ts";
import { eventsAfter, lastEventId } from "../webhooks/feed.store.ts";
import type { StoredEvent } from "../webhooks/feed.store.ts";

const LOOK_MS = 300;
/** An event is seen when its tx has committed, which may be later than that of one with a higher id. */
const OVERLAP_MS = 15_000;
const ROWS_MAX = 1_000;

/** The events of an application from now on, each once, until `stopped`. `rowsMax` are read at a time. */
export async function* newEvents(
  tx: Tx,
  applicationId: string,
  stopped: AbortSignal,
  rowsMax = ROWS_MAX,
): AsyncGenerator<StoredEvent> {
  const last = await lastEventId(tx, applicationId);
  let top = last === null ? 0 : timeOfId(last);
  const seen = new Set<string>();
  /** What was not seen yet, a page at a time: more than one page may have come within the overlap. */
  const look = async function* (): AsyncGenerator<StoredEvent> {
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
  for await (const _ of look());
  while (!stopped.aborted) {
    let isQuiet = true;
    for await (const event of look()) {
      isQuiet = false;
      top = Math.max(top, timeOfId(event.id));
      yield event;
    }
    for (const id of seen) if (timeOfId(id) < top - OVERLAP_MS) seen.delete(id);
    if (isQuiet) await sleep(LOOK_MS, undefined, { signal: stopped }).catch(() => {});
  }
}
