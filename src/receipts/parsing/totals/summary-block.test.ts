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

test("money given out with a card is not in the total, although the slip's word is one for a total", () => {
  const reading = readTyped(`
     MARKTHALLE
     Wurst                           6,27
     Kaffee                         10,01
     Milch                           2,60
     Preisnachlass                  -1,88
     Treuebonus alt                 24,42
     ZU ZAHLEN                      17,00
     girocard                       22,00
     Auszahlung                      5,00
     Betrag EUR                     22,00
`);
  assert.equal(reading.totalMinor, 1700);
});

describe("sums above the total", () => {
  test("a subtotal that is printed twice is not the total", () => {
    const reading = readTyped(`
     CURRY CORNER
     Item               Qty   Rate   Total
     Kadhai Paneer        1  275.00  275.00
     Tandoori Roti        2   30.00   60.00
     Rumali Roti          1   30.00   30.00
     Item Total                      365.00
     Sub Total                       365.00
     cess @ 3%                        10.95
     CGST @ 2.5                        9.13
     SGST @ 2.5                        9.12
     Total:                          394.20
`);
    assert.equal(reading.totalMinor, 39_420);
  });

  test("a total that cannot be read is what a card paid, if that is the subtotal and the tax", () => {
    const reading = readTyped(`
     CORNER STORE
     2 QTY  GREEN ONIONS        1.00
     BUTTER LETTUCE             3.49
     ROSES                      6.99
     SUBTOTAL                  11.48
     **** GST 5%                0.57
     TOTAL                     -.,~.
     MasterCard                12.05
`);
    assert.equal(reading.totalMinor, 1205);
    assert.equal(reading.lines.length, 3);
  });

  test("a suggested tip is not added to the total, one that was given is", () => {
    const reading = readTyped(`
     SUNNY SIDE DINER
     2 COFFEE                   7.50
     SHORT STACK                9.50
     Subtotal                  17.00
     Food Tax 5%                0.85
     Total                     17.85
     GRATUITY 18% suggested     3.06
     Tip                        3.00
     Total                     20.85
`);
    assert.equal(reading.totalMinor, 2085);
  });

  test("a rounding to whole coins is in the total", () => {
    const reading = readTyped(`
     ROZMARING VENDÉGLŐ
     Húsleves               3  1.650   4.950 Ft
     Rántott borda          2  3.890   7.780 Ft
     Összesen:                        12.730 Ft
     Szervizdíj 13,5%                  1.719 Ft
     Fizetendő:                       14.449 Ft
     Kerekítés:                        1
     Készpénz:                        14.450 Ft
`);
    assert.deepEqual([reading.totalMinor, reading.roundingMinor, reading.repairs], [1_445_000, 100, []]);
  });
});

test("what a card paid counts where it is printed as taken off", () => {
  const reading = readTyped(`
     DROGERIE AM TOR
     SEIFE             0,95 1
     CREME             6,88 1
     SUMME  EUR        1,8
     VISA   EUR       -7,83
`);
  assert.equal(reading.totalMinor, 783);
  assert.equal(reading.paidMinor, 783);
});

test("cash less an amount with the word for a count is the total, if that is printed; the rounding is the one paid", () => {
  const reading = readTyped(`
     CORNER MART
     ONIGIRI TUNA        6.50
     LATTE HOT          82.47
     Sub-total          88.97
     Rounding Adj       -J.02
     loral Atler Adj    88.95
     CASH              100.00
     Item Count 12  Char e Aml  11.05
`);
  assert.equal(reading.totalMinor, 8895);
  assert.equal(reading.roundingMinor, -2);
});
