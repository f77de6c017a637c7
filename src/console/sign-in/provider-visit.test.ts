import assert from "node:assert/strict";
import { test } from "node:test";
import { openVisit, sealVisit } from "./provider-visit.ts";

const KEY = Buffer.alloc(32, 3);
const VISIT = { state: "s", nonce: "n", verifier: "v", next: "/console", until: 2_000 };

test("a visit to the provider is known again until its time, unless anything of it was changed", () => {
  const value = sealVisit(VISIT, KEY);
  assert.deepEqual(openVisit(value, KEY, 1_999), VISIT);
  assert.equal(openVisit(value, KEY, 2_000), null);
  assert.equal(openVisit(value, Buffer.alloc(32, 4), 1_999), null);
  const other = Buffer.from(JSON.stringify({ ...VISIT, next: "/x" })).toString("base64url");
  for (const changed of [`${other}.${value.split(".")[1]}`, value.split(".")[0]!, "", "."]) {
    assert.equal(openVisit(changed, KEY, 0), null);
  }
});
