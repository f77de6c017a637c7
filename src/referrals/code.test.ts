import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { CODE_BYTES, readCode, referralCode } from "./code.ts";

const bytes = fc.uint8Array({ minLength: CODE_BYTES, maxLength: CODE_BYTES });

test("a code is read as it was made, however it is typed", () => {
  fc.assert(
    fc.property(bytes, (random) => {
      const code = referralCode(random);
      assert.match(code, /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/);
      const typed = [code, code.toLowerCase(), code.replace("-", ""), ` ${code.replace("-", " - ")} `];
      for (const each of typed) assert.equal(readCode(each), code);
    }),
  );
});

test("what no code can be is none, whatever its length", () => {
  for (const typed of ["", "ABCD", "ABCD-EFG1", "ABCD-EFGO", "ABCD-EFGHJ", "ÄBCD-EFGH", "A".repeat(1_000_000)]) {
    assert.equal(readCode(typed), null, typed.slice(0, 20));
  }
});
