import assert from "node:assert/strict";
import { test } from "node:test";
import { createHolders } from "./holders.ts";

test("a place counts for each of its holders until it is freed, once", () => {
  const held = createHolders();
  const free = held.take("all", "a");
  held.take("all", "b");
  assert.deepEqual([held.of("all"), held.of("a"), held.of("b"), held.of("c")], [2, 1, 1, 0]);
  free();
  free();
  assert.deepEqual([held.of("all"), held.of("a"), held.of("b")], [1, 0, 1]);
});
