import assert from "node:assert/strict";
import { test } from "node:test";
import { compressJson } from "../compressed-json.ts";
import type { OcrPage } from "../ocr/page.ts";
import { packPage, packedJson, unpackPage, unpackedJson } from "./packed-forms.ts";

/** In the order in which a column of JSON returns members. */
const FINDINGS = {
  Extracted: {
    name: { isNamed: true, wordShare: 1 },
    reading: {
      date: "2026-11-20",
      time: "13:37:00",
      lines: [
        {
          kind: "item",
          unit: "kg",
          accuracy: 0.995,
          quantity: 0.632,
          amountMinor: 63,
          cleanedName: "Bananas loose",
          description: "BANANAS LOOSE",
          unitPriceMinor: 99,
        },
      ],
      country: "GB",
      repairs: ["a digit"],
      accuracy: 0.936,
      currency: "GBP",
      taxMinor: null,
      cardLast4: "4821",
      isReceipt: true,
      paidMinor: 63,
      totalMinor: 63,
      changeMinor: null,
      businessName: "LARKMEADOW MARKET",
      merchantKind: "other",
      merchantName: "LARKMEADOW MARKET",
      receiptScore: 1,
      fieldAccuracy: { total: 0.99, merchantName: 0.96 },
      roundingMinor: null,
      subTotalMinor: -75,
      discountsMinor: null,
      merchantAddress: null,
    },
    isAmountPrinted: true,
  },
  Enriched: {
    currency: "GBP",
    businessId: "larkmeadow-market",
    businessName: "LARKMEADOW MARKET",
    catalogueVersion: "foods-f5f30644a13b",
    isCurrencyAssumed: false,
  },
  checks: [{ name: "readable", score: 0.94, reason: "the receipt could be read well", outcome: "passed" }],
  at: [1_795_385_134_750, 1_795_385_134_799, 1_795_385_134_824, 1_795_385_134_846],
};
const PAGE: OcrPage = {
  width: 900,
  height: 1_600,
  rotation: 90,
  boxes: [
    { polygon: [at(1, 2), at(30.5, 2), at(30, 9.3), at(-1.2, 9)], text: "LENTILS 500G", score: 0.98 },
    { polygon: [at(1, 12), at(30, 12), at(30, 19), at(1, 19)], text: "1.45", score: 0.5, bend: -0.0001234 },
  ],
};

function at(x: number, y: number) {
  return { x, y };
}

test("findings come back as they were, in less than half of what deflated JSON takes", () => {
  const packed = packedJson(FINDINGS);
  assert.ok(packed.length < compressJson(FINDINGS).length / 2, String(packed.length));
  assert.deepEqual(unpackedJson(packed), FINDINGS);
});

test("findings with other members, and those of before, come back as well", () => {
  const other = { ...FINDINGS, more: { than: "known" } };
  assert.deepEqual(unpackedJson(packedJson(other)), other);
  assert.deepEqual(unpackedJson(compressJson(FINDINGS)), FINDINGS);
});

test("what was stored by this form is read for good", () => {
  const stored =
    "BwEAEBITATEUBQoyMDI2LTExLTIwBQgxMzozNzowMA4BFUBCCgPjBwoD+AQIPwUNQmFuYW5hcyBsb29zZQUNQkFOQU5BUyBMT09TRQhjTg4BBQdhIGRpZ2l0CgOoB2AABQQ0ODIxAQg/CD8ABRFMQVJLTUVBRE9XIE1BUktFVEqGMRcKAmMKAmAACUsAAAEdYAURbGFya21lYWRvdy1tYXJrZXSGBRJmb29kcy1mNWYzMDY0NGExM2ICDgEebwoCXgRBRg4ECJ6drKqgNAjPnayqoDQI6J2sqqA0CP6drKqgNA==";
  assert.deepEqual(unpackedJson(Buffer.from(stored, "base64")), FINDINGS);
});

test("the text that was read comes back, with bends to a tenth of a millionth", () => {
  assert.deepEqual(unpackPage(packPage(PAGE)), PAGE);
  const [first, second] = PAGE.boxes as [OcrPage["boxes"][number], OcrPage["boxes"][number]];
  const bent = { ...PAGE, boxes: [first, { ...second, bend: 0.000026602808616396424 }] };
  assert.equal(unpackPage(packPage(bent)).boxes[1]!.bend, 0.0000266);
  const empty: OcrPage = { width: 1, height: 1, rotation: 0, boxes: [] };
  assert.deepEqual(unpackPage(packPage(empty)), empty);
});

test("a page of before, and one whose corners are no tenths of pixels, come back as they were", () => {
  const boxes = [["1.45", 0.5, 1, 12, 30, 12, 30, 19, 1, 19, -0.001]];
  assert.deepEqual(unpackPage(compressJson([900, 1_600, 90, boxes])).boxes, [{ ...PAGE.boxes[1], bend: -0.001 }]);
  const fine = { ...PAGE, boxes: [{ ...PAGE.boxes[0]!, polygon: [at(1.25, 2), at(3, 2), at(3, 9), at(1, 9)] }] };
  assert.deepEqual(unpackPage(packPage(fine as unknown as OcrPage)), fine);
});
