import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isInStore, readGtin } from "./gtin.ts";

test("a GTIN of 8, 12, 13 or 14 digits is one number, written with 14", () => {
  assert.equal(readGtin("96385074"), "00000096385074");
  assert.equal(readGtin("036000291452"), "00036000291452");
  assert.equal(readGtin("4006381333931"), "04006381333931");
  assert.equal(readGtin("0036000291452"), readGtin("036000291452"));
});

test("an error in any one digit is detected", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 9 }), (place, slip) => {
      const digits = "4006381333931".split("").map(Number);
      digits[place] = (digits[place]! + slip) % 10;
      assert.equal(readGtin(digits.join("")), null);
    }),
  );
});

test("other texts are no GTIN", () => {
  for (const text of ["", "milk", "12345", "00000000", "40063813339310", "4006381 333931"]) {
    assert.equal(readGtin(text), null);
  }
});

test("in-store numbers are recognised", () => {
  assert.ok(isInStore(readGtin("2012345678903")!));
  assert.ok(isInStore("00000020000004"));
  assert.ok(!isInStore("04006381333931"));
  assert.ok(!isInStore("00000096385074"));
});
