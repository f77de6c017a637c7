import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a sum without a known word is no line if the total shows it", () => {
  const sums: [string, string, number][] = [
    ["a service charge is between both", "Food & Beverage 33.00\nService Charge 10%  3.30\nAMOUNT DUE  36.30", 3630],
    ["it is rounded", "Zwischentotal  33.00\nRundung  -0.02\nTotal CHF  32.98", 3298],
    ["it is net, and the tax in the prices makes it the total again", "BASE 10%  30.00\nIVA 10%  3.00\nTOTAL EUR  33.00", 3300], // prettier-ignore
  ];
  for (const [name, below, totalMinor] of sums)
    test(name, () => {
      const rows = below.split("\n").map((row) => row.replace(/\s+(\S+)$/, (_, amount: string) => amount.padStart(30 - row.lastIndexOf(" ")))); // prettier-ignore
      const reading = readTyped(`
     THE COPPER KETTLE
     2 Seafood Chowder       25.00
     1 Apple Tart             6.80
     1 MiWadi                 1.20
     ${rows.join("\n     ")}
`);
      assert.equal(reading.totalMinor, totalMinor);
      assert.deepEqual(brief(reading), ["Seafood Chowder × 2 = 2500", "Apple Tart = 680", "MiWadi = 120"]);
    });
});

describe("an item whose price is the sum of those above it is an item", () => {
  const list = `
     FROZEN FOODS
     GREENS                  2.00
     MASHED POTATO           1.75
     YORKSHIRE PUDS          1.25
     BREADED COD             5.00
     BREADED COD             5.00`;
  const lines = [
    "GREENS = 200",
    "MASHED POTATO = 175",
    "YORKSHIRE PUDS = 125",
    "BREADED COD = 500",
    "BREADED COD = 500",
  ];
  test("if all together are the total", () => {
    const reading = readTyped(`${list}
     TOTAL                  15.00
     CARD                   15.00
`);
    assert.deepEqual(brief(reading), lines);
    assert.equal(reading.totalMinor, 1500);
  });
  test("if more goods follow, although no total is read", () => {
    const reading = readTyped(`${list}
     CARROTS                 0.69
     SPROUTS                 0.99
     TO BE SETTLED          16.68
`);
    assert.deepEqual(brief(reading).slice(0, 5), lines);
  });
});

test("a house number in the header that looks like a price is none if the goods are the total without it", () => {
  const reading = readTyped(`
     CORNER MARKET
     Regensburger t   8 13 a
     BREAD              4.29
     CHEESE             2.79
     TOTAL              7.08
     CASH               7.08
`);
  assert.deepEqual(brief(reading), ["BREAD = 429", "CHEESE = 279"]);
});
