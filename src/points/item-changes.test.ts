import assert from "node:assert/strict";
import { test } from "node:test";
import { recordItem } from "../../test/support/record-item.ts";
import { amountsMoved, itemsLeft, itemsMoved } from "./item-changes.ts";

const item = (id: string, healthPoints: number) => recordItem(id, healthPoints, { carbonPoints: 1 });
const [milk, bread, oats] = [item("milk", 4), item("bread", 2), item("oats", 5)];

test("an item that a later record has again is taken back, one of a new id is credited", () => {
  const later = { body: { items: itemsMoved({ taken: [milk], given: [oats] }) } };
  assert.deepEqual(itemsLeft([{ body: { items: [milk, bread] } }, later]), [bread, oats]);
  assert.deepEqual(later.body.items[0], { ...milk, healthPoints: -4, carbonPoints: -1, bonusPoints: 0, co2eMg: -10 });
});

test("points that are spent are waived unless the balance may become negative, and never more than are taken", () => {
  const change = { taken: [milk, bread], given: [] };
  const waived = (availablePoints: number, overdraws = false) =>
    amountsMoved(change, { availablePoints, overdraws }).waivedPoints;
  assert.deepEqual([waived(9), waived(8), waived(7), waived(0), waived(-3)], [0, 0, 1, 8, 8]);
  assert.equal(waived(0, true), 0);
  const { amounts, waivedPoints } = amountsMoved(change, { availablePoints: 5, overdraws: false }, { otherPoints: -2 });
  assert.equal(waivedPoints, 5, "points of no item count as well");
  assert.deepEqual(amounts, {
    healthPoints: -6,
    carbonPoints: -2,
    bonusPoints: 0,
    otherPoints: 3,
    greenProducts: 0,
    healthyProducts: -2,
    co2eMg: -20,
  });
  const more = amountsMoved({ taken: [bread], given: [oats] }, { availablePoints: -100, overdraws: false });
  assert.deepEqual(
    [more.waivedPoints, more.amounts.healthPoints],
    [0, 3],
    "nothing is waived of points that are given",
  );
});
