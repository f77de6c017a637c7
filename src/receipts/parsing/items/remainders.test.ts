import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a price that is printed again less its discount", () => {
  test("is no good, whatever its word, where the list adds up without it", () => {
    for (const [discount, rest, total] of [
      ["RABATT", "NEUER PREIS", "SUMME"],
      ["VOREK", "FINAT", "DUGIR"],
    ]) {
      const reading = readTyped(`
     LADEN AM TOR
     KANE 500           2,35
     MELOK              6,99
     ${discount!.padEnd(17)} -2,00
     ${rest!.padEnd(18)} 4,99
     PIRUN              7,90
     ${total!.padEnd(17)} 15,24
     LAROB             20,00
     MISTU              4,76
`);
      assert.equal(reading.totalMinor, 1524);
      assert.deepEqual(brief(reading), ["KANE 500 = 235", "MELOK = 699", `${discount} = -200`, "PIRUN = 790"]);
    }
  });

  test("is a good where the list adds up with it", () => {
    const reading = readTyped(`
     LADEN AM TOR
     MELOK              6,99
       RABATT          -2,00
     FINAT              4,99
     PIRUN              7,90
     SUMME             17,88
`);
    assert.deepEqual(brief(reading), ["MELOK = 699", "RABATT = -200", "FINAT = 499", "PIRUN = 790"]);
  });
});

test("the sum below a discount on all is no such price, though the change was misread", () => {
  const reading = readTyped(`
     MIXUE HOUSE
     Boba Sundae        16.00
     Boba Sundae        16.00
     Total amount       32.00
     Other discount     -4.00
     Due                28.00
     Cash               30.00
     Change              0.20
`);
  assert.equal(reading.totalMinor, 2800);
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
