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
    [
      ["a", "b"],
      [5, 7],
    ],
  );
  assert.deepEqual(columns.values([]), [[], []]);
});
