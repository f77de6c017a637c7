import assert from "node:assert/strict";
import { test } from "node:test";
import { arrayColumns } from "./array-columns.ts";
import { binaryArray } from "./binary-array.ts";

const ID = "01a204ac-72af-7154-94f4-f77e2178b00f";

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
      { id: ID, points: 5 },
      { id: ID, points: 7 },
    ]),
    [binaryArray("uuid", [ID, ID]), binaryArray("int", [5, 7])],
  );
});
