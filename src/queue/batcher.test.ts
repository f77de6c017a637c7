import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import * as fc from "fast-check";
import { TooMuchWaiting, createBatcher } from "./batcher.ts";

class Poison extends Error {}

/** A batcher that doubles numbers, refuses a batch with a negative one, and notes its batches. */
function doubling(options: { batchMax?: number; waitingMax?: number; gate?: () => Promise<void> } = {}) {
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>({
    flush: async (items) => {
      batches.push(items);
      await options.gate?.();
      if (items.some((item) => item < 0)) throw new Poison();
      return items.map((item) => item * 2);
    },
    isPoison: (error) => error instanceof Poison,
    batchMax: options.batchMax ?? 200,
    waitingMax: options.waitingMax ?? 1_000,
  });
  return { batcher, batches };
}

test("what comes together travels together, and each gets its own result", async () => {
  const { batcher, batches } = doubling();
  assert.deepEqual(await Promise.all([1, 2, 3].map(batcher.add)), [2, 4, 6]);
  assert.deepEqual(batches, [[1, 2, 3]]);
});

test("one batch is in flight; what comes meanwhile makes the next", async () => {
  let release = () => {};
  const opened = new Promise<void>((resolve) => (release = resolve));
  const { batcher, batches } = doubling({ gate: () => opened });
  const results = [batcher.add(1)];
  await nextTurn();
  await nextTurn();
  results.push(batcher.add(2), batcher.add(3));
  await nextTurn();
  assert.deepEqual(batches, [[1]]);
  release();
  assert.deepEqual(await Promise.all(results), [2, 4, 6]);
  assert.deepEqual(batches, [[1], [2, 3]]);
});

test("a batch has its bound, and so has what waits", async () => {
  const { batcher, batches } = doubling({ batchMax: 2, waitingMax: 3 });
  const results = await Promise.allSettled([1, 2, 3, 4].map(batcher.add));
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "fulfilled", "fulfilled", "rejected"],
  );
  await assert.rejects(Promise.all([6, 7, 8, 9].map(batcher.add)), TooMuchWaiting);
  assert.deepEqual(batches.slice(0, 2), [[1, 2], [3]]);
  await batcher.idle();
  assert.equal(await batcher.add(5), 10, "there is room again");
});

test("one bad item costs only itself", async () => {
  const items = fc.array(fc.integer({ min: -3, max: 20 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 10 }), async (items, batchMax) => {
      const { batcher } = doubling({ batchMax });
      const results = await Promise.allSettled(items.map(batcher.add));
      assert.deepEqual(
        results.map((result) => (result.status === "fulfilled" ? result.value : null)),
        items.map((item) => (item < 0 ? null : item * 2)),
      );
      await batcher.idle();
    }),
  );
});

test("an error that is no item's fault is everybody's, and the next batch starts anew", async () => {
  let isDown = true;
  let flushes = 0;
  const batcher = createBatcher<number, number>({
    flush: async (items) => {
      flushes += 1;
      if (isDown) throw new Error("the database is away");
      return items;
    },
    isPoison: () => false,
    batchMax: 10,
    waitingMax: 10,
  });
  const results = await Promise.allSettled([batcher.add(1), batcher.add(2)]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal(flushes, 1, "it is not tried again in halves");
  isDown = false;
  assert.equal(await batcher.add(3), 3);
});

test("idle waits for all that is in hand", async () => {
  const { batcher, batches } = doubling({ batchMax: 1, gate: () => nextTurn() });
  const results = Promise.all([1, 2, 3].map(batcher.add));
  await batcher.idle();
  assert.equal(batches.length, 3);
  assert.deepEqual(await results, [2, 4, 6]);
  await batcher.idle();
});
