import { after, before, test } from "node:test";
import * as fc from "fast-check";
import { createTestDatabase } from "./database.ts";
import type { TestDatabase } from "./database.ts";
import { lives } from "./simulation/commands.ts";
import { checkEnd, checkInvariants } from "./simulation/invariants.ts";
import { createWorld } from "./simulation/world.ts";

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
});
after(() => db.drop());

/** Later than any clock of a life: nothing that waits is young any more. */
const LATE_MS = Date.parse("2036-01-01T00:00:00Z");
const RUNS = 40;
/** A row is tried alone five times at most. */
const SWEEPS = 6;

test("whatever crashes between any two steps, and whoever works at once: the ledger is sound after each, and all ends", async () => {
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
    }),
    { numRuns: RUNS },
  );
});
