import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { verifyLedger } from "../src/points/verification.store.ts";
import { check } from "./support/program-run/check.ts";
import { runOf, startWorld } from "./support/program-run/start.ts";
import type { StartedWorld } from "./support/program-run/start.ts";
import { simulate } from "./support/program-run/simulate.ts";

let started: StartedWorld;
before(async () => {
  started = await startWorld();
});
after(() => started.service.close());

test("the programme of the documentation gives every user of a month the points that the documentation says", async () => {
  const run = await simulate(started, runOf({ users: 20, days: 30, seed: 1 }));
  const checked = await check(run);
  console.log(checked);
  assert.deepEqual((await verifyLedger(started.service.database)).differences, []);
});
