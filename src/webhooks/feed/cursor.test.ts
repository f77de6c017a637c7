import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { uuidv7 } from "../../ids.ts";
import { cursorOf, parseCursor, placeAfter, placeAt } from "./cursor.ts";
import type { FeedPlace } from "./cursor.ts";

const START = Date.UTC(2026, 0, 31);
const idAt = (ms: number, random: Uint8Array) => uuidv7(START + ms, random);
const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });

test("a cursor is read as it was written, and no other text is one", () => {
  const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), bytes), { maxLength: 300 });
  fc.assert(
    fc.property(times, (made) => {
      const place = placeAfter(
        placeAt(new Date(START)),
        made.map(([ms, random]) => idAt(ms, random)),
      );
      const cursor = cursorOf(place);
      assert.deepEqual(parseCursor(cursor), place);
      assert.ok(cursor.length <= 4_300);
    }),
  );
  for (const text of ["", "x", "a".repeat(23), "a".repeat(5_000), "ä".repeat(22), "=".repeat(22)]) {
    assert.equal(parseCursor(text), null, text);
  }
});

test("events that become visible late, by up to 15 s, are returned once each, whatever the size of a page", () => {
  const event = fc.record({
    ms: fc.integer({ min: 0, max: 60_000 }),
    late: fc.integer({ min: 0, max: 14_000 }),
    random: bytes,
  });
  const events = fc.uniqueArray(event, { maxLength: 80, selector: ({ ms, random }) => idAt(ms, random) });
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 7 }), (made, pageMax) => {
      const stored = made.map(({ ms, late, random }) => ({ id: idAt(ms, random), visibleAt: ms + late }));
      const read: string[] = [];
      let place: FeedPlace = placeAt(new Date(START));
      for (let now = 0; now <= 80_000; now += 500) {
        for (;;) {
          const page = stored
            .filter(({ id, visibleAt }) => visibleAt <= now && id > place.floor && !place.returned.includes(id))
            .map(({ id }) => id)
            .sort()
            .slice(0, pageMax);
          if (page.length === 0) break;
          read.push(...page);
          place = placeAfter(place, page);
        }
      }
      assert.deepEqual(read.toSorted(), stored.map(({ id }) => id).toSorted());
    }),
  );
});

test("of any number of events in one millisecond none is skipped", () => {
  const ids = Array.from({ length: 1_000 }, (_, i) =>
    idAt(
      0,
      Uint8Array.from({ length: 10 }, (_byte, j) => (i >> (j === 9 ? 0 : 8)) & 255),
    ),
  );
  const all = [...new Set(ids)].sort();
  let place: FeedPlace = placeAt(new Date(START));
  const read: string[] = [];
  for (;;) {
    const page = all.filter((id) => id > place.floor && !place.returned.includes(id)).slice(0, 100);
    if (page.length === 0) break;
    read.push(...page);
    place = placeAfter(place, page);
  }
  assert.deepEqual(read, all);
});
