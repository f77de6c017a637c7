import assert from "node:assert/strict";
import { test } from "node:test";
import { matchHighlights } from "./match-highlights.ts";

const SHADES = Uint8Array.from({ length: 20_000 }, (_, i) => 120 + ((i * 7919) % 130));

/** Returns a picture with those shades, the same picture after a change, and the pairs of shades of both. */
function changed(change: (shade: number) => number) {
  const from = { data: SHADES, width: 200, height: 100, scale: 1 };
  const to = { ...from, data: SHADES.map((shade) => Math.min(255, Math.round(change(shade)))) };
  return { from, to, pairs: Array.from(SHADES, (shade, at) => 256 * shade + to.data[at]!) };
}

test("the original gets the clipped highlights of its brightened copy, in either order", () => {
  const { from, to, pairs } = changed((shade) => 1.3 * shade);
  const swapped = pairs.map((pair) => 256 * (pair & 255) + (pair >> 8));
  for (const [original, copy] of [
    matchHighlights(from, to, pairs)!,
    matchHighlights(to, from, swapped)!.toReversed(),
  ]) {
    assert.equal(copy, to);
    assert.ok(original!.data.every((shade, at) => Math.abs(shade - to.data[at]!) <= 6));
  }
});

test("pictures that differ in brightness alone are compared unchanged", () => {
  for (const factor of [0.8, 1, 1.02]) {
    const { from, to, pairs } = changed((shade) => factor * shade);
    assert.equal(matchHighlights(from, to, pairs), null);
  }
});
