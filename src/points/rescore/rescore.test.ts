import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATION } from "../codes.ts";
import type { Operation } from "../codes.ts";
import type { ComposedRecord, RecordItem } from "../record.ts";
import { changesOf } from "./rescore.ts";
import type { LaterRecord, PastAward } from "./rescore.ts";

const item = (id: string, healthPoints: number) =>
  ({ id, healthPoints, carbonPoints: 0, bonusPoints: 0, co2eMg: 0 }) as RecordItem;
const award = { id: "award", body: { items: [item("a", 4), item("b", 2)] } } as unknown as PastAward;
const now = {
  body: { items: [item("a", 5), item("b", 2)] },
  bases: [{ itemId: "a" }, { itemId: "b" }],
} as unknown as ComposedRecord;
const later = (items: readonly RecordItem[], isReversed = false, operation: Operation = OPERATION.adjust) =>
  ({ relatedId: "award", operation, isReversed, body: { items } }) as unknown as LaterRecord;

test("only items that differ change, and what a person corrected stays as it is", () => {
  const changes = changesOf(award, [], now);
  assert.ok(Array.isArray(changes));
  assert.deepEqual(
    changes.map(({ before, after }) => [before?.id, after?.healthPoints]),
    [["a", 5]],
  );
  const corrected = later([item("a", -4), item("correction-r1", 9)]);
  assert.equal(changesOf(award, [corrected], now), "corrected");
  assert.equal(changesOf(award, [later([item("b", -2)], true)], now), "corrected", "a difference that was reversed");
  const takenBack = later([item("a", -4), item("b", -2)], false, OPERATION.reverse);
  assert.equal(changesOf(award, [takenBack], now), "reversed");
});
