import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a misread digit of a line", () => {
  const receipt = (below: string): string => `
     HILL STORES
     BREAD                   1.25
     BUTTER                  3.93
     JAM                     2.45
${below}`;
  const lines = ["BREAD = 125", "BUTTER = 399", "JAM = 245"];

  test("is corrected from a subtotal that makes the total with several charges", () => {
    const below =
      "     SUBTOTAL  7.69\n     SERVICE CHARGE 10%  0.77\n     GST 9%  0.76\n     TOTAL  9.22\n     VISA  9.22\n";
    assert.deepEqual(brief(readTyped(receipt(below))), lines);
  });

  test("is corrected from the total less the tax above it, where the subtotal is misread", () => {
    const below = "     SUBTOTAL  7.09\n     SALES TAX  0.51\n     TIP  1.00\n     TOTAL  9.20\n     VISA  9.20\n";
    assert.deepEqual(brief(readTyped(receipt(below))), lines);
  });

  test("is corrected where the sum makes the paid total with its rounding", () => {
    const below = "     TOTAL  7.69\n     ROUNDING  0.01\n     TO PAY  7.70\n     CASH  10.00\n     CHANGE  2.30\n";
    assert.deepEqual(brief(readTyped(receipt(below))), lines);
  });

  test("stays where the total is printed once, with its tax", () => {
    const below = "     SALES TAX  0.51\n     TOTAL  8.20\n";
    assert.deepEqual(brief(readTyped(receipt(below))), ["BREAD = 125", "BUTTER = 393", "JAM = 245"]);
  });
});

test("an amount that was not read is what is missing to the subtotal, not to the total with its tax", () => {
  const reading = readTyped(`
     HILL STORES
     BREAD                   1.25
     BUTTER 250G             3,9
     JAM                     2.45
     SUBTOTAL                7.69
     TAX                     0.62
     TOTAL                   8.31
     VISA                    8.31
`);
  assert.deepEqual(brief(reading), ["BREAD = 125", "BUTTER 250G = 399", "JAM = 245"]);
});
