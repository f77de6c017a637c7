import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";

const total = (subtotal: string, below: string): number | null =>
  readTyped(`
     SUNNY SIDE DINER
     BREAKFAST              29.00
     COFFEE                 14.25
     SUBTOTAL               ${subtotal}
${below}`).totalMinor;

describe("a total with a misread digit below a subtotal and a tax", () => {
  test("is their sum, if the tax cannot have that digit misread", () => {
    assert.equal(total("43.25", "     TAX  3.57\n     TOTAL  45.82\n"), 4682);
  });

  test("stays if the subtotal is another one than the sum of the list", () => {
    assert.equal(total("43.20", "     TAX  3.57\n     TOTAL  45.77\n"), 4577);
  });

  test("stays if what is between is no charge, or a discount without its sign", () => {
    assert.equal(total("43.25", "     TAX  3.57\n     YOU SAVED  2.00\n     TOTAL  46.82\n"), 4682);
    assert.equal(total("43.25", "     CLUB BALANCE  5.00\n     TOTAL  43.25\n"), 4325);
    assert.equal(total("43.25", "     DISCOUNT  3.00\n     TOTAL  40.25\n"), 4025);
  });

  test("is their sum without its point, or without its last figure", () => {
    assert.equal(total("43.25", "     TAX  3.57\n     TOTAL  4682\n"), 4682);
    assert.equal(total("43.25", "     TAX  3.57\n     TOTAL  46.8\n"), 4682);
  });
});

test("a later total shows that the first one was misread", () => {
  assert.equal(total("43.25", "     TAX  3.57\n     TOTAL  40.82\n     TIP  5.00\n     TOTAL  51.82\n"), 5182);
});

test("a rounding that was misread is the one that was paid", () => {
  const reading = readTyped(`
     HILL STORES
     BREAD                  18.23
     LAMB                   20.00
     TOTAL                  38.23
     ROUNDING               -0.08
     CASH                   40.00
     CHANGE                  1.80
`);
  assert.equal(reading.totalMinor, 3820);
  assert.equal(reading.roundingMinor, -3);
});
