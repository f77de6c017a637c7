import assert from "node:assert/strict";
import { test } from "node:test";
import { createRemembered } from "./remembered.ts";

test("hashes are known for ten minutes, and the last ones only", () => {
  let now = 0;
  const known = createRemembered(() => now, 2);
  known.add(["a", "b"]);
  assert.ok(known.has("a"));
  known.add(["c"]);
  assert.deepEqual(["a", "b", "c"].map(known.has), [false, true, true]);
  now = 600_000;
  assert.deepEqual(["b", "c"].map(known.has), [false, false]);
  known.add(["b"]);
  assert.ok(known.has("b"));
});
