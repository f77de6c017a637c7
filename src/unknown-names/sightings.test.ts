import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isUuid } from "../ids.ts";
import { isUnknown, nameIdOf, sightingsOf } from "./sightings.ts";
import type { UnknownItem } from "./sightings.ts";

const SUBMISSION = { applicationId: "a", userId: "u", submissionId: "s", source: "receipt" } as const;
const item = (name: string, amountMinor = 100, merchantName: string | null = "Corner Shop"): UnknownItem => ({
  name,
  merchantName,
  paid: { currency: "GBP", amountMinor },
});
const rowsOf = (...items: UnknownItem[]) => sightingsOf([{ ...SUBMISSION, items }]);

test("a name is one row of a submission, whatever its size, case and accents, with all that was paid for it", () => {
  const rows = rowsOf(item("ZZQ MÜSLI 500g", 250), item("zzq musli 1kg", 150), item("Zzx", 30));
  assert.deepEqual(
    rows.map(({ name, nameKey, amountMinor }) => [name, nameKey, amountMinor]),
    [
      ["ZZQ MÜSLI 500g", "zzq musli", 400],
      ["Zzx", "zzx", 30],
    ],
  );
});

test("an amount without a currency, or in another one, is not added", () => {
  const euros: UnknownItem = { name: "zzq", merchantName: null, paid: { currency: "EUR", amountMinor: 7 } };
  const [row] = rowsOf({ ...euros, paid: null }, item("zzq", 5), euros);
  assert.deepEqual([row!.currency, row!.amountMinor], ["GBP", 5]);
  assert.deepEqual([row!.merchantName, row!.merchantKey], [null, ""]);
});

test("long texts are no names, and a submission has at most 50", () => {
  assert.equal(rowsOf(item("z".repeat(121)), item(" ")).length, 0);
  assert.equal(
    rowsOf(
      ...Array.from({ length: 80 }, (_, i) => item(`zz${"abcdefghij"[i % 10]}${"klmnopqr"[i % 8]}q${"x".repeat(i)}`)),
    ).length,
    50,
  );
});

test("any names give rows with different ids, each a UUID of its application", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 40 }), { maxLength: 8 }), (names) => {
      const rows = rowsOf(...names.map((name) => item(name)));
      assert.equal(new Set(rows.map(({ nameId }) => nameId)).size, rows.length);
      for (const { nameId, nameKey, merchantKey, merchantName } of rows) {
        assert.ok(isUuid(nameId), nameId);
        assert.equal(nameId, nameIdOf("a", nameKey));
        assert.notEqual(nameId, nameIdOf("b", nameKey));
        assert.equal(merchantKey === "", merchantName === null);
      }
    }),
  );
});

test("what is recognised and does not count is not unknown", () => {
  const reasons = ["NO_MATCH", "LOW_CONFIDENCE", "ALCOHOL", "BAG", "VOID", null] as const;
  assert.deepEqual(reasons.map(isUnknown), [true, true, false, false, false, false]);
});
