import assert from "node:assert/strict";
import { test } from "node:test";
import { basePathsOf, routedUrl } from "./target.ts";

test("a whole address as target leads to its path, whatever its host", () => {
  assert.equal(routedUrl("http://any.example/users/1?a=http://b/c", []), "/users/1?a=http://b/c");
  assert.equal(routedUrl("HTTPS://any.example:8443", []), "/");
  assert.equal(routedUrl("http://any.example?a=1", []), "/?a=1");
  for (const target of ["/users", "//users", "*", "ftp://any.example/users"])
    assert.equal(routedUrl(target, []), target);
});

test("the path of a configured address is left out, once, and only as whole segments", () => {
  const bases = basePathsOf(["https://a.example/rewards/", "https://b.example/rewards/pages", "https://c.example"]);
  assert.deepEqual(bases, ["/rewards/pages", "/rewards"]);
  assert.equal(routedUrl("/rewards/users/1", bases), "/users/1");
  assert.equal(routedUrl("/rewards/pages/enroll?sessionId=x", bases), "/enroll?sessionId=x");
  assert.equal(routedUrl("/rewards/rewards/users", bases), "/rewards/users");
  assert.equal(routedUrl("/rewards", bases), "/");
  assert.equal(routedUrl("/rewards?lang=de", bases), "/?lang=de");
  assert.equal(routedUrl("http://a.example/rewards/docs", bases), "/docs");
  for (const url of ["/rewardsusers", "/users/1", "/users/rewards/2"]) assert.equal(routedUrl(url, bases), url);
});
