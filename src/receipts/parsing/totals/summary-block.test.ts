import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a rounding is recognised by the total that it makes, whatever its word", () => {
  const below: [string, string][] = [
    ["between two totals", "TOTAL        RM 12.59\n     ROUND            0.01\n     TO PAY       RM 12.60"],
    ["with what was to pay beside it", "TOTAL           12.59\n     CASH            20.00\n     ROUNDED 0.01   (12.60)\n     CHANGE           7.40"], // prettier-ignore
  ];
  for (const [where, rows] of below)
    test(where, () => {
      const reading = readTyped(`
     CORNER MART
     ONIGIRI TUNA     6.50
     LATTE HOT        6.09
     ${rows}
`);
      assert.equal(reading.totalMinor, 1260);
      assert.equal(reading.roundingMinor, 1);
      assert.equal(reading.lines.length, 2);
    });
});

test("the sum of voucher and card is the total, although a price was misread", () => {
  const reading = readTyped(`
     FARM SHOP
     SOURDOUGH         8.60
     RHUBARB           3.20
     ASPARAGUS        24.30
     TOTAL (3 items)  32.10
     Gift voucher     20.00
     Card             12.10
`);
  assert.equal(reading.totalMinor, 3210);
});
