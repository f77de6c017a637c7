import assert from "node:assert/strict";
import { test } from "node:test";
import { SCOPES, isScope, mayDo, scopesIn } from "./scope.ts";

test("no scope implies another one; without scopes everything is allowed", () => {
  for (const scope of SCOPES) {
    assert.ok(mayDo(null, scope));
    assert.ok(mayDo([scope], scope));
    assert.ok(!mayDo([], scope));
    assert.ok(
      !mayDo(
        SCOPES.filter((other) => other !== scope),
        scope,
      ),
      scope,
    );
  }
});

test("names of prototypes, other cases and parts are no scopes", () => {
  for (const name of [
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "",
    "*",
    "users",
    "USERS.READ",
    "users.*",
  ]) {
    assert.ok(!isScope(name), name);
    assert.deepEqual(scopesIn(name), { wrong: [name] });
  }
});

test("a list names each scope once, in any order; one wrong name refuses all", () => {
  assert.deepEqual(scopesIn("privacy, users.read,privacy"), { scopes: ["users.read", "privacy"] });
  assert.deepEqual(scopesIn("users.read,user.write,"), { wrong: ["user.write", ""] });
});
