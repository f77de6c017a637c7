import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import type { LookupItem } from "../src/foods/lookup/lookup.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import { lives } from "./support/simulation/commands.ts";
import { checkEnd, checkInvariants } from "./support/simulation/invariants.ts";
import { APPLE, Crash, createWorld, submissionOf, survived } from "./support/simulation/world.ts";

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
});
after(() => db.drop());

/** Later than any clock of a life: nothing that waits is young any more. */
const LATE_MS = Date.parse("2036-01-01T00:00:00Z");
const RUNS = 60;
/** A row is tried alone five times at most. */
const SWEEPS = 6;

test("after a crash between any two steps, and with any workers at once, the ledger is sound, and every submission ends", async () => {
  await fc.assert(
    fc.asyncProperty(lives, async (commands) => {
      const world = await createWorld(db.database);
      await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
      world.clockMs = LATE_MS;
      for (let i = 0; i < SWEEPS; i++) {
        await world.process(Number.MAX_SAFE_INTEGER).sweep();
      }
      await checkInvariants(world);
      await checkEnd(world);
      assert.deepEqual((await verifyLedger(db.database)).differences, []);
    }),
    { numRuns: RUNS },
  );
});

test("an intake that ends its worker each time ends as INTERNAL_ERROR, and fails no other intake", async () => {
  const world = await createWorld(db.database);
  const at = new Date(world.clockMs);
  const arrivals = ["poison", "wholesome"].map((reference) => ({
    id: world.newId(),
    applicationId: world.applicationId,
    userId: world.userIds[0]!,
    source: "food" as const,
    submission: { ...submissionOf(reference, at), ingredients: [{ ...APPLE, foodId: reference }] },
    acceptedAt: at,
    key: null,
  }));
  const accepting = world.process(Number.MAX_SAFE_INTEGER);
  await accepting.accept(arrivals);
  await accepting.idle();
  const dies = (asked: readonly LookupItem[]) => {
    if (asked.some(({ foodId }) => foodId === "poison")) throw new Crash();
  };
  // As a killed process leaves it: the job comes back to another, each time.
  for (const { data, attempt } of world.queue.splice(0)) {
    for (let i = 0; i < 3; i++) await survived(world.process(Number.MAX_SAFE_INTEGER, dies).runJob(data, attempt + i));
  }
  world.clockMs = LATE_MS;
  for (let i = 0; i < SWEEPS; i++) await survived(world.process(Number.MAX_SAFE_INTEGER, dies).sweep());
  await checkInvariants(world);
  await checkEnd(world);
  const { rows } = await db.database.pool.query<{ state: string; error: string | null }>(
    "SELECT state, error_type AS error FROM intakes WHERE application_id = $1 ORDER BY reference",
    [world.applicationId],
  );
  assert.deepEqual(rows, [
    { state: "failed", error: "INTERNAL_ERROR" },
    { state: "completed", error: null },
  ]);
});
