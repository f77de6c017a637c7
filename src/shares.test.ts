import assert from "node:assert/strict";
import { test } from "node:test";
import { createShares } from "./shares.ts";

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Takes a place; notes the holder when it has one. */
function taker(shares: ReturnType<typeof createShares>, order: string[]) {
  return async (holder: string) => {
    const free = await shares.take(holder);
    order.push(free ? holder : `no ${holder}`);
    return free;
  };
}

test("a holder has at most its share, and another one takes a place beside it at once", async () => {
  const order: string[] = [];
  const take = taker(createShares({ max: 3, perHolder: 2, waitMsMax: 60_000 }), order);
  const places = ["a", "a", "a", "b"].map(take);
  await settle();
  assert.deepEqual(order, ["a", "a", "b"]);
  (await places[0])!();
  await settle();
  assert.deepEqual(order, ["a", "a", "b", "a"]);
});

test("holders take turns for the places in all; a freed place goes to nobody twice", async () => {
  const order: string[] = [];
  const take = taker(createShares({ max: 1, perHolder: 1, waitMsMax: 60_000 }), order);
  const places = ["a", "a", "a", "a", "b", "b", "c"].map(take);
  const run = async (place: Promise<(() => void) | null>) => {
    const free = await place;
    free!();
    free!();
  };
  await Promise.all(places.map(run));
  assert.deepEqual(order, ["a", "a", "b", "c", "a", "b", "a"]);
});

test("who waits too long gets none, and takes none from those behind", async () => {
  const order: string[] = [];
  const take = taker(createShares({ max: 1, perHolder: 1, waitMsMax: 5 }), order);
  const free = await take("a");
  assert.equal(await take("a"), null);
  const next = take("b");
  free!();
  assert.ok(await next);
  assert.deepEqual(order, ["a", "no a", "b"]);
});
