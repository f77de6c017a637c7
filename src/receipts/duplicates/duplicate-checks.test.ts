import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReceiptReading } from "../parsing/parse.ts";
import { closestMatch, purchaseFingerprint } from "./duplicate-checks.ts";

const READING = {
  merchantName: "LARKMEADOW MARKET",
  date: "2026-10-24",
  time: "10:41:00",
  lines: [{ amountMinor: 1000 }, { amountMinor: 268 }],
  totalMinor: 1268,
} as unknown as ReceiptReading;
const DECLARED = {
  merchantName: "Larkmeadow Market",
  amount: 12.68,
  transactionTimestamp: "2026-10-24T09:41:00.000Z",
};

/** The fingerprint of a purchase in hex; undefined: it has none. */
function printOf(
  changes: Partial<ReceiptReading>,
  { name = "Larkmeadow", declared = DECLARED } = {},
): string | undefined {
  return purchaseFingerprint(name, { ...READING, ...changes }, declared)?.toString("hex");
}

test("a copy ranks above another photo, another user's photo above the user's own", () => {
  const copy = { kind: "same_picture", score: 0.7, isOwn: true } as const;
  const strangers = { kind: "same_print", score: 0.8, isOwn: false } as const;
  const own = { kind: "same_print", score: 0.9, isOwn: true } as const;
  const other = { kind: "different", score: 0.99, isOwn: true } as const;
  assert.equal(closestMatch([other, own, strangers, copy]), copy);
  assert.equal(closestMatch([other, own, strangers]), strangers);
  assert.equal(closestMatch([other, own]), own);
  assert.equal(closestMatch([]), null);
});

test("merchant, minute and total identify a purchase, however its lines were read", () => {
  const own = printOf({});
  assert.equal(printOf({ lines: [], time: "10:41:59" }), own);
  assert.equal(printOf({}, { name: "LARKMEADOW" }), own);
  for (const changes of [{ time: "10:42:00" }, { totalMinor: 1269 }, { date: "2026-10-25" }]) {
    assert.notEqual(printOf(changes), own);
  }
});

test("without the time of day the lines distinguish purchases, without a date the declared date", () => {
  assert.notEqual(printOf({ time: null }), printOf({ time: null, lines: [] }));
  const nextWeek = { ...DECLARED, transactionTimestamp: "2026-10-31T09:41:00.000Z" };
  assert.notEqual(printOf({ date: null }), printOf({ date: null }, { declared: nextWeek }));
  assert.equal(printOf({ totalMinor: null }), undefined);
});
