import assert from "node:assert/strict";
import { test } from "node:test";
import type { Alike } from "./summary.ts";
import { summaryOf } from "./summary.ts";

const row = (more: Partial<Alike>): Alike => ({
  name: "Zzq flarn",
  source: "receipt",
  merchantKey: "",
  merchantName: null,
  currency: null,
  times: 1,
  amountMinor: 0,
  ...more,
});

test("a name is written as it is most often, with its sources, merchants and spend by frequency", () => {
  const rows = [
    row({
      name: "ZZQ FLARN",
      merchantKey: "corner",
      merchantName: "CORNER",
      currency: "EUR",
      times: 2,
      amountMinor: 90,
    }),
    row({ merchantKey: "corner", merchantName: "Corner", currency: "GBP", times: 3, amountMinor: 50 }),
    row({ source: "meal", merchantKey: "corner", merchantName: "Corner", currency: "EUR", times: 2, amountMinor: 10 }),
    row({ source: "food", times: 4 }),
    ...["a", "b", "c"].map((key) => row({ merchantKey: key, merchantName: key.toUpperCase() })),
  ];
  assert.deepEqual(summaryOf(rows), {
    name: "Zzq flarn",
    sources: { receipt: 8, meal: 2, food: 4 },
    merchants: [
      { merchantName: "Corner", times: 7 },
      { merchantName: "A", times: 1 },
      { merchantName: "B", times: 1 },
    ],
    spend: [
      { currency: "EUR", amountMinor: 100 },
      { currency: "GBP", amountMinor: 50 },
    ],
  });
});

test("of names and merchants that are equally frequent the first by alphabet counts, whatever their order", () => {
  const rows = [
    row({ name: "B", merchantKey: "y", merchantName: "Y" }),
    row({ name: "A", merchantKey: "x", merchantName: "X" }),
  ];
  assert.deepEqual(summaryOf(rows), summaryOf(rows.toReversed()));
  assert.equal(summaryOf(rows).name, "A");
  assert.equal(summaryOf(rows).merchants[0]!.merchantName, "X");
});
