import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

// Words of no language: only layout and arithmetic are left.

describe("a list ends at the row that is the sum of those above it, whatever its word", () => {
  test("with cash and change", () => {
    const reading = readTyped(`
     VUKARO ZEMI
     Bolen 12
     Tamiro dupa           2,35
     Zelok 500             1,90
     Farune mito           4,15
     Gorpal                8,40
     Siruve               10,00
     Kadome                1,60
`);
    assert.equal(reading.totalMinor, 840);
    assert.deepEqual(brief(reading), ["Tamiro dupa = 235", "Zelok 500 = 190", "Farune mito = 415"]);
  });

  test("with one good, paid by card", () => {
    const reading = readTyped(`
     VUKARO ZEMI
     Tamiro dupa           7,20
     Gorpal                7,20
     Rivat                 7,20
`);
    assert.equal(reading.totalMinor, 720);
    assert.equal(reading.lines.length, 1);
  });

  test("with a tax on top, and the table of taxes below", () => {
    const reading = readTyped(`
     VUKARO ZEMI
     Tamiro dupa          12.00
     Zelok                 8.00
     Farune mito           5.00
     Huzeve               25.00
     Oma 8%                2.00
     Gorpal               27.00
     Rivat                27.00
     Oma 8%                2.00
`);
    assert.deepEqual([reading.totalMinor, reading.subTotalMinor, reading.taxMinor], [2700, 2500, 200]);
    assert.equal(reading.lines.length, 3);
  });

  test("with a rounding that only payment and change show", () => {
    const reading = readTyped(`
     VUKARO ZEMI
     Tamiro dupa           2.31
     Zelok                 3.10
     Farune mito           4.12
     Gorpal                9.53
     Jisivu                0.02
     Siruve               20.00
     Kadome               10.45
`);
    assert.deepEqual([reading.totalMinor, reading.roundingMinor], [955, 2]);
  });

  test("two equal goods are no sum", () => {
    const reading = readTyped(`
     VUKARO ZEMI
     Zelok 500             1,50
     Zelok 500             1,50
     Gorpal                3,00
     Siruve                5,00
     Kadome                2,00
`);
    assert.equal(reading.totalMinor, 300);
    assert.equal(reading.lines.length, 2);
  });
});

test("rows of taxes between the goods and the total are no goods, although their words were misread", () => {
  const reading = readTyped(`
     SKLEP POD LIPA
     CUKIERKI           1 x4,20    4,20A
     PASTA              2 x3,10    6,20C
     SPEZEDAZ CPODRTK A            4,20
     PIU A 23                      0,79
     SPEZEDAZ CPODRTK C            6,20
     PIU C                         0,30
     SUMA PLN                     10,40
     KARTA                        10,40
`);
  assert.equal(reading.totalMinor, 1040);
  assert.deepEqual(brief(reading), ["CUKIERKI = 420", "PASTA × 2 = 620"]);
});

test("a total that is not printed is no evidence for the lines", () => {
  const reading = readTyped(`
     VUKARO ZEMI
     Tamiro dupa           2,35
     Zelok 500             1,90
     Farune mito           4,15
`);
  assert.equal(reading.subTotalMinor, null);
  assert.ok(reading.fieldAccuracy.total < 0.5);
  assert.ok(reading.accuracy < 0.5);
});

test("sums in another column than the goods are no goods", () => {
  const reading = readTyped(`
     DIRUGOK
     VAJI VIKESEFOB   4%   3,45
     MAJABIMA        10%   4,70
     FATOGOPO         4%   3,20
     IRAPUJ
              11,35
     PUL       0,68
     JEFAL
              20,00
     DIKIH
               8,65
`);
  assert.equal(reading.totalMinor, 1135);
  assert.deepEqual(brief(reading), ["VAJI VIKESEFOB = 345", "MAJABIMA = 470", "FATOGOPO = 320"]);
});

test("discounts between two sums may be followed by their own sum", () => {
  const reading = readTyped(`
     FABIRA
     OKALEGOZE          2,49
     AVOFUSUSE          5,18
     BITOD              8,99
     ABIMIFAGO         16,66
     DIBUZ             -1,30
     VADIBUZ           -2,49
     PAZENUZE           3,79
     ABIMIFAGO         12,87
     EPEDIH            12,87
`);
  assert.equal(reading.totalMinor, 1287);
});
