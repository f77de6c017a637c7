import assert from "node:assert/strict";
import { test } from "node:test";
import { createSemaphore } from "./semaphore.ts";

test("no more work at once than there are turns, in the order it came, also after a failure", async () => {
  const turns = createSemaphore(2);
  const done: number[] = [];
  let atOnce = 0;
  let atOnceMost = 0;
  const work = async (n: number) => {
    atOnceMost = Math.max(atOnceMost, ++atOnce);
    await Promise.resolve();
    atOnce--;
    done.push(n);
    if (n === 1) throw new Error("no luck");
  };
  const all = [0, 1, 2, 3, 4].map((n) => turns.run(() => work(n)));
  const outcomes = await Promise.allSettled(all);
  assert.deepEqual(done, [0, 1, 2, 3, 4]);
  assert.equal(atOnceMost, 2);
  assert.deepEqual(outcomes.filter(({ status }) => status === "rejected").length, 1);
});
