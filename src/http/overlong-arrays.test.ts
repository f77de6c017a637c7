import assert from "node:assert/strict";
import { test } from "node:test";
import { overlongArrays } from "./overlong-arrays.ts";

const shape = {
  properties: { list: { maxItems: 2, items: { properties: { inner: { maxItems: 1, items: {} } } } }, free: {} },
};

test("each array with too many entries is found with its path, and its entries are not looked at", () => {
  assert.deepEqual(overlongArrays({ list: [{}, { inner: [1] }], free: [1, 2, 3] }, shape), {});
  assert.deepEqual(overlongArrays({ list: [{}, { inner: [1, 2] }] }, shape), {
    "list[1].inner": ["must not have more than 1 entries"],
  });
  assert.deepEqual(overlongArrays({ list: [{}, {}, { inner: [1, 2] }] }, shape), {
    list: ["must not have more than 2 entries"],
  });
  for (const other of [null, 1, "list", [[1]], { list: {} }]) assert.deepEqual(overlongArrays(other, shape), {});
});
