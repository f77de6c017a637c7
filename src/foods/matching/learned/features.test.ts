import assert from "node:assert/strict";
import { test } from "node:test";
import { FEATURES_MAX, consonantsOf, featuresOf, lettersOfWords } from "./features.ts";

test("sizes, counts and accents are left out, and umlauts are read however they are printed", () => {
  assert.deepEqual(lettersOfWords("ÉPIN.HACH.SURG 1K X4"), ["epin", "hach", "surg"]);
  assert.deepEqual(lettersOfWords("KAESE 200G"), lettersOfWords("Käse"));
});

test("the consonants of a word are what a till leaves of it", () => {
  assert.equal(consonantsOf("butter"), "btr");
  assert.equal(consonantsOf("chicken"), "chckn");
  assert.equal(consonantsOf("apple"), "apl");
});

test("the features of any text fit their room, and are the same each time", () => {
  const into = new Uint32Array(FEATURES_MAX);
  const letters = "aeßœ 'éx.%9/-ZZ 漢 \u0000";
  let state = 7;
  const next = (below: number) => (state = Math.imul(state, 48_271) >>> 1) % below;
  for (let round = 0; round < 2_000; round += 1) {
    const text = Array.from({ length: next(260) }, () => letters[next(letters.length)]).join("");
    const count = featuresOf(text, into);
    assert.ok(count <= FEATURES_MAX);
    const again = new Uint32Array(FEATURES_MAX);
    assert.equal(featuresOf(text, again), count);
    assert.deepEqual(again.subarray(0, count), into.subarray(0, count));
  }
});
