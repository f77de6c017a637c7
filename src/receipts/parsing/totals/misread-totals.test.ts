import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";

const shop = (below: string): string => `
     HILL STORES
     BREAD                   5.25
     BUTTER                  3.99
     JAM                     7.16
${below}`;

function totalOf(below: string): number | null {
  return readTyped(shop(below)).totalMinor;
}

describe("a total that lost a digit", () => {
  test("is the sum of the list that has it", () => {
    assert.equal(totalOf("     TOTAL  6.40\n"), 1640);
  });

  test("is what the card paid, although a line is misread", () => {
    const reading = readTyped(shop("     TOTAL  6.40\n     VISA  16.40\n").replace("5.25", "5.85"));
    assert.equal(reading.totalMinor, 1640);
    assert.ok(reading.fieldAccuracy.total < 0.9);
  });

  test("is not what was given in cash, nor paid with a cashback", () => {
    const cashback = shop("     TOTAL  6.40\n     CASHBACK  10.00\n     CARD  16.40\n").replace("5.25", "5.20");
    assert.notEqual(readTyped(cashback).totalMinor, 1640);
    const reading = readTyped(
      "     HILL STORES\n     BREAD  1.25\n     JAM  3.75\n     TOTAL  5.00\n     CASH  50.00\n",
    );
    assert.equal(reading.totalMinor, 500);
  });
});

describe("a total with a misread digit is the sum of the list", () => {
  test("where no line could have that digit misread, nor a row be missing", () => {
    assert.equal(totalOf("     TOTAL  15.40\n"), 1640);
    assert.equal(totalOf("     TOTAL  18.40\n"), 1840);
  });

  test("where cash and change say so, however their words were read", () => {
    const below = "     TOTAL  10.40\n     CAS  20.00\n     CHANE  3.60\n";
    assert.equal(totalOf(below), 1640);
  });

  test("where it is printed below, in another money perhaps", () => {
    assert.equal(totalOf("     TOTAL CHF  10.40\n     EUR  16.40\n"), 1640);
  });

  test("where two payments make it, or the taxes and the net amounts", () => {
    assert.equal(totalOf("     TOTAL  10.40\n     VOUCHER  5.00\n     VISA  11.40\n"), 1640);
    assert.equal(totalOf("     TOTAL  10.40\n     NET 7%  12.00 VAT 0.84\n     NET 19%  2.99 VAT 0.57\n"), 1640);
  });

  test("but not where a line could have it as well, nor where it is printed twice", () => {
    assert.equal(totalOf("     TOTAL  10.40\n"), 1040);
    assert.equal(totalOf("     TOTAL  15.40\n     VISA  15.40\n"), 1540);
  });

  test("nor where the difference is a rounding or a charge between", () => {
    const rounded = shop("     TOTAL  16.40\n").replace("7.16", "7.17");
    assert.equal(readTyped(rounded).totalMinor, 1640);
    assert.equal(totalOf("     SUBTOTAL  16.40\n     BAG  0.50\n     TOTAL  16.90\n"), 1690);
    assert.equal(totalOf("     SUBTOTAL  16.40\n     COUPON  -2.50\n     TAX  1.50\n     TOTAL  15.40\n"), 1540);
    assert.equal(totalOf("     SUBTOTAL  16.40\n     REWARD  10.00\n     TOTAL  6.40\n"), 640);
  });
});

test("the sum of a list without an end is no total", () => {
  const reading = readTyped("     KUMO RIVA\n     LESA  1.25\n     MUTI  3.99\n     POLU  5.84\n     GERA  9.20\n");
  assert.equal(reading.totalMinor, null);
});

describe("a rightly printed total", () => {
  test("stays where a card paid more that differs by one digit, printed on its slip again", () => {
    const taxed = "     SUBTOTAL  16.40\n     SALES TAX  1.30\n     TOTAL  17.70\n";
    const cashback = "     DEBIT  37.70\n     CASH BACK  20.00\n     CARD AMOUNT  37.70\n";
    assert.equal(totalOf(taxed + cashback), 1770);
    const tipped = "     VISA  18.70\n     CARD AMOUNT  18.70\n";
    assert.equal(totalOf(taxed + tipped), 1770);
  });

  test("stays where money was given out, although no sum above makes it", () => {
    const below = "     TOTAL  17.70\n     DEBIT  37.70\n     CASH BACK  20.00\n     CARD AMOUNT  37.70\n";
    assert.equal(totalOf(below), 1770);
  });
});
