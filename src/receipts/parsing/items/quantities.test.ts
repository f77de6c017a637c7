import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";
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
    ["2,0000 u x 2.100,0000", 420_000],
    ["34,12 litros x 1,589 EUR/l", 5422],
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

describe("a count, its price and marks", () => {
  test("below the name, with a sign before the price, or a unit that is no known one", () => {
    const reading = readTyped(`
     FJELLBUTIKKEN AS
     OST FERSK
       0,390 kg x kr 149,90   58,46
     LOMPER
       2 x kr 24,90           49,80
     SAINT MARCELLIN
       3 P  3,90 E/P          11,70
     SUM                     119,96
     28/11-25  16:41
`);
    assert.deepEqual(brief(reading), ["OST FERSK × 0.39kg = 5846", "LOMPER × 2 = 4980", "SAINT MARCELLIN × 3 = 1170"]);
    assert.equal(reading.date, "2025-11-28");
  });

  test("a tax mark between the count and the amount is no part of the name", () => {
    const reading = readTyped(`
     BOLT A SARKON
     KENYER FEHER    2  A00     2,36
     TEJ             1  A00     6,97
     SAJT            3  B00     7,50
     TOTAL                     16,83
`);
    assert.deepEqual(
      reading.lines.map(({ description }) => description),
      ["KENYER FEHER", "TEJ", "SAJT"],
    );
  });
});

describe("the count beside a price", () => {
  test("litres before the count that are the size of the goods", () => {
    const reading = readTyped(`
     BAUHAUS KÖLN
WANDFARBE 10 LITER 1 x 29,90   29,90
EIMER                           4,50
SUMME EUR                      34,40
`);
    assert.deepEqual(brief(reading), ["WANDFARBE 10 LITER = 2990", "EIMER = 450"]);
  });

  test("a figure with three decimals, above its name", () => {
    const reading = readTyped(`
     CORNER STORE
     1,000 BUC. x 8,49
     LAPTE 3,5% 1L             8,49
     2,000 BUC. x 3,29
     PAINE                     6,58
     TOTAL                    15,07
`);
    assert.deepEqual(brief(reading), ["LAPTE 3,5% 1L = 849", "PAINE × 2 = 658"]);
  });
  test("below its name", () => {
    const reading = readTyped(`
     CORNER STORE
     Gipfeli               CHF 2.80
     2        CHF 1.40
     Brot                  CHF 4.50
     TOTAL                    7.30
`);
    assert.deepEqual(brief(reading), ["Gipfeli × 2 = 280", "Brot = 450"]);
  });
  test("in words, and before something is taken off", () => {
    const reading = readTyped(`
     CORNER STORE
     Sas                      62.50
     Antal: 5 st 12.50 kr/st
     Dumle 350g               99.00
     Antal: 3 st 39.90 kr/st
     Rabatt: SEK 20.70 (17.3% av 119.70)
     Ost                      20.00
     TOTAL                    181.50
`);
    assert.deepEqual(brief(reading), ["Sas × 5 = 6250", "Dumle 350g × 3 = 9900", "Ost = 2000"]);
  });
  test("less what was saved", () => {
    const reading = readTyped(`
     CORNER STORE
     Gruyere   0.286  19.80  1.13   4.53
     Zopf      1       3.20         3.20
     TOTAL                         7.73
`);
    assert.deepEqual(brief(reading), ["Gruyere × 0.286kg = 453", "Zopf = 320"]);
  });
  test("one in its column, before the price", () => {
    const reading = readTyped(`
     CORNER STORE
     Item    Qty U.Price        RM
     001533  1.00  19.00     19.00 SR
     Wood Lacquer Thinner
     000920  2.00   5.00     10.00 SR
     Putty Filler
     TOTAL                   29.00
`);
    assert.deepEqual(brief(reading), ["Wood Lacquer Thinner = 1900", "Putty Filler × 2 = 1000"]);
  });
  test("not the size of a bag", () => {
    const reading = readTyped(`
     CORNER STORE
     CARRIER BAG 24L *         1.00
     BREAD                     2.00
     TOTAL                    3.00
`);
    assert.deepEqual(brief(reading), ["CARRIER BAG 24L = 100", "BREAD = 200"]);
  });
});

test("goods priced by several: the price of one is rounded up", () => {
  const reading = readTyped(`
     MAPLE MARKET
     CRACKERS                  2.00
     2 @ 3/5.00
     PASTA SAUCE               3.34
     4 @ 2 FOR 7.00
     ICE CREAM                14.00
     TOTAL                    19.34
`);
  assert.deepEqual(brief(reading), ["CRACKERS = 200", "PASTA SAUCE × 2 = 334", "ICE CREAM × 4 = 1400"]);
});

describe("a count and its price below a note", () => {
  test("is of the goods above, which have its product", () => {
    const reading = readTyped(`
         HARBOUR LIQUOR
       12 Bay St, Halifax NS
  04816200711 HOUSE MERLOT      38.29
    $38.29 ea or 4/$143.56
    Age Verified
    1 @ $38.29 ea
    DEPOSIT 1                    0.25
  7-UP                           2.10
SUBTOTAL                        40.64
GST 5%                           2.03
TOTAL                           42.67
VISA                            42.67
`);
    assert.deepEqual(brief(reading), ["HOUSE MERLOT = 3829", "DEPOSIT 1 = 25", "7-UP = 210"]);
  });
});

test("a fuel's price in tenths of a forint", () => {
  const reading = readTyped(`
     HARKÁLY OIL KFT.
     NYUGTA
     C00 BENZIN 95
     33,15 L x 599,9 Ft/L      19 887
     C00 KÁVÉ NAGY                990
     ÖSSZESEN:                 20 877 Ft
     BANKKÁRTYA:               20 877 Ft
`);
  const [fuel] = reading.lines;
  assert.equal(fuel!.description, "BENZIN 95");
  assert.equal(fuel!.quantity, 33.15);
  assert.equal(fuel!.unit, "l");
});
