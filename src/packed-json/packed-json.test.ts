import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createPackedJson, packedLead } from "./packed-json.ts";

const OWNER = "01a2054a-f937-74b4-850c-d7a495463b7c";
const KNOWN = { ownerId: OWNER, strings: [OWNER, "2026-11-22T22:05:29.489Z"] };
const SHAPES = [["a", "b"], ["a", "c"], ["list"]];
const packing = createPackedJson({
  shapes: SHAPES,
  words: ["", "food", ...Array.from({ length: 90 }, (_, i) => `w${i}`)],
});

function roundTrip(value: unknown, lead: string | null = null): string {
  const packed = packing.pack(value, lead, KNOWN);
  assert.ok(packed, "it is not packed");
  return JSON.stringify(packing.unpack(packed, KNOWN));
}

const isWellFormed = (text: string): boolean => text.isWellFormed();
const leaf = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -99_999_999, max: 99_999_999 }).map((n) => n / 100),
  fc.integer({ min: 0, max: 9_999_999 }).map((n) => n / 10_000),
  fc.string({ unit: "binary" }).filter(isWellFormed),
  fc.string({ maxLength: 500 }),
  fc.constantFrom("", "food", "w3", "w80", OWNER, OWNER.toUpperCase(), `${OWNER}-1`, `${OWNER}-01`, `${OWNER}-`),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.constantFrom(
    "2026-11-22T22:05:29.489Z",
    "2026-02-30T22:05:29.489Z",
    "2026-11-22T22:05:29.4890",
    "1969-12-31T23:59:59.999Z",
  ),
);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, tie("pair"), tie("list"), fc.array(tie("value"), { maxLength: 5 })),
  pair: fc.oneof(
    fc.tuple(tie("value"), tie("value")).map(([a, b]) => ({ a, b })),
    fc.tuple(tie("value"), tie("value")).map(([a, c]) => ({ a, c })),
  ),
  list: fc.array(tie("value"), { maxLength: 40 }).map((list) => ({ list })),
}));

test("what is unpacked has the same text", () => {
  fc.assert(
    fc.property(value, fc.option(fc.string()), (packed, lead) => {
      assert.equal(roundTrip(packed, lead), JSON.stringify(packed));
    }),
  );
});

test("numbers keep every digit", () => {
  for (const number of [
    0,
    -0,
    15,
    16,
    -1,
    0.1,
    0.3,
    1.005,
    123_456.789,
    -4.2,
    1e21,
    5e-324,
    0.1 + 0.2,
    2 ** 53 - 1,
    1e9 + 0.5,
  ])
    assert.equal(roundTrip(number), JSON.stringify(number));
});

test("many different strings, and long values, come back", () => {
  const list = Array.from({ length: 400 }, (_, i) => `line ${i % 300} of a long text`);
  assert.equal(roundTrip({ list }), JSON.stringify({ list }));
  assert.ok(packing.pack({ list }, null, KNOWN)!.length < 2_000);
});

test("what has no packed form is not packed", () => {
  const pack = (whole: unknown): Buffer | null => packing.pack(whole, null, KNOWN);
  assert.equal(pack({ b: 1, a: 2 }), null, "another order");
  assert.equal(pack({ a: 1 }), null, "a member less");
  assert.equal(pack({ a: 1, b: { unknown: true } }), null, "an unknown shape within");
  assert.equal(pack({}), null);
  assert.equal(pack({ a: undefined, b: 1 }), null, "its text lacks the member");
  assert.equal(pack({ a: new Date(), b: 1 }), null);
  assert.equal(pack(["\ud800"]), null, "half of a surrogate pair");
  assert.equal(pack([Number.NaN]), null);
  for (const long of ["x".repeat(80_000), Array.from({ length: 80_000 }, () => 0)]) assert.equal(pack(long), null);
  assert.ok(pack("x".repeat(26_000)));
});

test("a lead is found by its bytes, and by those of no other", () => {
  const text = (i: number): string => `reference ${i}`;
  for (const list of [["food"], Array.from({ length: 300 }, (_, i) => text(i))]) {
    const packed = packing.pack({ list }, "reference 12", KNOWN)!;
    const startsWith = (lead: string): boolean => packed.subarray(1).indexOf(packedLead(lead)) === 0;
    assert.ok(startsWith("reference 12"));
    assert.ok(!startsWith("reference 1") && !startsWith("reference 123") && !startsWith(""));
  }
});

test("other bytes are refused", () => {
  const packed = packing.pack({ a: 1, b: "two" }, null, KNOWN)!;
  assert.throws(() => packing.unpack(Buffer.from([9]), KNOWN), /version 9/);
  assert.throws(() => packing.unpack(packed.subarray(0, -1), KNOWN), /too early/);
  assert.throws(() => packing.unpack(Buffer.concat([packed, Buffer.from([0])]), KNOWN), /more bytes/);
  assert.throws(() => packing.unpack(Buffer.from([1, 0, 16 + 31]), KNOWN), /not known/);
  assert.throws(() => packing.unpack(Buffer.from([1, 0, 255]), KNOWN), /not known/);
});
