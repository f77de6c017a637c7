import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("whole prices with a sign, above totals with cents", () => {
  test("are amounts, with the sign before or behind them", () => {
    const dollars = readTyped(`
         LITTLE BIRD ESPRESSO
     ABN 41 118 223 900
2 x Flat White Lg          $12
1 x Banana Bread            $8
  + Butter
------------------------------
Total                   $20.00
Eftpos                  $20.00
`);
    assert.equal(dollars.totalMinor, 2000);
    assert.deepEqual(brief(dollars), ["Flat White Lg × 2 = 1200", "Banana Bread = 800"]);
    const euros = readTyped(`
     Zur alten Mühle
     Hauptstr. 3, 80331 München
Gulasch                    14 €
Weißbier                    5 €
Summe                   19,00 €
`);
    assert.deepEqual(brief(euros), ["Gulasch = 1400", "Weißbier = 500"]);
  });

  test("but one that is not printed with cents too is a voucher's value", () => {
    const reading = readTyped(`
         HILLTOP HARDWARE
EXT CORD                  8.99
ROPE                      4.50
TOTAL                    13.49
VISA                     13.49
Your next gift card       $25
`);
    assert.deepEqual(brief(reading), ["EXT CORD = 899", "ROPE = 450"]);
  });
});

test("whole prices without a sign are amounts if the first total with cents is their sum", () => {
  const read = (first: number): string[] =>
    brief(
      readTyped(`
     Coffee Stop
GSTIN 29AABCA5291P1ZP
Bill No          1184
Cappuccino       ${first}
Brownie          95
Total: Rs.275.00
01.02.2024 17:05
`),
    );
  assert.deepEqual(read(180), ["Cappuccino = 18000", "Brownie = 9500"]);
  assert.deepEqual(read(181), []);
});
