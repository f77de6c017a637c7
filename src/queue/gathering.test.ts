import assert from "node:assert/strict";
import { test } from "node:test";
import { createGathering } from "./gathering.ts";

/** A gathering whose items have come every `everyMs` for 200 ms, and whose last batch has just left. */
function afterItemsEvery(everyMs: number) {
  const clock = { ms: 0 };
  const gathering = createGathering({ ms: 10, perSecondMin: 400, itemsMax: 16 }, () => clock.ms);
  for (; clock.ms < 200; clock.ms += everyMs) gathering.arrives();
  gathering.leaves();
  return { clock, gathering };
}

test("a lone item, and one after the other, do not wait", () => {
  const gathering = createGathering({ ms: 10, perSecondMin: 400, itemsMax: 16 }, () => 0);
  gathering.arrives();
  assert.equal(gathering.waitMs(1), 0);
  assert.equal(afterItemsEvery(3).gathering.waitMs(1), 0);
});

test("items that come quickly wait until a batch may follow the one before", () => {
  const { clock, gathering } = afterItemsEvery(1);
  assert.equal(gathering.waitMs(1), 10);
  clock.ms += 4;
  assert.equal(gathering.waitMs(5), 6);
  clock.ms += 10;
  assert.ok(gathering.waitMs(15) <= 0);
});

test("a batch that has many items already does not wait", () => {
  assert.equal(afterItemsEvery(1).gathering.waitMs(16), 0);
});

test("the first item after a rest does not wait", () => {
  const { clock, gathering } = afterItemsEvery(1);
  clock.ms += 100;
  gathering.arrives();
  gathering.leaves();
  assert.equal(gathering.waitMs(1), 0);
});
