import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { removeImages } from "./remove-images.task.ts";

/** A store that removes an image in its own time, and fails for some. */
function storeWithout(failing: readonly string[] = []) {
  const store = { asked: [] as string[], removed: 0, atOnce: 0, atOnceMost: 0 };
  const remove = async (key: string): Promise<void> => {
    store.asked.push(key);
    store.atOnceMost = Math.max(store.atOnceMost, ++store.atOnce);
    await setImmediate();
    store.atOnce--;
    if (failing.includes(key)) throw new Error(`${key} stays`);
  };
  return { store, remove, onRemoved: () => void store.removed++ };
}

const KEYS = Array.from({ length: 20 }, (_, n) => `receipts/00/${n}.jpg`);

test("all images are removed, eight at once", async () => {
  const { store, remove, onRemoved } = storeWithout();
  await removeImages({ remove }, KEYS, { onRemoved });
  assert.deepEqual([store.asked, store.removed, store.atOnceMost], [KEYS, 20, 8]);
});

test("one that cannot be removed ends it, when those that were begun have ended", async () => {
  const { store, remove, onRemoved } = storeWithout(["receipts/00/9.jpg"]);
  await assert.rejects(removeImages({ remove }, KEYS, { onRemoved }), /9\.jpg stays/);
  assert.equal(store.atOnce, 0);
  assert.equal(store.removed, store.asked.length - 1);
  assert.ok(store.asked.length < KEYS.length, `${store.asked.length} were begun`);
});

test("none is begun after the time is over", async () => {
  const { store, remove, onRemoved } = storeWithout();
  await removeImages({ remove }, KEYS, { onRemoved, isTimeOver: () => store.asked.length >= 3 });
  assert.deepEqual([store.asked.length, store.removed], [3, 3]);
});
