import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { firstIdAt, idAbove, isUuid, uuidv7 } from "./ids.ts";

const randomBytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const milliseconds = fc.integer({ min: 0, max: 2 ** 48 - 1 });
const id = fc.tuple(milliseconds, randomBytes).map(([nowMs, random]) => uuidv7(nowMs, random));

test("an id is a UUID of version 7 that holds its millisecond", () => {
  // The example of RFC 9562, appendix A.6.
  const random = Uint8Array.from([0x0c, 0xc3, 0x18, 0xc4, 0xdc, 0x0c, 0x0c, 0x07, 0x39, 0x8f]);
  assert.equal(uuidv7(0x017f22e279b0, random), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
  fc.assert(
    fc.property(milliseconds, randomBytes, (nowMs, random) => {
      const made = uuidv7(nowMs, random);
      assert.ok(isUuid(made));
      assert.equal(made[14], "7");
      assert.match(made[19]!, /[89ab]/);
      assert.equal(Number.parseInt(made.replaceAll("-", "").slice(0, 12), 16), nowMs);
    }),
  );
});

test("an id of a later millisecond sorts after, whatever the random bits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 47 }), randomBytes, randomBytes, (nowMs, a, b) => {
      assert.ok(uuidv7(nowMs, a) < uuidv7(nowMs + 1, b));
    }),
  );
});

test("the ids of a span of time lie between the first id at its start and the first at its end", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 47 }), randomBytes, (ms, random) => {
      assert.ok(uuidv7(ms - 1, random) < firstIdAt(ms));
      assert.ok(firstIdAt(ms) < uuidv7(ms, random));
    }),
  );
});

test("the first id at a time before 1970 is an id, below all others", () => {
  assert.ok(isUuid(firstIdAt(-1)));
  assert.equal(firstIdAt(-1), firstIdAt(0));
});

test("an id above another is above it, and valid, also when the clock went back", () => {
  fc.assert(
    fc.property(id, id, (candidate, last) => {
      const above = idAbove(candidate, last);
      assert.ok(above > last);
      assert.ok(isUuid(above));
      assert.equal(above[14], "7");
      assert.match(above[19]!, /[89ab]/);
      if (candidate > last) assert.equal(above, candidate);
    }),
  );
  assert.equal(idAbove("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", null), "017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
});

test("only an id of our form can name one of our objects", () => {
  const wrong = ["", "__proto__", "017f22e2-79b0-7cc3-98c4-dc0c0c07398", "017F22E2-79B0-7CC3-98C4-DC0C0C07398F"];
  for (const text of [...wrong, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n", "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}"]) {
    assert.equal(isUuid(text), false, text);
  }
});
