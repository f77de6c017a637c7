import assert from "node:assert/strict";
import { test } from "node:test";
import { columnsOf } from "./header.ts";

const COLUMNS = { names: ["email", "userId", "firstName"], required: [["email", "userId"], ["firstName"]] } as const;

test("columns are found in any order, letter case and way to write two words", () => {
  const read = columnsOf(["\uFEFFFirst Name", "tier", "E-Mail", "user_id"], COLUMNS, ["Tier"]);
  assert.ok("places" in read);
  assert.deepEqual(
    [...read.places],
    [
      ["firstName", 0],
      ["email", 2],
      ["userId", 3],
    ],
  );
});

test("any other column is left out where a table may have others", () => {
  const read = columnsOf(["tier", "E-Mail", "tier", "first name"], COLUMNS, "others");
  assert.deepEqual("places" in read && [...read.places.values()], [1, 3]);
  const missing = columnsOf(["emial", "firstname"], COLUMNS, "others");
  assert.deepEqual(missing, { errors: ["the column email or userId is missing"] });
});

test("a header that does not fit is refused with every column that is unknown, missing or there twice", () => {
  assert.deepEqual(columnsOf(["emial", "firstname", "FIRSTNAME"], COLUMNS, []), {
    errors: [
      'there is no column "emial"; did you mean email?',
      "the column firstName is there twice",
      "the column email or userId is missing",
    ],
  });
});

test("of a file that is no table little is shown", () => {
  const read = columnsOf(
    Array.from({ length: 5_000 }, () => "\u001b".repeat(9_000)),
    COLUMNS,
    [],
  );
  assert.ok("errors" in read);
  assert.equal(read.errors.length, 21);
  assert.ok(read.errors.every((error) => error.length < 400));
});
