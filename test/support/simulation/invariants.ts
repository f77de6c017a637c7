import assert from "node:assert/strict";
import { checkLedger } from "./ledger-invariants.ts";
import type { World } from "./world.ts";

interface IntakeRow {
  id: string;
  userId: string;
  reference: string;
  state: "accepted" | "completed" | "failed";
  error: string | null;
  events: string[];
  booked: number;
}

const STORIES = {
  accepted: [],
  completed: ["intake.received", "intake.scored", "intake.completed", "rewards.awarded"],
  failed: ["intake.received", "intake.failed"],
} as const;

/** Checks the invariants of every state between two steps, after any crash. */
export async function checkInvariants(world: World): Promise<void> {
  const intakes = await readIntakes(world);
  const known = new Set(intakes.map(({ id }) => id));
  const erased = await readErased(world);
  for (const { id, userId, reference } of world.acknowledged)
    assert.ok(known.has(id) || erased.has(userId), `${reference} was accepted, and is lost`);
  const completed = new Set<string>();
  for (const { id, userId, reference, state, error, events, booked } of intakes) {
    if (erased.has(userId)) continue;
    assert.deepEqual(events, STORIES[state], `the events of ${id}, which is ${state}`);
    assert.equal(booked, state === "completed" ? 1 : 0, `bookings of ${id}, which is ${state}`);
    if (state === "completed") assert.ok(!completed.has(reference), `${reference} was completed twice`);
    if (state === "completed") completed.add(reference);
    // The only other result: a row that ended its worker five times.
    if (state === "failed") assert.match(error ?? "", /^(DUPLICATE_MEAL|INTERNAL_ERROR)$/);
  }
  await checkDeliveries(world);
  await checkLedger(world);
}

/** No delivery is without its event: there is no foreign key between their parts. */
async function checkDeliveries({ database }: World): Promise<void> {
  const text = `SELECT FROM deliveries d WHERE NOT EXISTS (
    SELECT FROM events e WHERE e.user_id = d.user_id AND e.subject = d.subject AND e.position = d.position)`;
  assert.equal((await database.query({ name: "simulation.orphans", text })).length, 0, "deliveries without an event");
}

/** Checks the invariants after all work: every submission has ended, and each reference earned once or failed. */
export async function checkEnd(world: World): Promise<void> {
  const intakes = await readIntakes(world);
  assert.deepEqual(
    intakes.filter(({ state }) => state === "accepted").map(({ id }) => id),
    [],
    "all have ended",
  );
  const earned = new Set(intakes.filter(({ state }) => state === "completed").map(({ reference }) => reference));
  const grieved = new Set(intakes.filter(({ error }) => error === "INTERNAL_ERROR").map(({ reference }) => reference));
  await checkReceipts(world);
  // A duplicate of what an erased user has earned has failed for good.
  if ((await readErased(world)).size > 0) return;
  for (const { reference } of intakes) assert.ok(earned.has(reference) || grieved.has(reference), reference);
}

/** Each receipt was credited once. */
async function checkReceipts({ database, applicationId }: World): Promise<void> {
  const rows = await database.query<{ stage: string; booked: number; events: string[] }>(
    {
      name: "simulation.credited",
      text: `SELECT stage, (SELECT count(*)::int FROM records WHERE records.user_id = receipts.user_id
                              AND records.source = 'receipt' AND submission_id = receipts.id) AS booked,
                    ARRAY(SELECT type FROM events WHERE events.user_id = receipts.user_id AND subject = receipts.id
                          ORDER BY position) AS events
             FROM receipts WHERE application_id = $1`,
    },
    [applicationId],
  );
  for (const row of rows) {
    assert.deepEqual(row, { stage: "Completed", booked: 1, events: ["receipt_completed", "rewards.awarded"] });
  }
}

async function readErased({ database, userIds }: World): Promise<Set<string>> {
  const text = "SELECT id FROM users WHERE id = ANY ($1) AND erased_at IS NOT NULL";
  const rows = await database.query<{ id: string }>({ name: "simulation.erased", text }, [userIds]);
  return new Set(rows.map(({ id }) => id));
}

async function readIntakes({ database, applicationId }: World): Promise<IntakeRow[]> {
  return database.query<IntakeRow>(
    {
      name: "simulation.intakes",
      text: `SELECT intakes.id, intakes.user_id AS "userId", intakes.source || ' ' || reference AS reference, state, error_type AS error,
                    ARRAY(SELECT type FROM events WHERE events.user_id = intakes.user_id AND subject = intakes.id
                          ORDER BY position) AS events,
                    (SELECT count(*)::int FROM records WHERE records.user_id = intakes.user_id
                       AND submission_id = intakes.id) AS booked
             FROM intakes WHERE application_id = $1`,
    },
    [applicationId],
  );
}
