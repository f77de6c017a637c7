// Compares one record and its explanation with what the model says.
import assert from "node:assert/strict";
import type { Explanation } from "../../../src/points/explanation-schema.ts";
import type { TransactionRecord } from "../../../src/points/schema.ts";
import type { ModelItem } from "./extras.ts";
import type { Expected } from "./model.ts";
import { sum } from "./points.ts";
import { stepOf } from "./shown.ts";

/**
 * The points of each item by rating, by tier and by campaign, in the explanation of an award, or of a receipt after a
 * correction; and that they add up to the record's.
 */
export function compareExplanation(explanation: Explanation, items: readonly ModelItem[], expected: Expected): void {
  const { transactionId: id } = explanation;
  const points = new Map(expected.items.map((each, i) => [items[i]!.id, { ...each, place: i }]));
  for (const item of explanation.items) {
    const own = points.get(item.id) ?? { health: 0, climate: 0, bonus: 0, place: -1 };
    assert.equal(item.totalPoints, own.health + own.climate + own.bonus, `${id} ${item.name}`);
    const step = stepOf(item, "points");
    if (!step) continue;
    assert.deepEqual([step.healthPoints, step.carbonPoints], [own.health, own.climate], `${id} ${item.name}`);
    assert.equal(sum((item.extras ?? []).map((each) => each.points)), own.bonus, `${id} ${item.name}`);
    for (const extra of expected.extras) {
      const shown = (item.extras ?? []).filter((each) => campaignOf(each) === extra.campaignId);
      assert.equal(sum(shown.map((each) => each.points)), extra.shares[own.place], `${id} ${item.name}`);
    }
  }
  assert.equal(sum(explanation.items.map(({ totalPoints }) => totalPoints)), explanation.totalPoints, id);
  assert.equal(explanation.totalPoints, expected.total, id);
  const shown = (explanation.extras ?? []).filter((each) => each.points > 0);
  assert.deepEqual(
    shown.map((each) => [campaignOf(each), each.points]),
    expected.extras.filter((each) => each.points > 0).map((each) => [each.campaignId, each.points]),
    id,
  );
}

/** The campaign of an extra; null: the tier. */
function campaignOf({ kind, id }: { readonly kind: "tier" | "campaign"; readonly id: string }): string | null {
  return kind === "tier" ? null : id;
}

/** The items of an award: the same points as in its explanation. */
export function compareRecord(record: TransactionRecord, items: readonly ModelItem[], expected: Expected): void {
  const { transaction, totalPoints } = record;
  assert.deepEqual(
    transaction.items.map(({ healthPoints, bonusPoints, totalServicePoints }) => ({
      health: healthPoints,
      climate: totalServicePoints - healthPoints - bonusPoints,
      bonus: bonusPoints,
    })),
    expected.items,
    record.id,
  );
  assert.equal(transaction.items.length, items.length, record.id);
  assert.equal(totalPoints, expected.total, record.id);
}

const BONUS_KINDS: Readonly<Record<string, readonly number[]>> = {
  welcome: [2],
  streak: [3],
  referred: [1],
  referring: [1],
};

/** A bonus of a programme says why it was given. */
export function compareBonus({ bonus, totalPoints }: TransactionRecord, explanation: Explanation | null): void {
  assert.ok(explanation?.bonus, "a bonus is explained");
  assert.ok(BONUS_KINDS[explanation.bonus.kind]!.includes(bonus.type), explanation.bonus.kind);
  assert.deepEqual([explanation.totalPoints, explanation.items], [totalPoints, []]);
}
