import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brief, readTyped } from "../../../../test/support/typed-receipt.ts";

describe("a blank between thousands", () => {
  test("is no count where a payment is printed so", () => {
    const reading = readTyped(`
     FJELLSPORT AS
     Org.nr 912 334 551
     TURSKO DAME               1 999,00
     SOKKER ULL                  149,00
     Totalt                    2 148,00
     Bank: 2 148,00
`);
    assert.equal(reading.totalMinor, 214_800);
    assert.deepEqual(brief(reading), ["TURSKO DAME = 199900", "SOKKER ULL = 14900"]);
  });

  test("is none between a count and an amount", () => {
    const reading = readTyped(`
     FJELLSPORT AS
     SOKKER ULL              2 149,00
     LUE                       199,00
     Totalt                    348,00
     Bank                      348,00
`);
    assert.equal(reading.totalMinor, 34_800);
    assert.deepEqual(brief(reading)[0]!.replace(/ × 2/, ""), "SOKKER ULL = 14900");
  });
});
