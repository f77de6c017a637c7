import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { randomness } from "../src/receipts/samples/seeded-noise.ts";
import { createTestDatabase } from "./support/database.ts";
import { clusterParent } from "./support/memory.ts";
import { strikeFirstStart } from "../faults/first-start.ts";
import { runStory } from "../faults/story.ts";
import { startSplit, startTogether } from "../faults/topology.ts";
import type { Topology } from "../faults/topology.ts";

// Short stories, each of one seed; `npm run test:faults` runs long ones with other seeds.
const SEED = 20_261;

const dataDir = mkdtempSync(join(clusterParent(), "rewards-crash-"));
after(() => rmSync(dataDir, { recursive: true, force: true }));

/** Fails with every promise that was broken, and the seed to see it again. */
async function keepsItsPromises<Fault extends string>(
  topology: Topology<Fault>,
  faults: readonly Fault[],
  options: { seed: number; acceptedBetween: number; receipts: number },
): Promise<void> {
  try {
    const { audit } = await runStory({ topology, faults, log: () => {}, ...options });
    assert.deepEqual(audit.faults, [], `seed ${options.seed}`);
    const ledger = await topology.cli<{ ok: boolean }>("ledger", "verify");
    assert.equal(ledger.ok, true);
  } finally {
    await topology.stop();
  }
}

test("with intakes and a receipt in progress, nothing is lost or done twice when PostgreSQL, a reader or everything is killed, or the service is asked to stop", async () => {
  const topology = await startTogether(join(dataDir, "together"));
  const faults = ["postgres", "reader", "sigterm", "everything"] as const;
  await keepsItsPromises(topology, faults, { seed: SEED, acceptedBetween: 5, receipts: 1 });
});

test("two processes that serve and three that work share one database, and lose nothing when one is killed", async () => {
  const { env, drop } = await createTestDatabase();
  try {
    const topology = await startSplit(join(dataDir, "split"), env);
    await keepsItsPromises(topology, ["work", "serve"], { seed: SEED + 1, acceptedBetween: 5, receipts: 0 });
  } finally {
    await drop();
  }
});

test("a first start that is killed at any moment leaves nothing that breaks the next one", async () => {
  await strikeFirstStart(randomness(SEED + 2), 1);
});
