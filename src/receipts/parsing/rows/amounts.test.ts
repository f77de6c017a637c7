import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { findAmounts, findNumbers, priceOf } from "./amounts.ts";

const minors = (text: string): number[] => findAmounts(text).map(({ minor }) => minor);

describe("an amount is found however it is printed", () => {
  const printed: [string, number[]][] = [
    ["0,89 C", [89]],
    ["RM1.25 S", [125]],
    ["RM.50", [50]],
    ["£1,234.56", [123456]],
    ["1.234,56 €", [123456]],
    ["-0.89", [-89]],
    ["0,25-", [-25]],
    ["1.00-O", [-100]],
    ["(2.50)", [-250]],
    ["4. 10", [410]],
    ["0 ,28 A", [28]],
    ["1  ,79 E", [179]],
    ["RMO.00", [0]],
    ["1 x 4.45  4.45 S", [445, 445]],
    ["16.90SR", [1690]],
    ["80 91", [8091]],
    ["EGGS  5.480", [548]],
    ["Clubcard Price  -F0.70", [-70]],
    ["SUMME EUR  l5,57", [1557]],
    ["Leergut  -l,50 B", [-150]],
    ["FLOUR 500g2.49", [249]],
    ["T18  37,16G", [3716]],
    ["PARACETAMOL 16S0.55 A", [55]],
    ["BAR17,60", [1760]],
    ["Geschirrtabs 60St5,49 2", [549]],
    ["Pimientotricolorl,69A", [169]],
    ["VOID Scented Candle  E-12.00", [-1200]],
    ["BALANCE DUE  El7.85", [1785]],
    ["NECTAR SAVING  -E2.OO", [-200]],
    ["Summe EUR  5O,8O", [5080]],
    ["KRO TSSUE 4CT  S.29B", [529]],
    ["FOIE GRAS  8,49EA", [849]],
    ["0,310kg x 2,90  0 90 A", [290, 90]],
    ["MR COUPON 37000  .50-", [-50]],
    ["COLGATE 4.80Z  5.49F", [549]],
    ["Bio Eier 6er  1  4.95  4.951", [495, 495]],
  ];
  for (const [text, expected] of printed) test(text, () => assert.deepEqual(minors(text), expected));
});

describe("other figures are not amounts", () => {
  const others = [
    "19,0%",
    "7,00%",
    "18.10.2014",
    "0,434 kg",
    "Tel. 05251 / 180420",
    "@ 0.5500",
    "LIMES 4x1.50",
    "1,15 EUR/kg",
    "12:30",
    "000000118927",
    "LIMONADE 0,5l",
    "1030 Wien, Hauptstr. 81",
    "VITAMIN S.OS",
  ];
  for (const text of others) test(text, () => assert.deepEqual(minors(text), []));
});

describe("the price of one is distinguished from the amount of a line", () => {
  for (const text of ["@63.00", "2 x 1,15", "0,410 kg x 1,99"]) {
    test(text, () => assert.equal(findAmounts(text).at(-1)?.isUnitPrice, true));
  }
});

describe("whatever is printed", () => {
  test("an amount is read as it was written, in each country's notation", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 9_999_999 }),
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (minor, comma, grouped, negative) => {
          const [point, mark] = comma ? [",", "."] : [".", ","];
          const whole = String(Math.floor(minor / 100));
          const parted = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, mark) : whole;
          const text = `${negative ? "-" : ""}${parted}${point}${String(minor % 100).padStart(2, "0")}`;
          assert.deepEqual(minors(`BREAD  ${text} A`), [negative ? -minor : minor]);
        },
      ),
    );
  });

  test("no text makes it throw, and every position is inside the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
        for (const { minor, start, end } of findAmounts(text)) {
          assert.ok(Number.isSafeInteger(minor) && start >= 0 && start < end && end <= text.length);
        }
        findNumbers(text);
      }),
    );
  });
});

test("a weight times its price is rounded to the minor unit", () => {
  assert.equal(priceOf(158, 119), 19);
  assert.equal(priceOf(1273, 139), 177);
  assert.equal(priceOf(3000, 45), 135);
});
