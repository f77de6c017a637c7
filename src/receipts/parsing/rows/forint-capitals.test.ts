import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("forints", () => {
  test("with their sign in capitals, in the price of one too", () => {
    const reading = readTyped(`
          KÖRTEFA ÉLELMISZER KFT.
      1117 BUDAPEST, ALMA ÚT 12
      ADÓSZÁM: 12345678-2-07
C00 TRAPPISTA SAJT
   0,412 KG * 2 999 FT/KG       1 236
C00 FEHÉR KENYÉR 1KG              899
A00 ALMALÉ 1,75L
   2 DB * 749 FT/DB             1 498
ÖSSZESEN:                    3 633 FT
BANKKÁRTYA                   3 633 FT
2026.05.16. 16:44
`);
    assert.deepEqual([reading.currency, reading.totalMinor], ["HUF", 363_300]);
    assert.deepEqual(
      brief(reading),
      ["TRAPPISTA SAJT × 0.412kg = 123600", "FEHÉR KENYÉR 1KG = 89900", "ALMALÉ 1,75L × 2 = 149800"], // prettier-ignore
    );
  });

  test("before the tax group, on a row of their own below the name", () => {
    const reading = readTyped(`
          KÖRTEFA ÉLELMISZER KFT.
      ADÓSZÁM 12345678-2-12
KIFLI             10 DB X 49
                            490 B00
SZALÁMI TÉLI 75G          1 249 C00
SZATYOR                      99 A00
ÖSSZESEN                  1 838 FT
KÉSZPÉNZ                  2 000 FT
VISSZAJÁRÓ                  162 FT
2025.09.28. 10:20
`);
    assert.equal(reading.totalMinor, 183_800);
    assert.deepEqual(brief(reading), ["KIFLI × 10 = 49000", "SZALÁMI TÉLI 75G = 124900", "SZATYOR = 9900"]);
  });

  test("but one row of feet is none", () => {
    const reading = readTyped(`
          HILLTOP HARDWARE
       12 Main St, Denver, CO 80204
EXT CORD 6 FT                    8.99
ROPE                             4.50
TOTAL                           13.49
VISA                            13.49
`);
    assert.deepEqual(brief(reading), ["EXT CORD 6 FT = 899", "ROPE = 450"]);
  });
});
