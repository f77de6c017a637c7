import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { divide, inProportion, scaled } from "./decimal.ts";

test("a decimal is scaled as it is written, not as it is stored", () => {
  assert.equal(scaled(0.29, 2, "floor"), 29n);
  assert.equal(scaled(1.15, 2, "floor"), 115n);
  assert.equal(scaled(1.005, 2, "halfUp"), 101n);
  assert.equal(scaled(8.1e-7, 8, "floor"), 81n);
  assert.equal(scaled(1e21, 2, "floor"), 10n ** 23n);
  assert.equal(scaled(-0, 2, "floor"), 0n);
});

test("each rounding settles fractions its own way, on both sides of zero", () => {
  const table: [number, bigint, bigint, bigint][] = [
    [2.4, 2n, 3n, 2n],
    [2.5, 2n, 3n, 3n],
    [-2.4, -3n, -2n, -2n],
    [-2.5, -3n, -2n, -3n],
    [-0.1, -1n, 0n, 0n],
    [3, 3n, 3n, 3n],
    [5e-324, 0n, 1n, 0n],
  ];
  for (const [value, floor, ceil, halfUp] of table) {
    assert.equal(scaled(value, 0, "floor"), floor, `floor ${value}`);
    assert.equal(scaled(value, 0, "ceil"), ceil, `ceil ${value}`);
    assert.equal(scaled(value, 0, "halfUp"), halfUp, `halfUp ${value}`);
  }
});

test("what is no number is refused", () => {
  for (const value of [NaN, Infinity, -Infinity]) {
    assert.throws(() => scaled(value, 0, "floor"), RangeError);
  }
});

test("a proportion is exact where binary fractions are not", () => {
  assert.deepEqual(inProportion(0.58, 1), [58n, 100n]);
  assert.deepEqual(inProportion(1.5, 0.05), [150n, 5n]);
});

test("every integer of any size scales to itself", () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (n) => {
      assert.equal(scaled(n, 0, "floor"), BigInt(n));
      assert.equal(scaled(n, 3, "halfUp"), BigInt(n) * 1000n);
    }),
  );
});

test("floor, half up and ceil are in order, at most one apart, around the quotient", () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.bigInt(1n, 10n ** 12n), (n, d) => {
      const floor = divide(n, d, "floor");
      const ceil = divide(n, d, "ceil");
      const half = divide(n, d, "halfUp");
      assert.ok(floor * d <= n && n <= ceil * d && ceil - floor <= 1n);
      assert.ok(half === floor || half === ceil);
      assert.equal(divide(-n, d, "halfUp"), -half);
    }),
  );
});
