import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlaces } from "./places.ts";

test("a session, an application and all together have at most their places, and a freed one can be taken again", () => {
  const places = createPlaces({ max: 6, perSession: 2 });
  const take = (application: string, session: string) => places.take({ application, session });
  const free = take("a", "1");
  assert.ok(free && take("a", "1"));
  assert.equal(take("a", "1"), null);
  assert.ok(take("a", "2"));
  assert.equal(take("a", "3"), null);
  assert.ok(take("b", "4") && take("b", "4") && take("c", "5"));
  assert.equal(take("c", "6"), null);
  free();
  free();
  assert.ok(take("c", "6"));
  assert.equal(take("c", "7"), null);
});
