// Runs the programme of docs/programs/example.json for 90 simulated days of 200 users, through the API, and compares
// every point with a second computation: npm run simulate:program -- [--users 200] [--days 90] [--seed 1]
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { verifyLedger } from "../src/points/verification.store.ts";
import { check } from "../test/support/program-run/check.ts";
import { simulate } from "../test/support/program-run/simulate.ts";
import { runOf, startWorld } from "../test/support/program-run/start.ts";
import { globalSetup, globalTeardown } from "../test/support/setup.ts";

const { values } = parseArgs({
  options: {
    users: { type: "string", default: "200" },
    days: { type: "string", default: "90" },
    seed: { type: "string", default: "1" },
  },
});
const { users, days, seed } = { users: Number(values.users), days: Number(values.days), seed: Number(values.seed) };
const startedMs = performance.now();
const seconds = () => `${Math.round((performance.now() - startedMs) / 1_000)} s`;

await globalSetup();
const world = await startWorld();
try {
  const run = await simulate(world, runOf({ users, days, seed }), (day) => {
    if (day % 10 === 0 || day === days)
      console.log(`day ${day}: ${world.submissions.length} submissions, ${seconds()}`);
  });
  console.log(await check(run));
  const { differences } = await verifyLedger(world.service.database);
  assert.deepEqual(differences, []);
  const { user, system } = process.cpuUsage();
  console.log(
    `every point is as expected: ${seconds()}, ${Math.round((user + system) / 1e6)} s of CPU without PostgreSQL`,
  );
} finally {
  await world.service.close();
  await globalTeardown();
}
