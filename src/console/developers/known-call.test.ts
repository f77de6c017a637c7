import assert from "node:assert/strict";
import { test } from "node:test";
import { OPERATIONS } from "../../openapi/operations.ts";
import { knownCall } from "./known-call.ts";

test("nothing but operations of the API can be called, with their query", () => {
  const call = { method: "GET", path: "/users/1/summary", query: { x: "1" } };
  assert.deepEqual(knownCall(OPERATIONS, "GET", " /users/1/summary?x=1 "), call);
  for (const path of [
    "/console/team",
    "/metrics",
    "//evil.example/users/1/summary",
    "http://evil.example/users/1/summary",
    "/users/../console/summary/x",
    "/users/1/summary/",
    "/users/../summary",
    "/users/1 /summary",
    "",
  ]) {
    assert.equal(knownCall(OPERATIONS, "GET", path), null, path);
  }
  assert.equal(knownCall(OPERATIONS, "DELETE", "/users/1/summary"), null);
});
