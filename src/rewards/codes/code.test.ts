import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { MADE_CODE_BYTES, isCode, madeCode } from "./code.ts";

test("a made code is a code of 12 unambiguous letters, another one for each change of its bytes modulo 32", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: MADE_CODE_BYTES, maxLength: MADE_CODE_BYTES }), fc.nat(11), (bytes, at) => {
      const code = madeCode(bytes);
      assert.match(code, /^[2-9A-HJ-NP-Z]{12}$/);
      assert.ok(isCode(code));
      const other = bytes.with(at, (bytes[at]! + 1) % 256);
      assert.notEqual(madeCode(other), code);
    }),
  );
});

test("codes can be in a path as they are, and have 1 to 64 characters", () => {
  for (const code of ["A", "a-b_c.d", "0".repeat(64)]) assert.ok(isCode(code), code);
  for (const text of ["", "-A", ".", "..", "a b", "a/b", "é", "0".repeat(65), "a\n"]) assert.ok(!isCode(text), text);
});
