import assert from "node:assert/strict";
import { test } from "node:test";
import { madeBy, subjectOf } from "./audit-changes.ts";

const [USER, RECORD] = ["01890000-0000-7000-8000-00000000000a", "01890000-0000-7000-8000-000000000002"];

test("the subject is the last id of a path; what somebody typed in place of an id is nothing", () => {
  assert.equal(subjectOf({ id: USER, transactionId: RECORD }), RECORD);
  assert.equal(subjectOf({ id: USER }), USER);
  assert.equal(subjectOf({ version: "3" }), "3");
  assert.equal(subjectOf(undefined), null);
  for (const typed of ["ada@example.org", "Ada", "07700900123", "1234567", "__proto__", "", "0", USER.toUpperCase()]) {
    assert.equal(subjectOf({ id: typed }), null, typed);
  }
  assert.equal(subjectOf({ id: USER, transactionId: "ada@example.org" }), USER);
});

test("what was made is the id of the response, or of its first object", () => {
  assert.equal(madeBy({ id: RECORD, secret: "x" }), RECORD);
  assert.equal(madeBy({ transaction: { id: RECORD, name: "Ada" } }), RECORD);
  assert.equal(madeBy({ program: { version: 4 } }), "4");
  for (const nothing of [null, "text", [], {}, { id: "ada@example.org" }, { user: { email: "ada@example.org" } }, 7]) {
    assert.equal(madeBy(nothing), null, JSON.stringify(nothing));
  }
});
