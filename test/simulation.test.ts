import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as fc from "fast-check";
import type { LookupItem } from "../src/foods/lookup/lookup.ts";
import type { Database } from "../src/postgres/postgres.ts";
import { itemsLeft } from "../src/points/item-changes.ts";
import { recordsBetween, relatedRecords } from "../src/points/store.ts";
import { verifyLedger } from "../src/points/verification.store.ts";
import { createTestDatabase } from "./support/database.ts";
import type { TestDatabase } from "./support/database.ts";
import type { Command } from "./support/simulation/command.ts";
import { lives } from "./support/simulation/commands.ts";
import { checkEnd, checkInvariants } from "./support/simulation/invariants.ts";
import { checkFigures } from "./support/simulation/figures-invariants.ts";
import { checkLedgerEnd } from "./support/simulation/ledger-invariants.ts";
import { receiptsOf, receiveReceipt } from "./support/simulation/receipts.ts";
import { APPLE, Crash, createWorld, submissionOf, survived } from "./support/simulation/world.ts";
import type { World } from "./support/simulation/world.ts";

let db: TestDatabase;
before(async () => {
  db = await createTestDatabase();
});
after(() => db.drop());

/** Later than any clock of a life: nothing that waits is young any more. */
const LATE_MS = Date.parse("2036-01-01T00:00:00Z");
const DAY_MS = 86_400_000;
/** `SIMULATION_RUNS=500 SIMULATION_SEED=7 npm run test:one -- test/simulation.test.ts` searches for longer. */
const RUNS = Number(process.env["SIMULATION_RUNS"] ?? 16);
const SEED = process.env["SIMULATION_SEED"];
/** Lives that share a database: each reads the users of all. */
const LIVES_A_DATABASE = 100;
/** A row is tried alone five times at most. */
const SWEEPS = 6;

test("after a crash between any two steps, and with any requests, jobs and workers at once, the ledger is sound, and everything ends", async () => {
  for (let run = 0; run < RUNS; run += LIVES_A_DATABASE) {
    const own = await createTestDatabase({ connectionsMax: 8 });
    try {
      const seed = SEED === undefined ? {} : { seed: Number(SEED) + run };
      const numRuns = Math.min(RUNS - run, LIVES_A_DATABASE);
      await fc.assert(
        fc.asyncProperty(lives, (commands) => live(own.database, commands)),
        { numRuns, ...seed },
      );
    } finally {
      await own.drop();
    }
  }
});

/** Lives a life to its end: all work is done, all points expire, and those who were erased are gone. */
async function live(database: Database, commands: Iterable<Command>): Promise<void> {
  const world = await createWorld(database);
  await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
  world.clockMs = LATE_MS;
  const process = world.process(Number.MAX_SAFE_INTEGER);
  for (let i = 0; i < SWEEPS; i++) await process.sweep();
  const moves = world.moves(Number.MAX_SAFE_INTEGER);
  for (const { id } of await receiptsOf(world)) await moves.completeReceipt(id);
  await moves.sweepErased();
  await moves.endReservations();
  await checkInvariants(world);
  await checkFigures(database, world.applicationId);
  await world.set({ ...world.settings, expiryMonths: 1 });
  // What was not announced while no night passed is announced in the first night, and expires after its notice.
  for (const days of [60, 20]) {
    world.clockMs += days * DAY_MS;
    await moves.expirePoints();
  }
  await checkInvariants(world);
  await checkEnd(world);
  await checkLedgerEnd(world);
  await checkFigures(database, world.applicationId);
  // So that the jobs of later lives leave it out.
  await world.set({ ...world.settings, expiryMonths: null });
  assert.deepEqual(await differencesOf(world), []);
}

/** A world with one credited receipt of three foods: its id, its award, and the items of it. */
async function withReceipt() {
  const world = await createWorld(db.database);
  const userId = world.userIds[0]!;
  const moves = world.moves(Number.MAX_SAFE_INTEGER);
  const id = (await receiveReceipt(world, world.stages, userId))!;
  await moves.completeReceipt(id);
  const award = (await recordsBetween(db.database, userId, 1, 10))[0]!;
  /** What is left of the award: name and points of each item. */
  const left = async () => {
    const records = [award, ...(await relatedRecords(db.database, userId, award.id))];
    return itemsLeft(records).map(({ name, healthPoints, carbonPoints }) => [name, healthPoints + carbonPoints]);
  };
  return { world, userId, moves, id, award, items: award.body.items, left };
}

test("a receipt that is corrected after it was scored again keeps its other lines, and its ids are used once", async () => {
  const { world, moves, id, items, left } = await withReceipt();
  const [lentils, bread, mince] = items;
  await moves.rescore(20);
  const reason = "Misread, 0 go";
  await moves.correct(id, { reason, items: [{ id: mince!.id, quantity: 2 }] });
  const names = async () => new Set((await left()).map(([name]) => name));
  const all = new Set([lentils, bread, mince].map((item) => item!.name));
  assert.deepEqual(await names(), all);
  // The id of a version names its line, too.
  await moves.rescore(19);
  await moves.correct(id, { reason, items: [{ id: `${lentils!.id}~2`, quantity: 3 }] });
  assert.deepEqual(await names(), all);
  await checkInvariants(world);
  assert.deepEqual(await differencesOf(world), []);
});

test("what a correction took away is not credited again when the award is scored again", async () => {
  const { world, moves, id, items, left } = await withReceipt();
  await moves.correct(id, { reason: "Misread, 1 goes", items: [{ id: items[0]!.id, remove: true }] });
  const before = await left();
  await moves.rescore(20);
  assert.deepEqual(await left(), before);
  await checkInvariants(world);
  assert.deepEqual(await differencesOf(world), []);
});

test("a correction that takes the last item away after a reversal of others leaves a sound ledger", async () => {
  const { world, userId, moves, id, award, items, left } = await withReceipt();
  const [first, second, third] = items.map((item) => item.id);
  await moves.reverse(userId, award.id, [first!]);
  for (const line of [second!, third!]) {
    await moves.correct(id, { reason: "Misread, 1 goes", items: [{ id: line, notFood: true }] });
  }
  assert.deepEqual(await left(), []);
  await checkInvariants(world);
  assert.deepEqual(await differencesOf(world), []);
});

async function differencesOf({ database, userIds }: World) {
  const { differences } = await verifyLedger(database);
  return differences.filter(({ userId }) => userId === null || userIds.includes(userId));
}

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
