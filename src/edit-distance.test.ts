import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { editDistance } from "./edit-distance.ts";

test("added, dropped and replaced letters and swapped neighbours count one each", () => {
  assert.equal(editDistance("milk", "milk"), 0);
  assert.equal(editDistance("milk", "milks"), 1);
  assert.equal(editDistance("milk", "mil"), 1);
  assert.equal(editDistance("milk", "silk"), 1);
  assert.equal(editDistance("milk", "mlik"), 1);
  assert.equal(editDistance("", "milk"), 4);
  assert.equal(editDistance("kitten", "sitting"), 3);
});

test("a distance above the limit is reported as one more than the limit", () => {
  assert.equal(editDistance("kitten", "sitting", 3), 3);
  assert.equal(editDistance("kitten", "sitting", 2), 3);
  assert.equal(editDistance("bread", "yoghurt", 1), 2);
});

test("the distance is the same in both directions, and a limit changes nothing below it", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat(8), (a, b, limit) => {
      const distance = editDistance(a, b);
      assert.equal(editDistance(b, a), distance);
      assert.equal(editDistance(a, b, limit), Math.min(distance, limit + 1));
    }),
  );
});
