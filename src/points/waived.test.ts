import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { recordItem } from "../../test/support/record-item.ts";
import { OPERATION, RECORD_STATUS } from "./codes.ts";
import { bodyWithoutItems, totalPoints } from "./entry.ts";
import type { Entry } from "./entry.ts";
import { composeRecord, recordTotals } from "./record.ts";
import { differing } from "./rescore/difference.ts";
import type { PastAward } from "./rescore/rescore.ts";
import type { RecordRow } from "./transaction.ts";
import { itemsLeft } from "./item-changes.ts";
import { reversing } from "./reversals/reversal.ts";
import { waivedBy } from "./waived.ts";

const AT = new Date("2026-02-02T08:00:00Z");
const HEAD = bodyWithoutItems("receipt-1", AT);
const RESCORED = { record: composeRecord("receipt", HEAD, []), catalogueVersion: "1", reason: "Misread" };

const rowOf = (entry: Entry, sequence: number): RecordRow => {
  const { amounts, body, ...rest } = entry;
  return { ...rest, ...amounts, body, id: `${sequence}`, sequence, createdAt: AT, updatedAt: AT };
};

/** The ledger of a user with one award, whose points are taken as far as they go. */
function ledgerOf(points: readonly number[]) {
  const items = points.map((each, i) => recordItem(`item-${i}`, each));
  const owner = { applicationId: "a", userId: "u", source: "receipt", submissionId: "s" } as const;
  const body = { ...HEAD, items };
  const award = rowOf(
    {
      ...owner,
      operation: OPERATION.earn,
      status: RECORD_STATUS.completed,
      relatedId: null,
      isLifetime: true,
      amounts: { ...recordTotals(body), otherPoints: 0 },
      body,
      ruleUse: { rule: "points/1", inputs: "{}", catalogueVersion: "1" },
      mayOverdraw: false,
    },
    1,
  );
  const past: PastAward = { ...owner, id: award.id, body, rule: "points/1", ruleInputs: {}, sent: null };
  const later: RecordRow[] = [];
  let available = totalPoints(award);
  const book = (entry: Entry) => {
    later.push(rowOf(entry, later.length + 2));
    available += totalPoints(entry.amounts);
    assert.ok(available >= 0, "below zero");
  };
  const left = () => itemsLeft([award, ...later]);
  const net = () => [award, ...later].reduce((sum, row) => sum + totalPoints(row), 0);
  return {
    left,
    net,
    /** Points that reversals have waived. */
    givenUp: () => later.reduce((sum, row) => sum + (row.operation === OPERATION.reverse ? row.otherPoints : 0), 0),
    waived: () => waivedBy(later),
    itemPoints: () => recordTotals({ items: left() }).points,
    spend: (most: number) => (available -= Math.min(most, available)),
    earn: (more: number) => (available += more),
    correct: (index: number, to: number) => {
      const before = left()[index];
      if (!before) return;
      const after = recordItem(`${before.id}~${later.length + 1}`, to);
      const earlierWaived = waivedBy(later);
      const about = { id: "c", availablePoints: available, overdraws: false, earlierWaived, ...RESCORED };
      book(differing(past, [{ before, after }], about));
    },
    reverse: (index: number | null) => {
      const item = index === null ? undefined : left()[index];
      if (index !== null && (!item || left().length === 1)) return;
      const state = { record: award, later, availablePoints: available, overdraws: false };
      const outcome = reversing(state, { itemIds: item ? [item.id] : null, reason: "Returned" }, "r");
      assert.equal(outcome.kind, "entry");
      if (outcome.kind === "entry") book(outcome.entry);
    },
  };
}

const index = fc.nat(3);
const some = fc.nat(100);
const step = fc.oneof(
  fc.record({ kind: fc.constant("correct" as const), index, some }),
  fc.record({ kind: fc.constant("reverse" as const), index, some }),
  fc.record({ kind: fc.constant("spend" as const), index, some }),
  fc.record({ kind: fc.constant("earn" as const), index, some }),
);

test("after any corrections and reversals of spent points, an award gives what its items say and what was waived", () => {
  fc.assert(
    fc.property(fc.array(some, { minLength: 1, maxLength: 4 }), fc.array(step, { maxLength: 20 }), (points, steps) => {
      const ledger = ledgerOf(points);
      for (const { kind, index: at, some: n } of steps) {
        if (kind === "correct") ledger.correct(at, n);
        else if (kind === "reverse") ledger.reverse(at);
        else ledger[kind](n);
        assert.ok(ledger.waived() >= 0);
        assert.equal(ledger.net(), ledger.itemPoints() + ledger.waived() + ledger.givenUp());
      }
      const givenUp = ledger.givenUp();
      ledger.earn(10_000);
      ledger.reverse(null);
      assert.deepEqual([ledger.net(), ledger.left()], [givenUp, []]);
    }),
  );
});

test("a correction and its opposite give no points, also when they were spent in between", () => {
  const ledger = ledgerOf([60, 40]);
  ledger.spend(90);
  ledger.correct(0, 0);
  assert.deepEqual([ledger.net(), ledger.waived()], [90, 50]);
  ledger.correct(1, 60);
  assert.deepEqual([ledger.net(), ledger.itemPoints(), ledger.waived()], [100, 100, 0]);
});
