import assert from "node:assert/strict";
import { test } from "node:test";
import { createDirect } from "./direct.task.ts";
import type { DirectDeps } from "./direct.task.ts";

/** Counts how often a wait looks at what is unsent. `bytes` of each look. */
async function looksWhile(bytes: (look: number) => number): Promise<number> {
  let looks = 0;
  const unstored = { bytes: () => bytes(looks++) };
  await createDirect({ unstored } as unknown as DirectDeps).catchUp();
  return looks;
}

test("who stores many events waits until little is unsent, and not for longer than a second", async () => {
  const [little, much] = [1_000_000, 31_000_000];
  assert.equal(await looksWhile(() => little), 1);
  assert.equal(await looksWhile((look) => (look < 3 ? much : little)), 4);
  assert.equal(await looksWhile(() => much), 100);
});
