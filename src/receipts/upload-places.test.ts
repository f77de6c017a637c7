import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createUploadPlaces } from "./upload-places.ts";

/** Takes places until there are no more for this application; returns the functions that free them. */
function takeAll(places: ReturnType<typeof createUploadPlaces>, applicationId: string, source: "api" | "hosted_page") {
  const taken: (() => void)[] = [];
  for (;;) {
    const free = places.take(applicationId, source);
    if (!free) return taken;
    taken.push(free);
  }
}

test("applications that take all they can get leave places for others, and an application's links some for its own", () => {
  const places = createUploadPlaces(64);
  assert.equal(takeAll(places, "a", "hosted_page").length, 22);
  assert.equal(takeAll(places, "a", "api").length, 10);
  assert.equal(takeAll(places, "b", "api").length, 16);
  assert.equal(takeAll(places, "c", "api").length, 8);
  assert.equal(takeAll(createUploadPlaces(1), "a", "hosted_page").length, 1);
});

test("a place that is freed can be taken again, and is freed once", () => {
  const places = createUploadPlaces(4);
  const taken = takeAll(places, "a", "api");
  assert.equal(taken.length, 2);
  for (let i = 0; i < 3; i++) taken[0]!();
  assert.equal(takeAll(places, "a", "api").length, 1);
});

test("whatever is taken and freed, an application that has nothing gets a place unless all are taken", () => {
  const steps = fc.array(fc.tuple(fc.nat(6), fc.constantFrom("api" as const, "hosted_page" as const), fc.boolean()));
  fc.assert(
    fc.property(steps, (all) => {
      const places = createUploadPlaces(12);
      const taken: (() => void)[] = [];
      for (const [application, source, isFreed] of all) {
        const free = places.take(`app-${application}`, source);
        if (free) taken.push(free);
        if (isFreed) taken.shift()?.();
      }
      if (taken.length < 12) assert.ok(places.take("newcomer", "hosted_page"));
    }),
  );
});
