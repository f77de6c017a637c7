import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("discounts that are in the prices already", () => {
  test("are left out with the usual price", () => {
    const reading = readTyped(`
PRISMA ISO METSÄ
Y-tunnus 1837957-3
RAEJUUSTO 200G                        1,49
KAHVI JUHLA                           7,95
NORM.                                 8,95
ALENNUS                              -1,00
YHTEENSÄ                              9,44
PANKKIKORTTI                          9,44
`);
    assert.deepEqual(brief(reading), ["RAEJUUSTO 200G = 149", "KAHVI JUHLA = 795"]);
  });

  test("are left out where one has no sign", () => {
    const reading = readTyped(`
          PROFI STRADA MARE
C.I.F RO11607939
LIPICI FIX                            8,98
Reducere 17,97                       -8,99
PASTE SPAGHETE                        5,25
Reducere                              8,99
Total                                14,23
Card                                 14,23
`);
    assert.deepEqual(brief(reading), ["LIPICI FIX = 898", "PASTE SPAGHETE = 525"]);
  });

  test("are read where the total is after them", () => {
    const reading = readTyped(`
PRISMA ISO METSÄ
Y-tunnus 1837957-3
RAEJUUSTO 200G                        1,49
KAHVI JUHLA                           8,95
ALENNUS                              -1,00
YHTEENSÄ                              9,44
`);
    assert.deepEqual(brief(reading), ["RAEJUUSTO 200G = 149", "KAHVI JUHLA = 895", "ALENNUS = -100"]);
  });
});
