import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { measureJson } from "../measure-json.ts";
import { storageErrors } from "./body.ts";

/** Reference implementations: recursive, on the parsed value. */
function depthOf(value: unknown): number {
  return typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
}
function valuesOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, member) => sum + valuesOf(member), 1);
}

test("the depth of a JSON text is the depth of its value, whatever its strings contain", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      assert.equal(measureJson(JSON.stringify(value, null, indent)).depth, depthOf(value));
    }),
  );
  assert.equal(measureJson('{"a\\"[[[[":"]]{{\\\\"}').depth, 1);
});

test("the count of values is never too low", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.ok(measureJson(JSON.stringify(value)).values >= valuesOf(value));
    }),
  );
});

test("texts that are not JSON are measured without an error", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.ok(measureJson(text).depth >= 0);
    }),
  );
  assert.equal(measureJson("[".repeat(1_000_000)).depth, 1_000_000);
  assert.equal(measureJson('"\\').depth, 0);
});

test("the members of the largest object are never fewer than counted from its value", () => {
  const membersOf = (value: unknown): number => {
    if (typeof value !== "object" || value === null) return 0;
    const own = Array.isArray(value) ? 0 : Object.keys(value).length;
    return Math.max(own, ...Object.values(value).map(membersOf));
  };
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.equal(measureJson(JSON.stringify(value)).members, membersOf(value));
    }),
  );
  assert.equal(measureJson('[{"a":1,"b":{"c:":":","d":1,"e":{}}},{"f":1}]').members, 3);
});

test("a text is measured up to the first limit that it exceeds", () => {
  const limits = { depth: 64, values: 1_000, members: 100 };
  assert.equal(measureJson("[".repeat(1_000_000), limits).depth, 65);
  assert.equal(measureJson("1,".repeat(1_000_000), limits).values, 1_001);
  assert.equal(measureJson(`{${'"a":1,'.repeat(1_000_000)}`, limits).members, 101);
  // Some 500,000 levels below the first cost 370 ms.
  assert.deepEqual(measureJson(`{}${"]:,".repeat(350_000)}`, limits), { depth: 1, values: 2, members: 0 });
});

test("strings that PostgreSQL cannot store are found, with their paths", () => {
  assert.deepEqual(Object.keys(storageErrors({ a: "\0", b: [{ c: "\ud800" }, "ok"], "d\0": 1, e: { "\udc00": 1 } })), [
    "a",
    "b[0].c",
    "body",
    "e",
  ]);
  assert.deepEqual(storageErrors({ emoji: "👩‍🍳", number: 1, nothing: null, list: ["漢字"] }), {});
});

test("a value has errors exactly if one of its strings has NUL or half a surrogate pair", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\0", "\ud83c", "\udf4f", "🍏") });
  fc.assert(
    fc.property(fc.oneof(text, fc.array(text), fc.dictionary(text, text)), (value) => {
      const texts = typeof value === "string" ? [value] : Object.entries(value).flat();
      const isStorable = texts.every((part) => part.isWellFormed() && !part.includes("\0"));
      assert.equal(Object.keys(storageErrors(value)).length === 0, isStorable);
    }),
  );
});
