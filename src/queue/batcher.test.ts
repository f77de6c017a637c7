import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { test } from "node:test";
import * as fc from "fast-check";
import { TooMuchWaiting, createBatcher } from "./batcher.ts";

class Poison extends Error {}

/** A batcher that doubles numbers, fails for a batch with a negative one, and lists its batches. */
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

test("items that arrive together share a batch, and each gets its own result", async () => {
  const { batcher, batches } = doubling();
  assert.deepEqual(await Promise.all([1, 2, 3].map(batcher.add)), [2, 4, 6]);
  assert.deepEqual(batches, [[1, 2, 3]]);
});

test("one batch is in flight; items that arrive meanwhile make the next", async () => {
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

test("the next batch leaves before the callers of the one before go on", async () => {
  const steps: string[] = [];
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { batcher, batches } = doubling({ gate: () => gates[batches.length - 1]!.promise });
  const add = async (item: number) => {
    await batcher.add(item);
    steps.push(`${item} done, ${batches.length} batches left`);
  };
  const both = [add(1)];
  await nextTurn();
  await nextTurn();
  both.push(add(2));
  gates[0]!.resolve();
  await both[0];
  gates[1]!.resolve();
  await both[1];
  assert.deepEqual(steps, ["1 done, 2 batches left", "2 done, 2 batches left"]);
});

test("the size of a batch is bounded, and so is the number of waiting items", async () => {
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

test("one bad item fails alone", async () => {
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

test("an error that no item caused fails the whole batch, but not the next one", async () => {
  let isDown = true;
  let flushes = 0;
  const batcher = createBatcher<number, number>({
    flush: async (items) => {
      flushes += 1;
      if (isDown) throw new Error("the database is gone");
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
  assert.equal(flushes, 1, "it is not retried in halves");
  isDown = false;
  assert.equal(await batcher.add(3), 3);
});

test("idle waits for all items, waiting or in flight", async () => {
  const { batcher, batches } = doubling({ batchMax: 1, gate: () => nextTurn() });
  const results = Promise.all([1, 2, 3].map(batcher.add));
  await batcher.idle();
  assert.equal(batches.length, 3);
  assert.deepEqual(await results, [2, 4, 6]);
  await batcher.idle();
});

test("a batch that waited in vain is set aside item by item, while later batches leave; the blocked item alone fails", async () => {
  class Blocked extends Error {}
  const batches: number[][] = [];
  let release = () => {};
  const blocked = new Promise<void>((resolve) => (release = resolve));
  const batcher = createBatcher<number, number>({
    flush: async (items) => {
      batches.push(items);
      if (items.length === 1 && items[0] === 0) await blocked;
      if (items.includes(0)) throw new Blocked();
      return items.map((item) => item * 2);
    },
    isPoison: () => false,
    isBlocked: (error) => error instanceof Blocked,
    batchMax: 3,
    waitingMax: 5,
  });
  const first = [0, 1, 2].map((item) => batcher.add(item));
  const later = [3, 4].map((item) => batcher.add(item));
  // The later batch does not wait for the one that is set aside.
  assert.deepEqual(await Promise.all(later), [6, 8]);
  assert.deepEqual(batches, [[0, 1, 2], [0], [3, 4]]);
  let isIdle = false;
  const idle = batcher.idle().then(() => (isIdle = true));
  await nextTurn();
  assert.equal(isIdle, false);
  release();
  await assert.rejects(first[0]!, Blocked);
  assert.deepEqual(await Promise.all(first.slice(1)), [2, 4]);
  await idle;
});

test("items that are set aside take up room", async () => {
  class Blocked extends Error {}
  const never = new Promise<void>(() => {});
  const batcher = createBatcher<number, number>({
    flush: async (items) => {
      if (items.length === 1) await never;
      throw new Blocked();
    },
    isPoison: () => false,
    isBlocked: (error) => error instanceof Blocked,
    batchMax: 4,
    waitingMax: 4,
  });
  for (const item of [1, 2, 3, 4]) batcher.add(item).catch(() => {});
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  batcher.add(5).catch(() => {});
  await assert.rejects(batcher.add(6), TooMuchWaiting);
});

test("a batch waits as long as the gathering wants, and takes what comes meanwhile", async () => {
  const waits = [0, 20, 0];
  const batches: number[][] = [];
  const batcher = createBatcher<number, number>({
    flush: async (items) => {
      batches.push(items);
      return items;
    },
    isPoison: () => false,
    batchMax: 200,
    waitingMax: 1_000,
    gathering: { arrives() {}, leaves() {}, waitMs: () => waits.shift()! },
  });
  assert.equal(await batcher.add(1), 1);
  const second = batcher.add(2);
  await nextTurn();
  await nextTurn();
  const third = batcher.add(3);
  assert.deepEqual(await Promise.all([second, third]), [2, 3]);
  assert.deepEqual(batches, [[1], [2, 3]]);
});
