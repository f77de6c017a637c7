import assert from "node:assert/strict";
import { test } from "node:test";
import { typedNumber } from "./typed-number.ts";

test("a number is typed with a point or a comma; what may be thousands, or is no number, stays text", () => {
  for (const [text, number] of [
    ["5", 5],
    ["-2", -2],
    ["12.5", 12.5],
    ["12,5", 12.5],
    ["12,50", 12.5],
    ["0.005", 0.005],
    ["0,005", 0.005],
    ["1.250", 1.25],
  ] as const) {
    assert.equal(typedNumber(text), number, text);
  }
  for (const text of ["", "1,000", "1,000.50", "1.000,50", "1,", ",5", "5 EUR", "1e3", "0x10"]) {
    assert.equal(typedNumber(text), text);
  }
});
