import assert from "node:assert/strict";
import { test } from "node:test";
import { createSemaphore } from "./semaphore.ts";

test("at most `limit` tasks run at once, in order of arrival, also after a failure", async () => {
  const semaphore = createSemaphore(2);
  const done: number[] = [];
  let running = 0;
  let runningMost = 0;
  const task = async (n: number) => {
    runningMost = Math.max(runningMost, ++running);
    await Promise.resolve();
    running--;
    done.push(n);
    if (n === 1) throw new Error("no luck");
  };
  const all = [0, 1, 2, 3, 4].map((n) => semaphore.run(() => task(n)));
  const outcomes = await Promise.allSettled(all);
  assert.deepEqual(done, [0, 1, 2, 3, 4]);
  assert.equal(runningMost, 2);
  assert.deepEqual(outcomes.filter(({ status }) => status === "rejected").length, 1);
});
