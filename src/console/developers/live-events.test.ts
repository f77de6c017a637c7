import assert from "node:assert/strict";
import { test } from "node:test";
import { followEvents } from "./live-events.ts";
import type { ShownEvent } from "./live-pages.ts";

test("a stream of events has news only with new events, and asks after the place of the last response", async () => {
  const event = (id: string) => ({ id }) as ShownEvent;
  const responses = [[], [], [event("a"), event("b")], [], [], [event("c")], []];
  const places: (string | null)[] = [];
  const next = followEvents(async (place) => {
    places.push(place);
    return { events: responses[places.length - 1]!, next: `place ${places.length}` };
  });
  const ids: string[] = [];
  for (const expected of responses) {
    const { id, events } = await next();
    assert.deepEqual(events, expected);
    ids.push(id);
  }
  assert.deepEqual(ids, ["start", "start", "b", "b", "b", "c", "c"]);
  assert.deepEqual(places.slice(0, 3), [null, "place 1", "place 2"]);
});
