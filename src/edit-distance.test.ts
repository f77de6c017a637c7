import assert from "node:assert/strict";
import { test } from "node:test";
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
