import assert from "node:assert/strict";
import { test } from "node:test";
import { together } from "./together.ts";

test("what comes at the same time is done in one go, what comes later in the next", async () => {
  const done: (readonly number[])[] = [];
  const score = together<number>(async (items) => {
    done.push(items);
    await Promise.resolve();
  });
  await Promise.all([score([1, 2]), score([3])]);
  const first = score([4]);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, score([5])]);
  assert.deepEqual(done, [[1, 2, 3], [4], [5]]);
});

test("all of them get the error, and the next start anew", async () => {
  const score = together<number>((items) =>
    items.includes(0) ? Promise.reject(new Error("zero")) : Promise.resolve(),
  );
  const results = await Promise.allSettled([score([1]), score([0])]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  await score([1]);
});
