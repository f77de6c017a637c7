import assert from "node:assert/strict";
import { test } from "node:test";
import { ATTACKS } from "../faults/attacks/attacks.ts";
import { measure } from "../faults/attacks/measure.ts";
import { tableHead, tableRow } from "../faults/attacks/table.ts";
import { sampleImage } from "../src/receipts/samples/sample-image.task.ts";

// Short attacks, so that the program of `npm run test:attacks` stays in order. It judges times; this test does not.
const NAMES = ["pipelining"];

test("during short attacks another application's meals and receipts are accepted", async () => {
  const pictures = [await sampleImage("completed", 1)];
  const chosen = ATTACKS.filter(({ name }) => NAMES.includes(name));
  assert.equal(chosen.length, NAMES.length);
  for (const attack of chosen) {
    const outcome = await measure({ attack, seconds: 1, pictures, usualFinishMs: null });
    const failed = outcome.broken.filter((promise) => !promise.startsWith("/health/live"));
    assert.deepEqual(failed, [], attack.name);
    const { live, meals, uploads } = outcome.seen;
    assert.ok(live.length > 0 && meals.length > 0 && uploads.length > 0, attack.name);
    assert.ok(outcome.responses.size > 0, attack.name);
    assert.ok(outcome.cpuSeconds > 0 || process.platform !== "linux", attack.name);
    assert.equal(tableRow(outcome).split("\n").length, 2);
  }
  assert.match(tableHead(), /^attack +live max/);
});
