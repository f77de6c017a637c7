import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { pathsMeant } from "./meant.ts";

const KNOWN = [
  "/users/enroll",
  "/users/:id/summary",
  "/users/:id/transactions",
  "/users/:id/transactions/:transactionId",
  "/track/meals",
  "/track/meals/:id/status",
  "/openapi.json",
];

test("a path that is right but for slashes, case, a prefix or a few letters is recognised", () => {
  const meant: Record<string, string> = {
    "/users/enroll/": "/users/enroll",
    "//users/enroll": "/users/enroll",
    "/Users/Enroll": "/users/enroll",
    "/v1/users/enroll": "/users/enroll",
    "/api/1.0/users/enroll": "/users/enroll",
    "/issuers/users/enroll/": "/users/enroll",
    "/user/enrol": "/users/enroll",
    "/track/meal": "/track/meals",
    "/track/meals/01a1/statu": "/track/meals/:id/status",
    "/openapi": "/openapi.json",
    "/users//summary": "/users/:id/summary",
  };
  for (const [path, expected] of Object.entries(meant)) assert.deepEqual(pathsMeant(path, KNOWN), [expected], path);
});

test("where a slash ends the path an id may be missing after it: both are named", () => {
  assert.deepEqual(pathsMeant("/users/01a1/transactions/", KNOWN), [
    "/users/:id/transactions",
    "/users/:id/transactions/:transactionId",
  ]);
});

test("what is near nothing is left alone, whatever it is", () => {
  for (const path of ["/", "/nowhere", "/wp-login.php", "/users", `/users/${"x".repeat(300)}/summary`]) {
    assert.deepEqual(pathsMeant(path, KNOWN), [], path);
  }
  fc.assert(
    fc.property(fc.webPath(), (path) => {
      for (const each of pathsMeant(path, KNOWN)) assert.ok(KNOWN.includes(each));
    }),
  );
});
