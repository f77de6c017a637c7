import assert from "node:assert/strict";
import { test } from "node:test";
import { progressOf } from "./progress.ts";
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
