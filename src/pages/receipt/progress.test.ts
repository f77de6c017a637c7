import assert from "node:assert/strict";
import { test } from "node:test";
import { isSettled, progressOf } from "./progress.ts";
import type { ReceiptStatus } from "./progress.ts";

test("progress shows the best that is known so far", () => {
  const extractedData = {
    merchantName: "TESCO STORES 1234",
    currency: "GBP",
    total: 4.1,
    transactionDate: "2026-11-20",
    items: [
      { description: "MILK", category: null },
      { description: "COUPON", category: "discount" },
    ],
  };
  const uploaded: ReceiptStatus = { status: "Uploaded", errorCode: null, receiptStatusDoc: { uploadStateData: {} } };
  const nothing = { merchant: null, total: null, date: null, items: [], withoutPoints: [], points: null };
  assert.partialDeepStrictEqual(progressOf(uploaded), { state: "running", finishedStages: ["Uploaded"], ...nothing });

  const extracted = { ...uploaded.receiptStatusDoc, extractedStateData: { extractedData } };
  assert.partialDeepStrictEqual(progressOf({ ...uploaded, status: "Extracted", receiptStatusDoc: extracted }), {
    finishedStages: ["Uploaded", "Extracted"],
    merchant: "TESCO STORES 1234",
    total: { amount: 4.1, currency: "GBP" },
    date: "2026-11-20",
    items: [{ name: "MILK", health: null, climate: null, points: null }],
  });

  const enriched = { ...extracted, enrichStateData: { businessName: "Tesco" } };
  const failed = { status: "Failed", errorCode: "NOT_AUTHENTIC", receiptStatusDoc: enriched } as const;
  assert.partialDeepStrictEqual(progressOf(failed), { state: "Failed", merchant: "Tesco", points: null });
});

test("a receipt that is held is settled until it goes on, at the stage that it keeps", () => {
  const doc = { uploadStateData: {}, validatedStateData: {} };
  const held = { status: "Validated", errorCode: null, held: true, receiptStatusDoc: doc } as const;
  assert.partialDeepStrictEqual(progressOf(held), { status: "Held", state: "held", points: null, isDisputable: false });
  assert.equal(isSettled(held), true);
  assert.partialDeepStrictEqual(progressOf({ ...held, held: false }), { status: "Validated", state: "running" });
});

test("a corrected receipt is shown as it is now, with what its award is now", () => {
  const extractedData = { merchantName: "?", currency: "GBP", total: 9, transactionDate: "2026-11-20", items: [] };
  const rated = { totalServicePoints: 3, healthImpactRating: 1, carbonImpactRating: null };
  const scoredStateData = { items: [{ name: "Milk", ...rated }], excludedItems: [{ name: "Bag" }] };
  const state = { currency: "GBP", totalAmount: 4, merchantName: "Tesco" };
  const items = [
    { name: "Oats", exclusionReason: null },
    { name: "Foil", exclusionReason: "NOT_FOOD" },
  ];
  const before = { ...state, items: [], transactionTimestamp: "2026-11-20T12:00:00.000Z" };
  const corrected: ReceiptStatus = {
    status: "Completed",
    errorCode: null,
    corrections: [
      { before: { ...before, transactionTimestamp: "2020-01-01T12:00:00.000Z" }, after: null },
      { before, after: { ...before, items } },
    ],
    changedAward: { points: 8, items: [{ name: "Oats", ...rated, totalServicePoints: 8 }] },
    receiptStatusDoc: {
      extractedStateData: { extractedData },
      scoredStateData,
      completedStateData: { totalPoints: 3 },
    },
  };
  const now = { merchant: "Tesco", total: { amount: 4, currency: "GBP" }, points: 8, isChanged: true };
  assert.partialDeepStrictEqual(progressOf(corrected), { ...now, date: "2026-11-20", withoutPoints: ["Foil"] });
  assert.deepEqual(progressOf(corrected).items, [{ name: "Oats", health: "A", climate: null, points: 8 }]);
  const later = { ...before, items, transactionTimestamp: "2026-11-19T12:00:00.000Z" };
  const moved = { ...corrected, corrections: [...corrected.corrections!, { before, after: later }] };
  assert.equal(progressOf(moved).date, "2026-11-19");
});
