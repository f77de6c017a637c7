import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredCorrection } from "../corrections/store.ts";
import type { Findings } from "../findings.ts";
import { shownReceipt } from "./shown.ts";

const line = { id: "r-1", name: "Oats", cleanedName: "Oats", quantity: 1, amountMinor: 150, exclusionReason: null };
const head = { currency: "GBP", totalAmountMinor: 150, timestamp: "2026-10-24T10:41:00.000Z", brand: "Markt" };
const reading = {
  merchantName: "MARKT",
  date: "2026-10-24",
  time: "10:41",
  totalMinor: 150,
  currency: "GBP",
  lines: [],
};
const scored = { body: { ...head, items: [] } };
const at = new Date(0);

/** A receipt whose one correction left this body. */
function shownAfter(body: object) {
  const findings = { Extracted: { data: { reading }, at }, Scored: { data: scored, at } } as unknown as Findings;
  const corrected = { after: { lines: [line], record: { body: { ...head, ...body } } } } as unknown as StoredCorrection;
  return shownReceipt("r", findings, [corrected]);
}

test("a line has its points also when its item has the id of a version, after its award was scored again", () => {
  const item = { healthPoints: 2, carbonPoints: 3, bonusPoints: 0 };
  for (const id of ["r-1", "r-1~2"]) assert.equal(shownAfter({ items: [{ id, ...item }] }).lines[0]?.points, 5, id);
  assert.equal(shownAfter({ items: [{ id: "r-2", ...item }] }).lines[0]?.points, null);
});

test("day, time and total are as read until a correction changes them", () => {
  const { date, time, total, merchantName } = shownAfter({ items: [], brand: "Pennywell" });
  assert.deepEqual([date, time, total, merchantName], ["2026-10-24", "10:41", 1.5, "Pennywell"]);
  const moved = shownAfter({ items: [], timestamp: "2026-10-25T09:00:00.000Z", totalAmountMinor: 200 });
  assert.deepEqual([moved.date, moved.time, moved.total], ["2026-10-25", "09:00:00", 2]);
});
