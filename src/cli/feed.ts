import { setTimeout as sleep } from "node:timers/promises";
import type { Tx } from "../adapters/postgres.ts";
import { timeOfId, uuidv7 } from "../ids.ts";
import { eventsAfter, lastEventId } from "../webhooks/feed/store.ts";
import type { StoredEvent } from "../webhooks/feed/store.ts";

const LOOK_MS = 300;
/** An event is seen when its tx has committed, which may be later than that of one with a higher id. */
const OVERLAP_MS = 15_000;
const ROWS_MAX = 1_000;
const NO_RANDOM = new Uint8Array(10);

/** The events of an application from now on, each once, until `stopped`. */
export async function* newEvents(tx: Tx, applicationId: string, stopped: AbortSignal): AsyncGenerator<StoredEvent> {
  const last = await lastEventId(tx, applicationId);
  let top = last === null ? 0 : timeOfId(last);
  const seen = new Set<string>();
  const look = async (): Promise<StoredEvent[]> => {
    const after = uuidv7(Math.max(0, top - OVERLAP_MS), NO_RANDOM);
    return (await eventsAfter(tx, applicationId, after, ROWS_MAX)).filter(({ id }) => !seen.has(id));
  };
  for (const { id } of await look()) seen.add(id);
  while (!stopped.aborted) {
    const events = await look();
    for (const event of events) {
      seen.add(event.id);
      top = Math.max(top, timeOfId(event.id));
      yield event;
    }
    for (const id of seen) if (timeOfId(id) < top - OVERLAP_MS) seen.delete(id);
    if (events.length === 0) await sleep(LOOK_MS, undefined, { signal: stopped }).catch(() => {});
  }
}
