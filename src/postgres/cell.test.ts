import assert from "node:assert/strict";
import { test } from "node:test";
import { isSchemaName, jobsSchema } from "./cell.ts";

test("a schema has a plain name that is neither PostgreSQL's nor that of queues", () => {
  for (const name of ["public", "north", "cell_2", "a".repeat(40)]) assert.ok(isSchemaName(name), name);
  const others = [
    "",
    "North",
    "2nd",
    "a-b",
    'a"b',
    "a".repeat(41),
    "pg_cell",
    "information_schema",
    "jobs",
    "north_jobs",
  ];
  for (const name of others) assert.ok(!isSchemaName(name), name);
});

test("no two schemas have the same queues, and public has those that it always had", () => {
  assert.deepEqual(["public", "north", "south"].map(jobsSchema), ["jobs", "north_jobs", "south_jobs"]);
});
