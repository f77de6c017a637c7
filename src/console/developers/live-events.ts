import type { ShownEvent } from "./live-pages.ts";

/** The next events after a place; `place` null: the place after the newest event. */
export type ReadEvents = (
  place: string | null,
) => Promise<{ readonly events: readonly ShownEvent[]; readonly next: string }>;

/** What was new at a step of a stream; `id` stays the same while nothing is. */
export interface NewEvents {
  readonly id: string;
  readonly events: readonly ShownEvent[];
}

/** Returns a function that reads what has happened since its last call. */
export function followEvents(read: ReadEvents): () => Promise<NewEvents> {
  let place: string | null = null;
  // An id of its own, so that the first step is sent without events too: it opens the stream in the browser.
  let id = "start";
  return async () => {
    const { events, next } = await read(place);
    place = next;
    id = events.at(-1)?.id ?? id;
    return { id, events };
  };
}
