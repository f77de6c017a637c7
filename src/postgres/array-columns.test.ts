import assert from "node:assert/strict";
import { test } from "node:test";
import { arrayColumns } from "./array-columns.ts";

test("one table of columns gives their names, their parameters and their values in the same order", () => {
  const columns = arrayColumns<{ id: string; points: number }>({
    user_id: ["uuid", ({ id }) => id],
    total_points: ["int", ({ points }) => points],
  });
  assert.equal(columns.names, "user_id, total_points");
  assert.equal(columns.unnest, "unnest($1::uuid[], $2::int[])");
  assert.equal(columns.next, 3);
  assert.deepEqual(
    columns.values([
      { id: "a", points: 5 },
      { id: "b", points: 7 },
    ]),
    ['{"a","b"}', "{5,7}"],
  );
  assert.deepEqual(columns.values([]), ["{}", "{}"]);
});

test("an array literal escapes what PostgreSQL reads in it, and nothing else; times and bytes are the driver's", () => {
  const at = new Date(0);
  const columns = arrayColumns<{ value: unknown }>({
    text: ["text", ({ value }) => value],
    at: ["timestamptz", () => at],
  });
  const literals: [value: unknown, literal: string][] = [
    [null, "{NULL}"],
    ["NULL", '{"NULL"}'],
    ["", '{""}'],
    [true, "{true}"],
    [-1.5, "{-1.5}"],
    ['a"b\\c,{d}', '{"a\\"b\\\\c,{d}"}'],
    ["line\nfeed\u0001", '{"line\nfeed\u0001"}'],
    ['🥗 "é"\ud800', '{"🥗 \\"é\\"\ud800"}'],
  ];
  for (const [value, literal] of literals) assert.deepEqual(columns.values([{ value }]), [literal, [at]]);
  assert.throws(() => columns.values([{ value: {} }]), TypeError);
});
