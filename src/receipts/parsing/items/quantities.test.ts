import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readTyped } from "../../../../test/support/typed-receipt.ts";
import { isQuantityOf } from "./quantities.ts";

describe("a row that is only a quantity and its price, in units of any language", () => {
  const quantities: [string, number][] = [
    ["2.00 ks x 12,90", 2580],
    ["50.000,00 x 1,00 PAK =", 5_000_000],
    ["1UN X 5,15(0,91)", 515],
    ["0.612 kg NET @ $6.90/kg", 422],
    ["2 UN 8,99", 1798],
    ["2 KPL 2,95 E/KPL", 590],
    ["Rp 30000,00 x 2  Rp ", 6_000_000],
    ["36.52L @ R22.98/L", 83_923],
    ["0,742 kg x 2199,00 Ft", 163_200],
    ["1,00 DOB *  2 349,00", 234_900],
  ];
  for (const [text, amount] of quantities) test(text, () => assert.equal(isQuantityOf(text, amount), true));
  const others: [string, number][] = [
    ["2 FRESH COD x 8.50", 1700],
    ["2.00 ks x 12,90", 2590],
    ["TEA 2 x 1.50", 300],
    ["2 UN 8,99", 1898],
    ["0,742 kg x 2199,00 Ft", 163_300],
  ];
  for (const [text, amount] of others) test(`not ${text}`, () => assert.equal(isQuantityOf(text, amount), false));
});

test("the name of such a row is above it", () => {
  const reading = readTyped(`
     TOKO MAWAR
     NUGGET AYAM 500
     50.000,00 x 1,00 PAK =    50.000,00
     SOSIS SAPI
     29.250,00 x 2,00 PAK =    58.500,00
     TOTAL                    108.500,00
`);
  assert.deepEqual(
    reading.lines.map(({ description }) => description),
    ["NUGGET AYAM 500", "SOSIS SAPI"],
  );
});

test("its tax in brackets is no part of the name", () => {
  const reading = readTyped(`
     MERCADO DA ESQUINA LTDA
     001 7891000000011 LEITE INTEGRAL 1L
                 3UN X 4,99(1,20)       14,97
     002 11507 QUEIJO PRATO kg 0,058KG X 46,90(0,62)  2,72
     TOTAL R$                           17,69
`);
  assert.deepEqual(
    reading.lines.map(({ description, amountMinor }) => [description, amountMinor]),
    [
      ["LEITE INTEGRAL 1L", 1497],
      ["QUEIJO PRATO kg", 272],
    ],
  );
});
