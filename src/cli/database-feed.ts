import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../postgres/postgres.ts";
import { feedPage, newestEventIds } from "../webhooks/feed/store.ts";
import type { StoredEvent } from "../webhooks/feed/store.ts";
import { NEWEST_MAX, placeAfter, placeAfterNewest } from "../webhooks/feed/cursor.ts";
import type { FeedPlace } from "../webhooks/feed/cursor.ts";

const POLL_MS = 300;
const EVENTS_MAX = 1_000;
const BYTES_MAX = 16 * 1024 * 1024;

/** Returns the events of an application from now on, each once, until `stopped`. Reads `eventsMax` at a time. */
export async function newEvents(
  tx: Tx,
  applicationId: string,
  stopped: AbortSignal,
  eventsMax = EVENTS_MAX,
): Promise<AsyncIterableIterator<StoredEvent>> {
  const place = placeAfterNewest(await newestEventIds(tx, applicationId, NEWEST_MAX));
  return eventsFrom(place, { tx, applicationId, stopped, eventsMax });
}

async function* eventsFrom(
  first: FeedPlace,
  of: { tx: Tx; applicationId: string; stopped: AbortSignal; eventsMax: number },
): AsyncGenerator<StoredEvent> {
  const { tx, applicationId, stopped, eventsMax } = of;
  let place = first;
  while (!stopped.aborted) {
    const events = await feedPage(tx, applicationId, place, { eventsMax, bytesMax: BYTES_MAX });
    place = placeAfter(
      place,
      events.map(({ id }) => id),
    );
    yield* events;
    if (events.length === 0) await sleep(POLL_MS, undefined, { signal: stopped }).catch(() => {});
  }
}
