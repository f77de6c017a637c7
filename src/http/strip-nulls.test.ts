import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import * as fc from "fast-check";
import { stripNulls } from "./strip-nulls.ts";
import type { Shape } from "./strip-nulls.ts";
import { nullable } from "./schema-members.ts";

const Shop = Type.Object({ name: Type.Optional(Type.String()) });
const Body: Shape = Type.Object({
  id: Type.String(),
  shop: Type.Optional(Shop),
  items: Type.Optional(Type.Array(Shop)),
  words: Type.Optional(nullable(Type.Array(Type.String()))),
  notes: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

test("null members are removed at every depth, required ones too", () => {
  const body = { id: null, shop: { name: null }, items: [{ name: null }, { name: "x" }], notes: null };
  assert.deepEqual(stripNulls(body, Body), { shop: {}, items: [{}, { name: "x" }] });
});

test("null is kept where the schema allows it, in undeclared members, and as an array entry", () => {
  for (const body of [{ words: null }, { notes: { a: null } }, { unknown: null }, { items: [null] }, null, [null]]) {
    assert.deepEqual(stripNulls(body, Body), body);
  }
});

test("nothing else in a body is changed", () => {
  const isWithoutNull = (value: unknown) => !JSON.stringify(value).includes("null");
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("id", "shop", "items", "toString"), fc.jsonValue()), (body) => {
      fc.pre(isWithoutNull(body));
      assert.equal(JSON.stringify(stripNulls(body, Body)), JSON.stringify(body));
    }),
  );
});
