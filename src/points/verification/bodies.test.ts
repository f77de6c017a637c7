import assert from "node:assert/strict";
import { test } from "node:test";
import type { RecordBody, RecordItem } from "../record.ts";
import { brokenItems, isSumOfItems } from "./bodies.ts";

const itemOf = (id: string, points: number): RecordItem =>
  ({
    id,
    healthPoints: points,
    carbonPoints: 1,
    bonusPoints: 0,
    co2eMg: points * 10,
    carbonRating: 2,
    healthRating: 3,
  }) as RecordItem;
const bodyOf = (...items: RecordItem[]) => ({ items, excludedItems: [] }) as unknown as RecordBody;
const AWARD = { healthPoints: 7, carbonPoints: 2, bonusPoints: 0, greenProducts: 2, healthyProducts: 0, co2eMg: 70 };

test("an award has the amounts of its items", () => {
  const body = bodyOf(itemOf("a", 3), itemOf("b", 4));
  assert.ok(isSumOfItems(AWARD, body));
  for (const amount of Object.keys(AWARD) as (keyof typeof AWARD)[]) {
    assert.ok(!isSumOfItems({ ...AWARD, [amount]: AWARD[amount] + 1 }, body), amount);
  }
});

test("what is no body is the sum of nothing", () => {
  const nothing = { healthPoints: 0, carbonPoints: 0, bonusPoints: 0, greenProducts: 0, healthyProducts: 0, co2eMg: 0 };
  assert.ok(isSumOfItems(nothing, bodyOf()));
  for (const other of [{}, { items: [] }, { excludedItems: [] }, { items: "", excludedItems: [] }, [], 7]) {
    assert.ok(!isSumOfItems(nothing, other as unknown as RecordBody), JSON.stringify(other));
  }
  assert.ok(!isSumOfItems(nothing, bodyOf({ id: "a" } as RecordItem)));
});

const a = itemOf("a", 3);
const b = itemOf("b", 4);
const back = (item: RecordItem): RecordItem => ({
  ...item,
  healthPoints: -item.healthPoints,
  carbonPoints: -item.carbonPoints,
  co2eMg: -item.co2eMg,
});
const reversal = (...items: RecordItem[]) => ({ isReversal: true, items: items.map(back) });

test("items are taken back once, by what they gave, and the record is reversed when none is left", () => {
  const items = [a, b];
  assert.deepEqual(brokenItems({ isReversed: false, items, later: [] }), []);
  assert.deepEqual(brokenItems({ isReversed: false, items, later: [reversal(a)] }), []);
  assert.deepEqual(brokenItems({ isReversed: true, items, later: [reversal(a), reversal(b)] }), []);
  // A correction that leaves none does not reverse; one with another item follows. Without content: being erased.
  const corrected = [
    { isReversal: false, items: [back(a), back(b)] },
    { isReversal: false, items: [itemOf("a~1", 5)] },
  ];
  assert.deepEqual(brokenItems({ isReversed: false, items, later: corrected }), []);
  assert.deepEqual(brokenItems({ isReversed: false, items, later: [{ isReversal: true, items: null }] }), []);
});

test("each way to take back wrongly is named", () => {
  const items = [a, b];
  const broken = (isReversed: boolean, ...later: { isReversal: boolean; items: RecordItem[] }[]) =>
    brokenItems({ isReversed, items, later });
  assert.deepEqual(broken(false, reversal(a), reversal(a)), ["an item is taken back twice"]);
  assert.deepEqual(broken(false, reversal(itemOf("c", 1))), ["an item is taken back that it does not have"]);
  assert.deepEqual(broken(false, { isReversal: true, items: [a] }), ["an item is not taken back by what it gave"]);
  assert.deepEqual(broken(true, reversal(a)), ["reversed, and an item is left"]);
  assert.deepEqual(broken(false, reversal(a, b)), ["nothing is left, and it is not reversed"]);
});
