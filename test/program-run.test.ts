import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { verifyLedger } from "../src/points/verification.store.ts";
import { check } from "./support/program-run/check.ts";
import { simulate } from "./support/program-run/simulate.ts";
import { runOf, startWorld } from "./support/program-run/start.ts";
import type { World } from "./support/program-run/acts.ts";

let world: World;
before(async () => {
  world = await startWorld();
});
after(() => world.service.close());

// The 90 days of 200 users: npm run simulate:program. This is the same for a few seconds.
test("a month of the example programme: each record, bonus and tier is what the documentation says, and explained", async () => {
  const checked = await check(await simulate(world, runOf({ users: 12, days: 30, seed: 2 })));
  for (const [what, count] of Object.entries(checked)) assert.ok(count > 0, `${what}: ${count}`);
  assert.deepEqual((await verifyLedger(world.service.database)).differences, []);
});
