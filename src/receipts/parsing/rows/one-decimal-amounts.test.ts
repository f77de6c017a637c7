import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("amounts with one decimal", () => {
  test("they get their second where a count times its price shows the habit", () => {
    const reading = readTyped(`
     HOTEL ANNAPOORNI
     GSTIN: 33AAHFA4411Q1Z8
     Item            Qty   Rate   Amount
     MASALA DOSAI     2    60.0    120.0
     FILTER COFFEE    3    25.0     75.0
     GHEE ROAST       1    90.0     90.0
     Total                         285.0
`);
    assert.equal(reading.totalMinor, 28_500);
    assert.deepEqual(brief(reading), ["MASALA DOSAI × 2 = 12000", "FILTER COFFEE × 3 = 7500", "GHEE ROAST = 9000"]);
  });

  test("a strength or a size on a page of two decimals stays what it is", () => {
    const reading = readTyped(`
     CORNER STORE
     BEER                4.8      2.10
     CIDER               4.5      1.90
     TOTAL                        4.00
`);
    assert.deepEqual(
      reading.lines.map(({ amountMinor }) => amountMinor),
      [210, 190],
    );
  });
});
