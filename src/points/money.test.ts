import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { currencyExponent, fromMinor, pricePerUnit, toMinor } from "./money.ts";

test("an amount is converted to minor units of its own currency", () => {
  const table: [number, string, number][] = [
    [12.34, "GBP", 1234],
    [0.29, "EUR", 29],
    [1.15, "EUR", 115],
    [500, "JPY", 500],
    [500.5, "JPY", 501],
    [1.234, "KWD", 1234],
    [1e-7, "GBP", 0],
    [-2.5, "GBP", -250],
    [7, "ZZZ", 700],
  ];
  for (const [amount, currency, minor] of table)
    assert.equal(toMinor(amount, currency), minor, `${amount} ${currency}`);
});

test("half a minor unit is rounded up as written, whatever its binary fraction", () => {
  assert.equal(toMinor(1.005, "GBP"), 101);
  assert.equal(toMinor(8.345, "GBP"), 835);
  assert.equal(toMinor(-1.005, "GBP"), -101);
  assert.equal(toMinor(1.0049999, "GBP"), 100);
});

test("minor units are shown with the decimals of their currency", () => {
  assert.equal(fromMinor(1234, "GBP"), 12.34);
  assert.equal(fromMinor(500, "JPY"), 500);
  assert.equal(fromMinor(1234, "KWD"), 1.234);
});

test("an amount without exact minor units is refused", () => {
  for (const amount of [1e15, -1e15, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => toMinor(amount, "GBP"), RangeError);
  }
});

test("the unit price is the amount divided by the quantity, also for weights", () => {
  assert.equal(pricePerUnit(300, 2, "GBP"), 1.5);
  assert.equal(pricePerUnit(100, 3, "GBP"), 0.33);
  assert.equal(pricePerUnit(200, 3, "GBP"), 0.67);
  assert.equal(pricePerUnit(89, 0.5, "EUR"), 1.78);
  assert.equal(pricePerUnit(300, 2, "JPY"), 150);
  assert.equal(pricePerUnit(-150, 1, "GBP"), -1.5);
  assert.equal(pricePerUnit(100, 0, "GBP"), 0);
});

const anyCurrency = fc.constantFrom("GBP", "EUR", "JPY", "KWD");

test("minor units are unchanged after conversion to the shown number and back", () => {
  fc.assert(
    fc.property(anyCurrency, fc.integer({ min: -1e15, max: 1e15 }), (currency, minor) => {
      assert.equal(toMinor(fromMinor(minor, currency), currency), minor);
    }),
  );
});

test("a shown amount never has more decimals than its currency", () => {
  fc.assert(
    fc.property(anyCurrency, fc.double({ min: -1e9, max: 1e9, noNaN: true }), (currency, amount) => {
      const shown = fromMinor(toMinor(amount, currency), currency);
      assert.ok((String(shown).split(".")[1] ?? "").length <= currencyExponent(currency));
      assert.ok(Math.abs(shown - amount) <= 0.5000001 / 10 ** currencyExponent(currency));
    }),
  );
});
